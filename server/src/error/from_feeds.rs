//! Why there is no feed, or nothing in it, as answers.

use shared::ops::feed::FeedError;

use super::{ApiError, Code, from_ops::UNKNOWN_RETRY_S};

impl From<FeedError> for ApiError {
    fn from(error: FeedError) -> Self {
        match error {
            FeedError::NotFound => Self::new(Code::NotFound),
            FeedError::TooMany => Self::new(Code::TooManyFeeds).detail(error),
            FeedError::Invalid(fault) => {
                Self::new(Code::ValidationFailed).at(fault.pointer, fault.code, fault.detail)
            }
            FeedError::Unknown(unknown) => {
                tracing::warn!(calendar = %unknown.calendar, why = %unknown.why, "busy time unknown: a feed says nothing");
                Self::new(Code::AvailabilityUnknown).retry_after(UNKNOWN_RETRY_S)
            }
            FeedError::Failure(failure) => failure.into(),
        }
    }
}
