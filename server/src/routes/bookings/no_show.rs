//! `POST /v1/bookings/{id}/no-show`: the booker stayed away.

use actix_web::{HttpResponse, post, web::Data};
use shared::ops::Attendance;
use uuid::Uuid;

use super::complete::{FinishRequest, finish};
use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments, SignedJson},
    routes::host_booking_view::HostBookingView,
};

/// Mark the booker as a no-show.
///
/// Once the meeting has begun. Nobody is mailed. Marking it again answers 200 with the unchanged
/// booking.
#[utoipa::path(
    tag = "host", operation_id = "markNoShow", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The booking's id", example = "01900000-0000-7000-8000-000000000000")),
    request_body = FinishRequest,
    responses((status = 200, description = "Marked", body = HostBookingView)),
)]
#[post("/bookings/{id}/no-show")]
pub async fn no_show(
    app: Data<App>,
    Keyed(key, (id, body)): Keyed<(Segments<Uuid>, SignedJson<FinishRequest>)>,
) -> Result<HttpResponse, ApiError> {
    finish(&app, key, id.0, Attendance::NoShow, &body.0).await
}
