//! `POST /book/m/{token}/confirm`: the button behind the mailed link.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use shared::{booking::State, ops};

use super::{done_path, stale};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::Visitor,
    pages::{answer, form::Form, view::Notice},
};

/// Confirms. A second press finds what the first one did.
pub(in crate::pages) async fn post(
    app: Data<App>,
    request: HttpRequest,
    _visitor: Visitor,
    token: Path<String>,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let reader = answer::reader(&request);
    let before = ops::show_booking(&app.context, &token).await?;
    let before = before.ok_or_else(|| ApiError::new(Code::NotFound))?;
    form.expect(&["expected_revision", "lang"], false)?;
    let outcome = ops::confirm(&app.context, &token, Some(form.revision()?)).await;
    match outcome.map_err(|error| ApiError::of_change(&app, error)) {
        Ok(after) if before.state_at(app.context.clock.now()) == State::Confirmed => {
            let notice = Notice::AlreadyConfirmed;
            Ok(stale::repeated(&app, reader, &token, &after, notice))
        }
        Ok(_) => Ok(answer::see_other(done_path(
            reader,
            &token,
            Notice::Confirmed,
        ))),
        Err(error) => match stale::notice(&error) {
            Some(notice) => stale::page(&app, reader, &token, &error, notice).await,
            None => Err(error),
        },
    }
}
