//! `GET /book/{handle}/{code}`: the days with free times; with `day=` the times of that day; with
//! `start=` the form.

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    web::{Data, Path},
};
use shared::{instant::Day, ops};

use super::facts::{self, Questions};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::Visitor,
    pages::{
        answer,
        asked::{self, Asked},
        times,
        view::{Choice, DaysPage, FormPage, PageAddress, Trouble, Typed},
    },
};

/// The page. A time that has gone meanwhile answers 409 with the day's other times.
pub(in crate::pages) async fn get(
    app: Data<App>,
    request: HttpRequest,
    _visitor: Visitor,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (handle, code) = path.into_inner();
    let (reader, asked) = (asked::reader(&request), Asked::of(&request));
    let now = app.context.clock.now();
    let not_found = || ApiError::new(Code::NotFound);
    let page = ops::show_page(&app.context, &handle, &code, now).await?;
    let page = page.ok_or_else(not_found)?;
    let host_zone = page.rule.zone.clone();
    let named = asked.zone(&app.context.zones);
    let zone_asked = named.is_some();
    let zone = named.unwrap_or_else(|| host_zone.clone());
    let start = asked.start()?;
    let chosen = match start {
        Some(start) => Some(Day(zone.date(start))),
        None => asked.day("day")?,
    };
    let last = page.rule.last_date(now, &zone);
    let weeks = times::weeks(zone.date(now), last, asked.day("from")?, chosen)?;
    let range = times::range(&weeks, &zone, now);
    let permit = app.slot_permit()?;
    let found = ops::find_slots(&app.context, &handle, &code, now, range).await?;
    drop(permit);
    let found = found.ok_or_else(not_found)?;
    let address = PageAddress {
        handle: &handle,
        code: &code,
    };
    let public = facts::public(&found.page, address);
    let slot = start.and_then(|start| found.slots.iter().find(|slot| slot.start == start));
    if let Some(slot) = slot {
        let questions = Questions::of(&found.page);
        let form = FormPage {
            reader,
            page: public,
            zone: &zone,
            start: slot.start,
            end: slot.end,
            questions: &questions.view(),
            guests_max: facts::guests_max(&found.page),
            typed: &Typed::default(),
            idempotency_key: &times::new_key(&app)?,
            trouble: Trouble::None,
        };
        return Ok(answer::page(StatusCode::OK, form.html()));
    }
    let days = DaysPage {
        reader,
        page: public,
        choice: Choice {
            zones: &app.context.zones,
            zone: &zone,
            zone_asked,
            host_zone: &host_zone,
            now,
            weeks,
            days: &times::by_day(&found.slots, &zone),
        },
        gone: start.is_some(),
    };
    let status = match start {
        Some(_) => Code::SlotTaken.status(),
        None => StatusCode::OK,
    };
    Ok(answer::page(status, days.html()))
}
