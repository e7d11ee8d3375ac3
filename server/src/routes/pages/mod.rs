//! Public pages: what can be booked, and when.
pub mod explain;
pub mod list;
pub mod show;
pub mod slots;
