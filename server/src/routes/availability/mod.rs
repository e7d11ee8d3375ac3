//! Availability in plain words.
pub mod parse;
