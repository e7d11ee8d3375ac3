//! What calendars refuse, as answers.

use shared::{
    booking::FieldFault,
    ops::calendar::{CalendarError, NamedFault},
};

use super::{ApiError, Code};
use crate::routes::calendars::view::sentence;

impl From<CalendarError> for ApiError {
    fn from(error: CalendarError) -> Self {
        match error {
            CalendarError::NotFound => Self::new(Code::NotFound),
            CalendarError::NotPermitted(why) => Self::new(Code::NotPermitted).detail(why),
            CalendarError::Personal => Self::new(Code::PersonalCalendar),
            CalendarError::HasBookings(bookings) => {
                let list: Vec<String> = bookings.iter().map(ToString::to_string).collect();
                Self::new(Code::CalendarHasBookings).detail(format_args!(
                    "these bookings have their events on it: {}",
                    list.join(", ")
                ))
            }
            CalendarError::Invalid(faults) => Self::of_faults(faults),
            CalendarError::Changing => Self::new(Code::Unavailable).retry_after(1),
            CalendarError::Failure(failure) => failure.into(),
        }
    }
}

impl ApiError {
    /// Everything in a request that breaks a rule.
    #[must_use]
    pub fn of_faults(faults: Vec<FieldFault>) -> Self {
        faults
            .into_iter()
            .fold(Self::new(Code::ValidationFailed), |error, fault| {
                error.at(fault.pointer, fault.code, fault.detail)
            })
    }

    /// Busy time that is not known, told to the host whose it is.
    #[must_use]
    pub fn of_fault(fault: &NamedFault) -> Self {
        let words = sentence(fault);
        let place = match fault.event {
            Some(event) => format!("/v1/calendars/{}/events/{event}", fault.calendar),
            None => format!("/v1/calendars/{}", fault.calendar),
        };
        let why = serde_json::to_value(fault.why)
            .ok()
            .and_then(|why| why.as_str().map(str::to_owned));
        Self::new(Code::AvailabilityUnknown)
            .detail(&words)
            .at(place, why.unwrap_or_default(), words)
            .retry_after(super::from_ops::UNKNOWN_RETRY_S)
    }
}
