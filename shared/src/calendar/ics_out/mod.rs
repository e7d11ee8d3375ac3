//! Calendars as iCalendar streams (RFC 5545), for feeds and files: what other programs read, and
//! what [`ics_read`](super::ics_read) reads back as it was.

mod event;
mod head;
mod kept;
mod vtimezone;
mod zones;

pub use event::{Publisher, Stamped, has_readable_rule, write_busy, write_event};
pub use head::{Head, Publishing, write_head, write_problem};
pub use kept::{is_whole_event, write_kept};
pub use zones::UsedZones;
