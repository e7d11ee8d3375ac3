//! `GET /v1/calendars/{id}/export.ics`: a calendar as a file.

use actix_web::{HttpResponse, get, http::header::CONTENT_DISPOSITION, web::Data};
use shared::ops::feed;
use uuid::Uuid;

use super::body::{CONTENT_TYPE, CalendarBody};
use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments},
};

/// Download a calendar.
///
/// Everything on it as an iCalendar file, as it is at one moment. An event that could not be
/// understood is in it as it came. Importing the file elsewhere gives the same events.
#[utoipa::path(
    tag = "calendars", operation_id = "exportCalendar", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11")),
    responses((status = 200, description = "An iCalendar file (RFC 5545)", body = String, content_type = "text/calendar")),
)]
#[get("/calendars/{id}/export.ics")]
pub async fn export(
    app: Data<App>,
    Keyed(key, id): Keyed<Segments<Uuid>>,
) -> Result<HttpResponse, ApiError> {
    let permit = app.export_permit()?;
    let chunks = feed::export(&app.context, key.host(), id.0, permit).await?;
    Ok(HttpResponse::Ok()
        .content_type(CONTENT_TYPE)
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"calendar.ics\""))
        .body(CalendarBody::new(chunks)))
}
