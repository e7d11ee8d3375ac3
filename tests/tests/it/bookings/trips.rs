//! What a booking costs in round trips to the database.

use holdfast_tests::{
    Flow, TestApp, TestMail, Wire,
    app::Options,
    database::TestDatabase,
    flow::{SAM, wish},
};
use serde_json::json;

/// Round trips before BEGIN, from BEGIN to COMMIT inclusive, and after it. BEGIN and COMMIT are the
/// only simple queries; every other statement is an Execute with its Sync. A Sync alone is the
/// pool's look at a connection that came back, which no request waits for.
fn trips(messages: &str) -> (usize, usize, usize) {
    let kinds: String = messages
        .replace("ES", "X")
        .chars()
        .filter(|kind| "QX".contains(*kind))
        .collect();
    let begin = kinds
        .find('Q')
        .unwrap_or_else(|| panic!("no BEGIN in {messages}"));
    let commit = kinds.rfind('Q').unwrap();
    assert!(begin < commit, "no COMMIT in {messages}");
    assert_eq!(kinds[begin + 1..commit].find('Q'), None, "{messages}");
    (begin, commit - begin + 1, kinds.len() - commit - 1)
}

/// A server over one connection that is watched, so that its statements are prepared once.
async fn watched() -> (Flow, Wire) {
    let database = TestDatabase::create().await;
    let wire = Wire::before(&database).await;
    let options = Options {
        connect: Some(wire.options()),
        connections: 1,
        ..Options::default()
    };
    let app = TestApp::on(database, options).await;
    let mail = TestMail::start(&app.context).await;
    (Flow { app, mail }, wire)
}

#[tokio::test]
async fn a_booking_takes_at_most_three_round_trips_before_begin_and_eight_to_commit() {
    let (flow, wire) = watched().await;
    let held = flow.host("ana").by_mail().guests().make().await;
    let instant = flow.host("bob").make().await;
    let mut wish = wish("2026-06-02T10:00:00Z", SAM);
    for host in [&held, &instant] {
        wish["start"] = json!("2026-06-02T09:00:00Z");
        assert_eq!(flow.ask_once(host, &wish, "first").await.status, 201);
        wish["start"] = json!("2026-06-02T10:00:00Z");
        wire.forget();
        assert_eq!(flow.ask_once(host, &wish, "second").await.status, 201);
        let messages = wire.messages();
        assert!(!messages.contains('P'), "prepared already: {messages}");
        let (before, inside, after) = trips(&messages);
        assert!(
            before <= 3 && inside <= 8 && after == 0,
            "{before} {inside} {after}"
        );
    }
    // With guests, and over a lapsed hold that no sweep has reached.
    flow.at("2026-06-01T08:30:00Z");
    wish["guests"] = json!([{ "email": "kim@guests.test" }, { "email": "lea@guests.test" }]);
    assert_eq!(flow.ask_once(&held, &wish, "third").await.status, 201);
    flow.at("2026-06-01T09:00:00Z");
    wire.forget();
    assert_eq!(flow.ask_once(&held, &wish, "fourth").await.status, 201);
    let (before, inside, after) = trips(&wire.messages());
    assert!(
        before <= 3 && inside <= 8 && after == 0,
        "{before} {inside} {after}"
    );
    assert_eq!(flow.count("bookings WHERE state = 'expired'").await, 2);
    flow.end().await;
}

/// A slot that is taken, a replay, and a refused request begin no transaction.
#[tokio::test]
async fn what_is_refused_before_the_locks_begins_nothing() {
    let (flow, wire) = watched().await;
    let host = flow.host("ana").make().await;
    let wish = wish("2026-06-02T10:00:00Z", SAM);
    assert_eq!(flow.ask_once(&host, &wish, "key").await.status, 201);
    for (start, key, status) in [
        ("2026-06-02T10:00:00Z", "other", 409),
        ("2026-06-02T10:30:00Z", "other", 422),
        ("2026-06-02T10:00:00Z", "key", 201),
    ] {
        let mut wish = wish.clone();
        wish["start"] = json!(start);
        wire.forget();
        assert_eq!(flow.ask_once(&host, &wish, key).await.status, status);
        assert!(!wire.messages().contains('Q'), "{start} {key}");
    }
    flow.end().await;
}
