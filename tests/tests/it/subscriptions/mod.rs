//! Calendars that are read from other people's servers.

mod calls;
mod client;
mod decisions;
mod hostile;
mod queue;
mod reading;

use holdfast_tests::{Flow, app::TestKey, feeds, host::TestHost};
use serde_json::{Value, json};
use uuid::Uuid;

/// Subscribes by the API; answers the calendar.
async fn subscribe(flow: &Flow, key: &TestKey, address: &str) -> Uuid {
    let wish = json!({ "name": "Work", "address": address });
    let answer = flow
        .post_signed(key, "/v1/calendars/subscriptions", &wish)
        .await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["id"].as_str().unwrap().parse().unwrap()
}

/// How its readings go.
async fn report(flow: &Flow, key: &TestKey, calendar: Uuid) -> Value {
    let answer = flow
        .get_signed(key, &format!("/v1/calendars/{calendar}/sync"))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Asks for a reading now and waits for it.
async fn sync_now(flow: &Flow, key: &TestKey, calendar: Uuid) {
    let path = format!("/v1/calendars/{calendar}/sync");
    let answer = flow.post_signed(key, &path, &json!({})).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    assert_eq!(feeds::sync(&flow.context).await, 1);
}

/// The status of the host's slots on 2 June.
async fn page(flow: &Flow, host: &TestHost) -> u16 {
    let query = host.slots("2026-06-02T00:00:00Z", "2026-06-03T00:00:00Z", "UTC");
    flow.get(&query).await.status.as_u16()
}
