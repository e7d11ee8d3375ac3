//! Booking a slot of a page.
pub mod create;
