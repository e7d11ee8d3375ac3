//! What calendars take of a host's time, through the slots and the bookings.

mod copies;
mod locks;
mod pinned;
mod sharing;
mod trips;
mod unknown;
