//! Calendar data (RFC 5545): reading, writing, recurrence.
pub mod cal_address;
pub mod ics_write;
