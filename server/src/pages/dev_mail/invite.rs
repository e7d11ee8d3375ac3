//! `GET /dev/mail/{number}/invite.ics`: the invitation of a message, if it has one.

use actix_web::{
    HttpResponse,
    http::header::CONTENT_DISPOSITION,
    web::{Data, Path},
};

use super::find;
use crate::{
    app::App,
    error::{ApiError, Code},
};

/// The file.
pub(in crate::pages) async fn get(
    app: Data<App>,
    number: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let invite = find(&app, &number)?.calendar;
    let invite = invite.ok_or_else(|| ApiError::new(Code::NotFound))?;
    Ok(HttpResponse::Ok()
        .content_type("text/calendar; charset=utf-8")
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"invite.ics\""))
        .body(invite))
}
