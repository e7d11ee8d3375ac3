//! `GET /dev/mail`: the messages, newest first.

use actix_web::{HttpResponse, http::StatusCode, web::Data};

use super::kept;
use crate::{
    app::App,
    error::ApiError,
    pages::{answer, view::DevMailPage},
};

/// The list.
pub(in crate::pages) async fn get(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let messages = kept(&app)?.newest_first();
    let page = DevMailPage {
        messages: &messages,
    };
    Ok(answer::page(StatusCode::OK, page.html()))
}
