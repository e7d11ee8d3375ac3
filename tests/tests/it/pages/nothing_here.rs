//! Everything unknown is one and the same 404, whatever it would have been.
use std::time::Duration;

use holdfast_tests::{Answer, TestApp, Wire, app::Options, database::TestDatabase};

use super::{TEN, booked, held, manage_page, with_mail};

/// An answer without what names this one request.
fn anonymous(mut answer: Answer) -> (u16, Vec<(String, String)>, String) {
    for name in ["x-request-id", "date"] {
        answer.headers.remove(name).unwrap();
    }
    let headers = answer.headers.iter();
    let mut headers: Vec<_> = headers
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    headers.sort();
    (answer.status.as_u16(), headers, answer.text())
}

/// Red with a handler that answers `ApiError` as JSON, and with `X-Robots-Tag` on some only.
#[tokio::test]
async fn whatever_is_not_there_has_the_same_bytes_and_headers() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    let want = anonymous(app.get("/nothing/here").await);
    assert_eq!(want.0, 404);
    assert!(want.2.contains("There is nothing here") && want.2.contains("这里没有内容"));
    let page = &host.page;
    let upper = page.replace("/book/ana", "/book/ANA");
    let paths = [
        "/nobody",
        "/ANA",
        "/ana/",
        "/book",
        "/book/",
        "/book/ana",
        "/book/ana/",
        "/book/ana/00000000",
        "/book/nobody/00000000",
        "/book/%00/%00",
        "/book/%FF/%C0%80",
        "/book/ana/%2e%2e",
        &upper,
        &format!("{page}/"),
        &format!("{page}?day=2026-05-31"),
        &format!("{page}?day=2026-08-01"),
        &format!("{page}?day=9999-12-31"),
        &format!("{page}?day=0001-01-01"),
        &format!("{page}?day=today"),
        &format!("{page}?day=2026-02-30"),
        &format!("{page}?from=x"),
        &format!("{page}?start=noon"),
        &format!("{page}?start=2026-05-31T10:00:00Z"),
        &format!("{page}?start=2027-05-31T10:00:00Z"),
        &format!("{page}?lang=zh-CN&day=x"),
        "/book/m",
        "/book/m/",
        "/book/m/x",
        "/book/m/%00",
        "/book/m/%FF",
        &format!("/book/m/{}", "0".repeat(64)),
        &format!("/book/m/{}", token.to_uppercase()),
        &format!("/book/m/{token}x"),
        &format!("/book/m/{token}/"),
        &format!("/book/m/{token}/nothing"),
        &format!("/book/m/{}/calendar.ics", "0".repeat(64)),
        // A hold has no invitation.
        &format!("/book/m/{token}/calendar.ics"),
        "/static/page.css",
        "/static/..%2f..%2fetc%2fpasswd",
        "/dev",
        "/dev/mail/0",
        "/dev/mail/99",
        "/dev/mail/x",
        "/dev/mail/1/nothing",
        // The hold's mail has no invitation.
        "/dev/mail/1/invite.ics",
        "//",
        "/.well-known/security.txt",
    ];
    for path in paths {
        assert_eq!(anonymous(app.get(path).await), want, "{path}");
    }
    let hidden = [
        "UPDATE event_types SET published_at = NULL",
        "UPDATE event_types SET published_at = now(); UPDATE hosts SET is_active = false",
        "UPDATE hosts SET is_active = true, contact_verified_at = NULL",
    ];
    for sql in hidden {
        app.database.run(sql).await;
        for path in [page.clone(), format!("{page}?day=2026-06-02")] {
            assert_eq!(anonymous(app.get(&path).await), want, "{sql} {path}");
        }
    }
    // The booking's own page does not depend on it.
    assert_eq!(manage_page(&app, &token, "").await.status, 200);
    app.end().await;
}

#[tokio::test]
async fn without_the_development_mailer_nothing_is_at_its_address() {
    let app = TestApp::start().await;
    let want = anonymous(app.get("/nothing/here").await);
    for path in [
        "/dev/mail",
        "/dev/mail/1",
        "/dev/mail/1/html",
        "/dev/mail/1/invite.ics",
    ] {
        assert_eq!(anonymous(app.get(path).await), want, "{path}");
    }
    app.end().await;
}

#[tokio::test]
async fn forms_to_what_is_not_there_find_nothing_and_change_nothing() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    booked(&app, &host, TEN).await;
    let want = anonymous(app.get("/nothing/here").await);
    let before = app.database.rows().await;
    let nobody = "0".repeat(64);
    for path in [
        "/book/nobody/00000000".to_owned(),
        "/book/ana/00000000".to_owned(),
        format!("/book/m/{nobody}/confirm"),
        format!("/book/m/{nobody}/cancel"),
        format!("/book/m/{nobody}/reschedule"),
        "/book/m/x/confirm".to_owned(),
        "/book/m/%00/cancel".to_owned(),
    ] {
        // The token comes first: an unreadable form at an unknown token is not 400.
        for fields in [&[][..], &[("expected_revision", "0")], &[("x", "y")]] {
            let answer = app.post_form(&path, fields).await;
            assert_eq!(anonymous(answer), want, "{path} {fields:?}");
        }
    }
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

/// Red when a malformed token is refused before it is looked up.
#[tokio::test]
async fn tokens_cost_the_same_work_whether_unknown_malformed_or_missing() {
    let database = TestDatabase::create().await;
    let wire = Wire::before(&database).await;
    let options = Options {
        connect: Some(wire.options()),
        connections: 1,
        ..Options::default()
    };
    let app = TestApp::on(database, options).await;
    let idle = async || {
        while app.context.pool.num_idle() != 1 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let heard = async |path: &str, fields: Option<&[(&str, &str)]>| {
        idle().await;
        wire.forget();
        let answer = match fields {
            None => app.get(path).await,
            Some(fields) => app.post_form(path, fields).await,
        };
        idle().await;
        assert_eq!(answer.status, 404, "{path}");
        wire.messages()
    };
    let unknown = "0".repeat(64);
    let long = "f".repeat(2000);
    let malformed = ["x", "%00", "%20", &long];
    // Once, so that the statement is prepared.
    heard(&format!("/book/m/{unknown}"), None).await;
    for step in ["", "?action=cancel", "?action=reschedule", "/calendar.ics"] {
        let work = heard(&format!("/book/m/{unknown}{step}"), None).await;
        assert!(work.contains('S'), "the database was asked: {work}");
        for token in malformed {
            let path = format!("/book/m/{token}{step}");
            assert_eq!(heard(&path, None).await, work, "{path}");
        }
    }
    let work = heard(&format!("/book/m/{unknown}"), None).await;
    assert_eq!(heard("/book/m/", None).await, work);
    for step in ["confirm", "cancel", "reschedule"] {
        let fields = Some(&[("expected_revision", "0")][..]);
        let work = heard(&format!("/book/m/{unknown}/{step}"), fields).await;
        for token in malformed {
            let path = format!("/book/m/{token}/{step}");
            assert_eq!(heard(&path, fields).await, work, "{path}");
        }
    }
    app.end().await;
}
