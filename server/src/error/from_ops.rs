//! Operations' errors as answers.

use shared::{
    booking::{InvalidRequest, PublicBooking, Refusal},
    ops::{AvailabilityUnknown, BookError, ChangeError, Failure, LoadError, MoveError},
};

use super::{ApiError, Code};
use crate::{app::App, routes::booking_view::BookingView};

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

impl From<AvailabilityUnknown> for ApiError {
    fn from(unknown: AvailabilityUnknown) -> Self {
        // The host must learn it; the stranger hears only that times cannot be shown.
        tracing::warn!(event_type = %unknown.event_type, why = %unknown.why, "availability unknown: nothing is called free");
        Self::new(Code::AvailabilityUnknown).retry_after(UNKNOWN_RETRY_S)
    }
}

impl From<LoadError> for ApiError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Failure(failure) => failure.into(),
            LoadError::Unknown(unknown) => unknown.into(),
        }
    }
}

impl From<InvalidRequest> for ApiError {
    fn from(invalid: InvalidRequest) -> Self {
        match invalid {
            InvalidRequest::Zone(error) => {
                Self::new(Code::UnknownZone)
                    .detail(&error)
                    .at("/zone", "unknown_zone", &error)
            }
            InvalidRequest::GuestsNotAllowed => Self::new(Code::GuestsNotAllowed).at(
                "/guests",
                "guests_not_allowed",
                "leave the guests out",
            ),
            InvalidRequest::Faults(faults) => faults
                .into_iter()
                .fold(Self::new(Code::ValidationFailed), |error, fault| {
                    error.at(fault.pointer, fault.code, fault.detail)
                }),
        }
    }
}

impl From<BookError> for ApiError {
    fn from(error: BookError) -> Self {
        match error {
            BookError::NotFound => Self::new(Code::NotFound),
            BookError::Invalid(invalid) => invalid.into(),
            BookError::NotOffered => Self::new(Code::SlotNotOffered),
            BookError::Taken => {
                metrics::counter!("holdfast_slot_taken_total").increment(1);
                Self::new(Code::SlotTaken)
            }
            BookError::TooManyHolds { retry_after_s } => {
                Self::new(Code::TooManyHolds).retry_after(retry_after_s)
            }
            BookError::TooManyBookings { retry_after_s } => {
                Self::new(Code::TooManyBookings).retry_after(retry_after_s)
            }
            BookError::KeyReused => Self::new(Code::IdempotencyKeyReused),
            // The host edits the page faster than it can be read.
            BookError::Changing => Self::new(Code::Unavailable).retry_after(1),
            BookError::Unknown(unknown) => unknown.into(),
            BookError::Failure(failure) => failure.into(),
        }
    }
}

impl ApiError {
    /// A change that a booking refused, with what the booking is now.
    #[must_use]
    pub fn of_change(app: &App, error: ChangeError) -> Self {
        match error {
            ChangeError::NotFound => Self::new(Code::NotFound),
            ChangeError::Failure(failure) => failure.into(),
            ChangeError::Refused(refusal, booking) => {
                Self::new(code_of(refusal)).of_booking(app, &booking)
            }
        }
    }

    /// A move that was refused, with what the booking is now.
    #[must_use]
    pub fn of_move(app: &App, error: MoveError) -> Self {
        match error {
            MoveError::Change(error) => Self::of_change(app, error),
            MoveError::HostInactive(booking) => {
                Self::new(Code::HostInactive).of_booking(app, &booking)
            }
            MoveError::Taken(booking) => {
                metrics::counter!("holdfast_slot_taken_total").increment(1);
                Self::new(Code::SlotTaken).of_booking(app, &booking)
            }
            MoveError::NotOffered => Self::new(Code::SlotNotOffered),
            MoveError::KeyReused => Self::new(Code::IdempotencyKeyReused),
            MoveError::Unknown(unknown) => unknown.into(),
        }
    }

    fn of_booking(self, app: &App, booking: &PublicBooking) -> Self {
        self.booking(BookingView::managed(app, booking, app.context.clock.now()))
    }
}

/// The code of a refusal.
#[must_use]
pub const fn code_of(refusal: Refusal) -> Code {
    match refusal {
        Refusal::HoldExpired => Code::HoldExpired,
        Refusal::NotConfirmed => Code::NotConfirmed,
        Refusal::Cancelled => Code::BookingCancelled,
        Refusal::Finished => Code::BookingFinished,
        Refusal::AlreadyStarted => Code::AlreadyStarted,
        Refusal::NotStarted => Code::NotStarted,
        Refusal::RevisionConflict => Code::RevisionConflict,
        Refusal::RescheduleLimit => Code::RescheduleLimit,
        Refusal::Unchanged => Code::Unchanged,
    }
}
