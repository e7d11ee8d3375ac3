//! Why a subscribed calendar was not made or read, as answers.

use shared::ops::subscription::SubscriptionError;

use super::{ApiError, Code};

impl From<SubscriptionError> for ApiError {
    fn from(error: SubscriptionError) -> Self {
        match error {
            SubscriptionError::NotFound => Self::new(Code::NotFound),
            SubscriptionError::NotSubscribed => Self::new(Code::NotSubscribed),
            SubscriptionError::TooMany => Self::new(Code::TooManyCalendars).detail(error),
            SubscriptionError::Invalid(faults) => faults
                .into_iter()
                .fold(Self::new(Code::ValidationFailed), |error, fault| {
                    error.at(fault.pointer, fault.code, fault.detail)
                }),
            SubscriptionError::Failure(failure) => failure.into(),
        }
    }
}
