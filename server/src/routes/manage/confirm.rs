//! `POST /v1/manage/confirm`: the booker confirms a hold.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use shared::ops;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::ApiError,
    extract::{Json, PresentedToken, Visitor},
    routes::{booking_view::BookingView, manage::refusal},
};

/// What confirming may name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmRequest {
    /// Refuse if the booking is at another revision.
    #[serde(default)]
    #[schema(example = 0)]
    expected_revision: Option<i32>,
}

/// Confirm a hold.
///
/// Confirming what is confirmed answers 200 with the unchanged booking.
#[utoipa::path(
    tag = "manage", operation_id = "confirmBooking", security(("manage_token" = [])),
    request_body = ConfirmRequest,
    responses((status = 200, description = "Confirmed", body = BookingView)),
)]
#[post("/manage/confirm")]
pub async fn confirm(
    app: Data<App>,
    _visitor: Visitor,
    token: PresentedToken,
    body: Result<Json<ConfirmRequest>, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let Json(request) = match body {
        Ok(body) => body,
        Err(error) => return Err(refusal(&app, &token, error).await),
    };
    let outcome = ops::confirm(&app.context, &token.0, request.expected_revision).await;
    let booking = outcome.map_err(|error| ApiError::of_change(&app, error))?;
    Ok(HttpResponse::Ok().json(BookingView::managed(
        &app,
        &booking,
        app.context.clock.now(),
    )))
}
