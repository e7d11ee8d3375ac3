//! Operations' errors as answers.

use serde::Serialize;
use shared::{
    booking::{InvalidRequest, PublicBooking, Refusal},
    ops::{AvailabilityUnknown, BookError, ChangeError, Failure, LoadError, MoveError},
};

use super::{ApiError, Code};
use crate::{
    app::App,
    routes::{booking_view::BookingView, host_booking_view::HostBookingView},
};

/// How long whoever asked waits before asking again while availability is unknown.
pub(super) const UNKNOWN_RETRY_S: u32 = 60;

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
            InvalidRequest::Faults(faults) => Self::of_faults(faults),
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
    /// A change that a booking refused its booker, with what the booking is now.
    #[must_use]
    pub fn of_change(app: &App, error: ChangeError) -> Self {
        Self::refused(error, |booking| seen_by_booker(app, booking))
    }

    /// A change that a booking refused its host, with what the booking is now.
    #[must_use]
    pub fn of_host_change(app: &App, error: ChangeError) -> Self {
        Self::refused(error, |booking| seen_by_host(app, booking))
    }

    /// A move that was refused its booker, with what the booking is now.
    #[must_use]
    pub fn of_move(app: &App, error: MoveError) -> Self {
        Self::not_moved(error, |booking| seen_by_booker(app, booking))
    }

    /// A move that was refused its host, with what the booking is now.
    #[must_use]
    pub fn of_host_move(app: &App, error: MoveError) -> Self {
        Self::not_moved(error, |booking| seen_by_host(app, booking))
    }

    fn refused<V: Serialize>(error: ChangeError, view: impl Fn(&PublicBooking) -> V) -> Self {
        match error {
            ChangeError::NotFound => Self::new(Code::NotFound),
            ChangeError::Failure(failure) => failure.into(),
            ChangeError::HostsChanged(booking) => {
                Self::new(Code::RevisionConflict).booking(view(&booking))
            }
            ChangeError::Refused(refusal, booking) => {
                Self::new(code_of(refusal)).booking(view(&booking))
            }
        }
    }

    fn not_moved<V: Serialize>(error: MoveError, view: impl Fn(&PublicBooking) -> V) -> Self {
        match error {
            MoveError::Change(error) => Self::refused(error, view),
            MoveError::HostInactive(booking) => {
                Self::new(Code::HostInactive).booking(view(&booking))
            }
            MoveError::Taken(booking) => {
                metrics::counter!("holdfast_slot_taken_total").increment(1);
                Self::new(Code::SlotTaken).booking(view(&booking))
            }
            MoveError::NotOffered => Self::new(Code::SlotNotOffered),
            MoveError::NotOfThisPage => Self::new(Code::ValidationFailed).at(
                "/host",
                "not_of_this_page",
                "name a host who may take over bookings of this page",
            ),
            MoveError::KeyReused => Self::new(Code::IdempotencyKeyReused),
            MoveError::Unknown(unknown) => unknown.into(),
        }
    }
}

fn seen_by_booker(app: &App, booking: &PublicBooking) -> BookingView {
    BookingView::managed(app, booking, app.context.clock.now())
}

fn seen_by_host(app: &App, booking: &PublicBooking) -> HostBookingView {
    HostBookingView::of(booking, app.context.clock.now())
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
