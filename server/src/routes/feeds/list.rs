//! `GET /v1/calendars/{id}/feeds`: who reads a calendar.

use actix_web::{HttpResponse, get, web::Data};
use serde::Serialize;
use shared::ops::feed;
use utoipa::ToSchema;
use uuid::Uuid;

use super::view::FeedView;
use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments},
};

/// Feeds.
#[derive(Serialize, ToSchema)]
pub struct FeedList {
    /// The oldest first.
    pub data: Vec<FeedView>,
}

/// List the feeds of a calendar.
///
/// Those of the host of the key; everybody's to the calendar's owner. Their addresses are not shown.
#[utoipa::path(
    tag = "calendars", operation_id = "listFeeds", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11")),
    responses((status = 200, description = "The feeds", body = FeedList)),
)]
#[get("/calendars/{id}/feeds")]
pub async fn list(
    app: Data<App>,
    Keyed(key, id): Keyed<Segments<Uuid>>,
) -> Result<HttpResponse, ApiError> {
    let feeds = feed::list(&app.context, key.host(), id.0).await?;
    Ok(HttpResponse::Ok().json(FeedList {
        data: feeds.into_iter().map(FeedView::from).collect(),
    }))
}
