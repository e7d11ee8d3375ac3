//! A host's bookings over their API key: lists, one booking with its mail, and what the host does.

mod list;
mod mail;
mod show;
mod verbs;

use holdfast_tests::{Answer, Flow, app::TestKey};
use serde_json::Value;

/// `GET /v1/bookings/{id}`, which must succeed.
async fn shown(flow: &Flow, key: &TestKey, booking: &Value) -> Value {
    let path = format!("/v1/bookings/{}", booking["id"].as_str().unwrap());
    let answer = flow.get_signed(key, &path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// `POST /v1/bookings/{id}/<verb>`.
async fn act(flow: &Flow, key: &TestKey, booking: &Value, verb: &str, body: &Value) -> Answer {
    let path = format!("/v1/bookings/{}/{verb}", booking["id"].as_str().unwrap());
    flow.post_signed(key, &path, body).await
}
