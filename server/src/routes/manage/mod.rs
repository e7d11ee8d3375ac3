//! What a booker does with a booking, by its manage token in `X-Manage-Token`.
pub mod calendar;
pub mod cancel;
pub mod confirm;
pub mod reschedule;
pub mod show;
pub mod slots;
