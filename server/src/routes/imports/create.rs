//! `POST /v1/calendars/{id}/import`: taking over an iCalendar file.

use actix_web::{HttpResponse, post, web::Data};
use serde::Serialize;
use shared::ops::{import, stored_event::StoredProblem};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    extract::{CalendarFile, Keyed, Segments},
};

/// What became of a file.
#[derive(Serialize, ToSchema)]
pub struct ImportView {
    /// Events that were not there, overrides of single occurrences counted.
    #[schema(example = 12)]
    pub added: usize,
    /// Events that say something else now.
    #[schema(example = 1)]
    pub updated: usize,
    /// Events that say what they said, stand with a higher SEQUENCE, or are a booking's own.
    #[schema(example = 3)]
    pub unchanged: usize,
    /// What could not be understood. Where it may decide when the host is busy, it closes their
    /// pages until they mark the event free.
    pub problems: Vec<StoredProblem>,
}

/// Take the events of an iCalendar file over.
///
/// All or none. An event is the same by its UID and the start that it replaces, and is updated
/// unless the one that stands has a higher SEQUENCE; without a UID, by all that it says. What the
/// file does not have stays. Of a booked event the file must say what the booking says.
#[utoipa::path(
    tag = "calendars", operation_id = "importCalendar", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11")),
    request_body(content = String, content_type = "text/calendar", description = "At most 5 MiB and 10,000 events (RFC 5545)"),
    responses((status = 200, description = "Taken over", body = ImportView)),
)]
#[post("/calendars/{id}/import")]
pub async fn create(
    app: Data<App>,
    Keyed(key, (id, file)): Keyed<(Segments<Uuid>, CalendarFile)>,
) -> Result<HttpResponse, ApiError> {
    let permit = app.import_permit()?;
    let bytes = file.0.to_vec();
    let report = import::import(&app.context, key.host(), id.0, bytes, permit).await?;
    Ok(HttpResponse::Ok().json(ImportView {
        added: report.added,
        updated: report.updated,
        unchanged: report.unchanged,
        problems: report.problems,
    }))
}
