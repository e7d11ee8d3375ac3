//! When a host can be booked, week after week: the text that a host types, the windows that it
//! means, and the words that say them back.
//!
//! [`parse`] is the only reader of the text; pages and the widget ask for it over HTTP. A text is
//! read in three steps, each in its own file: `lexer` cuts it into tokens, `parser` puts days and
//! ranges together (`cursor` recognises them), and `half_day` decides which half of the day a clock
//! without am or pm means.
//! What is not understood is never guessed and never dropped: it becomes a [`Problem`].
//!
//! Everything here is wall-clock time. Dates, zones and DST belong to the slots.

mod clock;
mod cursor;
mod describe;
mod entry;
mod half_day;
mod lexer;
mod message;
mod parser;
mod problem;
mod window;

pub use describe::describe;
pub use entry::{EntryError, EntryFault, WindowEntry, from_entry};
pub use parser::{MAX_BYTES, Parsed, parse};
pub use problem::{Problem, ProblemCode};
pub use window::{MINUTES_PER_DAY, Window, merge};

#[cfg(test)]
mod tests;
