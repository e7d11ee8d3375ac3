//! `/book/m/{token}`: a booking, for whoever holds its link.

pub(super) mod calendar;
pub(super) mod cancel;
pub(super) mod confirm;
mod done;
mod facts;
pub(super) mod get;
mod moving;
pub(super) mod reschedule;
mod stale;

pub(super) use done::done_path;
