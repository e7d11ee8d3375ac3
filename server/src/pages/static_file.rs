//! `GET /static/{file}`: the style and the script, under names that change with their contents.

use actix_web::{HttpRequest, HttpResponse, http::header::CACHE_CONTROL};

use super::assets;
use crate::error::{ApiError, Code};

/// A file of the pages, to be kept for a year.
pub(super) async fn get(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let asset = assets::find(request.path()).ok_or_else(|| ApiError::new(Code::NotFound))?;
    Ok(HttpResponse::Ok()
        .content_type(asset.content_type)
        .insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .body(asset.body))
}
