//! Subscribed calendars, read from where they are.
mod backoff;
mod one;
mod run;

pub use run::{CONCURRENCY, Syncer, step};

pub(crate) use run::run;
