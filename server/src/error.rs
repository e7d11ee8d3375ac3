//! The one table of errors: code, status, title. Answers are RFC 9457 problem documents.

mod code;
mod from_calendars;
mod from_feeds;
mod from_imports;
mod from_ops;
mod from_subscriptions;
mod problem;

pub use code::Code;
pub use from_ops::code_of;
pub use problem::{ApiError, FieldProblem, Problem, chain};
