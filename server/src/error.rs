//! The one table of errors: code, status, title. Answers are RFC 9457 problem documents.

mod code;
mod from_ops;
mod problem;

pub use code::Code;
pub use problem::{ApiError, FieldProblem, Problem};
