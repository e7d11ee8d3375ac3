//! `GET /feed/{token}.ics`: a calendar for other programs.

use actix_web::{
    HttpMessage as _, HttpRequest, HttpResponse, get,
    http::header::{CACHE_CONTROL, ETAG, EntityTag, IfNoneMatch},
    web::Data,
};
use shared::ops::feed;

use super::body::{CONTENT_TYPE, CalendarBody};
use crate::{
    app::App,
    error::ApiError,
    extract::{Segments, Visitor},
};

/// It may be kept by whoever asked for it, and is asked for again each time.
const CACHING: &str = "private, no-cache";

/// Read a feed.
///
/// By the token in its address alone. The `ETag` is another one whenever the feed is; with it in
/// `If-None-Match` the answer is 304. A feed of busy time is 503 while that is not known exactly.
#[utoipa::path(
    tag = "calendars", operation_id = "readFeed",
    params(("token" = String, Path, description = "The token in the feed's address", example = "hf_feed_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")),
    responses(
        (status = 200, description = "An iCalendar stream (RFC 5545), METHOD:PUBLISH", body = String, content_type = "text/calendar"),
        (status = 304, description = "It is what the caller has"),
    ),
)]
#[get("/feed/{token}.ics")]
pub async fn read(
    app: Data<App>,
    request: HttpRequest,
    _visitor: Visitor,
    token: Segments<String>,
) -> Result<HttpResponse, ApiError> {
    let held = request.get_header::<IfNoneMatch>();
    let has = move |etag: &str| match held {
        None => false,
        Some(IfNoneMatch::Any) => true,
        Some(IfNoneMatch::Items(tags)) => {
            let current = EntityTag::new_strong(etag.to_owned());
            tags.iter().any(|tag| tag.weak_eq(&current))
        }
    };
    let permit = app.export_permit()?;
    let opened = feed::open(&app.context, &token.0, has, permit).await?;
    let mut answer = match &opened.chunks {
        Some(_) => HttpResponse::Ok(),
        None => HttpResponse::NotModified(),
    };
    answer
        .insert_header((ETAG, EntityTag::new_strong(opened.etag)))
        .insert_header((CACHE_CONTROL, CACHING));
    Ok(match opened.chunks {
        Some(chunks) => answer
            .content_type(CONTENT_TYPE)
            .body(CalendarBody::new(chunks)),
        None => answer.finish(),
    })
}
