//! `POST /book/m/{token}/cancel`: cancels a booking, or gives a hold up.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use shared::{
    booking::State,
    ops::{self, Authority, MAX_REASON_CHARS},
};

use super::{
    done_path,
    facts::{Facts, was_given_up},
    stale,
};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::Visitor,
    pages::{
        answer,
        form::Form,
        view::{CancelPage, Notice, Problem},
    },
    routes::manage::cancel::reason_of,
};

/// Cancels. A second press finds what the first one did.
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
    form.expect(&["expected_revision", "lang", "reason"], false)?;
    let expected = form.revision()?;
    let reason = match reason_of(form.get("reason")) {
        Ok(reason) => reason,
        Err(error) => {
            let fault = error.faults().first().map(|fault| {
                Problem::of(&fault.pointer, &fault.code, Some(MAX_REASON_CHARS)).fault
            });
            let facts = Facts::of(&before, &token);
            let page = CancelPage {
                reader,
                booking: facts.view(),
                reason: form.text("reason"),
                fault,
                notice: None,
            };
            return Ok(answer::page_of(&error, page.html()));
        }
    };
    let was = before.state_at(app.context.clock.now());
    let authority = Authority::Token(&token);
    let outcome = ops::cancel(&app.context, authority, reason, Some(expected)).await;
    let error = match outcome.map_err(|error| ApiError::of_change(&app, error)) {
        Ok(after) if was == State::Cancelled => {
            let notice = Notice::AlreadyCancelled;
            return Ok(stale::repeated(&app, reader, &token, &after, notice));
        }
        Ok(after) => {
            let done = match after.standing.state {
                State::Expired => Notice::GivenUp,
                _ => Notice::Cancelled,
            };
            return Ok(answer::see_other(done_path(reader, &token, done)));
        }
        Err(error) => error,
    };
    match error.code() {
        Code::HoldExpired if was_given_up(&before) => {
            let notice = Notice::GivenUp;
            Ok(stale::repeated(&app, reader, &token, &before, notice))
        }
        // The form of a hold has no reason: whoever pressed it did not see a confirmed booking.
        Code::RevisionConflict if was == State::Confirmed && form.get("reason").is_none() => {
            let notice = Notice::ConfirmedMeanwhile;
            stale::page(&app, reader, &token, &error, notice).await
        }
        _ => match stale::notice(&error) {
            Some(notice) => stale::page(&app, reader, &token, &error, notice).await,
            None => Err(error),
        },
    }
}
