//! `POST /book/m/{token}/reschedule`: moves a booking to the time that was compared.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use shared::{
    booking::PublicBooking,
    instant::Day,
    ops::{self, Authority, Move},
    zone::Zone,
};

use super::{
    done_path,
    facts::Facts,
    moving::{Moving, Wish},
    stale,
};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::Visitor,
    pages::{
        answer,
        form::Form,
        times,
        view::{Notice, ReviewPage},
    },
    routes::{
        manage::reschedule::{RescheduleRequest, move_key},
        pages::slots::parse_zone,
    },
};

/// The fields of the form.
const FIELDS: [&str; 5] = [
    "expected_revision",
    "lang",
    "zone",
    "start",
    "idempotency_key",
];

/// Moves. A second press of the same form finds what the first one did.
pub(in crate::pages) async fn post(
    app: Data<App>,
    request: HttpRequest,
    visitor: Visitor,
    token: Path<String>,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    // Counted whatever becomes of it.
    let passed = app.pass_booking_gate(&visitor);
    let before = ops::show_booking(&app.context, &token).await?;
    let before = before.ok_or_else(|| ApiError::new(Code::NotFound))?;
    form.expect(&FIELDS, false)?;
    let request_made = RescheduleRequest {
        start: form.start()?,
        expected_revision: form.revision()?,
        zone: form.get("zone").map(str::to_owned),
    };
    let zone = parse_zone(&app, "zone", form.get("zone"))?;
    let key = form.idempotency_key()?;
    let to = Move {
        start: request_made.start,
        expected_revision: request_made.expected_revision,
        zone: zone.clone(),
        key: Some(move_key(&app, before.id, key, &request_made)),
    };
    let door = Door {
        moving: Moving {
            app: &app,
            reader: answer::reader(&request),
            token: &token,
            now: app.context.clock.now(),
        },
        zone: zone.unwrap_or_else(|| before.zone.clone()),
        request: request_made,
        key,
        before,
    };
    match door.reschedule(passed, to).await {
        Ok(()) => {
            let path = done_path(door.moving.reader, &token, Notice::Moved);
            Ok(answer::see_other(path))
        }
        Err(error) => door.refused(error).await,
    }
}

/// A form at its booking.
struct Door<'a> {
    moving: Moving<'a>,
    zone: Zone,
    request: RescheduleRequest,
    key: &'a str,
    before: PublicBooking,
}

impl Door<'_> {
    async fn reschedule(&self, passed: Result<(), ApiError>, to: Move) -> Result<(), ApiError> {
        passed?;
        let (app, authority) = (self.moving.app, Authority::Token(self.moving.token));
        let outcome = ops::reschedule(&app.context, authority, to).await;
        outcome.map_err(|error| ApiError::of_move(app, error))?;
        Ok(())
    }

    /// The nearest page from which the booker can go on.
    async fn refused(&self, error: ApiError) -> Result<HttpResponse, ApiError> {
        let Some(notice) = stale::notice(&error) else {
            return Err(error);
        };
        match notice {
            Notice::TimesUnknown | Notice::TooMany { .. } => {
                Ok(answer::page_of(&error, self.review(self.key, notice)))
            }
            Notice::SentBefore => {
                let key = times::new_key(self.moving.app)?;
                Ok(answer::page_of(&error, self.review(&key, notice)))
            }
            Notice::Taken | Notice::NotOffered | Notice::Unchanged => {
                match self.others(notice).await {
                    Ok(html) => Ok(answer::page_of(&error, html)),
                    // Neither are there times to show: the booking itself says what happened.
                    Err(_) => self.booking(&error, notice).await,
                }
            }
            _ => self.booking(&error, notice).await,
        }
    }

    /// The comparison again.
    fn review(&self, key: &str, notice: Notice) -> String {
        let span = self.before.standing.span;
        let length = span.to.since(span.from);
        ReviewPage {
            reader: self.moving.reader,
            booking: Facts::of(&self.before, self.moving.token).view(),
            zone: &self.zone,
            start: self.request.start,
            end: self.request.start.plus(length),
            idempotency_key: key,
            notice: Some(notice),
        }
        .html()
    }

    /// The other times of that day.
    async fn others(&self, notice: Notice) -> Result<String, ApiError> {
        let day = Day(self.zone.date(self.request.start));
        let today = Day(self.zone.date(self.moving.now));
        let mut wish = Wish {
            zone: self.zone.clone(),
            zone_asked: true,
            from: None,
            chosen: Some(day).filter(|day| *day >= today),
        };
        let found = match self.moving.find(&wish).await {
            // A day beyond what can be booked has no times of its own.
            Err(error) if error.code() == Code::NotFound => {
                wish.chosen = None;
                self.moving.find(&wish).await?
            }
            found => found?,
        };
        Ok(self.moving.times(&wish, &found, Some(notice)))
    }

    async fn booking(&self, error: &ApiError, notice: Notice) -> Result<HttpResponse, ApiError> {
        let Moving {
            app, reader, token, ..
        } = self.moving;
        stale::page(app, reader, token, error, notice).await
    }
}
