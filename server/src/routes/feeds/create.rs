//! `POST /v1/calendars/{id}/feeds`: an address at which other programs read a calendar.

use actix_web::{HttpResponse, post, web::Data};
use serde::{Deserialize, Serialize};
use shared::{
    instant::Instant,
    ops::feed::{self, FeedDetail},
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments, SignedJson},
};

/// A feed to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewFeed {
    /// For telling feeds apart: 1 to 100 characters in one line.
    #[schema(example = "For my phone", min_length = 1, max_length = 100)]
    name: String,
    /// How much it shows.
    detail: FeedDetail,
}

/// A feed that was made.
#[derive(Serialize, ToSchema)]
pub struct NewFeedView {
    /// What it is revoked by.
    pub id: Uuid,
    /// Its name.
    #[schema(example = "For my phone")]
    pub name: String,
    /// How much it shows.
    pub detail: FeedDetail,
    /// When it was made.
    pub created_at: Instant,
    /// Its address. Whoever has it reads the feed; it is not shown again.
    #[schema(
        example = "https://book.example.com/feed/hf_feed_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.ics"
    )]
    pub url: String,
}

/// Make a feed of a calendar.
///
/// An address at which calendar programs read it, until it is revoked or its maker no longer sees
/// the calendar. `busy_only` shows when the host is busy on it and nothing else, from 31 days ago to
/// 366 days ahead; `full` shows everything on it.
#[utoipa::path(
    tag = "calendars", operation_id = "createFeed", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11")),
    request_body = NewFeed,
    responses((status = 201, description = "Made", body = NewFeedView)),
)]
#[post("/calendars/{id}/feeds")]
pub async fn create(
    app: Data<App>,
    Keyed(key, (id, body)): Keyed<(Segments<Uuid>, SignedJson<NewFeed>)>,
) -> Result<HttpResponse, ApiError> {
    let NewFeed { name, detail } = body.0;
    let made = feed::create(&app.context, key.host(), id.0, &name, detail).await?;
    Ok(HttpResponse::Created().json(NewFeedView {
        id: made.id,
        name: made.name,
        detail: made.detail,
        created_at: made.created_at,
        url: format!(
            "{}/feed/{}.ics",
            app.settings.public_url,
            made.token.as_str()
        ),
    }))
}
