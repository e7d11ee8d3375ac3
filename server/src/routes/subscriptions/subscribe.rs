//! `POST /v1/calendars/subscriptions`: a calendar that is read from an address.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use shared::ops::subscription::{self, Subscription};
use utoipa::ToSchema;

use super::view::SubscriptionView;
use crate::{
    app::App,
    error::ApiError,
    extract::{Keyed, SignedJson},
};

/// A calendar to subscribe to.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSubscription {
    /// 1 to 100 characters in one line.
    #[schema(example = "Work", min_length = 1, max_length = 100)]
    name: String,
    /// Where the iCalendar file is: an `https`, `http` or `webcal` address on a public network. It
    /// is kept sealed and not shown again.
    #[schema(
        example = "https://calendar.example.com/private/basic.ics",
        max_length = 2048
    )]
    address: String,
    /// Whether its events make the host busy.
    #[serde(default = "yes")]
    #[schema(default = true)]
    counts_as_busy: bool,
    /// From which age on nothing is offered, in minutes.
    #[serde(default)]
    #[schema(example = 1440, minimum = 60, maximum = 43200)]
    max_age_min: Option<i32>,
}

const fn yes() -> bool {
    true
}

/// Subscribe to a calendar.
///
/// It is read at once and then again and again. Until it was read well, and when its last good
/// reading is older than `max_age_min`, no page of the host offers anything, unless it does not
/// count as busy.
#[utoipa::path(
    tag = "calendars", operation_id = "subscribeCalendar", security(("api_key" = [])),
    request_body = NewSubscription,
    responses((status = 201, description = "Made; it is being read", body = SubscriptionView)),
)]
#[post("/calendars/subscriptions")]
pub async fn subscribe(
    app: Data<App>,
    Keyed(key, body): Keyed<SignedJson<NewSubscription>>,
) -> Result<HttpResponse, ApiError> {
    let NewSubscription {
        name,
        address,
        counts_as_busy,
        max_age_min,
    } = body.0;
    let wish = Subscription {
        name,
        address,
        counts_as_busy,
        max_age_min,
    };
    let made = subscription::subscribe(&app.context, key.host(), &wish).await?;
    Ok(HttpResponse::Created().json(SubscriptionView::from(made)))
}
