//! The headers that answers carry, and which sites may call from a browser.

use std::collections::BTreeSet;

use holdfast_tests::{Answer, TestApp, app::Options};
use reqwest::Method;
use uuid::Uuid;

/// One answer of every kind: what is there, refusals by handlers and by the router, for operators.
async fn answers(app: &TestApp) -> Vec<(String, Answer)> {
    let host = app.host("ana").set("listed", "true".into()).make().await;
    let gets = [
        host.api.clone(),
        format!("{}/slots", host.api),
        "/v1/pages/ana".into(),
        "/v1/pages/nobody".into(),
        "/nothing/here".into(),
        format!("{}/slots?zone=Moon/Base", host.api),
    ];
    let operators = [
        "/healthz",
        "/readyz",
        "/metrics",
        "/openapi.json",
        "/docs/",
        "/docs",
    ]
    .map(String::from);
    let mut all = Vec::new();
    for path in gets.into_iter().chain(operators) {
        let answer = app.get(&path).await;
        all.push((path, answer));
    }
    all.push((
        "POST parse".into(),
        app.post(
            "/v1/availability/parse",
            &serde_json::json!({ "text": "mon 9-5" }),
        )
        .await,
    ));
    all.push((
        "DELETE page".into(),
        app.send(app.request(Method::DELETE, &host.api)).await,
    ));
    all
}

#[tokio::test]
async fn every_answer_has_a_request_id_of_its_own_and_says_what_browsers_must_not_do() {
    let app = TestApp::start().await;
    let mut ids = BTreeSet::new();
    let all = answers(&app).await;
    for (what, answer) in &all {
        let id: Uuid = answer
            .header("x-request-id")
            .parse()
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(id.get_version_num(), 7, "{what}");
        ids.insert(id);
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{what}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{what}");
        assert_eq!(answer.header("server"), "", "{what}");
    }
    assert_eq!(ids.len(), all.len());
    app.end().await;
}

#[tokio::test]
async fn a_request_id_that_a_client_sends_is_not_taken_over() {
    let app = TestApp::start().await;
    let sent = "00000000-0000-7000-8000-000000000000";
    let answer = app
        .send(
            app.request(Method::GET, "/healthz")
                .header("X-Request-Id", sent),
        )
        .await;
    assert_ne!(answer.header("x-request-id"), sent);
    app.end().await;
}

#[tokio::test]
async fn what_may_be_other_a_moment_later_is_not_stored() {
    let app = TestApp::start().await;
    for (what, answer) in answers(&app).await {
        // The docs' files are the same for everybody until the program changes.
        if !what.starts_with("/docs") {
            assert_eq!(answer.header("cache-control"), "no-store", "{what}");
        }
    }
    app.end().await;
}

#[tokio::test]
async fn only_a_public_address_with_https_asks_browsers_to_stay_on_https() {
    for (public_url, want) in [
        ("https://book.holdfast.test", "max-age=31536000"),
        ("http://book.holdfast.test", ""),
    ] {
        let app = TestApp::with(Options {
            public_url: public_url.into(),
            ..Options::default()
        })
        .await;
        for path in ["/healthz", "/nothing/here", "/docs/"] {
            assert_eq!(
                app.get(path).await.header("strict-transport-security"),
                want,
                "{public_url} {path}"
            );
        }
        app.end().await;
    }
}

#[tokio::test]
async fn the_docs_may_load_nothing_from_elsewhere_and_nobody_frames_them() {
    let app = TestApp::start().await;
    let docs = app.get("/docs/").await;
    assert!(
        docs.header("content-type").starts_with("text/html"),
        "{}",
        docs.header("content-type")
    );
    let policy = docs.header("content-security-policy");
    let directives: BTreeSet<&str> = policy.split("; ").collect();
    for directive in [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ] {
        assert!(directives.contains(directive), "{directive} in {policy}");
    }
    assert!(!policy.contains("http"), "{policy}");
    assert_eq!(
        app.get("/healthz").await.header("content-security-policy"),
        "",
        "JSON has no policy of a page"
    );
    app.end().await;
}

async fn from_origin(app: &TestApp, method: Method, path: &str, origin: &str) -> Answer {
    app.send(app.request(method, path).header("Origin", origin))
        .await
}

async fn preflight(app: &TestApp, path: &str, origin: &str, method: &str, headers: &str) -> Answer {
    let request = app
        .request(Method::OPTIONS, path)
        .header("Origin", origin)
        .header("Access-Control-Request-Method", method);
    app.send(request.header("Access-Control-Request-Headers", headers))
        .await
}

/// The names in a list, in lower case.
fn names(list: &str) -> BTreeSet<String> {
    list.split(',')
        .map(|name| name.trim().to_ascii_lowercase())
        .collect()
}

#[tokio::test]
async fn any_site_may_call_by_default_without_credentials() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    for (path, status) in [(host.api.as_str(), 200), ("/v1/pages/nobody", 404)] {
        let answer = from_origin(&app, Method::GET, path, "https://shop.example").await;
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        let exposed = names(&answer.header("access-control-expose-headers"));
        assert!(
            ["x-request-id", "retry-after"]
                .iter()
                .all(|name| exposed.contains(*name)),
            "{exposed:?}"
        );
    }
    let asked = preflight(
        &app,
        "/v1/availability/parse",
        "https://shop.example",
        "POST",
        "content-type, idempotency-key, x-manage-token",
    )
    .await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    assert_eq!(asked.header("access-control-allow-origin"), "*");
    assert_eq!(asked.header("access-control-allow-credentials"), "");
    assert!(names(&asked.header("access-control-allow-methods")).contains("post"));
    assert!(names(&asked.header("access-control-allow-headers")).contains("x-manage-token"));
    assert_eq!(asked.header("access-control-max-age"), "3600");
    app.end().await;
}

#[tokio::test]
async fn a_preflight_for_what_no_call_takes_grants_nothing() {
    let app = TestApp::start().await;
    for (method, headers) in [("DELETE", "content-type"), ("POST", "x-anything")] {
        let asked = preflight(
            &app,
            "/v1/availability/parse",
            "https://shop.example",
            method,
            headers,
        )
        .await;
        assert_ne!(asked.status, 200, "{method} {headers}");
        assert_eq!(
            asked.header("access-control-allow-methods"),
            "",
            "{method} {headers}"
        );
    }
    app.end().await;
}

#[tokio::test]
async fn what_is_not_the_api_answers_no_other_sites_script() {
    let app = TestApp::start().await;
    for path in [
        "/healthz",
        "/readyz",
        "/metrics",
        "/docs/",
        "/nothing/here/at/all",
    ] {
        let answer = from_origin(&app, Method::GET, path, "https://shop.example").await;
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
    }
    app.end().await;
}

#[tokio::test]
async fn named_origins_narrow_it_to_themselves() {
    let app = TestApp::with(Options {
        cors_origins: vec![
            "https://shop.example".into(),
            "http://localhost:3000".into(),
        ],
        ..Options::default()
    })
    .await;
    let host = app.host("ana").make().await;
    for origin in ["https://shop.example", "http://localhost:3000"] {
        let answer = from_origin(&app, Method::GET, &host.api, origin).await;
        assert_eq!(answer.header("access-control-allow-origin"), origin);
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        assert!(names(&answer.header("vary")).contains("origin"));
    }
    for origin in [
        "https://shop.example.evil.test",
        "http://shop.example",
        "https://other.example",
        "null",
    ] {
        for answer in [
            from_origin(&app, Method::GET, &host.api, origin).await,
            preflight(&app, &host.api, origin, "GET", "content-type").await,
        ] {
            assert_eq!(answer.header("access-control-allow-origin"), "", "{origin}");
        }
    }
    // Whoever sends no Origin is no browser's script: curl, a server, the pages themselves.
    assert_eq!(app.get(&host.api).await.status, 200);
    app.end().await;
}
