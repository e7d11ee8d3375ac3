//! `DELETE /v1/calendars/{id}/feeds/{feed}`: revoking a feed.

use actix_web::{HttpResponse, delete, web::Data};
use shared::ops::feed;
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments},
};

/// Revoke a feed.
///
/// By whoever made it, or by the calendar's owner. Its address opens nothing from then on.
#[utoipa::path(
    tag = "calendars", operation_id = "deleteFeed", security(("api_key" = [])),
    params(
        ("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11"),
        ("feed" = Uuid, Path, description = "The feed", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a12"),
    ),
    responses((status = 204, description = "Revoked")),
)]
#[delete("/calendars/{id}/feeds/{feed}")]
pub async fn delete(
    app: Data<App>,
    Keyed(key, ids): Keyed<Segments<(Uuid, Uuid)>>,
) -> Result<HttpResponse, ApiError> {
    let (id, feed) = ids.0;
    feed::remove(&app.context, key.host(), id, feed).await?;
    Ok(HttpResponse::NoContent().finish())
}
