//! `POST /v1/manage/cancel`: the booker cancels, or lets a hold go.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use shared::ops::{self, Authority, MAX_REASON_CHARS};
use utoipa::ToSchema;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Json, PresentedToken, Visitor},
    routes::{booking_view::BookingView, manage::refusal},
};

/// What cancelling may say.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelRequest {
    /// Why: a booker tells the host, a host the booker. At most 2,000 characters.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub(crate) reason: Option<String>,
    /// Refuse if the booking is at another revision.
    #[serde(default)]
    #[schema(example = 0)]
    pub(crate) expected_revision: Option<i32>,
}

/// Cancel a booking.
///
/// A hold is released and nobody is mailed. Cancelling what was cancelled by its booker answers 200
/// with the unchanged booking.
#[utoipa::path(
    tag = "manage", operation_id = "cancelBooking", security(("manage_token" = [])),
    request_body = CancelRequest,
    responses((status = 200, description = "Cancelled, or released", body = BookingView)),
)]
#[post("/manage/cancel")]
pub async fn cancel(
    app: Data<App>,
    _visitor: Visitor,
    token: PresentedToken,
    body: Result<Json<CancelRequest>, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let read = body.and_then(|body| {
        let reason = reason_of(body.0.reason.as_deref())?;
        Ok((reason, body.0.expected_revision))
    });
    let (reason, expected_revision) = match read {
        Ok(read) => read,
        Err(error) => return Err(refusal(&app, &token, error).await),
    };
    let outcome = ops::cancel(
        &app.context,
        Authority::Token(&token.0),
        reason,
        expected_revision,
    )
    .await;
    let booking = outcome.map_err(|error| ApiError::of_change(&app, error))?;
    Ok(HttpResponse::Ok().json(BookingView::managed(
        &app,
        &booking,
        app.context.clock.now(),
    )))
}

/// A reason that may be kept; an empty one is none.
pub(crate) fn reason_of(reason: Option<&str>) -> Result<Option<String>, ApiError> {
    let Some(reason) = reason.map(str::trim).filter(|reason| !reason.is_empty()) else {
        return Ok(None);
    };
    let fault = |code: &str, detail: &str| {
        Err(ApiError::new(Code::ValidationFailed).at("/reason", code, detail))
    };
    if reason.chars().count() > MAX_REASON_CHARS {
        return fault("too_long", "at most 2,000 characters");
    }
    if reason
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
    {
        return fault("control_characters", "control characters are not allowed");
    }
    Ok(Some(reason.to_owned()))
}
