//! The hosted pages: no script needed.

pub mod assets;
pub mod dates;
pub mod view;
pub mod words;

use actix_web::{HttpRequest, web::ServiceConfig};

use crate::error::{ApiError, Code};

/// The pages' paths and methods. The last one matches any first segment.
pub const PATHS: &[(&str, &[&str])] = &[];

/// Registers the pages.
pub fn configure(_config: &mut ServiceConfig) {}

/// Nothing is here.
#[must_use]
pub fn not_found(_request: &HttpRequest) -> ApiError {
    ApiError::new(Code::NotFound)
}
