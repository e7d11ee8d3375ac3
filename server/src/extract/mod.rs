//! What comes in, parsed at the door: each turns a fault into a problem document.
mod body;
mod calendar_file;
mod client;
mod host_key;
mod idempotency;
pub(crate) mod json;
mod keyed;
mod language;
mod query;
mod segments;
mod token;
mod visitor;

pub use calendar_file::CalendarFile;
pub use client::client_ip;
pub use host_key::HostKey;
pub use idempotency::IdempotencyKey;
pub use json::{Json, SignedJson};
pub use keyed::Keyed;
pub use language::Language;
pub use query::Query;
pub use segments::Segments;
pub use token::PresentedToken;
pub use visitor::Visitor;
