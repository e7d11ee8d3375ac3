//! The JSON API: `routes/<resource>/<verb>.rs`, as the URL has it.
pub mod availability;
pub mod booking_view;
pub mod bookings;
pub mod calendars;
pub mod cursor;
pub mod feeds;
pub mod host_booking_view;
pub mod hosts;
pub mod imports;
pub mod manage;
pub mod me;
pub mod pages;
pub mod process;
pub mod subscriptions;
