//! `POST /v1/bookings/{id}/reassign`: the host gives a booking to another.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use shared::ops::{self, Reassign};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments, SignedJson},
    routes::{bookings::of_host, host_booking_view::HostBookingView},
};

/// To whom a host gives a booking.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReassignRequest {
    /// The handle of a host who may take over bookings of the page.
    #[schema(example = "ben")]
    pub host: String,
    /// The revision that was read: a change from a stale screen is refused.
    #[schema(example = 0)]
    pub expected_revision: i32,
}

/// Give a booking to another host.
///
/// For a confirmed booking that has not begun. It keeps its id, its UID and its time; the revision
/// goes up by one. Hours, notice and horizon are not asked again, for the time stays, but the new
/// host must have it free. From then on it is the new host's alone. The operator says who may take
/// over bookings of a page (`holdfast admin set-substitute`). Giving it to the host who has it
/// changes nothing.
#[utoipa::path(
    tag = "host", operation_id = "reassignBooking", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The booking's id", example = "01900000-0000-7000-8000-000000000000")),
    request_body = ReassignRequest,
    responses((status = 200, description = "Given: the booking as it left", body = HostBookingView)),
)]
#[post("/bookings/{id}/reassign")]
pub async fn reassign(
    app: Data<App>,
    Keyed(key, (id, body)): Keyed<(Segments<Uuid>, SignedJson<ReassignRequest>)>,
) -> Result<HttpResponse, ApiError> {
    let wish = Reassign {
        to: body.0.host,
        expected_revision: body.0.expected_revision,
    };
    let outcome = ops::reassign(&app.context, of_host(key, id.0), wish).await;
    let given = outcome.map_err(|error| ApiError::of_host_move(&app, error))?;
    let now = app.context.clock.now();
    Ok(HttpResponse::Ok().json(HostBookingView::of(&given, now)))
}
