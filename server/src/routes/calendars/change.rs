//! `PATCH /v1/calendars/{id}`: its name, and whether it counts.

use actix_web::{HttpResponse, patch, web::Data};
use serde::Deserialize;
use shared::ops::calendar::{CalendarChange, change_calendar};
use utoipa::ToSchema;
use uuid::Uuid;

use super::view::CalendarView;
use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, Segments, SignedJson},
};

/// What to change; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CalendarPatch {
    /// The name, for everybody who sees it: by its owner. 1 to 100 characters in one line.
    #[serde(default)]
    #[schema(example = "Team", min_length = 1, max_length = 100)]
    name: Option<String>,
    /// Whether it makes the host of the key busy; of nobody else.
    #[serde(default)]
    counts_as_busy: Option<bool>,
}

/// Change a calendar.
///
/// Whether it counts as busy is each host's own choice.
#[utoipa::path(
    tag = "calendars", operation_id = "changeCalendar", security(("api_key" = [])),
    params(("id" = Uuid, Path, description = "The calendar", example = "0196f3c2-7d7c-7a52-9f3e-3f2b6d0c1a11")),
    request_body = CalendarPatch,
    responses((status = 200, description = "The calendar as it is now", body = CalendarView)),
)]
#[patch("/calendars/{id}")]
pub async fn change(
    app: Data<App>,
    Keyed(key, (id, body)): Keyed<(Segments<Uuid>, SignedJson<CalendarPatch>)>,
) -> Result<HttpResponse, ApiError> {
    let change = CalendarChange {
        name: body.0.name,
        counts_as_busy: body.0.counts_as_busy,
    };
    let changed = change_calendar(&app.context, key.host(), id.0, change).await?;
    Ok(HttpResponse::Ok().json(CalendarView::from(changed)))
}
