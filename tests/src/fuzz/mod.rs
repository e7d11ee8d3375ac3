//! Random input for everything that reads what strangers write.
//!
//! A target reads an input and says what it saw; a search changes inputs at random and keeps those
//! at which a target saw something new. No input may bring a reader down, take long, or take much
//! memory. `docs/decisions/0019-a-fuzzer-of-our-own.md` says why this is our own.

pub mod limit;
pub mod mutation;
pub mod search;
pub mod target;
pub mod timer;
