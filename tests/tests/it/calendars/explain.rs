//! `GET /v1/pages/{handle}/{code}/explain`.

use holdfast_tests::{
    Flow,
    app::TestKey,
    calendar::{put, subscribed, team},
    host::TestHost,
};
use serde_json::{Value, json};

async fn explain(flow: &Flow, key: &TestKey, host: &TestHost, start: &str) -> Value {
    let answer = flow
        .get_signed(key, &format!("{}/explain?start={start}", host.api))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn a_start_that_is_not_offered_has_its_reasons_with_the_calendar_by_name() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let key = flow.key(&ana).await;
    let shared = team(&flow.context, &ben, &[&ana]).await;
    put(
        &flow.context,
        shared,
        "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T093000Z\nDTEND:20260602T100000Z\nEND:VEVENT",
    )
    .await;
    flow.booked(&ana, "2026-06-02T11:00:00Z").await;
    assert_eq!(
        explain(&flow, &key, &ana, "2026-06-02T10:00:00Z").await,
        json!({ "start": "2026-06-02T10:00:00Z", "offered": true, "reasons": [] })
    );
    assert_eq!(
        explain(&flow, &key, &ana, "2026-06-02T09:00:00Z").await,
        json!({ "start": "2026-06-02T09:00:00Z", "offered": false, "reasons": [{
            "code": "busy", "from": "2026-06-02T09:30:00Z", "to": "2026-06-02T10:00:00Z", "source": { "kind": "event", "calendar": "Team" }
        }] })
    );
    let booked = explain(&flow, &key, &ana, "2026-06-02T11:00:00Z").await;
    assert_eq!(
        booked["reasons"][0]["source"]["kind"], "booking",
        "{booked}"
    );
    let early = explain(&flow, &key, &ana, "2026-06-02T05:00:00Z").await;
    assert_eq!(early["reasons"][0]["code"], "outside_hours", "{early}");
    flow.end().await;
}

#[tokio::test]
async fn a_page_that_offers_nothing_names_the_calendar() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let feed = subscribed(&flow.context, &ana, None).await;
    assert_eq!(
        explain(&flow, &key, &ana, "2026-06-02T10:00:00Z").await,
        json!({
            "start": "2026-06-02T10:00:00Z", "offered": false, "reasons": [],
            "closed": { "calendar_id": feed, "calendar": "Feed", "why": "never_read", "detail": "it has not been read yet" }
        })
    );
    flow.end().await;
}

#[tokio::test]
async fn only_the_pages_host_is_told() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let key = flow.key(&ben).await;
    let path = format!("{}/explain?start=2026-06-02T10:00:00Z", ana.api);
    let answer = flow.get_signed(&key, &path).await;
    assert_eq!(answer.code(), "not_found");
    let answer = flow.get(&path).await;
    assert_eq!(answer.code(), "unauthenticated");
    flow.end().await;
}
