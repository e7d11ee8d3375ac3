//! Refusals of importing a file.

use futures::future::{FutureExt as _, LocalBoxFuture};
use holdfast_server::error::Code;
use holdfast_tests::{app::Options, feeds::file};
use reqwest::{Method, RequestBuilder};
use uuid::Uuid;

use super::{How, Row, START, Scene, Stage, play};

const TOO_MANY_BYTES: usize = 5 * 1024 * 1024 + 1;
const NOBODYS: &str = "/v1/calendars/01900000-0000-7000-8000-000000000000/import";

/// `POST /v1/calendars/{id}/import`.
pub const ROWS: &[Row] = &[
    Row::new(
        "importCalendar",
        Code::Unauthenticated,
        How::Asked(|stage| {
            stage
                .app
                .request(Method::POST, &path(stage.calendars.0))
                .header("Content-Type", "text/calendar")
                .body(event())
        }),
    ),
    Row::new(
        "importCalendar",
        Code::InvalidBody,
        How::Asked(|stage| post(stage, "not packed".into()).header("Content-Encoding", "gzip")),
    ),
    Row::new(
        "importCalendar",
        Code::BodyTooLarge,
        How::Asked(|stage| post(stage, "a".repeat(TOO_MANY_BYTES))),
    ),
    Row::new(
        "importCalendar",
        Code::UnsupportedMediaType,
        How::Asked(|stage| {
            stage
                .signed(Method::POST, &path(stage.calendars.0))
                .header("Content-Type", "text/plain")
                .body(event())
        }),
    ),
    Row::new(
        "importCalendar",
        Code::NotFound,
        How::Asked(|stage| {
            stage
                .signed(Method::POST, NOBODYS)
                .header("Content-Type", "text/calendar")
                .body(event())
        }),
    ),
    Row::new(
        "importCalendar",
        Code::ValidationFailed,
        How::Asked(|stage| post(stage, "<html></html>".into())),
    ),
    Row::new(
        "importCalendar",
        Code::CalendarReadOnly,
        How::Asked(|stage| {
            stage
                .signed(Method::POST, &path(stage.calendars.1))
                .header("Content-Type", "text/calendar")
                .body(event())
        }),
    ),
    Row::new(
        "importCalendar",
        Code::BookedEventLocked,
        How::Asked(|stage| {
            let uid = format!("{}@{}", stage.booking, stage.app.context.instance);
            let start: String = START.replace(['-', ':'], "");
            let lines =
                format!("BEGIN:VEVENT\nUID:{uid}\nDTSTART:{start}\nDURATION:PT2H\nEND:VEVENT");
            post(stage, file(&lines))
        }),
    ),
    Row::new("importCalendar", Code::Overloaded, How::Scene(all_taken)),
    Row::new(
        "importCalendar",
        Code::RateLimited,
        How::RateLimited(import),
    ),
    Row::new(
        "importCalendar",
        Code::Internal,
        How::Internal(
            import,
            "ALTER TABLE events RENAME COLUMN content_fp TO gone",
        ),
    ),
    Row::new(
        "importCalendar",
        Code::Unavailable,
        How::Unavailable(import),
    ),
];

fn path(calendar: Uuid) -> String {
    format!("/v1/calendars/{calendar}/import")
}

fn event() -> String {
    file("BEGIN:VEVENT\nUID:1\nDTSTART:20260701T090000Z\nEND:VEVENT")
}

fn post(stage: &Stage, body: String) -> RequestBuilder {
    stage
        .signed(Method::POST, &path(stage.calendars.0))
        .header("Content-Type", "text/calendar")
        .body(body)
}

fn import(stage: &Stage) -> RequestBuilder {
    post(stage, event())
}

fn all_taken() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options::default()).await;
        stage.app.state.import_permits.forget_permits(100);
        let request = import(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

#[tokio::test]
async fn refusals_of_importing() {
    play(ROWS).await;
}
