//! `GET /v1/hosts/{id}/busy`.

use holdfast_tests::{
    Flow,
    app::TestKey,
    calendar::{personal, put, subscribed, team},
    host::TestHost,
};
use serde_json::{Value, json};

async fn busy(flow: &Flow, key: &TestKey, host: &TestHost, query: &str) -> Value {
    let answer = flow
        .get_signed(key, &format!("/v1/hosts/{}/busy{query}", host.id))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.json()
}

const DAY: &str = "?from=2026-06-02T00:00:00Z&to=2026-06-03T00:00:00Z";

/// Events of every calendar that counts, bookings with their buffers, exceptions: in order, merged
/// where they touch, and cut to the range.
#[tokio::test]
async fn everything_that_keeps_a_host_busy_is_told_merged_and_cut() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").buffers(15, 30).make().await;
    let ben = flow.host("ben").make().await;
    let key = flow.key(&ana).await;
    let own = personal(&flow.context, &ana).await;
    let shared = team(&flow.context, &ben, &[&ana]).await;
    // From the evening before; and two that touch.
    put(&flow.context, own, "BEGIN:VEVENT\nUID:1\nDTSTART:20260601T220000Z\nDTEND:20260602T010000Z\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nDTSTART:20260602T060000Z\nDTEND:20260602T070000Z\nEND:VEVENT").await;
    put(
        &flow.context,
        shared,
        "BEGIN:VEVENT\nUID:3\nDTSTART:20260602T070000Z\nDTEND:20260602T073000Z\nEND:VEVENT",
    )
    .await;
    flow.booked(&ana, "2026-06-02T10:00:00Z").await;
    ana.except(
        &flow.context,
        "blocked",
        "2026-06-02T23:00:00Z",
        "2026-06-04T00:00:00Z",
    )
    .await;
    let told = busy(&flow, &key, &ana, DAY).await;
    let span = |start: &str, end: &str| json!({ "start": start, "end": end });
    assert_eq!(
        told,
        json!({
            "from": "2026-06-02T00:00:00Z", "to": "2026-06-03T00:00:00Z",
            "busy": [
                span("2026-06-02T00:00:00Z", "2026-06-02T01:00:00Z"),
                span("2026-06-02T06:00:00Z", "2026-06-02T07:30:00Z"),
                span("2026-06-02T09:45:00Z", "2026-06-02T11:30:00Z"),
                span("2026-06-02T23:00:00Z", "2026-06-03T00:00:00Z"),
            ]
        })
    );
    // Without a range: from now, as far as slots go at once.
    let told = busy(&flow, &key, &ana, "").await;
    assert_eq!(
        (&told["from"], &told["to"]),
        (
            &json!("2026-06-01T08:00:00Z"),
            &json!("2026-08-02T08:00:00Z")
        )
    );
    flow.end().await;
}

#[tokio::test]
async fn nobody_is_told_when_somebody_else_is_busy() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let key = flow.key(&ana).await;
    let others = flow
        .get_signed(&key, &format!("/v1/hosts/{}/busy{DAY}", ben.id))
        .await;
    let nobodys = flow
        .get_signed(
            &key,
            &format!("/v1/hosts/01900000-0000-7000-8000-000000000000/busy{DAY}"),
        )
        .await;
    assert_eq!((others.status.as_u16(), others.body), (404, nobodys.body));
    flow.end().await;
}

/// Ruling R3: what is not known is not told in part. The host hears which calendar, which event and
/// why; a stranger hears nothing of it.
#[tokio::test]
async fn what_is_not_known_is_named_to_the_host_alone() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let feed = subscribed(&flow.context, &ana, Some(flow.context.clock.now())).await;
    put(&flow.context, feed, "BEGIN:VEVENT\nUID:1\nSUMMARY:Choir practice\nDTSTART:20260602T060000Z\nDTEND:20260602T070000Z\nEXDATE:soon\nRRULE:FREQ=DAILY\nEND:VEVENT").await;
    let path = format!("/v1/hosts/{}/busy{DAY}", ana.id);
    let answer = flow.get_signed(&key, &path).await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (503, "availability_unknown")
    );
    assert_eq!(answer.header("retry-after"), "60");
    let event = flow.text("SELECT id::text FROM events").await;
    let problem = answer.json();
    let detail = problem["detail"].as_str().unwrap();
    for word in ["Feed", "Choir practice", "EXDATE cannot be read: soon"] {
        assert!(detail.contains(word), "{detail}");
    }
    assert_eq!(
        (
            &problem["errors"][0]["pointer"],
            &problem["errors"][0]["code"]
        ),
        (
            &json!(format!("/v1/calendars/{feed}/events/{event}")),
            &json!("problem")
        )
    );
    let public = flow
        .get(&ana.slots("2026-06-02T00:00:00Z", "2026-06-03T00:00:00Z", "UTC"))
        .await;
    assert_eq!(
        (
            public.status.as_u16(),
            public.header("retry-after").as_str()
        ),
        (503, "60")
    );
    for word in ["Feed", "Choir", "EXDATE", &feed.to_string(), &event] {
        assert!(!public.text().contains(word), "{}", public.text());
    }
    flow.end().await;
}
