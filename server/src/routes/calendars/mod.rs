//! Calendars: which there are, who sees them, and what is on them.
pub mod add_member;
pub mod change;
pub mod create;
pub mod delete;
pub mod list;
pub mod remove_member;
pub(crate) mod view;
