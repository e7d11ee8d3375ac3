//! `GET /v1/calendars`: what the host of the key sees.

use actix_web::{HttpResponse, get, web::Data};
use serde::Serialize;
use shared::ops::calendar::list_calendars;
use utoipa::ToSchema;

use super::view::CalendarView;
use crate::{app::App, error::ApiError, extract::HostKey};

/// Calendars.
#[derive(Serialize, ToSchema)]
pub struct CalendarList {
    /// The personal one first.
    pub data: Vec<CalendarView>,
}

/// List the calendars that the host sees.
///
/// Their own and those that others share with them, with who sees each and how it is.
#[utoipa::path(
    tag = "calendars", operation_id = "listCalendars", security(("api_key" = [])),
    responses((status = 200, description = "The calendars", body = CalendarList)),
)]
#[get("/calendars")]
pub async fn list(app: Data<App>, key: HostKey) -> Result<HttpResponse, ApiError> {
    let seen = list_calendars(&app.context, key.host()).await?;
    Ok(HttpResponse::Ok().json(CalendarList {
        data: seen.into_iter().map(CalendarView::from).collect(),
    }))
}
