//! `POST /v1/bookings/{id}/complete`: the meeting took place.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use shared::ops::{self, Attendance};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    extract::{HostKey, Keyed, Segments, SignedJson},
    routes::host_booking_view::HostBookingView,
};

/// What ending a meeting may name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishRequest {
    /// Refuse if the booking is at another revision.
    #[serde(default)]
    #[schema(example = 0)]
    expected_revision: Option<i32>,
}

/// Mark a booking as completed.
///
/// Once the meeting has begun. Nobody is mailed. Completing what is completed answers 200 with the
/// unchanged booking.
#[utoipa::path(
    tag = "host", operation_id = "completeBooking", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The booking's id", example = "01900000-0000-7000-8000-000000000000")),
    request_body = FinishRequest,
    responses((status = 200, description = "Completed", body = HostBookingView)),
)]
#[post("/bookings/{id}/complete")]
pub async fn complete(
    app: Data<App>,
    Keyed(key, (id, body)): Keyed<(Segments<Uuid>, SignedJson<FinishRequest>)>,
) -> Result<HttpResponse, ApiError> {
    finish(&app, key, id.0, Attendance::Completed, &body.0).await
}

/// Ends the meeting one way or the other.
pub(super) async fn finish(
    app: &App,
    key: HostKey,
    booking: Uuid,
    attendance: Attendance,
    request: &FinishRequest,
) -> Result<HttpResponse, ApiError> {
    let expected = request.expected_revision;
    let outcome = ops::finish(&app.context, key.host(), booking, attendance, expected).await;
    let booking = outcome.map_err(|error| ApiError::of_host_change(app, error))?;
    Ok(HttpResponse::Ok().json(HostBookingView::of(&booking, app.context.clock.now())))
}
