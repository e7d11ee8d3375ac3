//! `GET /v1/manage/slots`: the times that a booking may move to.

use actix_web::{HttpResponse, get, web::Data};
use shared::ops::{self, Authority};

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{PresentedToken, Query, Visitor},
    routes::pages::slots::{SlotDays, SlotsQuery},
};

/// Find times to move to.
///
/// As long as the booking is; its own time is not in the way and not offered. The zone is the
/// booker's unless another is asked for.
#[utoipa::path(
    tag = "manage", operation_id = "findMoveSlots", security(("manage_token" = [])),
    params(SlotsQuery),
    responses((status = 200, description = "Free times by date", body = SlotDays)),
)]
#[get("/manage/slots")]
pub async fn slots(
    app: Data<App>,
    _visitor: Visitor,
    token: PresentedToken,
    query: Result<Query<SlotsQuery>, ApiError>,
) -> Result<HttpResponse, ApiError> {
    if ops::show_booking(&app.context, &token.0).await?.is_none() {
        return Err(ApiError::new(Code::NotFound));
    }
    let (range, zone) = query?.0.parse(&app)?;
    let _permit = app.slot_permit()?;
    let found = ops::find_move_slots(&app.context, Authority::Token(&token.0), range).await;
    let found = found.map_err(|error| ApiError::of_move(&app, error))?;
    let zone = zone.unwrap_or(found.booking.zone);
    Ok(HttpResponse::Ok().json(SlotDays::of(&found.slots, &zone)))
}
