//! `DELETE /v1/calendars/{id}/members/{handle}`: no longer sharing a calendar, or leaving it.

use actix_web::{HttpResponse, delete, web::Data};
use shared::ops::calendar::remove_member;
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments},
};

/// Stop sharing a calendar with a host, or leave it.
///
/// The owner removes others; others remove themselves. What they wrote on it stays.
#[utoipa::path(
    tag = "calendars", operation_id = "removeCalendarMember", security(("api_key" = [])),
    params(
        ("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11"),
        ("handle" = String, Path, description = "The host's handle", example = "ben"),
    ),
    responses((status = 204, description = "They see it no longer")),
)]
#[delete("/calendars/{id}/members/{handle}")]
pub async fn remove(
    app: Data<App>,
    Keyed(key, names): Keyed<Segments<(Uuid, String)>>,
) -> Result<HttpResponse, ApiError> {
    let (id, handle) = names.0;
    remove_member(&app.context, key.host(), id, &handle).await?;
    Ok(HttpResponse::NoContent().finish())
}
