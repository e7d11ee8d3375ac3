//! Calendars that other programs read.
mod body;
pub mod create;
pub mod delete;
pub mod export;
pub mod list;
pub mod read;
mod view;
