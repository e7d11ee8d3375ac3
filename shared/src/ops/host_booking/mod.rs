//! Bookings as their host sees them.
mod list;
mod read;
mod show;

pub use list::{BookingFilter, BookingPage, MAX_PAGE, list_bookings};
pub use read::{HistoryEntry, HostBooking};
pub use show::show_host_booking;
