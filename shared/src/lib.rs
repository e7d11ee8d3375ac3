//! What the server and the worker have in common: the rules, the rows, the verbs.
pub mod clock;
pub mod instant;
pub mod locale;
pub mod zone;
