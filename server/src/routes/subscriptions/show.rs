//! `GET /v1/calendars/{id}/sync`: how the readings of a subscribed calendar go.

use actix_web::{HttpResponse, get, web::Data};
use shared::ops::subscription;
use uuid::Uuid;

use super::view::SubscriptionView;
use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments},
};

/// Show how the readings of a subscribed calendar go.
///
/// To its owner: when it was last read well, and why the last reading failed if it did.
#[utoipa::path(
    tag = "calendars", operation_id = "showCalendarSync", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11")),
    responses((status = 200, description = "The calendar", body = SubscriptionView)),
)]
#[get("/calendars/{id}/sync")]
pub async fn show(
    app: Data<App>,
    Keyed(key, id): Keyed<Segments<Uuid>>,
) -> Result<HttpResponse, ApiError> {
    let seen = subscription::show(&app.context, key.host(), id.0).await?;
    Ok(HttpResponse::Ok().json(SubscriptionView::from(seen)))
}
