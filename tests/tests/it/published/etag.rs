//! Asking again.

use holdfast_tests::{
    Answer, Flow,
    calendar::{personal, put},
    flow::{SAM, id},
};
use reqwest::Method;

use super::feed;

async fn again(flow: &Flow, path: &str, tag: &str) -> Answer {
    let request = flow.request(Method::GET, path);
    flow.send(request.header("If-None-Match", tag)).await
}

/// The tag that a feed has now, which must be another one than before.
async fn moved(flow: &Flow, path: &str, tag: &mut String, why: &str) {
    let answer = again(flow, path, tag).await;
    assert_eq!(answer.status, 200, "{why}");
    let new = answer.header("etag");
    assert_ne!(new, *tag, "{why}");
    *tag = new;
    let same = again(flow, path, tag).await;
    assert_eq!(same.status, 304, "{why}");
    assert!(same.body.is_empty());
    assert_eq!(same.header("etag"), *tag);
    assert_eq!(same.header("cache-control"), "private, no-cache");
    let (one, two) = (flow.get(path).await, flow.get(path).await);
    assert_eq!(one.body, two.body, "under one tag are the same bytes");
}

/// Red when the tag leaves out the revision, the state of bookings, or the instant at which holds
/// lapse.
#[tokio::test]
async fn what_is_unchanged_is_304_and_every_change_is_another_tag() {
    for detail in ["full", "busy_only"] {
        let flow = Flow::start().await;
        let ana = flow.host("ana").by_mail().make().await;
        let key = flow.key(&ana).await;
        let calendar = personal(&flow.context, &ana).await;
        let (_, path) = feed(&flow, &key, calendar, detail).await;
        let mut tag = String::new();
        moved(&flow, &path, &mut tag, "the first time").await;
        assert!(tag.starts_with('"') && tag.len() == 34, "{tag}");
        for spelled in ["*", &format!("W/{tag}"), &format!("\"x\", {tag}")] {
            assert_eq!(again(&flow, &path, spelled).await.status, 304, "{spelled}");
        }
        assert_eq!(again(&flow, &path, "\"x\"").await.status, 200);
        put(
            &flow.context,
            calendar,
            "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T120000Z\nDURATION:PT1H\nEND:VEVENT",
        )
        .await;
        moved(&flow, &path, &mut tag, "an event").await;
        let token = flow.link(&ana, "2026-06-02T09:00:00Z", SAM).await;
        moved(&flow, &path, &mut tag, "a hold").await;
        let booking = flow.look("", &token).await.json();
        assert_eq!(flow.confirm(&token).await.status, 200);
        moved(&flow, &path, &mut tag, "its confirmation").await;
        let second = flow
            .book(&ana, "2026-06-02T14:00:00Z", "bo@bookers.test")
            .await;
        assert_eq!(second.status, 201, "{}", second.text());
        moved(&flow, &path, &mut tag, "another hold").await;
        flow.at("2026-06-01T08:31:00Z");
        moved(&flow, &path, &mut tag, "its lapse, before any sweep").await;
        let cancel = format!("/v1/bookings/{}/cancel", id(&booking));
        let cancelled = flow
            .post_signed(&key, &cancel, &serde_json::json!({}))
            .await;
        assert_eq!(cancelled.status, 200, "{}", cancelled.text());
        moved(&flow, &path, &mut tag, "a cancellation").await;
        if detail == "busy_only" {
            flow.at("2026-06-02T00:00:00Z");
            moved(&flow, &path, &mut tag, "another day").await;
        }
        flow.app.end().await;
    }
}
