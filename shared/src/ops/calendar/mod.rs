//! Calendars: which a host sees, and who may change them.
mod change;
mod create_team;
mod delete;
mod error;
mod fault;
mod members;
mod role;
mod seen;

pub use change::{CalendarChange, change_calendar};
pub use create_team::create_team;
pub use delete::delete_calendar;
pub use error::CalendarError;
pub use fault::{NamedFault, name_fault};
pub use members::{add_member, remove_member};
pub use role::{Access, CalendarKind, Role, access};
pub use seen::{CalendarMember, SeenCalendar, Sync, SyncState, list_calendars};
