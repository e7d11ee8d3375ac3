//! The calls of the API.

use holdfast_tests::Flow;
use serde_json::{Value, json};

use super::{report, subscribe};

const ADDRESS: &str = "https://ana:hunter2@feeds.example.test/private-9f3a/basic.ics?key=abc";

/// The address opens other people's calendars: it is sealed, and nobody is shown it.
#[tokio::test]
async fn an_address_is_kept_sealed_and_shown_to_nobody() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let calendar = subscribe(&flow, &key, ADDRESS).await;
    let seen = report(&flow, &key, calendar).await;
    assert_eq!(seen["address_host"], "feeds.example.test");
    assert_eq!(seen["sync"]["last_good_at"], Value::Null);
    assert_eq!(seen["sync"]["max_age_min"], 1440);
    let stored = format!("{:?}", flow.database.rows().await);
    for secret in [
        "hunter2",
        "private-9f3a",
        "key=abc",
        "feeds.example",
        "Work",
    ] {
        assert!(!stored.contains(secret), "{secret} is stored");
        let told = secret != "feeds.example" && secret != "Work";
        assert!(
            !(told && seen.to_string().contains(secret)),
            "{secret} is shown"
        );
    }
    flow.end().await;
}

#[tokio::test]
async fn every_fault_of_a_wish_is_named_at_once() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let wish = json!({ "name": " ", "address": "gopher://x.test", "max_age_min": 59 });
    let answer = flow
        .post_signed(&key, "/v1/calendars/subscriptions", &wish)
        .await;
    assert_eq!(answer.code(), "validation_failed");
    let named: Vec<String> = answer.json()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| {
            format!(
                "{} {}",
                fault["pointer"].as_str().unwrap(),
                fault["code"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        named,
        [
            "/name missing",
            "/address invalid_address",
            "/max_age_min out_of_range"
        ]
    );
    assert_eq!(flow.count("calendars WHERE kind = 'subscribed'").await, 0);
    flow.end().await;
}

/// Sharing shows events, not where they are read: asking for a reading is the owner's.
#[tokio::test]
async fn a_member_who_is_not_the_owner_is_not_shown_the_reading() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let (key, bens) = (flow.key(&ana).await, flow.key(&ben).await);
    let calendar = subscribe(&flow, &key, ADDRESS).await;
    holdfast_tests::calendar::join(&flow.context, calendar, &ben).await;
    let path = format!("/v1/calendars/{calendar}/sync");
    assert_eq!(flow.get_signed(&bens, &path).await.status, 404);
    assert_eq!(flow.post_signed(&bens, &path, &json!({})).await.status, 404);
    flow.end().await;
}
