//! Refusals of `POST /v1/pages/{handle}/{code}/bookings`.

use futures::future::{FutureExt as _, LocalBoxFuture};
use holdfast_server::error::Code;
use holdfast_tests::app::Options;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{How, Row, START, Scene, Stage, play};

const OPERATION: &str = "createBooking";

pub const ROWS: &[Row] = &[
    row(
        Code::InvalidBody,
        How::Asked(|stage| book(stage).json(&json!({ "start": START }))),
    ),
    row(
        Code::InvalidHeader,
        How::Asked(|stage| good(stage).header("Idempotency-Key", "")),
    ),
    row(
        Code::UnknownZone,
        How::Asked(|stage| with(stage, "zone", json!("Moon/Base"))),
    ),
    row(
        Code::NotFound,
        How::Asked(|stage| {
            stage
                .app
                .request(Method::POST, "/v1/pages/ana/00000000/bookings")
                .json(&body())
        }),
    ),
    row(
        Code::SlotTaken,
        How::Asked(|stage| with(stage, "start", json!(START))),
    ),
    row(
        Code::BodyTooLarge,
        How::Asked(|stage| with(stage, "note", json!("a".repeat(16 * 1024)))),
    ),
    row(
        Code::UnsupportedMediaType,
        How::Asked(|stage| {
            book(stage)
                .header("Content-Type", "text/plain")
                .body(body().to_string())
        }),
    ),
    row(
        Code::ValidationFailed,
        How::Asked(|stage| with(stage, "email", json!("sam"))),
    ),
    row(
        Code::SlotNotOffered,
        How::Asked(|stage| with(stage, "start", json!("2026-06-03T09:30:00Z"))),
    ),
    row(
        Code::GuestsNotAllowed,
        How::Asked(|stage| with(stage, "guests", json!([{ "email": "lou@guests.test" }]))),
    ),
    row(Code::IdempotencyKeyReused, How::Scene(once)),
    row(Code::TooManyHolds, How::Scene(one_hold)),
    row(Code::TooManyBookings, How::Scene(one_a_day)),
    row(Code::AvailabilityUnknown, How::Scene(lost)),
    row(Code::RateLimited, How::RateLimited(good)),
    row(
        Code::Internal,
        How::Internal(good, "ALTER TABLE hosts RENAME COLUMN handle TO gone"),
    ),
    row(Code::Unavailable, How::Unavailable(good)),
];

const fn row(code: Code, how: How) -> Row {
    Row::new(OPERATION, code, how)
}

fn body() -> Value {
    json!({ "start": "2026-06-03T09:00:00Z", "zone": "Europe/Paris", "name": "Kim Roe", "email": "kim@guests.test" })
}

fn book(stage: &Stage) -> RequestBuilder {
    stage
        .app
        .request(Method::POST, &format!("{}/bookings", stage.host.api))
}

fn good(stage: &Stage) -> RequestBuilder {
    book(stage).json(&body())
}

/// The good request with one field changed.
fn with(stage: &Stage, field: &str, value: Value) -> RequestBuilder {
    let mut body = body();
    body[field] = value;
    book(stage).json(&body)
}

/// Another booking under a key that was used.
fn once() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options::default()).await;
        let first = stage
            .app
            .send(good(&stage).header("Idempotency-Key", "once"))
            .await;
        assert_eq!(first.status, 201, "{}", first.text());
        let request =
            with(&stage, "start", json!("2026-06-03T10:00:00Z")).header("Idempotency-Key", "once");
        stage.scene(request)
    }
    .boxed_local()
}

fn one_hold() -> LocalBoxFuture<'static, Scene> {
    async {
        let mut options = Options::default();
        options.limits.open_holds_per_event_type = 1;
        let stage = Stage::held(options).await;
        let request = good(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

fn one_a_day() -> LocalBoxFuture<'static, Scene> {
    async {
        let mut options = Options::default();
        options.limits.bookings_per_day_per_address = 1;
        let stage = Stage::confirmed(options).await;
        let request = with(&stage, "email", json!("SAM@guests.test"));
        stage.scene(request)
    }
    .boxed_local()
}

/// A schedule whose zone is in no table.
fn lost() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options::default()).await;
        stage
            .app
            .database
            .run("UPDATE schedules SET zone = 'Moon/Base'")
            .await;
        let request = good(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

#[tokio::test]
async fn every_refusal_of_a_booking() {
    play(ROWS).await;
}

/// A view stands in for the table, which is another each time that it is read.
#[tokio::test]
async fn a_page_that_changes_faster_than_it_can_be_booked_is_unavailable() {
    let stage = Stage::confirmed(Options::default()).await;
    let sql = "CREATE SEQUENCE restless;
         ALTER TABLE event_types RENAME TO resting_event_types;
         CREATE VIEW event_types AS SELECT (jsonb_populate_record(t, jsonb_build_object('revision', nextval('restless')))).* FROM resting_event_types t";
    stage.app.database.run(sql).await;
    let before = stage.app.database.rows().await;
    let answer = stage.app.send(good(&stage)).await;
    assert_eq!(
        (
            answer.code().as_str(),
            answer.header("retry-after").as_str()
        ),
        ("unavailable", "1")
    );
    assert_eq!(stage.app.database.rows().await, before);
    stage.app.end().await;
}
