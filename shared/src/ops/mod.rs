//! Verbs that several doors share. A verb owns its transaction: it begins and commits.
mod api_key;
mod availability;
mod book;
mod busy_time;
pub mod calendar;
mod cancel;
mod changing;
mod confirm;
mod context;
mod create_host;
mod expire_holds;
mod explain_start;
mod failure;
pub mod feed;
mod find_slots;
mod finish;
mod host_booking;
mod host_busy;
pub mod import;
mod invitation;
mod list_undelivered;
mod name;
mod open_instance;
mod reassign;
mod reschedule;
mod retry_mail;
mod set_reminders;
mod show_booking;
mod show_host;
mod show_page;
mod sign_in_mail;
pub mod stored_event;
pub mod subscription;
mod whole;
mod whose;

pub use api_key::{
    CreateKeyError, CreatedKey, KeyHolder, ListedKey, MAX_NAME_CHARS as MAX_KEY_NAME_CHARS,
    Revoked, create_key, list_keys, open_key, revoke_key,
};
pub use availability::LoadError;
pub use book::{BookError, Take, Taken, book};
pub use busy_time::{BusyCache, CalendarFault, UnknownCalendar};
pub use cancel::{MAX_REASON_CHARS, cancel};
pub use changing::{Authority, ChangeError};
pub use confirm::confirm;
pub use context::Context;
pub use create_host::{CreateHostError, CreatedHost, NewHost, NewPage, create_host};
pub use expire_holds::{BATCH, expire_holds};
pub use explain_start::{Explained, WhyNothing, explain_start};
pub use failure::{AvailabilityUnknown, Failure, WhyUnknown};
pub use find_slots::{FoundSlots, find_slots};
pub use finish::{Attendance, finish};
pub use host_booking::{
    BookingFilter, BookingPage, HistoryEntry, HostBooking, MAX_PAGE, list_bookings,
    show_host_booking,
};
pub use host_busy::{BusyUnknown, host_busy};
pub use invitation::invitation;
pub use list_undelivered::{UndeliveredOutcome, list_undelivered};
pub use open_instance::{CannotOpenInstance, open_instance};
pub use reassign::{Reassign, reassign, set_substitute};
pub use reschedule::{Move, MoveError, MoveSlots, Moved, find_move_slots, reschedule};
pub use retry_mail::{RetryMailError, retry_mail};
pub use set_reminders::set_reminders;
pub use show_booking::show_booking;
pub use show_host::{OwnHost, show_host};
pub use show_page::{ListedHost, ListedType, list_host, list_hosts, show_page};
pub use sign_in_mail::reserve_sign_in_mail;
