//! `POST /v1/pages/{handle}/{code}/bookings`: takes a slot.

use actix_web::{
    HttpRequest, HttpResponse, post,
    web::{Data, Path},
};
use shared::{
    booking::RawBooking,
    ops::{self, Take, Taken},
};

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{IdempotencyKey, Json, Language, Visitor},
    routes::booking_view::BookingView,
};

/// Book a slot.
///
/// Depending on the page the booking is `held`, until a button behind the mailed link is pressed,
/// or `confirmed` at once. Only a confirmed one comes with a manage token: a hold's token goes to
/// the mailbox alone.
#[utoipa::path(
    tag = "bookings", operation_id = "createBooking",
    params(
        ("handle" = String, Path, description = "The host's handle", example = "ana"),
        ("code" = String, Path, description = "The page's code or slug", example = "k3x9q2ab"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 printable ASCII characters. The same key and request answers the same for 24 hours.", example = "5a0e8c2d"),
    ),
    request_body = RawBooking,
    responses((status = 201, description = "Held, or confirmed", body = BookingView,
        headers(("Idempotent-Replayed" = String, description = "`true` when this answers a repeated request again")))),
)]
#[post("/pages/{handle}/{code}/bookings")]
pub async fn create(
    app: Data<App>,
    request: HttpRequest,
    visitor: Visitor,
    path: Path<(String, String)>,
    key: IdempotencyKey,
    body: Json<RawBooking>,
) -> Result<HttpResponse, ApiError> {
    app.pass_booking_gate(&visitor)?;
    let (handle, code) = path.into_inner();
    let take = Take {
        handle,
        code,
        request: body.0,
        wished: Language::of(&request).locale,
        ip: Some(visitor.ip),
        idempotency_key: key.0,
    };
    let taken = app.book(take).await?;
    // A replay shows the booking as it was, a hold that lapsed since included.
    let seen_at = if taken.replayed {
        taken.booking.revised_at
    } else {
        app.context.clock.now()
    };
    let view = BookingView::public(&taken.booking, seen_at).with_token(&app, taken.token.as_ref());
    let mut response = HttpResponse::Created();
    if taken.replayed {
        response.insert_header(("Idempotent-Replayed", "true"));
    }
    Ok(response.json(view))
}

impl App {
    /// Books, and counts what was booked.
    ///
    /// # Errors
    /// Those of the operation.
    pub async fn book(&self, take: Take) -> Result<Taken, ApiError> {
        let taken = ops::book(&self.context, take).await?;
        let state = taken.booking.standing.state.word();
        metrics::counter!("holdfast_bookings_total", "state" => state).increment(1);
        Ok(taken)
    }

    /// Booking requests have a gate of their own, counted whatever becomes of them.
    ///
    /// # Errors
    /// `rate_limited`.
    pub fn pass_booking_gate(&self, visitor: &Visitor) -> Result<(), ApiError> {
        self.booking_gate
            .pass(&visitor.ip, self.context.clock.now())
            .map_err(|closed| ApiError::new(Code::RateLimited).retry_after(closed.retry_after_s))
    }
}
