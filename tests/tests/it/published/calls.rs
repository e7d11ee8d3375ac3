//! Making feeds, listing them and revoking them.

use holdfast_tests::{
    Flow,
    app::Options,
    calendar::{personal, put, team},
    logs,
};
use reqwest::Method;
use serde_json::{Value, json};

use super::{feed, published, text};

const EVENT: &str =
    "BEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nDTSTART:20260602T120000Z\nDURATION:PT1H\nEND:VEVENT";

/// Red when a revoked feed keeps its row.
#[tokio::test]
async fn a_feed_is_read_until_it_is_revoked() {
    let flow = Flow::start().await;
    let (_, key, calendar, _) = published(&flow, "ana", "full").await;
    put(&flow.context, calendar, EVENT).await;
    let (id, path) = feed(&flow, &key, calendar, "full").await;
    let token = path.strip_prefix("/feed/").unwrap().strip_suffix(".ics");
    let digits = token.unwrap().strip_prefix("hf_feed_").unwrap();
    assert_eq!(digits.len(), 64);
    let answer = flow.get(&path).await;
    assert_eq!(
        answer.header("content-type"),
        "text/calendar; charset=utf-8"
    );
    assert_eq!(answer.header("cache-control"), "private, no-cache");
    assert_eq!(answer.header("referrer-policy"), "same-origin");
    assert_eq!(answer.header("access-control-allow-origin"), "");
    let head = flow.send(flow.request(Method::HEAD, &path)).await;
    assert_eq!(head.header("etag"), answer.header("etag"));
    assert!(text(&flow, &path).await.contains("SUMMARY:Dentist\n"));

    let one = format!("/v1/calendars/{calendar}/feeds/{id}");
    let revoke = || flow.send(flow.signed(&key, Method::DELETE, &one));
    assert_eq!(revoke().await.status, 204);
    assert_eq!(revoke().await.code(), "not_found");
    let gone = flow.get(&path).await;
    assert_eq!(gone.code(), "not_found");
    // No other than what is at no address at all.
    for nothing in [
        "/feed/hf_feed_0000.ics",
        &format!("/feed/hf_feed_{}.ics", "0".repeat(64)),
        &path.replace("hf_feed_", ""),
        &path
            .to_uppercase()
            .replace("/FEED/", "/feed/")
            .replace(".ICS", ".ics"),
        "/feed/%FF.ics",
    ] {
        let other = flow.get(nothing).await;
        assert_eq!(
            (other.status, &other.body),
            (gone.status, &gone.body),
            "{nothing}"
        );
        assert_eq!(other.header("cache-control"), "no-store");
    }
    flow.end().await;
}

#[tokio::test]
async fn a_list_shows_who_made_which_and_when_it_was_used_but_no_token() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let (anas, bens) = (flow.key(&ana).await, flow.key(&ben).await);
    let calendar = team(&flow.context, &ana, &[&ben]).await;
    let (_, of_ana) = feed(&flow, &anas, calendar, "full").await;
    flow.at("2026-06-01T08:00:01Z");
    let (id, of_ben) = feed(&flow, &bens, calendar, "busy_only").await;
    let path = format!("/v1/calendars/{calendar}/feeds");
    flow.get(&of_ben).await;
    let listed = async |key| -> Vec<Value> {
        let answer = flow.get_signed(key, &path).await;
        for token in [&of_ana, &of_ben] {
            assert!(!answer.text().contains(&token[6..30]));
        }
        answer.json()["data"].as_array().unwrap().clone()
    };
    let all = listed(&anas).await;
    assert_eq!(all.len(), 2, "the owner sees everybody's: {all:?}");
    assert_eq!(
        all[1],
        json!({
            "id": id, "name": "For my phone", "detail": "busy_only", "host": "ben",
            "created_at": "2026-06-01T08:00:01Z", "last_used_at": "2026-06-01T08:00:01Z",
        })
    );
    assert_eq!(all[0]["last_used_at"], Value::Null);
    assert_eq!(listed(&bens).await, all[1..]);
    // To the hour.
    for (now, used) in [("09:00:00", "08:00:01"), ("09:00:01", "09:00:01")] {
        flow.at(&format!("2026-06-01T{now}Z"));
        flow.get(&of_ben).await;
        let used = format!("2026-06-01T{used}Z");
        assert_eq!(listed(&bens).await[0]["last_used_at"], used);
    }
    // A member revokes their own alone; the owner everybody's.
    let of = |list: &[Value], at: usize| format!("{path}/{}", list[at]["id"].as_str().unwrap());
    let delete = |key, path: String| flow.send(flow.signed(key, Method::DELETE, &path));
    assert_eq!(delete(&bens, of(&all, 0)).await.status, 404);
    assert_eq!(delete(&anas, of(&all, 1)).await.status, 204);
    assert_eq!(flow.get(&of_ben).await.status, 404);
    assert_eq!(flow.get(&of_ana).await.status, 200);
    flow.end().await;
}

/// What a feed shows is what its maker may see: when they may see no more, neither may it.
///
/// Red when a feed belongs to the calendar and not to its member.
#[tokio::test]
async fn a_feed_ends_with_its_makers_place_on_the_calendar() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let (anas, bens) = (flow.key(&ana).await, flow.key(&ben).await);
    let calendar = team(&flow.context, &ana, &[&ben]).await;
    let (_, of_ana) = feed(&flow, &anas, calendar, "full").await;
    let (_, of_ben) = feed(&flow, &bens, calendar, "full").await;
    flow.sql(&format!(
        "DELETE FROM calendar_members WHERE host_id = '{}' AND calendar_id = '{calendar}'",
        ben.id
    ))
    .await;
    assert_eq!(flow.get(&of_ben).await.status, 404);
    assert_eq!(flow.get(&of_ana).await.status, 200);
    flow.sql(&format!(
        "UPDATE hosts SET is_active = false WHERE id = '{}'",
        ana.id
    ))
    .await;
    assert_eq!(flow.get(&of_ana).await.status, 404, "of an inactive host");
    flow.end().await;
}

/// The token is in no log line and nowhere in the database, and the name only sealed.
///
/// Red when the request's path is logged instead of its route.
#[tokio::test]
async fn a_feeds_token_is_kept_nowhere() {
    let logs = logs::capture();
    let flow = Flow::with(Options {
        seed: 0x00FE_ED01,
        ..Options::default()
    })
    .await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let calendar = personal(&flow.context, &ana).await;
    let body = json!({ "name": "Canary feed 5d1c", "detail": "full" });
    let feeds = format!("/v1/calendars/{calendar}/feeds");
    let made = flow.post_signed(&key, &feeds, &body).await.json();
    let path = made["url"]
        .as_str()
        .unwrap()
        .strip_prefix("https://book.holdfast.test");
    let path = path.unwrap();
    let token = path
        .strip_prefix("/feed/")
        .unwrap()
        .strip_suffix(".ics")
        .unwrap();
    assert_eq!(flow.get(path).await.status, 200);
    assert_eq!(flow.get(&format!("{path}/x?{token}")).await.status, 404);
    flow.sql("UPDATE hosts SET display_name_sealed = contact_email_sealed")
        .await;
    assert_eq!(flow.get(path).await.status, 500);
    let rows = format!("{:?}", flow.database.rows().await);
    let logged = logs.text();
    assert!(logged.contains("/feed/{token}.ics"), "the route is");
    for secret in [token, &token[8..40], "Canary feed 5d1c"] {
        assert!(
            !rows.contains(secret) && !logged.contains(secret),
            "{secret}"
        );
        let hex = shared::token::hex(secret.as_bytes());
        assert!(!rows.contains(&hex), "{secret}");
    }
    flow.app.end().await;
}
