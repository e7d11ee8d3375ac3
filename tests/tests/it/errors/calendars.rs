//! Refusals of the calls on calendars, busy time and explanations.

use futures::future::FutureExt as _;
use holdfast_server::error::Code;
use holdfast_tests::{app::Options, calendar};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{How, Row, Stage, play};

/// Nobody's calendar, nobody's host.
const NOBODYS: &str = "01900000-0000-7000-8000-000000000000";
/// One byte more than a body may have whose sender presented a key.
const TOO_MANY_BYTES: usize = 1024 * 1024 + 1;
/// What every call on calendars reads is gone.
const NO_KINDS: &str = "ALTER TABLE calendars RENAME COLUMN kind TO gone";
/// Who sees a calendar cannot be read.
const NO_MEMBERS: &str = "ALTER TABLE calendar_members RENAME COLUMN host_id TO gone";
/// The host's own address is where their name belongs, and does not open there.
const MIXED_UP: &str = "UPDATE hosts SET contact_email_sealed = display_name_sealed";
/// The booking's event stands on the team's calendar.
const MOVED: &str = "UPDATE events SET calendar_id = (SELECT id FROM calendars WHERE kind = 'team' AND owner_host_id = (SELECT id FROM hosts WHERE handle = 'ana')) WHERE booking_id IS NOT NULL";

/// `GET /v1/calendars`.
pub const LISTING: &[Row] = &[
    Row::new(
        "listCalendars",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::GET, "/v1/calendars")),
    ),
    Row::new("listCalendars", Code::RateLimited, How::RateLimited(list)),
    Row::new(
        "listCalendars",
        Code::Internal,
        How::Internal(list, NO_KINDS),
    ),
    Row::new("listCalendars", Code::Unavailable, How::Unavailable(list)),
];

/// `POST /v1/calendars`.
pub const CREATING: &[Row] = &[
    Row::new(
        "createCalendar",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::POST, "/v1/calendars")),
    ),
    Row::new(
        "createCalendar",
        Code::RateLimited,
        How::RateLimited(create),
    ),
    Row::new(
        "createCalendar",
        Code::Internal,
        How::Internal(create, NO_KINDS),
    ),
    Row::new(
        "createCalendar",
        Code::Unavailable,
        How::Unavailable(create),
    ),
    Row::new(
        "createCalendar",
        Code::InvalidBody,
        How::Asked(|stage| {
            send(
                stage,
                Method::POST,
                "/v1/calendars",
                &json!({ "title": "Team" }),
            )
        }),
    ),
    Row::new(
        "createCalendar",
        Code::BodyTooLarge,
        How::Asked(|stage| too_large(stage, Method::POST, "/v1/calendars")),
    ),
    Row::new(
        "createCalendar",
        Code::UnsupportedMediaType,
        How::Asked(|stage| as_text(stage, Method::POST, "/v1/calendars")),
    ),
    Row::new(
        "createCalendar",
        Code::ValidationFailed,
        How::Asked(|stage| {
            send(
                stage,
                Method::POST,
                "/v1/calendars",
                &json!({ "name": " " }),
            )
        }),
    ),
];

/// `PATCH /v1/calendars/{id}`.
pub const CHANGING: &[Row] = &[
    Row::new(
        "changeCalendar",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::PATCH, &team(stage, ""))),
    ),
    Row::new(
        "changeCalendar",
        Code::RateLimited,
        How::RateLimited(change),
    ),
    Row::new(
        "changeCalendar",
        Code::Internal,
        How::Internal(change, NO_KINDS),
    ),
    Row::new(
        "changeCalendar",
        Code::Unavailable,
        How::Unavailable(change),
    ),
    Row::new(
        "changeCalendar",
        Code::InvalidBody,
        How::Asked(|stage| {
            send(
                stage,
                Method::PATCH,
                &team(stage, ""),
                &json!({ "kind": "personal" }),
            )
        }),
    ),
    Row::new(
        "changeCalendar",
        Code::BodyTooLarge,
        How::Asked(|stage| too_large(stage, Method::PATCH, &team(stage, ""))),
    ),
    Row::new(
        "changeCalendar",
        Code::UnsupportedMediaType,
        How::Asked(|stage| as_text(stage, Method::PATCH, &team(stage, ""))),
    ),
    Row::new(
        "changeCalendar",
        Code::NotFound,
        How::Asked(|stage| {
            send(
                stage,
                Method::PATCH,
                &nobodys(""),
                &json!({ "name": "Ours" }),
            )
        }),
    ),
    Row::new(
        "changeCalendar",
        Code::NotPermitted,
        How::Asked(|stage| {
            send(
                stage,
                Method::PATCH,
                &beas(stage, ""),
                &json!({ "name": "Ours", "counts_as_busy": false }),
            )
        }),
    ),
    Row::new(
        "changeCalendar",
        Code::ValidationFailed,
        How::Asked(|stage| {
            send(
                stage,
                Method::PATCH,
                &team(stage, ""),
                &json!({ "name": "a".repeat(101), "counts_as_busy": false }),
            )
        }),
    ),
];

/// `DELETE /v1/calendars/{id}`.
pub const DELETING: &[Row] = &[
    Row::new(
        "deleteCalendar",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::DELETE, &team(stage, ""))),
    ),
    Row::new(
        "deleteCalendar",
        Code::RateLimited,
        How::RateLimited(delete),
    ),
    Row::new(
        "deleteCalendar",
        Code::Internal,
        How::Internal(delete, NO_MEMBERS),
    ),
    Row::new(
        "deleteCalendar",
        Code::Unavailable,
        How::Unavailable(delete),
    ),
    Row::new(
        "deleteCalendar",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::DELETE, &nobodys(""))),
    ),
    Row::new(
        "deleteCalendar",
        Code::NotPermitted,
        How::Asked(|stage| stage.signed(Method::DELETE, &beas(stage, ""))),
    ),
    Row::new(
        "deleteCalendar",
        Code::PersonalCalendar,
        How::Scene(|| {
            async {
                let stage = Stage::confirmed(Options::default()).await;
                let personal = calendar::personal(&stage.app.context, &stage.host).await;
                let request = stage.signed(Method::DELETE, &format!("/v1/calendars/{personal}"));
                stage.scene(request)
            }
            .boxed_local()
        }),
    ),
    Row::new(
        "deleteCalendar",
        Code::CalendarHasBookings,
        How::Scene(|| {
            async {
                let stage = Stage::confirmed(Options::default()).await;
                stage.app.database.run(MOVED).await;
                let request = delete(&stage);
                stage.scene(request)
            }
            .boxed_local()
        }),
    ),
];

/// `PUT /v1/calendars/{id}/members/{handle}`.
pub const SHARING: &[Row] = &[
    Row::new(
        "addCalendarMember",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::PUT, &team(stage, "/members/bea"))),
    ),
    Row::new(
        "addCalendarMember",
        Code::RateLimited,
        How::RateLimited(share),
    ),
    Row::new(
        "addCalendarMember",
        Code::Internal,
        How::Internal(share, NO_KINDS),
    ),
    Row::new(
        "addCalendarMember",
        Code::Unavailable,
        How::Unavailable(share),
    ),
    Row::new(
        "addCalendarMember",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::PUT, &team(stage, "/members/nobody"))),
    ),
    Row::new(
        "addCalendarMember",
        Code::NotPermitted,
        How::Asked(|stage| stage.signed(Method::PUT, &beas(stage, "/members/cyd"))),
    ),
];

/// `DELETE /v1/calendars/{id}/members/{handle}`.
pub const LEAVING: &[Row] = &[
    Row::new(
        "removeCalendarMember",
        Code::Unauthenticated,
        How::Asked(|stage| {
            stage
                .app
                .request(Method::DELETE, &team(stage, "/members/bea"))
        }),
    ),
    Row::new(
        "removeCalendarMember",
        Code::RateLimited,
        How::RateLimited(leave),
    ),
    Row::new(
        "removeCalendarMember",
        Code::Internal,
        How::Internal(leave, NO_KINDS),
    ),
    Row::new(
        "removeCalendarMember",
        Code::Unavailable,
        How::Unavailable(leave),
    ),
    Row::new(
        "removeCalendarMember",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::DELETE, &team(stage, "/members/nobody"))),
    ),
    Row::new(
        "removeCalendarMember",
        Code::NotPermitted,
        How::Asked(|stage| stage.signed(Method::DELETE, &beas(stage, "/members/bea"))),
    ),
];

/// `GET /v1/hosts/{id}/busy`.
pub const BUSY: &[Row] = &[
    Row::new(
        "showBusy",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::GET, &busy_path(stage, ""))),
    ),
    Row::new("showBusy", Code::RateLimited, How::RateLimited(busy)),
    Row::new("showBusy", Code::Internal, How::Internal(busy, MIXED_UP)),
    Row::new("showBusy", Code::Unavailable, How::Unavailable(busy)),
    Row::new(
        "showBusy",
        Code::InvalidParameter,
        How::Asked(|stage| stage.signed(Method::GET, &busy_path(stage, "?from=soon"))),
    ),
    Row::new(
        "showBusy",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::GET, &format!("/v1/hosts/{NOBODYS}/busy"))),
    ),
    Row::new(
        "showBusy",
        Code::RangeTooLong,
        How::Asked(|stage| {
            stage.signed(
                Method::GET,
                &busy_path(stage, "?from=2026-06-01T00:00:00Z&to=2026-08-03T00:00:00Z"),
            )
        }),
    ),
    Row::new(
        "showBusy",
        Code::RangeInverted,
        How::Asked(|stage| {
            stage.signed(
                Method::GET,
                &busy_path(stage, "?from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z"),
            )
        }),
    ),
    Row::new(
        "showBusy",
        Code::AvailabilityUnknown,
        How::Scene(|| {
            async {
                let stage = Stage::confirmed(Options::default()).await;
                calendar::subscribed(&stage.app.context, &stage.host, None).await;
                let request = busy(&stage);
                stage.scene(request)
            }
            .boxed_local()
        }),
    ),
];

/// `GET /v1/pages/{handle}/{code}/explain`.
pub const EXPLAINING: &[Row] = &[
    Row::new(
        "explainStart",
        Code::Unauthenticated,
        How::Asked(|stage| {
            stage.app.request(
                Method::GET,
                &explain_path(stage, "?start=2026-06-02T10:00:00Z"),
            )
        }),
    ),
    Row::new("explainStart", Code::RateLimited, How::RateLimited(explain)),
    Row::new(
        "explainStart",
        Code::Internal,
        How::Internal(explain, NO_KINDS),
    ),
    Row::new("explainStart", Code::Unavailable, How::Unavailable(explain)),
    Row::new(
        "explainStart",
        Code::InvalidParameter,
        How::Asked(|stage| stage.signed(Method::GET, &explain_path(stage, "?start=soon"))),
    ),
    Row::new(
        "explainStart",
        Code::NotFound,
        How::Asked(|stage| {
            stage.signed(
                Method::GET,
                "/v1/pages/ana/zzzzzzzz/explain?start=2026-06-02T10:00:00Z",
            )
        }),
    ),
];

fn team(stage: &Stage, rest: &str) -> String {
    format!("/v1/calendars/{}{rest}", stage.team)
}

fn beas(stage: &Stage, rest: &str) -> String {
    format!("/v1/calendars/{}{rest}", stage.beas)
}

fn nobodys(rest: &str) -> String {
    format!("/v1/calendars/{NOBODYS}{rest}")
}

fn busy_path(stage: &Stage, query: &str) -> String {
    format!("/v1/hosts/{}/busy{query}", stage.host.id)
}

fn explain_path(stage: &Stage, query: &str) -> String {
    format!("{}/explain{query}", stage.host.api)
}

fn send(stage: &Stage, method: Method, path: &str, body: &Value) -> RequestBuilder {
    stage.signed(method, path).json(body)
}

fn too_large(stage: &Stage, method: Method, path: &str) -> RequestBuilder {
    stage
        .signed(method, path)
        .header("Content-Type", "application/json")
        .body(" ".repeat(TOO_MANY_BYTES))
}

fn as_text(stage: &Stage, method: Method, path: &str) -> RequestBuilder {
    stage
        .signed(method, path)
        .header("Content-Type", "text/plain")
        .body("{}")
}

fn list(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::GET, "/v1/calendars")
}

fn create(stage: &Stage) -> RequestBuilder {
    send(
        stage,
        Method::POST,
        "/v1/calendars",
        &json!({ "name": "Team" }),
    )
}

fn change(stage: &Stage) -> RequestBuilder {
    let body = json!({ "name": "Ours", "counts_as_busy": false });
    send(stage, Method::PATCH, &team(stage, ""), &body)
}

fn delete(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::DELETE, &team(stage, ""))
}

fn share(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::PUT, &team(stage, "/members/bea"))
}

fn leave(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::DELETE, &team(stage, "/members/bea"))
}

fn busy(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::GET, &busy_path(stage, ""))
}

fn explain(stage: &Stage) -> RequestBuilder {
    stage.signed(
        Method::GET,
        &explain_path(stage, "?start=2026-06-02T10:00:00Z"),
    )
}

#[tokio::test]
async fn refusals_of_listing_and_making_calendars() {
    play(LISTING).await;
    play(CREATING).await;
}

#[tokio::test]
async fn refusals_of_changing_calendars() {
    play(CHANGING).await;
}

#[tokio::test]
async fn refusals_of_deleting_calendars() {
    play(DELETING).await;
}

#[tokio::test]
async fn refusals_of_sharing_calendars() {
    play(SHARING).await;
    play(LEAVING).await;
}

#[tokio::test]
async fn refusals_of_showing_busy_time_and_reasons() {
    play(BUSY).await;
    play(EXPLAINING).await;
}
