//! What comes in, parsed at the door: each turns a fault into a problem document.
mod client;
mod idempotency;
pub(crate) mod json;
mod language;
mod query;
mod token;
mod visitor;

pub use client::client_ip;
pub use idempotency::IdempotencyKey;
pub use json::Json;
pub use language::Language;
pub use query::Query;
pub use token::PresentedToken;
pub use visitor::Visitor;
