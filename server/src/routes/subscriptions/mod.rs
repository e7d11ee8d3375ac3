//! Calendars that are read from an address.
pub mod show;
pub mod subscribe;
pub mod sync;
mod view;
