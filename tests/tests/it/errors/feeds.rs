//! Refusals of the calls on feeds, and of reading them.

use futures::future::{FutureExt as _, LocalBoxFuture};
use holdfast_server::error::Code;
use holdfast_tests::{app::Options, calendar::read_at};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use shared::ops::feed::{self, FeedDetail, MAX_FEEDS};
use uuid::Uuid;

use super::{How, Row, Scene, Stage, play};

const NOBODYS: Uuid = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000);
const TOO_MANY_BYTES: usize = 1024 * 1024 + 1;
const NO_TABLE: &str = "ALTER TABLE calendar_feeds RENAME TO gone";

/// `POST /v1/calendars/{id}/feeds`.
pub const CREATING: &[Row] = &[
    Row::new(
        "createFeed",
        Code::Unauthenticated,
        How::Asked(|stage| {
            let path = feeds(stage.calendars.0);
            stage.app.request(Method::POST, &path).json(&good())
        }),
    ),
    Row::new(
        "createFeed",
        Code::InvalidBody,
        How::Asked(|stage| post(stage, &json!({ "name": "Phone", "detail": "all" }))),
    ),
    Row::new(
        "createFeed",
        Code::BodyTooLarge,
        How::Asked(|stage| {
            stage
                .signed(Method::POST, &feeds(stage.calendars.0))
                .header("Content-Type", "application/json")
                .body("a".repeat(TOO_MANY_BYTES))
        }),
    ),
    Row::new(
        "createFeed",
        Code::UnsupportedMediaType,
        How::Asked(|stage| {
            stage
                .signed(Method::POST, &feeds(stage.calendars.0))
                .body("{}")
        }),
    ),
    Row::new(
        "createFeed",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::POST, &feeds(NOBODYS)).json(&good())),
    ),
    Row::new(
        "createFeed",
        Code::ValidationFailed,
        How::Asked(|stage| post(stage, &json!({ "name": "a\nb", "detail": "full" }))),
    ),
    Row::new("createFeed", Code::TooManyFeeds, How::Scene(twenty)),
    Row::new("createFeed", Code::RateLimited, How::RateLimited(create)),
    Row::new(
        "createFeed",
        Code::Internal,
        How::Internal(create, NO_TABLE),
    ),
    Row::new("createFeed", Code::Unavailable, How::Unavailable(create)),
];

/// `GET /v1/calendars/{id}/feeds`.
pub const LISTING: &[Row] = &[
    Row::new(
        "listFeeds",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::GET, &feeds(stage.calendars.0))),
    ),
    Row::new(
        "listFeeds",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::GET, &feeds(NOBODYS))),
    ),
    Row::new("listFeeds", Code::RateLimited, How::RateLimited(list)),
    Row::new("listFeeds", Code::Internal, How::Internal(list, NO_TABLE)),
    Row::new("listFeeds", Code::Unavailable, How::Unavailable(list)),
];

/// `DELETE /v1/calendars/{id}/feeds/{feed}`.
pub const DELETING: &[Row] = &[
    Row::new(
        "deleteFeed",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::DELETE, &own(stage))),
    ),
    Row::new(
        "deleteFeed",
        Code::NotFound,
        // There is such a feed, of another calendar.
        How::Asked(|stage| {
            let path = format!("{}/{}", feeds(stage.calendars.0), stage.feed.0);
            stage.signed(Method::DELETE, &path)
        }),
    ),
    Row::new("deleteFeed", Code::RateLimited, How::RateLimited(delete)),
    Row::new(
        "deleteFeed",
        Code::Internal,
        How::Internal(delete, NO_TABLE),
    ),
    Row::new("deleteFeed", Code::Unavailable, How::Unavailable(delete)),
];

/// `GET /v1/calendars/{id}/export.ics`.
pub const EXPORTING: &[Row] = &[
    Row::new(
        "exportCalendar",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::GET, &file(stage.calendars.0))),
    ),
    Row::new(
        "exportCalendar",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::GET, &file(NOBODYS))),
    ),
    Row::new("exportCalendar", Code::Overloaded, How::Scene(no_export)),
    Row::new(
        "exportCalendar",
        Code::RateLimited,
        How::RateLimited(export),
    ),
    Row::new(
        "exportCalendar",
        Code::Internal,
        How::Internal(
            export,
            "ALTER TABLE events RENAME COLUMN attendees_sealed TO gone",
        ),
    ),
    Row::new(
        "exportCalendar",
        Code::Unavailable,
        How::Unavailable(export),
    ),
];

/// `GET /feed/{token}.ics`.
pub const READING: &[Row] = &[
    Row::new(
        "readFeed",
        Code::NotFound,
        How::Asked(|stage| stage.app.request(Method::GET, "/feed/hf_feed_0.ics")),
    ),
    Row::new("readFeed", Code::AvailabilityUnknown, How::Scene(stale)),
    Row::new("readFeed", Code::Overloaded, How::Scene(no_reading)),
    Row::new("readFeed", Code::RateLimited, How::RateLimited(read)),
    Row::new("readFeed", Code::Internal, How::Internal(read, NO_TABLE)),
    Row::new("readFeed", Code::Unavailable, How::Unavailable(read)),
];

fn feeds(calendar: Uuid) -> String {
    format!("/v1/calendars/{calendar}/feeds")
}

fn file(calendar: Uuid) -> String {
    format!("/v1/calendars/{calendar}/export.ics")
}

fn own(stage: &Stage) -> String {
    format!("{}/{}", feeds(stage.calendars.1), stage.feed.0)
}

fn good() -> Value {
    json!({ "name": "For my phone", "detail": "full" })
}

fn post(stage: &Stage, body: &Value) -> RequestBuilder {
    stage
        .signed(Method::POST, &feeds(stage.calendars.0))
        .json(body)
}

fn create(stage: &Stage) -> RequestBuilder {
    post(stage, &good())
}

fn list(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::GET, &feeds(stage.calendars.0))
}

fn delete(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::DELETE, &own(stage))
}

fn export(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::GET, &file(stage.calendars.0))
}

fn read(stage: &Stage) -> RequestBuilder {
    stage.app.request(Method::GET, &stage.feed.1)
}

fn twenty() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options::default()).await;
        let context = &stage.app.context;
        for _ in 0..MAX_FEEDS {
            let (host, calendar) = (stage.host.id, stage.calendars.0);
            feed::create(context, host, calendar, "Phone", FeedDetail::Full)
                .await
                .unwrap();
        }
        let request = create(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

fn stale() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options::default()).await;
        read_at(&stage.app.context, stage.calendars.1, None).await;
        let request = read(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

fn no_export() -> LocalBoxFuture<'static, Scene> {
    all_taken(export)
}

fn no_reading() -> LocalBoxFuture<'static, Scene> {
    all_taken(read)
}

fn all_taken(good: fn(&Stage) -> RequestBuilder) -> LocalBoxFuture<'static, Scene> {
    async move {
        let stage = Stage::confirmed(Options::default()).await;
        stage.app.state.export_permits.forget_permits(100);
        let request = good(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

#[tokio::test]
async fn refusals_of_making_feeds() {
    play(CREATING).await;
}

#[tokio::test]
async fn refusals_of_listing_and_deleting_feeds() {
    play(LISTING).await;
    play(DELETING).await;
}

#[tokio::test]
async fn refusals_of_writing_calendars() {
    play(EXPORTING).await;
    play(READING).await;
}
