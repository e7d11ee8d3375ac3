//! Pages that refuse: each status with its page, in the reader's language.
use holdfast_tests::{Answer, TestApp, app::Options};
use reqwest::{Method, header::ACCEPT_LANGUAGE};
use shared::config::Limits;

use super::{SAM, TEN, booked, filled, form_path, manage_page};

fn is_page(answer: &Answer, status: u16, title: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-store");
    let policy = answer.header("content-security-policy");
    assert!(policy.contains("default-src 'none'"), "{policy}");
    let text = answer.text();
    assert!(
        text.contains(&format!("<h1>{title}</h1>")),
        "{title}: {text}"
    );
}

#[tokio::test]
async fn another_method_is_405_and_says_which_there_is() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    for (method, path, allow) in [
        (Method::DELETE, host.page.clone(), "GET, HEAD, POST"),
        (Method::POST, "/".into(), "GET, HEAD"),
        (Method::POST, "/ana".into(), "GET, HEAD"),
        (Method::GET, format!("/book/m/{token}/confirm"), "POST"),
        (Method::GET, format!("/book/m/{token}/cancel"), "POST"),
        (Method::POST, format!("/book/m/{token}"), "GET, HEAD"),
        (
            Method::PUT,
            format!("/book/m/{token}/calendar.ics"),
            "GET, HEAD",
        ),
    ] {
        let answer = app.send(app.request(method.clone(), &path)).await;
        is_page(&answer, 405, "That can&#39;t be done here");
        assert_eq!(answer.header("allow"), allow, "{method} {path}");
    }
    app.end().await;
}

#[tokio::test]
async fn a_form_of_another_kind_is_415_and_one_that_is_too_large_413() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    for path in [host.page.clone(), format!("/book/m/{token}/cancel")] {
        let post = || {
            let request = app.request(Method::POST, &path);
            request.header("Sec-Fetch-Site", "same-origin")
        };
        for kind in [
            "application/json",
            "text/plain",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded-not",
            "",
        ] {
            let request = post().header("Content-Type", kind).body("name=x");
            let answer = app.send(request).await;
            is_page(&answer, 415, "That kind of content is not accepted");
        }
        let kind = "Application/X-WWW-Form-Urlencoded; charset=UTF-8";
        let request = post().header("Content-Type", kind).body("name=x");
        assert_eq!(app.send(request).await.status, 400, "{path}: it was read");
        // What counts is what the form says: percent-encoding triples the bytes of Chinese.
        let says = |text: String| post().form(&[("note", text)]);
        let chinese = app.send(says("字".repeat(5000))).await;
        assert_eq!(chinese.status, 400, "{path}: it was read");
        for large in [
            "x".repeat(16 * 1024),
            "字".repeat(5461),
            "x".repeat(100_000),
        ] {
            is_page(&app.send(says(large)).await, 413, "That is too much");
        }
    }
    app.end().await;
}

#[tokio::test]
async fn a_form_with_unknown_repeated_missing_or_broken_fields_is_400_and_changes_nothing() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, "2026-06-03T10:00:00Z").await;
    let form = filled(&app, &host, TEN, SAM).await;
    let review = format!("?action=reschedule&start={TEN}");
    let review = manage_page(&app, &token, &review).await.form("/reschedule");
    let cancel = manage_page(&app, &token, "?action=cancel")
        .await
        .form("/cancel");
    let before = app.database.rows().await;
    let forms = [
        form.clone().with("password", "x"),
        form.clone().with("expected_revision", "0"),
        form.clone().and("name", "Twice"),
        form.clone().without("start"),
        form.clone().with("start", "tomorrow"),
        form.clone().with("start", "2026-06-02T10:00:00"),
        form.clone().without("zone"),
        form.clone().with("zone", "Mars/Base"),
        form.clone().without("idempotency_key"),
        form.clone().with("idempotency_key", &"k".repeat(256)),
        form.with("idempotency_key", "schlüssel"),
        review.clone().with("name", "x"),
        review.clone().without("expected_revision"),
        review.clone().with("expected_revision", "one"),
        review.clone().with("expected_revision", "99999999999"),
        review.clone().without("start"),
        review.clone().without("idempotency_key"),
        review.with("zone", "Mars/Base"),
        cancel.clone().without("expected_revision"),
        cancel.clone().and("reason", "twice"),
        cancel.with("q.1", "x"),
    ];
    for form in forms {
        let answer = form.send(&app).await;
        assert_eq!(answer.status, 400, "{form:?}");
        is_page(&answer, 400, "That could not be read");
    }
    for body in [&b"name=\xff"[..], b"\xc0\x80=x"] {
        let request = app.request(Method::POST, &host.page).body(body.to_vec());
        let request = request
            .header("Sec-Fetch-Site", "same-origin")
            .header("Content-Type", "application/x-www-form-urlencoded");
        is_page(&app.send(request).await, 400, "That could not be read");
    }
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn a_gate_that_is_full_is_429_and_says_for_how_long_in_both_languages() {
    let app = TestApp::with(Options {
        limits: Limits {
            requests_per_minute: 3,
            ..Options::default().limits
        },
        ..Options::default()
    })
    .await;
    let host = app.host("ana").make().await;
    for _ in 0..3 {
        app.get(&host.page).await;
    }
    for path in [
        "/",
        "/ana",
        &host.page,
        &format!("{}?day=2026-06-02", host.page),
        "/book/m/x",
        "/book/m/",
        "/book/m/x/calendar.ics",
    ] {
        let answer = app.get(path).await;
        is_page(&answer, 429, "Too many requests");
        let seconds: u32 = answer.header("retry-after").parse().unwrap();
        assert!((1..=21).contains(&seconds), "{seconds}");
    }
    for path in [&host.page, "/book/m/x/confirm", "/book/m/x/cancel"] {
        let answer = app.post_form(path, &[]).await;
        is_page(&answer, 429, "Too many requests");
    }
    let request = app.request(Method::GET, "/").header(ACCEPT_LANGUAGE, "zh");
    is_page(&app.send(request).await, 429, "请求太多");
    // Style and script are not counted: the page that says so needs them.
    let page = app.get("/").await.text();
    let style = page.split('"').find(|part| part.ends_with(".css")).unwrap();
    assert_eq!(app.get(style).await.status, 200);
    app.end().await;
}

#[tokio::test]
async fn too_many_at_once_is_503_and_so_are_times_that_cannot_be_worked_out() {
    let app = TestApp::with(Options {
        slot_concurrency: 1,
        ..Options::default()
    })
    .await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let moving = format!("/book/m/{token}?action=reschedule");
    let held = app.state.slot_permit().unwrap();
    for path in [&host.page, &form_path(&host, TEN), &moving] {
        let answer = app.get(path).await;
        is_page(&answer, 503, "Too busy right now");
        assert_eq!(answer.header("retry-after"), "5");
    }
    // What needs no slots is not held up.
    assert_eq!(manage_page(&app, &token, "").await.status, 200);
    drop(held);
    app.database
        .run("UPDATE event_types SET title_sealed = description_sealed")
        .await;
    for path in [host.page.clone(), format!("{}?lang=zh-CN", host.page)] {
        let answer = app.get(&path).await;
        let title = match path.contains("zh") {
            true => "目前无法显示时间",
            false => "Times can&#39;t be shown right now",
        };
        is_page(&answer, 503, title);
        assert_eq!(answer.header("retry-after"), "60");
    }
    app.end().await;
}

#[tokio::test]
async fn a_fault_of_ours_is_500_and_tells_nothing() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    app.database
        .run("UPDATE bookings SET booker_name_sealed = title_sealed")
        .await;
    let answer = manage_page(&app, &token, "").await;
    is_page(&answer, 500, "Something went wrong here");
    assert_eq!(answer.header("x-robots-tag"), "noindex");
    app.end().await;
}
