//! Taking the events of an iCalendar file over into a calendar.
mod booked;
mod error;
mod plan;
mod run;

pub use error::ImportError;
pub use run::{ImportReport, import};
