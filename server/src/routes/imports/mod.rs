//! Files that are taken over into calendars.
pub mod create;
