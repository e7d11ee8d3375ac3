//! `GET /v1/manage/calendar.ics`: the invitation as a file.

use actix_web::{HttpResponse, get, http::header::CONTENT_DISPOSITION, web::Data};
use shared::ops;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{PresentedToken, Visitor},
};

/// Download the invitation.
///
/// For confirmed, completed and missed meetings a REQUEST, for cancelled ones a CANCEL; a held or
/// expired booking has none. A downloaded file does not update itself.
#[utoipa::path(
    tag = "manage", operation_id = "downloadInvitation", security(("manage_token" = [])),
    responses((status = 200, description = "An iCalendar file (RFC 5545)", body = String, content_type = "text/calendar")),
)]
#[get("/manage/calendar.ics")]
pub async fn calendar(
    app: Data<App>,
    _visitor: Visitor,
    token: PresentedToken,
) -> Result<HttpResponse, ApiError> {
    file(&app, &token.0).await
}

/// The answer with the file, the same from the API and from the page.
pub(crate) async fn file(app: &App, token: &str) -> Result<HttpResponse, ApiError> {
    let ics = ops::invitation(&app.context, token).await?;
    let ics = ics.ok_or_else(|| ApiError::new(Code::NotFound))?;
    Ok(HttpResponse::Ok()
        .content_type("text/calendar; charset=utf-8")
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"booking.ics\""))
        .body(ics))
}
