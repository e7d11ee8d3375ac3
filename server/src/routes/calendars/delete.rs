//! `DELETE /v1/calendars/{id}`.

use actix_web::{HttpResponse, delete, web::Data};
use shared::ops::calendar::delete_calendar;
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments},
};

/// Delete a calendar with its events.
///
/// By its owner, for everybody who sees it. The personal one stays, and so does one that bookings
/// have their events on.
#[utoipa::path(
    tag = "calendars", operation_id = "deleteCalendar", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11")),
    responses((status = 204, description = "Deleted")),
)]
#[delete("/calendars/{id}")]
pub async fn delete(
    app: Data<App>,
    Keyed(key, id): Keyed<Segments<Uuid>>,
) -> Result<HttpResponse, ApiError> {
    delete_calendar(&app.context, key.host(), id.0).await?;
    Ok(HttpResponse::NoContent().finish())
}
