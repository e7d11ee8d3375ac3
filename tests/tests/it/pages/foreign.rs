//! A form counts only if it was sent from its own page.
use holdfast_tests::{Answer, TestApp, app::Options};
use reqwest::Method;

use super::{ELEVEN, TEN, booked, filled};

type Headers<'a> = &'a [(&'static str, &'a str)];

const OWN: &str = "https://book.holdfast.test";

/// Headers of a form from elsewhere, or from nowhere.
const REFUSED: [Headers<'static>; 12] = [
    &[],
    &[("Sec-Fetch-Site", "cross-site")],
    &[("Sec-Fetch-Site", "same-site")],
    &[("Sec-Fetch-Site", "none")],
    &[("Sec-Fetch-Site", "")],
    &[("Sec-Fetch-Site", "Same-Origin")],
    // What the browser says of the site decides; an Origin does not repair it.
    &[("Sec-Fetch-Site", "cross-site"), ("Origin", OWN)],
    &[("Origin", "null")],
    &[("Origin", "https://evil.test")],
    &[("Origin", "http://book.holdfast.test")],
    &[("Origin", "https://book.holdfast.test.evil.test")],
    &[("Origin", "https://book.holdfast.test:8443")],
];

const TAKEN: [Headers<'static>; 3] = [
    &[("Sec-Fetch-Site", "same-origin")],
    // Browsers say so after a page that named no referrer.
    &[("Sec-Fetch-Site", "same-origin"), ("Origin", "null")],
    &[("Origin", OWN)],
];

async fn send(
    app: &TestApp,
    path: &str,
    headers: Headers<'_>,
    fields: &[(String, String)],
) -> Answer {
    let request = app.request(Method::POST, path).form(fields);
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    app.send(request).await
}

/// Red without the check in `pages::form`, for each row.
#[tokio::test]
async fn forms_from_elsewhere_are_refused_and_change_nothing() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let form = filled(&app, &host, ELEVEN, "eve@bookers.test").await;
    let revision = [("expected_revision".to_owned(), "0".to_owned())];
    let before = app.database.rows().await;
    for headers in REFUSED {
        for (path, fields) in [
            (host.page.clone(), &form.fields[..]),
            (format!("/book/m/{token}/confirm"), &revision),
            (format!("/book/m/{token}/cancel"), &revision),
            (format!("/book/m/{token}/reschedule"), &revision),
        ] {
            let answer = send(&app, &path, headers, fields).await;
            assert_eq!(answer.status, 403, "{path} {headers:?}");
            assert!(answer.says("That form came from another site"));
        }
    }
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn forms_from_their_own_page_are_taken_whichever_header_says_so() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    for (headers, hour) in TAKEN.into_iter().zip(10..) {
        let start = format!("2026-06-02T{hour}:00:00Z");
        let form = filled(&app, &host, &start, "sam@bookers.test").await;
        let answer = send(&app, &form.action, headers, &form.fields).await;
        assert_eq!(answer.status, 303, "{headers:?}: {}", answer.text());
    }
    app.end().await;
}

#[tokio::test]
async fn naming_the_sites_that_may_call_the_api_lets_none_of_them_send_a_form() {
    let app = TestApp::with(Options {
        cors_origins: vec!["https://shop.example".into()],
        ..Options::default()
    })
    .await;
    let host = app.host("ana").make().await;
    let form = filled(&app, &host, TEN, "sam@bookers.test").await;
    let shop: Headers<'_> = &[("Origin", "https://shop.example")];
    let answer = send(&app, &form.action, shop, &form.fields).await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.header("access-control-allow-origin"), "");
    // And the pages' own forms are not held up by it.
    assert_eq!(form.send(&app).await.status, 303);
    app.end().await;
}
