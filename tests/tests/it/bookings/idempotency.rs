//! `Idempotency-Key`: the same key and request answers the same and does nothing twice.

use holdfast_tests::{
    Answer, Flow,
    app::{Options, at},
    flow::{SAM, by_host, wish},
    host::TestHost,
};
use jiff::SignedDuration;
use reqwest::Method;
use serde_json::{Value, json};
use shared::ops;

use super::refused;

/// An answer without what may differ between a first one and its replay.
fn same(answer: &Answer) -> Value {
    let mut json = answer.json();
    let booking = json.as_object_mut().unwrap();
    booking.remove("manage_token");
    booking.remove("manage_url");
    json
}

fn replayed(answer: &Answer) -> bool {
    answer.header("idempotent-replayed") == "true"
}

/// I10 and R10: the booking as it was, with a fresh token where the first answer had one, and
/// nothing is queued.
#[tokio::test]
async fn a_replay_answers_the_same_whatever_happened_meanwhile_and_queues_nothing() {
    for instant in [true, false] {
        let flow = Flow::start().await;
        let host = flow.host("ana").guests();
        let host = if instant { host } else { host.by_mail() }.make().await;
        let mut wish = wish("2026-06-02T10:00:00Z", SAM);
        wish["guests"] = json!([{ "email": "kim@guests.test", "name": "Kim" }]);
        let first = flow.ask_once(&host, &wish, "k").await;
        assert_eq!((first.status.as_u16(), replayed(&first)), (201, false));
        flow.mail.drain().await;
        let link = flow.mail.token(SAM);
        let mut seen = Vec::new();
        let mut again = async |what: &str| {
            let before = (
                flow.count("mail_outbox").await,
                flow.count("bookings").await,
            );
            let answer = flow.ask_once(&host, &wish, "k").await;
            assert_eq!(
                (answer.status.as_u16(), replayed(&answer)),
                (201, true),
                "{what}"
            );
            assert_eq!(same(&answer), same(&first), "{what}");
            let after = (
                flow.count("mail_outbox").await,
                flow.count("bookings").await,
            );
            assert_eq!(before, after, "{what}");
            let token = answer.json()["manage_token"].clone();
            assert_eq!(token.is_string(), instant, "{what}");
            if let Some(token) = token.as_str() {
                assert!(!seen.contains(&token.to_owned()), "a fresh token");
                assert_eq!(flow.look("", token).await.status, 200);
                seen.push(token.to_owned());
            }
        };
        again("at once").await;
        if !instant {
            assert_eq!(flow.confirm(&link).await.status, 200);
            again("confirmed").await;
        }
        let revision = if instant { 0 } else { 1 };
        let to = json!({ "start": "2026-06-03T12:00:00Z", "expected_revision": revision, "zone": "Asia/Tokyo" });
        assert_eq!(flow.manage("reschedule", &link, &to).await.status, 200);
        again("moved").await;
        flow.sql("UPDATE event_types SET duration_min = 30, allow_guests = false, revision = revision + 1").await;
        again("edited").await;
        assert_eq!(flow.cancel(&link).await.status, 200);
        again("cancelled").await;
        flow.at("2026-06-02T07:59:59Z");
        again("lapsed, a day later").await;
        flow.end().await;
    }
}

/// The key belongs to a page and a booker; another request under it is 422.
#[tokio::test]
async fn the_same_key_with_another_request_is_refused_and_with_another_scope_is_another() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .ask("Company?", "short_text", false, &[])
        .make()
        .await;
    let other_page = flow.second_page(&host, 60).await;
    let first = wish("2026-06-02T10:00:00Z", SAM);
    assert_eq!(flow.ask_once(&host, &first, "k").await.status, 201);
    let changed = [
        ("start", json!("2026-06-02T11:00:00Z")),
        ("zone", json!("Asia/Tokyo")),
        ("name", json!("Sam  Lee")),
        ("note", json!("x")),
        ("answers", json!({ host.questions[0].to_string(): "x" })),
    ];
    for (field, value) in changed {
        let mut wish = first.clone();
        wish[field] = value;
        let answer = flow.ask_once(&host, &wish, "k").await;
        assert_eq!(
            refused(&answer),
            (422, "idempotency_key_reused".into()),
            "{field}"
        );
    }
    // The language is no part of the request.
    let mut in_chinese = first.clone();
    in_chinese["locale"] = json!("zh-CN");
    assert!(replayed(&flow.ask_once(&host, &in_chinese, "k").await));
    // Another booker and another page have keys of their own.
    let stranger = wish("2026-06-02T12:00:00Z", "eve@bookers.test");
    let answer = flow.ask_once(&host, &stranger, "k").await;
    assert_eq!((answer.status.as_u16(), replayed(&answer)), (201, false));
    let answer = flow
        .ask_once(&other_page, &wish("2026-06-02T14:00:00Z", SAM), "k")
        .await;
    assert_eq!((answer.status.as_u16(), replayed(&answer)), (201, false));
    assert_eq!(flow.count("bookings").await, 3);
    flow.end().await;
}

#[tokio::test]
async fn a_refused_request_does_not_use_its_key_up() {
    let mut options = Options::default();
    options.limits.open_holds_per_address = 1;
    let flow = Flow::with(options).await;
    let host = flow.host("ana").by_mail().make().await;
    flow.booked(&host, "2026-06-02T10:00:00Z").await;
    for (start, email, status) in [
        ("2026-06-02T10:00:00Z", "kim@bookers.test", 409),
        ("2026-06-02T10:30:00Z", "kim@bookers.test", 422),
        ("2026-06-02T11:00:00Z", "kim", 422),
        ("2026-06-02T11:00:00Z", SAM, 429),
    ] {
        let answer = flow.ask_once(&host, &wish(start, email), "k").await;
        assert_eq!(answer.status, status, "{}", answer.text());
    }
    assert_eq!(flow.count("idempotency_keys").await, 0);
    let answer = flow
        .ask_once(
            &host,
            &wish("2026-06-02T11:00:00Z", "kim@bookers.test"),
            "k",
        )
        .await;
    assert_eq!((answer.status.as_u16(), replayed(&answer)), (201, false));
    // A replay is answered though the cap is reached by now: it comes first.
    let answer = flow
        .ask_once(
            &host,
            &wish("2026-06-02T11:00:00Z", "kim@bookers.test"),
            "k",
        )
        .await;
    assert_eq!((answer.status.as_u16(), replayed(&answer)), (201, true));
    flow.end().await;
}

/// Many at once serialise: one books, the others hear of it. Without the second look, under the
/// locks, the late ones find their own booking in the way.
#[tokio::test]
async fn many_at_once_with_one_key_are_one_booking() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    for round in 0..5 {
        let wish = wish(&format!("2026-06-02T1{round}:00:00Z"), SAM);
        let key = format!("k{round}");
        let asks = (0..8).map(|_| flow.ask_once(&host, &wish, &key));
        let answers = futures::future::join_all(asks).await;
        let first: Vec<_> = answers.iter().filter(|answer| !replayed(answer)).collect();
        assert_eq!(first.len(), 1);
        for answer in &answers {
            assert_eq!(answer.status, 201, "{}", answer.text());
            assert_eq!(same(answer), same(first[0]));
        }
    }
    assert_eq!(flow.count("bookings").await, 5);
    flow.end().await;
}

/// After 24 hours a key is forgotten, by the clock and by the sweep.
#[tokio::test]
async fn a_key_is_forgotten_after_a_day() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let wish = wish("2026-06-05T10:00:00Z", SAM);
    let first = flow.ask_once(&host, &wish, "k").await;
    ops::cancel(&flow.context, by_host(&host, &first.json()), None, None)
        .await
        .unwrap();
    let day = at("2026-06-02T08:00:00Z");
    flow.context
        .clock
        .set(day.plus(SignedDuration::from_micros(-1)));
    holdfast_worker::sweeps::pass(&flow.context).await.unwrap();
    assert!(replayed(&flow.ask_once(&host, &wish, "k").await));
    flow.context.clock.set(day);
    let again = flow.ask_once(&host, &wish, "k").await;
    assert_eq!((again.status.as_u16(), replayed(&again)), (201, false));
    assert_ne!(again.json()["id"], first.json()["id"]);
    assert!(
        replayed(&flow.ask_once(&host, &wish, "k").await),
        "the new one holds"
    );
    flow.at("2026-06-03T08:00:00Z");
    holdfast_worker::sweeps::pass(&flow.context).await.unwrap();
    assert_eq!(flow.count("idempotency_keys").await, 0);
    flow.end().await;
}

async fn move_once(flow: &Flow, token: &str, body: &Value, key: &str) -> Answer {
    let request = flow
        .request(Method::POST, "/v1/manage/reschedule")
        .header("X-Manage-Token", token)
        .header("Idempotency-Key", key);
    flow.send(request.json(body)).await
}

/// With a manage token a key counts for its booking.
#[tokio::test]
async fn a_repeated_move_moves_once_and_answers_the_same() {
    let flow = Flow::start().await;
    let host: TestHost = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let other = flow.link(&host, "2026-06-02T11:00:00Z", SAM).await;
    let to =
        json!({ "start": "2026-06-02T14:00:00Z", "expected_revision": 0, "zone": "Asia/Tokyo" });
    let first = move_once(&flow, &token, &to, "k").await;
    assert_eq!(
        (first.status.as_u16(), replayed(&first)),
        (200, false),
        "{}",
        first.text()
    );
    assert_eq!(
        (&first.json()["revision"], &first.json()["zone"]),
        (&json!(1), &json!("Asia/Tokyo"))
    );
    let rows = flow.count("mail_outbox").await;
    let again = move_once(&flow, &token, &to, "k").await;
    assert_eq!((again.status.as_u16(), replayed(&again)), (200, true));
    assert_eq!(flow.count("mail_outbox").await, rows);
    assert_eq!(again.json(), first.json());
    // Without the key the same request is stale.
    let stale = flow.manage("reschedule", &token, &to).await;
    assert_eq!(refused(&stale), (409, "revision_conflict".into()));
    // The key with another request, and under another booking.
    let mut elsewhere = to.clone();
    elsewhere["start"] = json!("2026-06-02T15:00:00Z");
    let reused = move_once(&flow, &token, &elsewhere, "k").await;
    assert_eq!(refused(&reused), (422, "idempotency_key_reused".into()));
    let others = move_once(&flow, &other, &elsewhere, "k").await;
    assert_eq!((others.status.as_u16(), replayed(&others)), (200, false));
    // A later move and a cancel change nothing of the first answer.
    let later = json!({ "start": "2026-06-02T16:00:00Z", "expected_revision": 1, "zone": "UTC" });
    assert_eq!(move_once(&flow, &token, &later, "l").await.status, 200);
    assert_eq!(flow.cancel(&token).await.status, 200);
    let replay = move_once(&flow, &token, &to, "k").await;
    assert!(replayed(&replay));
    assert_eq!(replay.json(), first.json());
    // A refused move keeps its key.
    let taken = json!({ "start": "2026-06-02T15:30:00Z", "expected_revision": 1 });
    assert_eq!(move_once(&flow, &other, &taken, "m").await.status, 422);
    let fine = json!({ "start": "2026-06-02T12:00:00Z", "expected_revision": 1 });
    let fine = move_once(&flow, &other, &fine, "m").await;
    assert_eq!((fine.status.as_u16(), replayed(&fine)), (200, false));
    flow.end().await;
}

#[tokio::test]
async fn two_equal_moves_at_once_with_one_key_are_one_move() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let to = json!({ "start": "2026-06-02T14:00:00Z", "expected_revision": 0 });
    let answers =
        futures::future::join_all((0..6).map(|_| move_once(&flow, &token, &to, "k"))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    assert_eq!(answers.iter().filter(|answer| !replayed(answer)).count(), 1);
    assert_eq!(flow.text("SELECT revision::text FROM bookings").await, "1");
    assert_eq!(
        flow.count("mail_outbox WHERE kind = 'rescheduled'").await,
        2
    );
    flow.end().await;
}
