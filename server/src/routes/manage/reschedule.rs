//! `POST /v1/manage/reschedule`: the booker moves a booking.

use actix_web::{HttpResponse, post, web::Data};
use serde::{Deserialize, Serialize};
use shared::{
    fingerprint::Purpose,
    instant::Instant,
    ops::{self, Authority, Move},
    store::idempotency::Key,
    token,
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{IdempotencyKey, Json, PresentedToken, Visitor},
    routes::{booking_view::BookingView, pages::slots::parse_zone},
};

/// Where to.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RescheduleRequest {
    /// The start of a slot, as `/v1/manage/slots` gave it.
    pub start: Instant,
    /// The revision that was shown: a move from a stale screen is refused.
    #[schema(example = 1)]
    pub expected_revision: i32,
    /// The booker's zone from now on. Default: it stays.
    #[serde(default)]
    #[schema(example = "Europe/Paris", max_length = 64)]
    pub zone: Option<String>,
}

/// Move a booking.
///
/// The booking keeps its id and its UID; the revision goes up by one.
#[utoipa::path(
    tag = "manage", operation_id = "rescheduleBooking", security(("manage_token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 printable ASCII characters. The same key and request answers the same for 24 hours.", example = "5a0e8c2d")),
    request_body = RescheduleRequest,
    responses((status = 200, description = "Moved", body = BookingView,
        headers(("Idempotent-Replayed" = String, description = "`true` when this answers a repeated request again")))),
)]
#[post("/manage/reschedule")]
pub async fn reschedule(
    app: Data<App>,
    visitor: Visitor,
    token: PresentedToken,
    key: Result<IdempotencyKey, ApiError>,
    body: Result<Json<RescheduleRequest>, ApiError>,
) -> Result<HttpResponse, ApiError> {
    app.pass_booking_gate(&visitor)?;
    let known = ops::show_booking(&app.context, &token.0).await?;
    let booking = known.ok_or_else(|| ApiError::new(Code::NotFound))?;
    let (key, body) = (key?, body?);
    let to = Move {
        start: body.0.start,
        expected_revision: body.0.expected_revision,
        zone: parse_zone(&app, "/zone", body.0.zone.as_deref())?,
        key: key
            .0
            .as_deref()
            .map(|given| move_key(&app, booking.id, given, &body.0)),
    };
    let outcome = ops::reschedule(&app.context, Authority::Token(&token.0), to).await;
    let moved = outcome.map_err(|error| ApiError::of_move(&app, error))?;
    let mut response = HttpResponse::Ok();
    let mut seen_at = app.context.clock.now();
    if moved.replayed {
        response.insert_header(("Idempotent-Replayed", "true"));
        // The booking as it was, and what its booker could do with it then.
        seen_at = moved.booking.revised_at;
    }
    Ok(response.json(BookingView::managed(&app, &moved.booking, seen_at)))
}

/// With a manage token a key counts for its booking.
pub(crate) fn move_key(app: &App, booking: Uuid, given: &str, request: &RescheduleRequest) -> Key {
    let bytes = serde_json::to_vec(request).unwrap_or_default();
    Key {
        scope: booking.as_bytes().to_vec(),
        hash: token::hash(given),
        request: app.context.keys.fingerprint.of(Purpose::Request, &bytes),
    }
}
