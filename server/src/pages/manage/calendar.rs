//! `GET /book/m/{token}/calendar.ics`: the invitation as a file.

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};

use crate::{app::App, error::ApiError, extract::Visitor, routes::manage::calendar::file};

/// The file; a booking that was never confirmed has none.
pub(in crate::pages) async fn get(
    app: Data<App>,
    _visitor: Visitor,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    file(&app, &token).await
}
