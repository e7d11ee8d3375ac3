//! `POST /v1/calendars/{id}/sync`: reading a subscribed calendar now.

use actix_web::{HttpResponse, post, web::Data};
use shared::ops::subscription;
use uuid::Uuid;

use super::view::SubscriptionView;
use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments},
};

/// Read a subscribed calendar now.
///
/// By its owner. The answer does not wait for the reading; ask how it went with GET.
#[utoipa::path(
    tag = "calendars", operation_id = "syncCalendar", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11")),
    responses((status = 202, description = "It will be read", body = SubscriptionView)),
)]
#[post("/calendars/{id}/sync")]
pub async fn sync(
    app: Data<App>,
    Keyed(key, id): Keyed<Segments<Uuid>>,
) -> Result<HttpResponse, ApiError> {
    let asked = subscription::sync_now(&app.context, key.host(), id.0).await?;
    Ok(HttpResponse::Accepted().json(SubscriptionView::from(asked)))
}
