//! `POST /v1/bookings/{id}/reschedule`: the host moves a booking.

use actix_web::{HttpResponse, post, web::Data};
use serde::{Deserialize, Serialize};
use shared::{
    fingerprint::Purpose,
    instant::Instant,
    ops::{self, Move},
    store::idempotency::Key,
    token,
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    extract::{HostKey, IdempotencyKey, Keyed, Segments, SignedJson},
    routes::{bookings::of_host, host_booking_view::HostBookingView},
};

/// Where a host moves a booking.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HostRescheduleRequest {
    /// The new start: one that the booking's page offers.
    pub start: Instant,
    /// The revision that was read: a move from a stale screen is refused.
    #[schema(example = 0)]
    pub expected_revision: i32,
}

/// Move a booking as its host.
///
/// The booking keeps its id, its UID, its length and its booker's zone; the revision goes up by
/// one. It does not count against the booker's own moves. Hours, notice and horizon hold for the
/// host too.
#[utoipa::path(
    tag = "host", operation_id = "rescheduleHostBooking", security(("api_key" = [])),
    params(
        ("id" = Uuid, Path, description = "The booking's id", example = "01900000-0000-7000-8000-000000000000"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 printable ASCII characters. The same key and request answers the same for 24 hours.", example = "5a0e8c2d"),
    ),
    request_body = HostRescheduleRequest,
    responses((status = 200, description = "Moved", body = HostBookingView,
        headers(("Idempotent-Replayed" = String, description = "`true` when this answers a repeated request again")))),
)]
#[post("/bookings/{id}/reschedule")]
pub async fn reschedule(
    app: Data<App>,
    Keyed(key, (id, given, body)): Keyed<(
        Segments<Uuid>,
        IdempotencyKey,
        SignedJson<HostRescheduleRequest>,
    )>,
) -> Result<HttpResponse, ApiError> {
    let to = Move {
        start: body.0.start,
        expected_revision: body.0.expected_revision,
        zone: None,
        key: given
            .0
            .as_deref()
            .map(|given| idempotency(&app, key, id.0, given, &body.0)),
    };
    let outcome = ops::reschedule(&app.context, of_host(key, id.0), to).await;
    let moved = outcome.map_err(|error| ApiError::of_host_move(&app, error))?;
    let mut response = HttpResponse::Ok();
    let mut seen_at = app.context.clock.now();
    if moved.replayed {
        response.insert_header(("Idempotent-Replayed", "true"));
        // The booking as it was, and what its host could do with it then.
        seen_at = moved.booking.revised_at;
    }
    Ok(response.json(HostBookingView::of(&moved.booking, seen_at)))
}

/// With an API key an idempotency key counts for the key's host, whichever of their API keys it
/// comes with; the booking is part of the request.
fn idempotency(
    app: &App,
    key: HostKey,
    booking: Uuid,
    given: &str,
    request: &HostRescheduleRequest,
) -> Key {
    let bytes = serde_json::to_vec(&("reschedule", booking, request)).unwrap_or_default();
    Key {
        scope: [b"host ".as_slice(), key.host().as_bytes()].concat(),
        hash: token::hash(given),
        request: app.context.keys.fingerprint.of(Purpose::Request, &bytes),
    }
}
