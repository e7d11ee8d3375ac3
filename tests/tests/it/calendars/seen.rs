//! Which calendars a host sees, and how they are.

use holdfast_tests::{
    Flow,
    calendar::{put, read_at, subscribed, team as make_team},
};
use reqwest::Method;
use serde_json::{Value, json};

use super::{call, list, team};
use crate::slots::on;

#[tokio::test]
async fn a_host_begins_with_a_calendar_of_their_own() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").name("Ana Novak").make().await;
    let key = flow.key(&ana).await;
    let seen = list(&flow, &key).await;
    assert_eq!(seen.len(), 1);
    let mut own = seen[0].clone();
    assert!(own["id"].take().is_string());
    assert_eq!(
        own,
        json!({
            "id": null, "kind": "personal", "name": null, "role": "owner", "counts_as_busy": true, "revision": 0,
            "members": [{ "handle": "ana", "name": "Ana Novak", "role": "owner" }], "problems": 0,
        })
    );
    flow.end().await;
}

#[tokio::test]
async fn a_team_calendar_is_its_makers_until_it_is_shared() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let (key, bens) = (flow.key(&ana).await, flow.key(&ben).await);
    let path = team(&flow, &key).await;
    let seen = list(&flow, &key).await;
    assert_eq!(seen.len(), 2);
    assert_eq!(
        (
            &seen[0]["kind"],
            &seen[1]["kind"],
            &seen[1]["name"],
            &seen[1]["role"]
        ),
        (
            &json!("personal"),
            &json!("team"),
            &json!("Team"),
            &json!("owner")
        )
    );
    assert!(path.ends_with(seen[1]["id"].as_str().unwrap()));
    assert_eq!(list(&flow, &bens).await.len(), 1);
    flow.end().await;
}

/// The personal calendar may have a name too, and a name is trimmed.
#[tokio::test]
async fn a_calendar_is_named_by_its_owner() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let (key, bens) = (flow.key(&ana).await, flow.key(&ben).await);
    for path in [super::personal(&flow, &ana).await, team(&flow, &key).await] {
        let shared = call(
            &flow,
            &key,
            Method::PUT,
            &format!("{path}/members/ben"),
            None,
        )
        .await;
        assert_eq!(shared.status, 200, "{}", shared.text());
        let body = json!({ "name": "  Our plans 计划 " });
        let named = call(&flow, &key, Method::PATCH, &path, Some(&body)).await;
        assert_eq!(named.json()["name"], "Our plans 计划", "{}", named.text());
        let refused = call(&flow, &bens, Method::PATCH, &path, Some(&body)).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (403, "not_permitted")
        );
    }
    for seen in list(&flow, &bens).await.iter().skip(1) {
        assert_eq!(seen["name"], "Our plans 计划");
    }
    flow.end().await;
}

#[tokio::test]
async fn a_name_is_one_line_of_at_most_a_hundred_characters() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    for (name, code) in [
        (String::new(), "missing"),
        (" \t ".into(), "missing"),
        ("a".repeat(101), "too_long"),
        ("a\nb".into(), "control_characters"),
        ("a\u{2028}b".into(), "control_characters"),
    ] {
        let answer = flow
            .post_signed(&key, "/v1/calendars", &json!({ "name": name }))
            .await;
        assert_eq!(answer.code(), "validation_failed", "{name:?}");
        let problem = answer.json();
        assert_eq!(
            (
                &problem["errors"][0]["pointer"],
                &problem["errors"][0]["code"]
            ),
            (&json!("/name"), &json!(code)),
            "{name:?}"
        );
    }
    let longest = "计".repeat(100);
    let answer = flow
        .post_signed(&key, "/v1/calendars", &json!({ "name": longest }))
        .await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    flow.end().await;
}

/// Whether a calendar counts is each host's own choice, and slots follow it at once.
#[tokio::test]
async fn whether_a_calendar_counts_is_each_hosts_own_choice() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let (key, bens) = (flow.key(&ana).await, flow.key(&ben).await);
    let id = make_team(&flow.context, &ana, &[&ben]).await;
    put(
        &flow.context,
        id,
        "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T090000Z\nDTEND:20260602T100000Z\nEND:VEVENT",
    )
    .await;
    let path = format!("/v1/calendars/{id}");
    let free = async || {
        (
            on(&flow, &ana, "2026-06-02").await.len(),
            on(&flow, &ben, "2026-06-02").await.len(),
        )
    };
    assert_eq!(free().await, (7, 7));
    let off = json!({ "counts_as_busy": false });
    let changed = call(&flow, &bens, Method::PATCH, &path, Some(&off)).await;
    assert_eq!(
        changed.json()["counts_as_busy"],
        false,
        "{}",
        changed.text()
    );
    assert_eq!(free().await, (7, 8));
    assert_eq!(list(&flow, &key).await[1]["counts_as_busy"], true);
    let on_again = json!({ "counts_as_busy": true });
    call(&flow, &bens, Method::PATCH, &path, Some(&on_again)).await;
    assert_eq!(free().await, (7, 7));
    flow.end().await;
}

/// A subscribed calendar says how old it is, a broken one what is wrong with it.
#[tokio::test]
async fn a_calendar_says_how_it_is() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let now = flow.context.clock.now();
    let feed = subscribed(&flow.context, &ana, None).await;
    let seen = async || -> Value { list(&flow, &key).await[1].clone() };
    let never = seen().await;
    assert_eq!(
        never["sync"],
        json!({ "state": "never_read", "last_good_at": null, "age_min": null, "max_age_min": 1440 })
    );
    assert_eq!(never["fault"]["why"], "never_read");
    read_at(&flow.context, feed, Some(now.plus_minutes(-7))).await;
    let fresh = seen().await;
    assert_eq!(
        (&fresh["sync"]["state"], &fresh["sync"]["age_min"]),
        (&json!("fresh"), &json!(7))
    );
    assert!(fresh["fault"].is_null(), "{fresh}");
    read_at(&flow.context, feed, Some(now.plus_minutes(-1440))).await;
    let stale = seen().await;
    assert_eq!(
        (&stale["sync"]["state"], &stale["fault"]["why"]),
        (&json!("stale"), &json!("stale"))
    );
    read_at(&flow.context, feed, Some(now)).await;
    put(
        &flow.context,
        feed,
        "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T090000Z\nDTEND:20260602T100000Z\nEXDATE:soon\nRRULE:FREQ=DAILY\nEND:VEVENT",
    )
    .await;
    let broken = seen().await;
    assert_eq!(
        (&broken["problems"], &broken["fault"]["why"]),
        (&json!(1), &json!("problem"))
    );
    assert_eq!(
        broken["fault"]["event_id"],
        flow.text("SELECT id::text FROM events").await
    );
    flow.end().await;
}
