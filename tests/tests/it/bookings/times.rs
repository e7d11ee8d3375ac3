//! What the rules never offer, and what somebody has: notice, horizon, grid, hours, buffers,
//! limits, exceptions, and the instance's lead.

use holdfast_tests::{
    Flow,
    app::{Options, at},
    flow::SAM,
    host::TestHost,
};

use super::refused;

async fn assert_answers(flow: &Flow, host: &TestHost, cases: &[(&str, &str)]) {
    for (start, want) in cases {
        let answer = flow.book(host, start, SAM).await;
        if want.is_empty() {
            assert_eq!(answer.status, 201, "{start}: {}", answer.text());
            continue;
        }
        let status = if *want == "slot_taken" { 409 } else { 422 };
        assert_eq!(refused(&answer), (status, (*want).into()), "{start}");
    }
}

const NEVER: &str = "slot_not_offered";
const TAKEN: &str = "slot_taken";

#[tokio::test]
async fn what_the_rules_never_offer_is_422() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .free("mon-fri 9:00-17:00")
        .set("notice_min", "120".into())
        .set("horizon_days", "7".into())
        .make()
        .await;
    // It is Monday, 08:00; the horizon ends a week on at the same time.
    let cases = [
        ("2026-05-29T10:00:00Z", NEVER),
        ("2026-06-01T08:00:00Z", NEVER),
        ("2026-06-01T09:00:00Z", NEVER),
        ("2026-06-02T10:30:00Z", NEVER),
        ("2026-06-02T10:00:01Z", NEVER),
        ("2026-06-02T10:00:00.000001Z", NEVER),
        ("2026-06-02T08:00:00Z", NEVER),
        ("2026-06-02T17:00:00Z", NEVER),
        ("2026-06-06T10:00:00Z", NEVER),
        ("2026-06-08T10:00:00Z", NEVER),
        ("2026-06-10T10:00:00Z", NEVER),
        ("2027-06-02T10:00:00Z", NEVER),
        ("2026-06-01T10:00:00Z", ""),
        ("2026-06-02T16:00:00Z", ""),
        ("2026-06-05T16:00:00Z", ""),
    ];
    assert_answers(&flow, &host, &cases).await;
    assert_eq!(flow.count("bookings").await, 3);
    flow.end().await;
}

/// The edges: allowed at the last instant of the notice, refused a microsecond later.
#[tokio::test]
async fn notice_and_horizon_are_exact_to_the_microsecond() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .set("notice_min", "120".into())
        .set("horizon_days", "1".into())
        .make()
        .await;
    flow.context.clock.set(at("2026-06-01T08:00:00.000001Z"));
    assert_answers(&flow, &host, &[("2026-06-01T10:00:00Z", NEVER)]).await;
    flow.at("2026-06-01T08:00:00Z");
    assert_answers(&flow, &host, &[("2026-06-01T10:00:00Z", "")]).await;
    // The meeting ends within the horizon: 24 hours from now.
    flow.context.clock.set(at("2026-06-01T09:59:59.999999Z"));
    assert_answers(&flow, &host, &[("2026-06-02T09:00:00Z", NEVER)]).await;
    flow.at("2026-06-01T10:00:00Z");
    assert_answers(&flow, &host, &[("2026-06-02T09:00:00Z", "")]).await;
    flow.end().await;
}

#[tokio::test]
async fn the_instances_lead_is_a_floor_under_every_notice() {
    let mut options = Options::default();
    options.limits.booking_lead_hours = 24;
    let flow = Flow::with(options).await;
    let host = flow.host("ana").set("notice_min", "60".into()).make().await;
    let late = flow
        .host("bob")
        .set("notice_min", "2880".into())
        .make()
        .await;
    flow.at("2026-06-01T10:00:00Z");
    let cases = [
        ("2026-06-02T09:00:00Z", NEVER),
        ("2026-06-02T10:00:00Z", ""),
    ];
    assert_answers(&flow, &host, &cases).await;
    let cases = [
        ("2026-06-03T09:00:00Z", NEVER),
        ("2026-06-03T10:00:00Z", ""),
    ];
    assert_answers(&flow, &late, &cases).await;
    flow.end().await;
}

#[tokio::test]
async fn what_somebody_has_is_409() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    host.busy(
        &flow.context,
        "2026-06-02T09:30:00Z",
        "2026-06-02T10:00:00Z",
    )
    .await;
    host.except(
        &flow.context,
        "blocked",
        "2026-06-02T12:59:59Z",
        "2026-06-02T14:00:00Z",
    )
    .await;
    host.except(
        &flow.context,
        "available",
        "2026-06-02T20:00:00Z",
        "2026-06-02T21:00:00Z",
    )
    .await;
    let cases = [
        ("2026-06-02T09:00:00Z", TAKEN),
        ("2026-06-02T10:00:00Z", ""),
        ("2026-06-02T10:00:00Z", TAKEN),
        ("2026-06-02T12:00:00Z", TAKEN),
        ("2026-06-02T13:00:00Z", TAKEN),
        ("2026-06-02T14:00:00Z", ""),
        ("2026-06-02T20:00:00Z", ""),
        ("2026-06-02T21:00:00Z", NEVER),
    ];
    assert_answers(&flow, &host, &cases).await;
    flow.end().await;
}

/// The gap between two meetings is the later one's buffer before and the earlier one's after.
#[tokio::test]
async fn buffers_may_touch_and_never_overlap() {
    let flow = Flow::start().await;
    let host = flow.host("ana").minutes(30, 5).buffers(5, 10).make().await;
    let cases = [
        ("2026-06-02T10:00:00Z", ""),
        ("2026-06-02T10:30:00Z", TAKEN),
        ("2026-06-02T10:40:00Z", TAKEN),
        ("2026-06-02T10:45:00Z", ""),
        ("2026-06-02T09:20:00Z", TAKEN),
        ("2026-06-02T09:15:00Z", ""),
    ];
    assert_answers(&flow, &host, &cases).await;
    assert_eq!(
        flow.texts("SELECT to_char(lower(blocked) AT TIME ZONE 'UTC', 'HH24:MI') || '-' || to_char(upper(blocked) AT TIME ZONE 'UTC', 'HH24:MI') FROM booking_hosts ORDER BY blocked").await,
        ["09:10-09:55", "09:55-10:40", "10:40-11:25"]
    );
    flow.end().await;
}

/// Case bok-17: a page left open past the daily limit is told so with a stable code, and its list
/// is fresh.
#[tokio::test]
async fn a_day_that_is_full_is_409_and_lists_nothing() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .set("limit_per_day", "1".into())
        .make()
        .await;
    let cases = [
        ("2026-06-02T10:00:00Z", ""),
        ("2026-06-02T11:00:00Z", TAKEN),
        ("2026-06-03T11:00:00Z", ""),
    ];
    assert_answers(&flow, &host, &cases).await;
    let list = host.slots("2026-06-02T00:00:00Z", "2026-06-03T00:00:00Z", "UTC");
    assert_eq!(flow.get(&list).await.json()["days"], serde_json::json!([]));
    // A booking that is off counts no more.
    let booking = flow
        .text("SELECT id::text FROM bookings ORDER BY start_at LIMIT 1")
        .await;
    let authority = shared::ops::Authority::Host {
        booking: booking.parse().unwrap(),
        host: host.id,
    };
    shared::ops::cancel(&flow.context, authority, None, None)
        .await
        .unwrap();
    assert_answers(&flow, &host, &[("2026-06-02T11:00:00Z", "")]).await;
    flow.end().await;
}
