//! Refusals of a host's calls on their bookings.

use futures::future::{FutureExt as _, LocalBoxFuture};
use holdfast_server::error::Code;
use holdfast_tests::app::Options;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use shared::ops;
use uuid::Uuid;

use super::{
    How, Row, Scene, Stage,
    manage::{CANCELLED, COMPLETED, LAPSED, MIXED_UP, UNPLACED, after, begun, held, to_wednesday},
    play,
};

/// Nobody's booking.
const NOBODYS: &str = "01900000-0000-7000-8000-000000000000";
/// One byte more than a body may have whose sender presented a key.
const TOO_MANY_BYTES: usize = 1024 * 1024 + 1;

/// What only reads.
pub const SHOWING: &[Row] = &[
    Row::new(
        "listBookings",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::GET, "/v1/bookings")),
    ),
    Row::new(
        "listBookings",
        Code::InvalidParameter,
        How::Asked(|stage| stage.signed(Method::GET, "/v1/bookings?limit=101")),
    ),
    Row::new(
        "listBookings",
        Code::RangeInverted,
        How::Asked(|stage| {
            stage.signed(
                Method::GET,
                "/v1/bookings?from=2026-06-02T00:00:00Z&to=2026-06-02T00:00:00Z",
            )
        }),
    ),
    Row::new("listBookings", Code::RateLimited, How::RateLimited(list)),
    Row::new(
        "listBookings",
        Code::Internal,
        How::Internal(list, MIXED_UP),
    ),
    Row::new("listBookings", Code::Unavailable, How::Unavailable(list)),
    Row::new(
        "showHostBooking",
        Code::Unauthenticated,
        How::Asked(|stage| unsigned(stage, Method::GET, "")),
    ),
    Row::new(
        "showHostBooking",
        Code::NotFound,
        How::Asked(|stage| stage.signed(Method::GET, &format!("/v1/bookings/{NOBODYS}"))),
    ),
    Row::new("showHostBooking", Code::RateLimited, How::RateLimited(show)),
    Row::new(
        "showHostBooking",
        Code::Internal,
        How::Internal(show, MIXED_UP),
    ),
    Row::new("showHostBooking", Code::Unavailable, How::Unavailable(show)),
];

/// `POST /v1/bookings/{id}/cancel`.
pub const CANCELLING: &[Row] = &[
    Row::new(
        "cancelHostBooking",
        Code::Unauthenticated,
        How::Asked(|stage| unsigned(stage, Method::POST, "/cancel")),
    ),
    Row::new(
        "cancelHostBooking",
        Code::InvalidBody,
        How::Asked(|stage| post(stage, "/cancel", json!({ "why": "no" }))),
    ),
    Row::new(
        "cancelHostBooking",
        Code::BodyTooLarge,
        How::Asked(|stage| too_large(stage, "/cancel")),
    ),
    Row::new(
        "cancelHostBooking",
        Code::UnsupportedMediaType,
        How::Asked(|stage| as_text(stage, "/cancel")),
    ),
    Row::new(
        "cancelHostBooking",
        Code::NotFound,
        How::Asked(|stage| nobodys(stage, "/cancel", json!({}))),
    ),
    Row::new(
        "cancelHostBooking",
        Code::ValidationFailed,
        How::Asked(|stage| post(stage, "/cancel", json!({ "reason": "a".repeat(2_001) }))),
    ),
    Row::new(
        "cancelHostBooking",
        Code::HoldExpired,
        How::Scene(|| held(cancel, Some(LAPSED))),
    ),
    Row::new(
        "cancelHostBooking",
        Code::BookingCancelled,
        How::Scene(|| after(cancel, CANCELLED_BY_BOOKER)),
    ),
    Row::new(
        "cancelHostBooking",
        Code::BookingFinished,
        How::Scene(|| after(cancel, COMPLETED)),
    ),
    Row::new(
        "cancelHostBooking",
        Code::RevisionConflict,
        How::Asked(|stage| post(stage, "/cancel", json!({ "expected_revision": 1 }))),
    ),
    Row::new(
        "cancelHostBooking",
        Code::RateLimited,
        How::RateLimited(cancel),
    ),
    Row::new(
        "cancelHostBooking",
        Code::Internal,
        How::Internal(cancel, MIXED_UP),
    ),
    Row::new(
        "cancelHostBooking",
        Code::Unavailable,
        How::Unavailable(cancel),
    ),
];

const CANCELLED_BY_BOOKER: &str = "UPDATE bookings SET state = 'cancelled', cancelled_at = now(), cancelled_by = 'booker'; UPDATE booking_hosts SET active = false";

/// `POST /v1/bookings/{id}/reschedule`.
pub const MOVING: &[Row] = &[
    Row::new(
        "rescheduleHostBooking",
        Code::Unauthenticated,
        How::Asked(|stage| unsigned(stage, Method::POST, "/reschedule")),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::InvalidBody,
        How::Asked(|stage| post(stage, "/reschedule", json!({ "expected_revision": 0 }))),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::InvalidHeader,
        How::Asked(|stage| reschedule(stage).header("Idempotency-Key", "")),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::BodyTooLarge,
        How::Asked(|stage| too_large(stage, "/reschedule")),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::UnsupportedMediaType,
        How::Asked(|stage| as_text(stage, "/reschedule")),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::NotFound,
        How::Asked(|stage| nobodys(stage, "/reschedule", to_wednesday())),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::NotConfirmed,
        How::Scene(|| held(reschedule, None)),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::HoldExpired,
        How::Scene(|| held(reschedule, Some(LAPSED))),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::BookingCancelled,
        How::Scene(|| after(reschedule, CANCELLED)),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::BookingFinished,
        How::Scene(|| after(reschedule, COMPLETED)),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::AlreadyStarted,
        How::Scene(|| begun(reschedule)),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::RevisionConflict,
        How::Asked(|stage| with(stage, "expected_revision", json!(1))),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::Unchanged,
        How::Asked(|stage| with(stage, "start", json!(super::START))),
    ),
    Row::new("rescheduleHostBooking", Code::SlotTaken, How::Scene(taken)),
    Row::new(
        "rescheduleHostBooking",
        Code::SlotNotOffered,
        How::Asked(|stage| with(stage, "start", json!("2026-06-03T09:30:00Z"))),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::IdempotencyKeyReused,
        How::Scene(once),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::AvailabilityUnknown,
        How::Scene(|| after(reschedule, UNPLACED)),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::RateLimited,
        How::RateLimited(reschedule),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::Internal,
        How::Internal(reschedule, MIXED_UP),
    ),
    Row::new(
        "rescheduleHostBooking",
        Code::Unavailable,
        How::Unavailable(reschedule),
    ),
];

/// `POST /v1/bookings/{id}/reassign`.
pub const GIVING: &[Row] = &[
    Row::new(
        "reassignBooking",
        Code::Unauthenticated,
        How::Asked(|stage| unsigned(stage, Method::POST, "/reassign")),
    ),
    Row::new(
        "reassignBooking",
        Code::InvalidBody,
        How::Asked(|stage| post(stage, "/reassign", json!({ "expected_revision": 0 }))),
    ),
    Row::new(
        "reassignBooking",
        Code::BodyTooLarge,
        How::Asked(|stage| too_large(stage, "/reassign")),
    ),
    Row::new(
        "reassignBooking",
        Code::UnsupportedMediaType,
        How::Asked(|stage| as_text(stage, "/reassign")),
    ),
    Row::new(
        "reassignBooking",
        Code::NotFound,
        How::Asked(|stage| {
            nobodys(
                stage,
                "/reassign",
                json!({ "host": "ana", "expected_revision": 0 }),
            )
        }),
    ),
    Row::new(
        "reassignBooking",
        Code::ValidationFailed,
        How::Asked(|stage| reassign_to(stage, "nobody")),
    ),
    Row::new(
        "reassignBooking",
        Code::NotConfirmed,
        How::Scene(|| held(reassign, None)),
    ),
    Row::new(
        "reassignBooking",
        Code::HoldExpired,
        How::Scene(|| held(reassign, Some(LAPSED))),
    ),
    Row::new(
        "reassignBooking",
        Code::BookingCancelled,
        How::Scene(|| after(reassign, CANCELLED)),
    ),
    Row::new(
        "reassignBooking",
        Code::BookingFinished,
        How::Scene(|| after(reassign, COMPLETED)),
    ),
    Row::new(
        "reassignBooking",
        Code::AlreadyStarted,
        How::Scene(|| begun(reassign)),
    ),
    Row::new(
        "reassignBooking",
        Code::RevisionConflict,
        How::Asked(|stage| {
            post(
                stage,
                "/reassign",
                json!({ "host": "ana", "expected_revision": 1 }),
            )
        }),
    ),
    Row::new(
        "reassignBooking",
        Code::HostInactive,
        How::Scene(|| to_ben("UPDATE hosts SET is_active = false WHERE handle = 'ben'")),
    ),
    Row::new(
        "reassignBooking",
        Code::SlotTaken,
        How::Scene(|| {
            to_ben(
                "INSERT INTO host_exceptions (id, host_id, kind, span) SELECT gen_random_uuid(), id, 'blocked', '[2026-06-02 09:15+00,2026-06-02 09:30+00)' FROM hosts WHERE handle = 'ben'",
            )
        }),
    ),
    Row::new(
        "reassignBooking",
        Code::AvailabilityUnknown,
        How::Scene(|| to_ben(UNPLACED)),
    ),
    Row::new(
        "reassignBooking",
        Code::RateLimited,
        How::RateLimited(reassign),
    ),
    Row::new(
        "reassignBooking",
        Code::Internal,
        How::Internal(reassign, MIXED_UP),
    ),
    Row::new(
        "reassignBooking",
        Code::Unavailable,
        How::Unavailable(reassign),
    ),
];

/// Every refusal of one of the two ways to end a meeting.
macro_rules! finishing {
    ($operation:literal, $path:literal, $over:ident, $other:ident) => {
        &[
            Row::new(
                $operation,
                Code::Unauthenticated,
                How::Asked(|stage| unsigned(stage, Method::POST, $path)),
            ),
            Row::new(
                $operation,
                Code::InvalidBody,
                How::Asked(|stage| post(stage, $path, json!({ "expected_revision": "0" }))),
            ),
            Row::new(
                $operation,
                Code::BodyTooLarge,
                How::Asked(|stage| too_large(stage, $path)),
            ),
            Row::new(
                $operation,
                Code::UnsupportedMediaType,
                How::Asked(|stage| as_text(stage, $path)),
            ),
            Row::new(
                $operation,
                Code::NotFound,
                How::Asked(|stage| nobodys(stage, $path, json!({}))),
            ),
            Row::new(
                $operation,
                Code::NotConfirmed,
                How::Scene(|| held(|stage| post(stage, $path, json!({})), None)),
            ),
            Row::new(
                $operation,
                Code::HoldExpired,
                How::Scene(|| held(|stage| post(stage, $path, json!({})), Some(LAPSED))),
            ),
            Row::new(
                $operation,
                Code::BookingCancelled,
                How::Scene(|| after(|stage| post(stage, $path, json!({})), CANCELLED)),
            ),
            Row::new(
                $operation,
                Code::BookingFinished,
                How::Asked(|stage| of(stage, $other(stage), $path)),
            ),
            Row::new(
                $operation,
                Code::NotStarted,
                How::Asked(|stage| post(stage, $path, json!({}))),
            ),
            Row::new(
                $operation,
                Code::RevisionConflict,
                How::Scene(|| begun(|stage| post(stage, $path, json!({ "expected_revision": 1 })))),
            ),
            Row::new(
                $operation,
                Code::RateLimited,
                How::RateLimited(|stage| of(stage, $over(stage), $path)),
            ),
            Row::new(
                $operation,
                Code::Internal,
                How::Internal(|stage| of(stage, $over(stage), $path), MIXED_UP),
            ),
            Row::new(
                $operation,
                Code::Unavailable,
                How::Unavailable(|stage| of(stage, $over(stage), $path)),
            ),
        ]
    };
}

/// `POST /v1/bookings/{id}/complete`.
pub const COMPLETING: &[Row] = finishing!("completeBooking", "/complete", completed, missed);

/// `POST /v1/bookings/{id}/no-show`.
pub const MISSING: &[Row] = finishing!("markNoShow", "/no-show", missed, completed);

fn completed(stage: &Stage) -> Uuid {
    stage.over.unwrap().0
}

fn missed(stage: &Stage) -> Uuid {
    stage.over.unwrap().1
}

/// A POST about one booking.
fn of(stage: &Stage, booking: Uuid, verb: &str) -> RequestBuilder {
    let path = format!("/v1/bookings/{booking}{verb}");
    stage.signed(Method::POST, &path).json(&json!({}))
}

/// A POST about the stage's booking.
fn post(stage: &Stage, verb: &str, body: Value) -> RequestBuilder {
    let path = format!("/v1/bookings/{}{verb}", stage.booking);
    stage.signed(Method::POST, &path).json(&body)
}

fn nobodys(stage: &Stage, verb: &str, body: Value) -> RequestBuilder {
    let path = format!("/v1/bookings/{NOBODYS}{verb}");
    stage.signed(Method::POST, &path).json(&body)
}

fn unsigned(stage: &Stage, method: Method, verb: &str) -> RequestBuilder {
    let path = format!("/v1/bookings/{}{verb}", stage.booking);
    stage.app.request(method, &path)
}

fn too_large(stage: &Stage, verb: &str) -> RequestBuilder {
    let path = format!("/v1/bookings/{}{verb}", stage.booking);
    stage
        .signed(Method::POST, &path)
        .header("Content-Type", "application/json")
        .body(" ".repeat(TOO_MANY_BYTES))
}

fn as_text(stage: &Stage, verb: &str) -> RequestBuilder {
    let path = format!("/v1/bookings/{}{verb}", stage.booking);
    stage
        .signed(Method::POST, &path)
        .header("Content-Type", "text/plain")
        .body("{}")
}

fn list(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::GET, "/v1/bookings")
}

fn show(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::GET, &format!("/v1/bookings/{}", stage.booking))
}

fn cancel(stage: &Stage) -> RequestBuilder {
    post(stage, "/cancel", json!({}))
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

/// To its own host, which changes nothing.
fn reassign(stage: &Stage) -> RequestBuilder {
    reassign_to(stage, "ana")
}

fn reassign_to(stage: &Stage, host: &str) -> RequestBuilder {
    let body = json!({ "host": host, "expected_revision": 0 });
    post(stage, "/reassign", body)
}

/// To somebody who may take over, after this SQL.
fn to_ben(sql: &'static str) -> LocalBoxFuture<'static, Scene> {
    async move {
        let stage = Stage::confirmed(Options::default()).await;
        stage.app.host("ben").make().await;
        let (handle, code) = stage.host.page[6..].split_once('/').unwrap();
        let context = &stage.app.context;
        let set = ops::set_substitute(context, (handle, code), "ben", true).await;
        assert!(set.unwrap());
        stage.app.database.run(sql).await;
        let request = reassign_to(&stage, "ben");
        stage.scene(request)
    }
    .boxed_local()
}

/// Somebody's event is where the booking should go.
fn taken() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options::default()).await;
        let context = &stage.app.context;
        stage
            .host
            .busy(context, "2026-06-03T09:15:00Z", "2026-06-03T09:30:00Z")
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
        let first = reschedule(&stage).header("Idempotency-Key", "once");
        let first = stage.app.send(first).await;
        assert_eq!(first.status, 200, "{}", first.text());
        let body = json!({ "start": "2026-06-04T09:00:00Z", "expected_revision": 1 });
        let request = post(&stage, "/reschedule", body).header("Idempotency-Key", "once");
        stage.scene(request)
    }
    .boxed_local()
}

#[tokio::test]
async fn every_refusal_of_a_hosts_look_at_bookings() {
    play(SHOWING).await;
}

#[tokio::test]
async fn every_refusal_of_a_hosts_cancellation() {
    play(CANCELLING).await;
}

#[tokio::test]
async fn every_refusal_of_a_hosts_move() {
    play(MOVING).await;
}

#[tokio::test]
async fn every_refusal_of_a_gift_to_another_host() {
    play(GIVING).await;
}

#[tokio::test]
async fn every_refusal_of_a_completion() {
    play(COMPLETING).await;
}

#[tokio::test]
async fn every_refusal_of_a_no_show() {
    play(MISSING).await;
}
