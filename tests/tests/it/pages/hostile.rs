//! Whatever was typed is text on every page, and no text becomes an address that runs.
use holdfast_tests::{Answer, TestApp};

use super::{ELEVEN, SAM, TEN, at, held, located, manage_page, with_mail};

/// Ends whatever it may stand in, and then begins a script.
const EVIL: &str = "'\"></textarea></title></option><script>alert(1)</script>&lt;{{7*7}}\u{202e}";

/// The markup is what the templates wrote: nothing typed opened an element.
fn is_harmless(page: &Answer, what: &str) {
    let text = page.text();
    assert!(!text.contains("<script>"), "{what}: {text}");
    assert_eq!(text.matches("<script").count(), 1, "{what}: the page's own");
    assert_eq!(text.matches("</title>").count(), 1, "{what}");
    let areas = text.matches("<textarea").count();
    assert_eq!(text.matches("</textarea>").count(), areas, "{what}");
    assert!(!text.contains("49"), "{what}: nothing is worked out");
    assert!(
        page.links()
            .iter()
            .all(|link| !link.contains("javascript:")),
        "{what}"
    );
}

async fn stage(app: &TestApp) -> holdfast_tests::host::TestHost {
    let host = app
        .host("ana")
        .name(EVIL)
        .titled(EVIL, EVIL)
        .by_mail()
        .guests()
        .set("listed", "true".into())
        .ask(EVIL, "short_text", true, &[])
        .ask(EVIL, "long_text", true, &[])
        .ask(EVIL, "choice", true, &[EVIL, "other"])
        .ask(EVIL, "multiple_choice", true, &[EVIL, "other"])
        .make()
        .await;
    app.database.run("UPDATE hosts SET listed = true").await;
    // No link: it is shown as text.
    located(app, &host, "link", "javascript:alert(1)").await;
    host
}

#[tokio::test]
async fn a_script_in_any_text_is_text_on_every_page() {
    let app = with_mail().await;
    let host = stage(&app).await;
    for path in [
        "/",
        "/ana",
        &host.page,
        &format!("{}?day=2026-06-02", host.page),
    ] {
        let page = app.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        is_harmless(&page, path);
    }
    let page = app.get(&format!("{}?start={TEN}", host.page)).await;
    is_harmless(&page, "the form");
    let q = |nth: usize| format!("q.{}", host.questions[nth]);
    let form = page
        .form(&host.page)
        .with("name", EVIL)
        .with("email", EVIL)
        .with("note", EVIL)
        .with("guests", EVIL)
        .with(&q(0), EVIL)
        .with(&q(1), EVIL)
        .with(&q(2), EVIL)
        .with(&q(3), EVIL);
    let back = form.send(&app).await;
    assert_eq!(back.status, 422);
    is_harmless(&back, "the form with problems");
    for name in [
        "name",
        "email",
        "note",
        "guests",
        &q(0),
        &q(1),
        &q(2),
        &q(3),
    ] {
        assert_eq!(back.form(&host.page).value(name), EVIL, "{name}");
    }
    // Text that turns around is refused in no name: it is isolated.
    let form = form.with("email", SAM).with("guests", "");
    let sent = form.send(&app).await;
    assert_eq!(sent.status, 201, "{}", sent.text());
    is_harmless(&sent, "sent");
    let token = app.mailed_token(SAM).await;
    is_harmless(&manage_page(&app, &token, "").await, "held");

    let rival = app.get(&format!("{}?start={ELEVEN}", host.page)).await;
    let rival = rival.form(&host.page);
    let mut taken = form.with("start", TEN).with("email", "kit@bookers.test");
    taken = taken.with("idempotency_key", rival.value("idempotency_key"));
    let taken = taken.send(&app).await;
    assert_eq!(taken.status, 409);
    is_harmless(&taken, "taken");

    let confirmed = manage_page(&app, &token, "").await.form("/confirm");
    assert_eq!(confirmed.send(&app).await.status, 303);
    for query in [
        "",
        "?action=reschedule",
        "?action=cancel",
        "?action=reschedule&start=2026-06-03T10:00:00Z",
    ] {
        let page = manage_page(&app, &token, query).await;
        assert_eq!(page.status, 200, "{query}");
        is_harmless(&page, query);
    }
    let cancel = manage_page(&app, &token, "?action=cancel")
        .await
        .form("/cancel");
    let long = cancel.clone().with("reason", &EVIL.repeat(50));
    let long = long.send(&app).await;
    assert_eq!(long.status, 422);
    is_harmless(&long, "a reason that is too long");
    assert_eq!(cancel.with("reason", EVIL).send(&app).await.status, 303);
    is_harmless(&manage_page(&app, &token, "").await, "cancelled");

    app.deliver().await;
    is_harmless(&app.get("/dev/mail").await, "mail");
    for message in app.dev_box().newest_first() {
        let path = format!("/dev/mail/{}", message.number);
        is_harmless(&app.get(&path).await, &path);
        let html = app.get(&format!("{path}/html")).await.text();
        assert!(!html.contains("<script"), "{path}: {html}");
    }
    app.end().await;
}

#[tokio::test]
async fn hostile_parameters_are_decoded_once_and_never_shown() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    at(&app, "2026-06-01T08:00:00Z");
    let evil = "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    let twice = "%2522%253E%253Cscript%253E";
    for name in [
        "zone", "day", "from", "start", "lang", "action", "done", "x",
    ] {
        for value in [evil, twice] {
            for path in [host.page.clone(), format!("/book/m/{token}")] {
                let page = app.get(&format!("{path}?{name}={value}")).await;
                assert!(matches!(page.status.as_u16(), 200 | 404), "{path} {name}");
                is_harmless(&page, name);
                assert!(!page.says("alert"), "{path} {name}");
            }
        }
    }
    let page = app.get(&format!("/book/{evil}/{evil}")).await;
    assert_eq!(page.status, 404);
    assert!(!page.says("alert"));
    app.end().await;
}
