//! `POST /v1/bookings/{id}/cancel`: the host cancels, or lets a hold go.

use actix_web::{HttpResponse, post, web::Data};
use shared::ops;
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments, SignedJson},
    routes::{
        bookings::of_host,
        host_booking_view::HostBookingView,
        manage::cancel::{CancelRequest, reason_of},
    },
};

/// Cancel a booking as its host.
///
/// Host, booker and guests are mailed; the booker is told the reason. A hold is released and nobody is mailed. Cancelling what
/// its host cancelled answers 200 with the unchanged booking.
#[utoipa::path(
    tag = "host", operation_id = "cancelHostBooking", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The booking's id", example = "01900000-0000-7000-8000-000000000000")),
    request_body = CancelRequest,
    responses((status = 200, description = "Cancelled, or released", body = HostBookingView)),
)]
#[post("/bookings/{id}/cancel")]
pub async fn cancel(
    app: Data<App>,
    Keyed(key, (id, body)): Keyed<(Segments<Uuid>, SignedJson<CancelRequest>)>,
) -> Result<HttpResponse, ApiError> {
    let reason = reason_of(body.0.reason.as_deref())?;
    let authority = of_host(key, id.0);
    let outcome = ops::cancel(&app.context, authority, reason, body.0.expected_revision).await;
    let booking = outcome.map_err(|error| ApiError::of_host_change(&app, error))?;
    Ok(HttpResponse::Ok().json(HostBookingView::of(&booking, app.context.clock.now())))
}
