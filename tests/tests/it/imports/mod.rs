//! Files that are taken over into calendars, through the slots.

mod booked;
mod merge;
mod permit;

use holdfast_tests::{Answer, Flow, app::TestKey, calendar::personal, feeds::file, host::TestHost};
use reqwest::Method;
use serde_json::Value;

/// Imports lines into the host's own calendar.
async fn import(flow: &Flow, host: &TestHost, key: &TestKey, lines: &str) -> Answer {
    let calendar = personal(&flow.context, host).await;
    let request = flow
        .signed(
            key,
            Method::POST,
            &format!("/v1/calendars/{calendar}/import"),
        )
        .header("Content-Type", "text/calendar; charset=utf-8")
        .body(file(lines));
    flow.send(request).await
}

/// The same, taken over: how many were added, updated and left.
async fn taken(flow: &Flow, host: &TestHost, key: &TestKey, lines: &str) -> (i64, i64, i64) {
    let answer = import(flow, host, key, lines).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let report: Value = answer.json();
    let of = |name: &str| report[name].as_i64().unwrap();
    (of("added"), of("updated"), of("unchanged"))
}
