#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
//! Tests of the engine, by subject; `ask` holds what they share.
mod ask;
mod cases;
mod clocks;
mod dates;
mod explaining;
mod limits;
mod listing;
mod midnight;
mod model;
mod one_answer;
mod preconditions;
mod properties;
mod vectors;
