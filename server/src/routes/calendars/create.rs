//! `POST /v1/calendars`: a calendar for a team.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use shared::ops::calendar::create_team;
use utoipa::ToSchema;

use super::view::CalendarView;
use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, SignedJson},
};

/// A team calendar to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCalendar {
    /// 1 to 100 characters in one line.
    #[schema(example = "Team", min_length = 1, max_length = 100)]
    name: String,
}

/// Create a team calendar.
///
/// The host of the key owns it, and shares it with others. Everybody who sees it may write its
/// events, and is busy while they take place.
#[utoipa::path(
    tag = "calendars", operation_id = "createCalendar", security(("api_key" = [])),
    request_body = NewCalendar,
    responses((status = 201, description = "Made", body = CalendarView)),
)]
#[post("/calendars")]
pub async fn create(
    app: Data<App>,
    Keyed(key, body): Keyed<SignedJson<NewCalendar>>,
) -> Result<HttpResponse, ApiError> {
    let made = create_team(&app.context, key.host(), &body.0.name).await?;
    Ok(HttpResponse::Created().json(CalendarView::from(made)))
}
