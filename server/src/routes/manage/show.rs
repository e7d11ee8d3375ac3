//! `GET /v1/manage`: the booking.

use actix_web::{HttpResponse, get, web::Data};
use shared::ops;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{PresentedToken, Visitor},
    routes::booking_view::BookingView,
};

/// Show a booking.
///
/// Unknown, malformed and missing tokens answer alike.
#[utoipa::path(
    tag = "manage", operation_id = "showBooking", security(("manage_token" = [])),
    responses((status = 200, description = "The booking", body = BookingView)),
)]
#[get("/manage")]
pub async fn show(
    app: Data<App>,
    _visitor: Visitor,
    token: PresentedToken,
) -> Result<HttpResponse, ApiError> {
    let booking = ops::show_booking(&app.context, &token.0).await?;
    let booking = booking.ok_or_else(|| ApiError::new(Code::NotFound))?;
    Ok(HttpResponse::Ok().json(BookingView::managed(
        &app,
        &booking,
        app.context.clock.now(),
    )))
}
