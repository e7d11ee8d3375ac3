//! Calendars through the API: who sees them, what is on them, and what that does to slots.
mod busy;
mod explain;
mod remove;
mod seen;
mod share;

use holdfast_tests::{Flow, app::TestKey, calendar, host::TestHost};
use reqwest::Method;
use serde_json::{Value, json};

/// A call with a key and perhaps a body.
pub async fn call(
    flow: &Flow,
    key: &TestKey,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> holdfast_tests::Answer {
    let request = flow.signed(key, method, path);
    flow.send(match body {
        Some(body) => request.json(body),
        None => request,
    })
    .await
}

/// A team calendar made through the API; answers its path.
pub async fn team(flow: &Flow, key: &TestKey) -> String {
    let made = flow
        .post_signed(key, "/v1/calendars", &json!({ "name": "Team" }))
        .await;
    assert_eq!(made.status, 201, "{}", made.text());
    format!("/v1/calendars/{}", made.json()["id"].as_str().unwrap())
}

/// The path of a host's own calendar.
pub async fn personal(flow: &Flow, host: &TestHost) -> String {
    let id = calendar::personal(&flow.context, host).await;
    format!("/v1/calendars/{id}")
}

/// The calendars that a key's host sees.
pub async fn list(flow: &Flow, key: &TestKey) -> Vec<Value> {
    let answer = flow.get_signed(key, "/v1/calendars").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"].as_array().unwrap().clone()
}
