//! Calendar data (RFC 5545): reading, writing, recurrence.
pub mod cal_address;
pub mod content;
pub mod event;
pub mod event_clock;
pub mod extent;
pub mod ics_out;
pub mod ics_read;
pub mod ics_write;
pub mod opaque_uid;
pub mod problem;
pub mod recurrence;
pub mod timing;
