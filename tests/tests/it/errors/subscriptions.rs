//! Refusals of the calls on subscribed calendars.

use futures::future::{FutureExt as _, LocalBoxFuture};
use holdfast_server::error::Code;
use holdfast_tests::app::Options;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{How, Row, Scene, Stage, play};

const SUBSCRIPTIONS: &str = "/v1/calendars/subscriptions";
const NOBODYS: &str = "/v1/calendars/01900000-0000-7000-8000-000000000000/sync";
/// The name was sealed for another column, and does not open.
const MIXED_UP: &str = "UPDATE calendars SET name_sealed = source_sealed WHERE kind = 'subscribed'";
const TOO_MANY_BYTES: usize = 1024 * 1024 + 1;

/// `POST /v1/calendars/subscriptions`.
pub const SUBSCRIBING: &[Row] = &[
    Row::new(
        "subscribeCalendar",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::POST, SUBSCRIPTIONS).json(&good())),
    ),
    Row::new(
        "subscribeCalendar",
        Code::InvalidBody,
        How::Asked(|stage| post(stage, &json!({ "name": "Work" }))),
    ),
    Row::new(
        "subscribeCalendar",
        Code::BodyTooLarge,
        How::Asked(|stage| {
            let request = stage.signed(Method::POST, SUBSCRIPTIONS);
            request
                .header("Content-Type", "application/json")
                .body("a".repeat(TOO_MANY_BYTES))
        }),
    ),
    Row::new(
        "subscribeCalendar",
        Code::UnsupportedMediaType,
        How::Asked(|stage| stage.signed(Method::POST, SUBSCRIPTIONS).body("{}")),
    ),
    Row::new(
        "subscribeCalendar",
        Code::ValidationFailed,
        How::Asked(|stage| post(stage, &json!({ "name": "", "address": "ftp://x.test/" }))),
    ),
    Row::new(
        "subscribeCalendar",
        Code::TooManyCalendars,
        How::Scene(twenty),
    ),
    Row::new(
        "subscribeCalendar",
        Code::RateLimited,
        How::RateLimited(subscribe),
    ),
    Row::new(
        "subscribeCalendar",
        Code::Internal,
        How::Internal(subscribe, "ALTER TABLE calendar_syncs RENAME TO gone"),
    ),
    Row::new(
        "subscribeCalendar",
        Code::Unavailable,
        How::Unavailable(subscribe),
    ),
];

/// `GET /v1/calendars/{id}/sync`.
pub const SHOWING: &[Row] = &[
    Row::new(
        "showCalendarSync",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::GET, &path(stage.calendars.1))),
    ),
    Row::new(
        "showCalendarSync",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::GET, NOBODYS)),
    ),
    Row::new(
        "showCalendarSync",
        Code::NotSubscribed,
        How::Asked(|stage| stage.signed(Method::GET, &path(stage.calendars.0))),
    ),
    Row::new(
        "showCalendarSync",
        Code::RateLimited,
        How::RateLimited(show),
    ),
    Row::new(
        "showCalendarSync",
        Code::Internal,
        How::Internal(show, MIXED_UP),
    ),
    Row::new(
        "showCalendarSync",
        Code::Unavailable,
        How::Unavailable(show),
    ),
];

/// `POST /v1/calendars/{id}/sync`.
pub const SYNCING: &[Row] = &[
    Row::new(
        "syncCalendar",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::POST, &path(stage.calendars.1))),
    ),
    Row::new(
        "syncCalendar",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::POST, NOBODYS)),
    ),
    Row::new(
        "syncCalendar",
        Code::NotSubscribed,
        How::Asked(|stage| stage.signed(Method::POST, &path(stage.calendars.0))),
    ),
    Row::new("syncCalendar", Code::RateLimited, How::RateLimited(sync)),
    Row::new(
        "syncCalendar",
        Code::Internal,
        How::Internal(sync, MIXED_UP),
    ),
    Row::new("syncCalendar", Code::Unavailable, How::Unavailable(sync)),
];

fn good() -> Value {
    json!({ "name": "Work", "address": "https://feeds.example.test/work.ics" })
}

fn path(calendar: Uuid) -> String {
    format!("/v1/calendars/{calendar}/sync")
}

fn post(stage: &Stage, body: &Value) -> RequestBuilder {
    stage.signed(Method::POST, SUBSCRIPTIONS).json(body)
}

fn subscribe(stage: &Stage) -> RequestBuilder {
    post(stage, &good())
}

fn show(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::GET, &path(stage.calendars.1))
}

fn sync(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::POST, &path(stage.calendars.1))
}

/// The twentieth is taken, the next is not.
fn twenty() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options::default()).await;
        for _ in 1..20 {
            let answer = stage.app.send(subscribe(&stage)).await;
            assert_eq!(answer.status, 201, "{}", answer.text());
        }
        let request = subscribe(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

#[tokio::test]
async fn refusals_of_subscribing() {
    play(SUBSCRIBING).await;
}

#[tokio::test]
async fn refusals_of_showing_and_asking_for_a_reading() {
    play(SHOWING).await;
    play(SYNCING).await;
}
