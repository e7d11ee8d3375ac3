//! What comes in, parsed at the door: each turns a fault into a problem document.
mod client;
pub(crate) mod json;
mod language;
mod query;
mod visitor;

pub use client::client_ip;
pub use json::Json;
pub use language::Language;
pub use query::Query;
pub use visitor::Visitor;
