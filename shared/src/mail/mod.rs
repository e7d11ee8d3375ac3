//! Mail.
pub mod backoff;
pub mod kind;
pub mod owed;
pub mod truth;
