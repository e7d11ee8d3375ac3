//! The gate on public calls, and the semaphore before slots.

use holdfast_tests::{Answer, TestApp, app::Options};
use jiff::SignedDuration;
use reqwest::Method;
use shared::fingerprint::Purpose;

async fn gated(requests_per_minute: u32, trusted_proxy_hops: u32) -> TestApp {
    let mut options = Options {
        trusted_proxy_hops,
        ..Options::default()
    };
    options.limits.requests_per_minute = requests_per_minute;
    TestApp::with(options).await
}

async fn get_as(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = app.request(Method::GET, path);
    app.send(headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    }))
    .await
}

#[tokio::test]
async fn the_61st_get_in_a_minute_is_refused_and_the_wait_it_is_told_is_enough() {
    let app = gated(60, 0).await;
    let host = app.host("ana").set("listed", "true".into()).make().await;
    // Every public call counts, whatever it answers.
    let paths = [
        host.api.clone(),
        format!("{}/slots", host.api),
        "/v1/pages/ana".into(),
        "/v1/pages/nobody".into(),
    ];
    for (number, path) in paths.iter().cycle().take(60).enumerate() {
        assert_ne!(app.get(path).await.status, 429, "request {}", number + 1);
    }
    let refused = app.get(&host.api).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (429, "rate_limited")
    );
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(
        app.post(
            "/v1/availability/parse",
            &serde_json::json!({ "text": "mon 9-5" })
        )
        .await
        .status,
        429
    );
    app.context.clock.advance(SignedDuration::from_secs(wait));
    assert_eq!(app.get(&host.api).await.status, 200);
    app.end().await;
}

#[tokio::test]
async fn operators_calls_have_no_gate() {
    let app = gated(1, 0).await;
    for path in ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs/"] {
        for _ in 0..3 {
            assert_eq!(app.get(path).await.status, 200, "{path}");
        }
    }
    app.end().await;
}

#[tokio::test]
async fn without_trusted_proxies_a_forged_address_earns_nothing() {
    let app = gated(2, 0).await;
    let forged = [
        ("X-Forwarded-For", "203.0.113.1"),
        ("X-Real-IP", "203.0.113.1"),
        ("Forwarded", "for=203.0.113.1"),
        ("X-Forwarded-For", "203.0.113.2, 203.0.113.3"),
        ("True-Client-IP", "203.0.113.4"),
    ];
    let mut statuses = Vec::new();
    for header in forged {
        statuses.push(
            get_as(&app, "/v1/pages/nobody", &[header])
                .await
                .status
                .as_u16(),
        );
    }
    assert_eq!(statuses, [404, 404, 429, 429, 429]);
    app.end().await;
}

#[tokio::test]
async fn behind_a_proxy_the_entry_that_it_appended_counts() {
    let app = gated(1, 1).await;
    let status = async |forwarded: &str| {
        get_as(&app, "/v1/pages/nobody", &[("X-Forwarded-For", forwarded)])
            .await
            .status
            .as_u16()
    };
    assert_eq!(status("203.0.113.1").await, 404);
    // What the client wrote itself stands to the left of it.
    assert_eq!(status("198.51.100.1, 203.0.113.1").await, 429);
    assert_eq!(status("203.0.113.1, 198.51.100.1").await, 404);
    // A second line of the header is the longer list.
    let lines = [
        ("X-Forwarded-For", "203.0.113.77"),
        ("X-Forwarded-For", "203.0.113.1"),
    ];
    assert_eq!(get_as(&app, "/v1/pages/nobody", &lines).await.status, 429);
    // Nobody else shares the bucket of what cannot be read, and all of it shares one.
    assert_eq!(status("nonsense").await, 404);
    assert_eq!(status("unknown").await, 429);
    assert_eq!(get_as(&app, "/v1/pages/nobody", &[]).await.status, 429);
    app.end().await;
}

#[tokio::test]
async fn behind_two_proxies_the_second_entry_from_the_right_counts() {
    let app = gated(1, 2).await;
    let status = async |forwarded: &str| {
        get_as(&app, "/v1/pages/nobody", &[("X-Forwarded-For", forwarded)])
            .await
            .status
            .as_u16()
    };
    assert_eq!(status("203.0.113.1, 10.0.0.1").await, 404);
    assert_eq!(status("198.51.100.1, 203.0.113.1, 10.0.0.2").await, 429);
    assert_eq!(status("203.0.113.2, 10.0.0.1").await, 404);
    app.end().await;
}

#[tokio::test]
async fn an_ipv6_client_is_its_64() {
    let app = gated(1, 1).await;
    let status = async |forwarded: &str| {
        get_as(&app, "/v1/pages/nobody", &[("X-Forwarded-For", forwarded)])
            .await
            .status
            .as_u16()
    };
    assert_eq!(status("2001:db8:1:2::1").await, 404);
    assert_eq!(status("2001:db8:1:2:ffff:ffff:ffff:ffff").await, 429);
    assert_eq!(status("2001:db8:1:3::1").await, 404);
    assert_eq!(status("::ffff:203.0.113.9").await, 404);
    assert_eq!(
        status("203.0.113.9").await,
        429,
        "a mapped address is the IPv4 client"
    );
    app.end().await;
}

#[tokio::test]
async fn a_full_table_of_clients_lets_known_ones_through_and_refuses_new_ones() {
    let app = gated(60, 1).await;
    let key = &app.context.keys.fingerprint;
    let known = get_as(
        &app,
        "/v1/pages/nobody",
        &[("X-Forwarded-For", "203.0.113.1")],
    )
    .await;
    assert_eq!(known.status, 404);
    for number in 0_u32..20_000 {
        let _ = app.state.gate.pass(
            &key.of(Purpose::Ip, &number.to_be_bytes()),
            app.context.clock.now(),
        );
    }
    assert_eq!(app.state.gate.clients(), holdfast_server::gate::MAX_KEYS);
    let new = get_as(
        &app,
        "/v1/pages/nobody",
        &[("X-Forwarded-For", "203.0.113.2")],
    )
    .await;
    assert_eq!(
        (new.status.as_u16(), new.header("retry-after").as_str()),
        (429, "60")
    );
    assert_eq!(
        get_as(
            &app,
            "/v1/pages/nobody",
            &[("X-Forwarded-For", "203.0.113.1")]
        )
        .await
        .status,
        404
    );
    // Idle clients are forgotten after five minutes.
    app.context.clock.advance(SignedDuration::from_mins(5));
    assert_eq!(
        get_as(
            &app,
            "/v1/pages/nobody",
            &[("X-Forwarded-For", "203.0.113.2")]
        )
        .await
        .status,
        404
    );
    assert_eq!(app.state.gate.clients(), 1);
    app.end().await;
}

#[tokio::test]
async fn with_every_permit_taken_slots_answer_503_and_the_page_itself_still_shows() {
    let app = TestApp::with(Options {
        slot_concurrency: 2,
        ..Options::default()
    })
    .await;
    let host = app.host("ana").make().await;
    let path = format!("{}/slots", host.api);
    let permits = app.state.slot_permits.acquire_many(2).await.unwrap();
    let refused = app.get(&path).await;
    assert_eq!(
        (
            refused.status.as_u16(),
            refused.code().as_str(),
            refused.header("retry-after").as_str()
        ),
        (503, "overloaded", "5")
    );
    assert_eq!(app.get(&host.api).await.status, 200);
    drop(permits);
    assert_eq!(app.get(&path).await.status, 200);
    assert_eq!(
        app.state.slot_permits.available_permits(),
        2,
        "a permit comes back"
    );
    app.end().await;
}
