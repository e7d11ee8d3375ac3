//! `GET /dev/mail/{number}`: one message, as text.

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Data, Path},
};

use super::find;
use crate::{
    app::App,
    error::ApiError,
    pages::{answer, view::DevMessagePage},
};

/// The message.
pub(in crate::pages) async fn get(
    app: Data<App>,
    number: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let message = find(&app, &number)?;
    let page = DevMessagePage { message: &message };
    Ok(answer::page(StatusCode::OK, page.html()))
}
