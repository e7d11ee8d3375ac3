//! `GET /v1/bookings/{id}`: a booking, for its host.

use actix_web::{HttpResponse, get, web::Data};
use shared::ops;
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Keyed, Segments},
    routes::host_booking_view::HostBookingDetail,
};

/// Show a booking to its host.
///
/// With what became of it, and of each mail. Another host's booking is 404.
#[utoipa::path(
    tag = "host", operation_id = "showHostBooking", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The booking's id", example = "01900000-0000-7000-8000-000000000000")),
    responses((status = 200, description = "The booking", body = HostBookingDetail)),
)]
#[get("/bookings/{id}")]
pub async fn show(
    app: Data<App>,
    Keyed(key, id): Keyed<Segments<Uuid>>,
) -> Result<HttpResponse, ApiError> {
    let found = ops::show_host_booking(&app.context, key.host(), id.0).await?;
    let found = found.ok_or_else(|| ApiError::new(Code::NotFound))?;
    Ok(HttpResponse::Ok().json(HostBookingDetail::of(found, app.context.clock.now())))
}
