//! Booking a slot of a page, and a host's bookings by an API key.
pub mod cancel;
pub mod complete;
pub mod create;
pub mod list;
pub mod no_show;
pub mod reassign;
pub mod reschedule;
pub mod show;

use shared::ops::Authority;
use uuid::Uuid;

use crate::extract::HostKey;

/// What a key says of a booking: it is found only if it is that host's.
const fn of_host(key: HostKey, booking: Uuid) -> Authority<'static> {
    Authority::Host {
        booking,
        host: key.host(),
    }
}
