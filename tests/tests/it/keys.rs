//! API keys: what a request with one costs, how often, and what is kept of it.

use std::time::Duration;

use holdfast_tests::{
    Answer, TestApp, Wire,
    app::{Options, TestKey},
    database::TestDatabase,
    logs,
};
use jiff::SignedDuration;
use reqwest::Method;
use shared::{ops, token::hex};
use sqlx::Connection as _;

use super::leaks::assert_absent;

#[tokio::test]
async fn a_key_says_whose_it_is() {
    let app = TestApp::start().await;
    let ana = app
        .host("ana")
        .name("Ana Novak")
        .zone("Europe/Paris")
        .make()
        .await;
    let key = app.key(&ana).await;
    let answer = app.get_signed(&key, "/v1/me").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(
        answer.json(),
        serde_json::json!({ "host": {
            "id": ana.id, "handle": "ana", "name": "Ana Novak", "zone": "Europe/Paris", "locale": "en",
        }})
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    app.end().await;
}

async fn last_used(app: &TestApp, key: &TestKey) -> Option<String> {
    let handle = "ana".parse().unwrap();
    let keys = ops::list_keys(&app.context, &handle)
        .await
        .unwrap()
        .unwrap();
    let found = keys.into_iter().find(|listed| listed.id == key.id);
    found.unwrap().last_used_at.map(|at| at.to_string())
}

/// Red when the condition on `last_used_at` is left out of `store::api_keys::find`.
#[tokio::test]
async fn a_keys_last_use_moves_at_most_once_a_minute() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let (key, other) = (app.key(&host).await, app.key(&host).await);
    assert_eq!(last_used(&app, &key).await, None);
    let clock = &app.context.clock;
    for (pause_s, want) in [
        (0, "2026-06-01T08:00:00Z"),
        (59, "2026-06-01T08:00:00Z"),
        (1, "2026-06-01T08:01:00Z"),
        (30, "2026-06-01T08:01:00Z"),
        (3_600, "2026-06-01T09:01:30Z"),
    ] {
        clock.advance(SignedDuration::from_secs(pause_s));
        assert_eq!(app.get_signed(&key, "/v1/me").await.status, 200);
        assert_eq!(last_used(&app, &key).await.as_deref(), Some(want));
    }
    assert_eq!(last_used(&app, &other).await, None, "another key's own");
    // A key that opens nothing is not in use.
    clock.advance(SignedDuration::from_hours(1));
    ops::revoke_key(&app.context, key.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(app.get_signed(&key, "/v1/me").await.status, 401);
    assert_eq!(
        last_used(&app, &key).await.as_deref(),
        Some("2026-06-01T09:01:30Z")
    );
    app.end().await;
}

/// Somebody is writing the key's row and does not end: no request waits for that. Red when
/// `SKIP LOCKED` is left out of `store::api_keys::find`.
#[tokio::test]
async fn no_request_waits_for_the_writing_of_a_keys_last_use() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let key = app.key(&host).await;
    let mut other = sqlx::PgConnection::connect_with(&app.database.options())
        .await
        .unwrap();
    let mut tx = other.begin_with("BEGIN").await.unwrap();
    sqlx::query("UPDATE api_keys SET last_used_at = now()")
        .execute(&mut *tx)
        .await
        .unwrap();
    let answer = tokio::time::timeout(Duration::from_secs(5), app.get_signed(&key, "/v1/me"))
        .await
        .expect("answered while the row is locked");
    assert_eq!(answer.status, 200);
    tx.rollback().await.unwrap();
    assert_eq!(
        last_used(&app, &key).await,
        None,
        "the write was passed over"
    );
    assert_eq!(app.get_signed(&key, "/v1/me").await.status, 200);
    assert!(last_used(&app, &key).await.is_some());
    app.end().await;
}

#[tokio::test]
async fn a_revoked_key_opens_nothing_from_the_next_request_on() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let (key, other) = (app.key(&host).await, app.key(&host).await);
    assert_eq!(app.get_signed(&key, "/v1/me").await.status, 200);
    let revoked = ops::revoke_key(&app.context, key.id)
        .await
        .unwrap()
        .unwrap();
    assert!(!revoked.already);
    assert_eq!(app.get_signed(&key, "/v1/me").await.status, 401);
    assert_eq!(app.get_signed(&other, "/v1/me").await.status, 200);
    // Again changes nothing, not even when.
    app.context.clock.advance(SignedDuration::from_hours(1));
    let again = ops::revoke_key(&app.context, key.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((again.at, again.already), (revoked.at, true));
    app.end().await;
}

async fn gated(requests: u32, key_requests: u32) -> TestApp {
    let mut options = Options {
        trusted_proxy_hops: 0,
        ..Options::default()
    };
    options.limits.requests_per_minute = requests;
    options.limits.key_requests_per_minute = key_requests;
    TestApp::with(options).await
}

#[tokio::test]
async fn a_key_has_a_gate_of_its_own() {
    let app = gated(1, 3).await;
    let host = app.host("ana").make().await;
    let (key, other) = (app.key(&host).await, app.key(&host).await);
    let statuses = async |key: &TestKey| {
        let mut statuses = Vec::new();
        for _ in 0..4 {
            statuses.push(app.get_signed(key, "/v1/me").await.status.as_u16());
        }
        statuses
    };
    assert_eq!(statuses(&key).await, [200, 200, 200, 429]);
    assert_eq!(statuses(&other).await, [200, 200, 200, 429]);
    let refused = app.get_signed(&key, "/v1/me").await;
    assert_eq!(refused.code(), "rate_limited");
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    // None of it counted by IP: a stranger behind the same address still comes through, once.
    assert_eq!(app.get(&host.api).await.status, 200);
    assert_eq!(app.get(&host.api).await.status, 429);
    app.context.clock.advance(SignedDuration::from_secs(wait));
    assert_eq!(app.get_signed(&key, "/v1/me").await.status, 200);
    app.end().await;
}

/// Whoever tries keys is a stranger, and counts as one; a good key from the same address does not
/// suffer from it.
#[tokio::test]
async fn keys_that_open_nothing_count_at_the_gate_of_strangers() {
    let app = gated(2, 1_000).await;
    let host = app.host("ana").make().await;
    let key = app.key(&host).await;
    let wrong = TestKey {
        text: format!("hf_key_{}", "0".repeat(64)),
        ..key.clone()
    };
    assert_eq!(app.get_signed(&wrong, "/v1/me").await.status, 401);
    assert_eq!(app.get("/v1/me").await.status, 401);
    let refused = app.get_signed(&wrong, "/v1/me").await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (429, "rate_limited")
    );
    assert_eq!(app.get(&host.api).await.status, 429);
    assert_eq!(app.get_signed(&key, "/v1/me").await.status, 200);
    app.end().await;
}

/// What opens nothing costs the same statements, the same number of times, whatever it is.
#[tokio::test]
async fn a_bad_key_costs_one_probe_whatever_it_is() {
    let database = TestDatabase::create().await;
    let wire = Wire::before(&database).await;
    let options = Options {
        connect: Some(wire.options()),
        connections: 1,
        ..Options::default()
    };
    let app = TestApp::on(database, options).await;
    let host = app.host("ana").make().await;
    let (key, revoked) = (app.key(&host).await, app.key(&host).await);
    ops::revoke_key(&app.context, revoked.id)
        .await
        .unwrap()
        .unwrap();
    let unknown = format!("hf_key_{}", "0".repeat(64));
    let heard = async |header: Option<String>| -> (Answer, String) {
        let idle = async || {
            while app.context.pool.num_idle() != 1 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        idle().await;
        wire.forget();
        let request = app.request(Method::GET, "/v1/me");
        let answer = match header {
            Some(header) => app.send(request.header("Authorization", header)).await,
            None => app.send(request).await,
        };
        idle().await;
        (answer, wire.messages())
    };
    // Prepared once.
    assert_eq!(
        heard(Some(format!("Bearer {}", key.text))).await.0.status,
        200
    );
    for header in [
        None,
        Some("Bearer nonsense".to_owned()),
        Some(format!("Basic {}", key.text)),
        Some(format!("Bearer {unknown}")),
        Some(format!("Bearer {}", revoked.text)),
    ] {
        let (answer, work) = heard(header.clone()).await;
        // The statement, and the pool's own sign of life.
        assert_eq!(
            (answer.status.as_u16(), work.as_str()),
            (401, "BECSS"),
            "{header:?}"
        );
    }
    let (answer, work) = heard(Some(format!("Bearer {}", key.text))).await;
    assert_eq!((answer.status.as_u16(), work.as_str()), (200, "BECSSBECSS"));
    app.end().await;
}

/// Neither the key nor its name is kept where a dump or a log could show it.
#[tokio::test]
async fn neither_a_key_nor_its_name_is_in_the_database_or_the_logs() {
    const NAME: &str = "Canary key name 8d21";
    let app = TestApp::start().await;
    app.host("ana").make().await;
    let handle = "ana".parse().unwrap();
    let made = ops::create_key(&app.context, &handle, Some(NAME))
        .await
        .unwrap();
    let key = TestKey {
        id: made.id,
        text: made.key.as_str().to_owned(),
    };
    assert_eq!(app.get_signed(&key, "/v1/me").await.status, 200);
    ops::revoke_key(&app.context, key.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(app.get_signed(&key, "/v1/me").await.status, 401);
    let listed = ops::list_keys(&app.context, &handle)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(listed[0].name.as_deref(), Some(NAME));
    let digits = key.text.strip_prefix("hf_key_").unwrap();
    let rows = app.database.rows().await;
    for (table, rows) in &rows {
        for row in rows {
            assert_absent(&format!("table {table}"), row, [NAME, digits]);
        }
    }
    let hash = hex(&shared::token::hash(&key.text));
    assert!(
        rows.iter()
            .flat_map(|(_, rows)| rows)
            .any(|row| row.contains(&hash)),
        "the hash is where the search looks"
    );
    assert_absent(
        "the log",
        &logs::capture().text(),
        [NAME, digits, hash.as_str()],
    );
    app.end().await;
}
