//! A press that changed nothing: the booking as it is now, and why.

use actix_web::{HttpResponse, http::StatusCode};
use shared::{booking::PublicBooking, ops};

use super::facts::{Facts, was_given_up};
use crate::{
    app::App,
    error::{ApiError, Code},
    pages::{
        answer,
        view::{Notice, Reader},
    },
};

/// Why a press changed nothing; `None` for errors that are not the booking's.
pub(super) fn notice(error: &ApiError) -> Option<Notice> {
    Some(match error.code() {
        Code::RevisionConflict | Code::NotConfirmed => Notice::Changed,
        Code::BookingCancelled => Notice::AlreadyCancelled,
        Code::HoldExpired => Notice::HoldLapsed,
        Code::BookingFinished => Notice::Finished,
        Code::AlreadyStarted => Notice::Started,
        Code::RescheduleLimit => Notice::MoveLimit,
        Code::Unchanged => Notice::Unchanged,
        Code::HostInactive => Notice::HostInactive,
        Code::SlotTaken => Notice::Taken,
        Code::SlotNotOffered => Notice::NotOffered,
        Code::AvailabilityUnknown | Code::Unavailable => Notice::TimesUnknown,
        Code::IdempotencyKeyReused => Notice::SentBefore,
        Code::RateLimited => Notice::TooMany {
            retry_after_s: answer::retry_after_s(error),
        },
        _ => return None,
    })
}

/// The booking's page with the error's status. The booking is read again, for it may have changed
/// since the refusal, too.
pub(super) async fn page(
    app: &App,
    reader: Reader,
    token: &str,
    error: &ApiError,
    notice: Notice,
) -> Result<HttpResponse, ApiError> {
    let booking = ops::show_booking(&app.context, token).await?;
    let booking = booking.ok_or_else(|| ApiError::new(Code::NotFound))?;
    let now = app.context.clock.now();
    let limit = app.context.limits.booker_reschedules;
    let notice = match notice {
        // It did not lapse: it was let go.
        Notice::HoldLapsed if was_given_up(&booking) => Notice::Changed,
        other => other,
    };
    let html = Facts::of(&booking, token).page(reader, now, limit, Some(notice));
    Ok(answer::page_of(error, html))
}

/// The page of a press whose end was reached before.
pub(super) fn repeated(
    app: &App,
    reader: Reader,
    token: &str,
    booking: &PublicBooking,
    notice: Notice,
) -> HttpResponse {
    let now = app.context.clock.now();
    let limit = app.context.limits.booker_reschedules;
    let html = Facts::of(booking, token).page(reader, now, limit, Some(notice));
    answer::page(StatusCode::OK, html)
}
