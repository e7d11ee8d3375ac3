//! Operations' errors as answers.

use shared::ops::{Failure, LoadError};

use super::{ApiError, Code};

/// How long a stranger waits before asking again while availability is unknown.
const UNKNOWN_RETRY_S: u32 = 60;

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Database(error) => error.into(),
            other => Self::internal(&other),
        }
    }
}

impl From<LoadError> for ApiError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Failure(failure) => failure.into(),
            LoadError::Unknown(unknown) => {
                // The host must learn it; the stranger hears only that times cannot be shown.
                tracing::warn!(event_type = %unknown.event_type, why = %unknown.why, "availability unknown: nothing is called free");
                Self::new(Code::AvailabilityUnknown).retry_after(UNKNOWN_RETRY_S)
            }
        }
    }
}
