//! Calendars that other programs read: feeds at an address of their own, and files.
mod chunks;
mod create;
mod detail;
mod error;
mod export;
mod gather;
mod list;
mod open;
mod remove;
mod sheet;
mod write_booked;
mod write_busy;
mod write_full;

pub use chunks::{Chunk, Chunks};
pub use create::{CreatedFeed, MAX_FEEDS, create};
pub use detail::FeedDetail;
pub use error::FeedError;
pub use export::export;
pub use list::{ListedFeed, list};
pub use open::{OpenedFeed, open};
pub use remove::remove;
