//! What belongs to a host as a whole.
pub mod busy;
