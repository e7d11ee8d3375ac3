//! What the server and the worker have in common: the rules, the rows, the verbs.
pub mod address;
pub mod clock;
pub mod config;
pub mod fingerprint;
pub mod id;
pub mod instant;
pub mod locale;
pub mod random;
pub mod seal;
pub mod token;
pub mod zone;
