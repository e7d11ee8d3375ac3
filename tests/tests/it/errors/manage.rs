//! Refusals of the calls below `/v1/manage`.

use futures::future::{FutureExt as _, LocalBoxFuture};
use holdfast_server::error::Code;
use holdfast_tests::app::{Options, at};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{Good, How, Row, START, Scene, Stage, play};

/// The title then was sealed for another column, and does not open.
pub(super) const MIXED_UP: &str = "UPDATE bookings SET title_sealed = booker_name_sealed";
pub(super) const CANCELLED: &str = "UPDATE bookings SET state = 'cancelled', cancelled_at = now(), cancelled_by = 'host'; UPDATE booking_hosts SET active = false";
pub(super) const COMPLETED: &str =
    "UPDATE bookings SET state = 'completed'; UPDATE booking_hosts SET active = false";
const INACTIVE: &str = "UPDATE hosts SET is_active = false";
/// A day of which no clock can say when it begins.
pub(super) const UNPLACED: &str = r#"INSERT INTO events (id, calendar_id, title_sealed, all_day, timing, reach) SELECT gen_random_uuid(), id, '', true, '{"start":"9999-12-31"}', '(,)' FROM calendars; UPDATE calendars SET revision = revision + 1"#;
/// When a hold of eight o'clock has lapsed.
pub(super) const LAPSED: &str = "2026-06-01T08:30:00Z";

/// What only reads.
pub const SHOWING: &[Row] = &[
    Row::new(
        "showBooking",
        Code::NotFound,
        How::Asked(|stage| stranger(stage, Method::GET, "")),
    ),
    Row::new("showBooking", Code::RateLimited, How::RateLimited(show)),
    Row::new("showBooking", Code::Internal, How::Internal(show, MIXED_UP)),
    Row::new("showBooking", Code::Unavailable, How::Unavailable(show)),
    Row::new(
        "downloadInvitation",
        Code::NotFound,
        How::Asked(|stage| stranger(stage, Method::GET, "/calendar.ics")),
    ),
    Row::new(
        "downloadInvitation",
        Code::RateLimited,
        How::RateLimited(file),
    ),
    Row::new(
        "downloadInvitation",
        Code::Internal,
        How::Internal(file, MIXED_UP),
    ),
    Row::new(
        "downloadInvitation",
        Code::Unavailable,
        How::Unavailable(file),
    ),
    Row::new(
        "findMoveSlots",
        Code::InvalidParameter,
        How::Asked(|stage| get(stage, "/slots?from=tomorrow")),
    ),
    Row::new(
        "findMoveSlots",
        Code::UnknownZone,
        How::Asked(|stage| get(stage, "/slots?zone=Moon/Base")),
    ),
    Row::new(
        "findMoveSlots",
        Code::NotFound,
        How::Asked(|stage| stranger(stage, Method::GET, "/slots")),
    ),
    Row::new(
        "findMoveSlots",
        Code::RangeTooLong,
        How::Asked(|stage| {
            get(
                stage,
                "/slots?from=2026-06-01T00:00:00Z&to=2026-09-01T00:00:00Z",
            )
        }),
    ),
    Row::new(
        "findMoveSlots",
        Code::RangeInverted,
        How::Asked(|stage| {
            get(
                stage,
                "/slots?from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z",
            )
        }),
    ),
    Row::new(
        "findMoveSlots",
        Code::NotConfirmed,
        How::Scene(|| held(slots, None)),
    ),
    Row::new(
        "findMoveSlots",
        Code::HoldExpired,
        How::Scene(|| held(slots, Some(LAPSED))),
    ),
    Row::new(
        "findMoveSlots",
        Code::BookingCancelled,
        How::Scene(|| after(slots, CANCELLED)),
    ),
    Row::new(
        "findMoveSlots",
        Code::BookingFinished,
        How::Scene(|| after(slots, COMPLETED)),
    ),
    Row::new(
        "findMoveSlots",
        Code::AlreadyStarted,
        How::Scene(|| begun(slots)),
    ),
    Row::new(
        "findMoveSlots",
        Code::RescheduleLimit,
        How::Scene(|| immovable(slots)),
    ),
    Row::new(
        "findMoveSlots",
        Code::HostInactive,
        How::Scene(|| after(slots, INACTIVE)),
    ),
    Row::new(
        "findMoveSlots",
        Code::AvailabilityUnknown,
        How::Scene(|| after(slots, UNPLACED)),
    ),
    Row::new("findMoveSlots", Code::Overloaded, How::Scene(overloaded)),
    Row::new("findMoveSlots", Code::RateLimited, How::RateLimited(slots)),
    Row::new(
        "findMoveSlots",
        Code::Internal,
        How::Internal(slots, MIXED_UP),
    ),
    Row::new("findMoveSlots", Code::Unavailable, How::Unavailable(slots)),
];

/// `POST /v1/manage/confirm`.
pub const CONFIRMING: &[Row] = &[
    Row::new(
        "confirmBooking",
        Code::InvalidBody,
        How::Asked(|stage| post(stage, "/confirm", json!({ "expected_revision": "0" }))),
    ),
    Row::new(
        "confirmBooking",
        Code::BodyTooLarge,
        How::Asked(|stage| {
            post(
                stage,
                "/confirm",
                json!({ "expected_revision": "0".repeat(16 * 1024) }),
            )
        }),
    ),
    Row::new(
        "confirmBooking",
        Code::UnsupportedMediaType,
        How::Asked(|stage| as_text(stage, "/confirm")),
    ),
    Row::new(
        "confirmBooking",
        Code::NotFound,
        How::Asked(|stage| stranger(stage, Method::POST, "/confirm").json(&json!({}))),
    ),
    Row::new(
        "confirmBooking",
        Code::RevisionConflict,
        How::Scene(|| {
            held(
                |stage| post(stage, "/confirm", json!({ "expected_revision": 7 })),
                None,
            )
        }),
    ),
    Row::new(
        "confirmBooking",
        Code::BookingCancelled,
        How::Scene(|| after(confirm, CANCELLED)),
    ),
    Row::new(
        "confirmBooking",
        Code::HoldExpired,
        How::Scene(|| held(confirm, Some(LAPSED))),
    ),
    Row::new(
        "confirmBooking",
        Code::BookingFinished,
        How::Scene(|| after(confirm, COMPLETED)),
    ),
    Row::new(
        "confirmBooking",
        Code::RateLimited,
        How::RateLimited(confirm),
    ),
    Row::new(
        "confirmBooking",
        Code::Internal,
        How::Internal(confirm, MIXED_UP),
    ),
    Row::new(
        "confirmBooking",
        Code::Unavailable,
        How::Unavailable(confirm),
    ),
];

/// `POST /v1/manage/cancel`.
pub const CANCELLING: &[Row] = &[
    Row::new(
        "cancelBooking",
        Code::InvalidBody,
        How::Asked(|stage| post(stage, "/cancel", json!({ "why": "ill" }))),
    ),
    Row::new(
        "cancelBooking",
        Code::BodyTooLarge,
        How::Asked(|stage| post(stage, "/cancel", json!({ "reason": "a".repeat(16 * 1024) }))),
    ),
    Row::new(
        "cancelBooking",
        Code::UnsupportedMediaType,
        How::Asked(|stage| as_text(stage, "/cancel")),
    ),
    Row::new(
        "cancelBooking",
        Code::NotFound,
        How::Asked(|stage| stranger(stage, Method::POST, "/cancel").json(&json!({}))),
    ),
    Row::new(
        "cancelBooking",
        Code::RevisionConflict,
        How::Asked(|stage| post(stage, "/cancel", json!({ "expected_revision": 7 }))),
    ),
    Row::new(
        "cancelBooking",
        Code::BookingCancelled,
        How::Scene(|| after(cancel, CANCELLED)),
    ),
    Row::new(
        "cancelBooking",
        Code::HoldExpired,
        How::Scene(|| held(cancel, Some(LAPSED))),
    ),
    Row::new(
        "cancelBooking",
        Code::BookingFinished,
        How::Scene(|| after(cancel, COMPLETED)),
    ),
    Row::new(
        "cancelBooking",
        Code::AlreadyStarted,
        How::Scene(|| begun(cancel)),
    ),
    Row::new(
        "cancelBooking",
        Code::ValidationFailed,
        How::Asked(|stage| post(stage, "/cancel", json!({ "reason": "a".repeat(2_001) }))),
    ),
    Row::new("cancelBooking", Code::RateLimited, How::RateLimited(cancel)),
    Row::new(
        "cancelBooking",
        Code::Internal,
        How::Internal(cancel, MIXED_UP),
    ),
    Row::new("cancelBooking", Code::Unavailable, How::Unavailable(cancel)),
];

/// `POST /v1/manage/reschedule`.
pub const MOVING: &[Row] = &[
    Row::new(
        "rescheduleBooking",
        Code::InvalidBody,
        How::Asked(|stage| post(stage, "/reschedule", json!({ "start": START }))),
    ),
    Row::new(
        "rescheduleBooking",
        Code::InvalidHeader,
        How::Asked(|stage| reschedule(stage).header("Idempotency-Key", "")),
    ),
    Row::new(
        "rescheduleBooking",
        Code::UnknownZone,
        How::Asked(|stage| with(stage, "zone", json!("Moon/Base"))),
    ),
    Row::new(
        "rescheduleBooking",
        Code::BodyTooLarge,
        How::Asked(|stage| with(stage, "zone", json!("a".repeat(16 * 1024)))),
    ),
    Row::new(
        "rescheduleBooking",
        Code::UnsupportedMediaType,
        How::Asked(|stage| as_text(stage, "/reschedule")),
    ),
    Row::new(
        "rescheduleBooking",
        Code::NotFound,
        How::Asked(|stage| stranger(stage, Method::POST, "/reschedule").json(&to_wednesday())),
    ),
    Row::new("rescheduleBooking", Code::SlotTaken, How::Scene(taken)),
    Row::new(
        "rescheduleBooking",
        Code::SlotNotOffered,
        How::Asked(|stage| with(stage, "start", json!("2026-06-03T09:30:00Z"))),
    ),
    Row::new(
        "rescheduleBooking",
        Code::RevisionConflict,
        How::Asked(|stage| with(stage, "expected_revision", json!(7))),
    ),
    Row::new(
        "rescheduleBooking",
        Code::Unchanged,
        How::Asked(|stage| with(stage, "start", json!(START))),
    ),
    Row::new(
        "rescheduleBooking",
        Code::NotConfirmed,
        How::Scene(|| held(reschedule, None)),
    ),
    Row::new(
        "rescheduleBooking",
        Code::HoldExpired,
        How::Scene(|| held(reschedule, Some(LAPSED))),
    ),
    Row::new(
        "rescheduleBooking",
        Code::BookingCancelled,
        How::Scene(|| after(reschedule, CANCELLED)),
    ),
    Row::new(
        "rescheduleBooking",
        Code::BookingFinished,
        How::Scene(|| after(reschedule, COMPLETED)),
    ),
    Row::new(
        "rescheduleBooking",
        Code::AlreadyStarted,
        How::Scene(|| begun(reschedule)),
    ),
    Row::new(
        "rescheduleBooking",
        Code::RescheduleLimit,
        How::Scene(|| immovable(reschedule)),
    ),
    Row::new(
        "rescheduleBooking",
        Code::HostInactive,
        How::Scene(|| after(reschedule, INACTIVE)),
    ),
    Row::new(
        "rescheduleBooking",
        Code::IdempotencyKeyReused,
        How::Scene(once),
    ),
    Row::new(
        "rescheduleBooking",
        Code::AvailabilityUnknown,
        How::Scene(|| after(reschedule, UNPLACED)),
    ),
    Row::new(
        "rescheduleBooking",
        Code::RateLimited,
        How::RateLimited(reschedule),
    ),
    Row::new(
        "rescheduleBooking",
        Code::Internal,
        How::Internal(reschedule, MIXED_UP),
    ),
    Row::new(
        "rescheduleBooking",
        Code::Unavailable,
        How::Unavailable(reschedule),
    ),
];

fn get(stage: &Stage, path: &str) -> RequestBuilder {
    stage.manage(Method::GET, path)
}

fn post(stage: &Stage, path: &str, body: Value) -> RequestBuilder {
    stage.manage(Method::POST, path).json(&body)
}

fn show(stage: &Stage) -> RequestBuilder {
    get(stage, "")
}

fn file(stage: &Stage) -> RequestBuilder {
    get(stage, "/calendar.ics")
}

fn slots(stage: &Stage) -> RequestBuilder {
    get(stage, "/slots")
}

fn confirm(stage: &Stage) -> RequestBuilder {
    post(stage, "/confirm", json!({}))
}

fn cancel(stage: &Stage) -> RequestBuilder {
    post(stage, "/cancel", json!({}))
}

pub(super) fn to_wednesday() -> Value {
    json!({ "start": "2026-06-03T09:00:00Z", "expected_revision": 0 })
}

fn reschedule(stage: &Stage) -> RequestBuilder {
    post(stage, "/reschedule", to_wednesday())
}

/// The good move with one field changed.
fn with(stage: &Stage, field: &str, value: Value) -> RequestBuilder {
    let mut body = to_wednesday();
    body[field] = value;
    post(stage, "/reschedule", body)
}

fn as_text(stage: &Stage, path: &str) -> RequestBuilder {
    stage
        .manage(Method::POST, path)
        .header("Content-Type", "text/plain")
        .body("{}")
}

/// A call with a token that opens nothing.
fn stranger(stage: &Stage, method: Method, path: &str) -> RequestBuilder {
    stage
        .app
        .request(method, &format!("/v1/manage{path}"))
        .header("X-Manage-Token", "0".repeat(64))
}

/// The good request after some SQL.
pub(super) fn after(good: Good, sql: &'static str) -> LocalBoxFuture<'static, Scene> {
    async move {
        let stage = Stage::confirmed(Options::default()).await;
        stage.app.database.run(sql).await;
        let request = good(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

/// The good request in the moment when the meeting starts.
pub(super) fn begun(good: Good) -> LocalBoxFuture<'static, Scene> {
    async move {
        let stage = Stage::confirmed(Options::default()).await;
        stage.app.context.clock.set(at(START));
        let request = good(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

/// The request on a hold, perhaps later.
pub(super) fn held(request: Good, now: Option<&'static str>) -> LocalBoxFuture<'static, Scene> {
    async move {
        let stage = Stage::held(Options::default()).await;
        if let Some(now) = now {
            stage.app.context.clock.set(at(now));
        }
        let request = request(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

/// The good request where bookers may move nothing.
fn immovable(good: Good) -> LocalBoxFuture<'static, Scene> {
    async move {
        let mut options = Options::default();
        options.limits.booker_reschedules = 0;
        let stage = Stage::confirmed(options).await;
        let request = good(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

fn overloaded() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options {
            slot_concurrency: 1,
            ..Options::default()
        })
        .await;
        stage
            .app
            .state
            .slot_permits
            .acquire()
            .await
            .unwrap()
            .forget();
        let request = slots(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

/// Somebody's event is where the booking should go.
fn taken() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options::default()).await;
        stage
            .host
            .busy(
                &stage.app.context,
                "2026-06-03T09:15:00Z",
                "2026-06-03T09:30:00Z",
            )
            .await;
        let request = reschedule(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

/// Another move under a key that was used.
fn once() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options::default()).await;
        let first = stage
            .app
            .send(reschedule(&stage).header("Idempotency-Key", "once"))
            .await;
        assert_eq!(first.status, 200, "{}", first.text());
        let body = json!({ "start": "2026-06-04T09:00:00Z", "expected_revision": 1 });
        let request = post(&stage, "/reschedule", body).header("Idempotency-Key", "once");
        stage.scene(request)
    }
    .boxed_local()
}

#[tokio::test]
async fn every_refusal_of_a_look_at_a_booking() {
    play(SHOWING).await;
}

#[tokio::test]
async fn every_refusal_of_a_confirmation() {
    play(CONFIRMING).await;
}

#[tokio::test]
async fn every_refusal_of_a_cancellation() {
    play(CANCELLING).await;
}

#[tokio::test]
async fn every_refusal_of_a_move() {
    play(MOVING).await;
}
