//! `PUT /v1/calendars/{id}/members/{handle}`: sharing a calendar.

use actix_web::{HttpResponse, put, web::Data};
use shared::ops::calendar::add_member;
use uuid::Uuid;

use super::view::CalendarView;
use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments},
};

/// Share a calendar with a host.
///
/// By its owner. They see everything on it, and it counts as busy for them until they switch that
/// off or leave. Who sees it already stays as they are.
#[utoipa::path(
    tag = "calendars", operation_id = "addCalendarMember", security(("api_key" = [])),
    params(
        ("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11"),
        ("handle" = String, Path, description = "The host's handle", example = "ben"),
    ),
    responses((status = 200, description = "The calendar as it is now", body = CalendarView)),
)]
#[put("/calendars/{id}/members/{handle}")]
pub async fn add(
    app: Data<App>,
    Keyed(key, names): Keyed<Segments<(Uuid, String)>>,
) -> Result<HttpResponse, ApiError> {
    let (id, handle) = names.0;
    let changed = add_member(&app.context, key.host(), id, &handle).await?;
    Ok(HttpResponse::Ok().json(CalendarView::from(changed)))
}
