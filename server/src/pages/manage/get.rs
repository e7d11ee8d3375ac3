//! `GET /book/m/{token}`: the booking; with `action=cancel` or `action=reschedule` the form that a
//! mailed link names. Opening any of them changes nothing.

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    web::{Data, Path},
};
use shared::{
    booking::{PublicBooking, State},
    instant::Instant,
    ops,
};

use super::{done, facts::Facts, moving};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::Visitor,
    pages::{
        answer,
        asked::{self, Asked},
        view::CancelPage,
    },
};

/// The page. A form that the booking has no use for gives way to the booking itself.
pub(in crate::pages) async fn get(
    app: Data<App>,
    request: HttpRequest,
    _visitor: Visitor,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    show(&app, &request, &token).await
}

/// A missing token is looked up like any other.
pub(in crate::pages) async fn missing(
    app: Data<App>,
    request: HttpRequest,
    _visitor: Visitor,
) -> Result<HttpResponse, ApiError> {
    show(&app, &request, "").await
}

async fn show(app: &App, request: &HttpRequest, token: &str) -> Result<HttpResponse, ApiError> {
    let (reader, asked) = (asked::reader(request), Asked::of(request));
    let now = app.context.clock.now();
    let booking = ops::show_booking(&app.context, token).await?;
    let booking = booking.ok_or_else(|| ApiError::new(Code::NotFound))?;
    match asked.get("action") {
        Some("reschedule") if is_open(&booking, now) => {
            let moving = moving::Moving {
                app,
                reader,
                token,
                now,
            };
            moving.show(&asked, &booking).await
        }
        Some("cancel") if is_open(&booking, now) => {
            let facts = Facts::of(&booking, token);
            let form = CancelPage {
                reader,
                booking: facts.view(),
                reason: "",
                fault: None,
                notice: None,
            };
            Ok(answer::page(StatusCode::OK, form.html()))
        }
        _ => {
            let notice = done::notice(asked.get("done"), booking.state_at(now));
            let limit = app.context.limits.booker_reschedules;
            let html = Facts::of(&booking, token).page(reader, now, limit, notice);
            Ok(answer::page(StatusCode::OK, html))
        }
    }
}

/// Confirmed, and not begun.
fn is_open(booking: &PublicBooking, now: Instant) -> bool {
    booking.state_at(now) == State::Confirmed && now < booking.standing.span.from
}
