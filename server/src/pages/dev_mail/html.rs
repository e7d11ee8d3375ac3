//! `GET /dev/mail/{number}/html`: the HTML part as a mail program would show it.

use actix_web::{
    HttpResponse,
    http::header::CONTENT_SECURITY_POLICY,
    web::{Data, Path},
};

use super::find;
use crate::{app::App, error::ApiError};

/// Mail styles itself. It runs nothing, loads nothing, and is of no origin.
const POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The part, alone.
pub(in crate::pages) async fn get(
    app: Data<App>,
    number: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let message = find(&app, &number)?;
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .body(message.html))
}
