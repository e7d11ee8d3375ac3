//! GET and HEAD change nothing, whatever the state: mail gateways follow every link.
use holdfast_server::pages::PATHS;
use holdfast_tests::TestApp;
use reqwest::Method;

use super::{TEN, form_path, held, manage_page, with_mail};

/// Addresses of every page in its forms, for a booking.
fn addresses(page: &str, token: &str) -> Vec<String> {
    let manage = format!("/book/m/{token}");
    let mut all = vec![
        "/".to_owned(),
        "/ana".to_owned(),
        "/static/page.css".to_owned(),
        "/dev/mail".to_owned(),
        "/dev/mail/1".to_owned(),
        "/dev/mail/1/html".to_owned(),
        "/dev/mail/1/invite.ics".to_owned(),
        "/book/m/".to_owned(),
        page.to_owned(),
        format!("{page}?day=2026-06-03&zone=Asia/Tokyo"),
        format!("{page}?start=2026-06-03T10:00:00Z"),
        format!("{page}?start={TEN}"),
        manage.clone(),
        format!("{manage}/confirm"),
        format!("{manage}/cancel"),
        format!("{manage}/reschedule"),
        format!("{manage}/calendar.ics"),
    ];
    for query in [
        "action=confirm",
        "action=cancel",
        "action=reschedule",
        "action=reschedule&day=2026-06-03",
        "action=reschedule&start=2026-06-03T10:00:00Z",
        "action=cancel&reason=x&expected_revision=0",
        "done=cancelled",
    ] {
        all.push(format!("{manage}?{query}"));
    }
    all
}

async fn look_at_everything(app: &TestApp, page: &str, token: &str) {
    for path in addresses(page, token) {
        for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
            let answer = app.send(app.request(method.clone(), &path)).await;
            assert!(answer.status.as_u16() < 500, "{method} {path}");
            if method == Method::HEAD {
                assert!(answer.body.is_empty(), "{path}");
            }
        }
    }
}

/// Red with a GET on `/book/m/{token}/confirm` that confirms.
#[tokio::test]
async fn looking_changes_nothing_in_any_state() {
    let app = with_mail().await;
    let host = app
        .host("ana")
        .by_mail()
        .set("listed", "true".into())
        .make()
        .await;
    let token = held(&app, &host, TEN).await;
    app.get(&form_path(&host, "2026-06-03T10:00:00Z")).await;

    let before = app.database.rows().await;
    look_at_everything(&app, &host.page, &token).await;
    assert_eq!(app.database.rows().await, before, "held");
    let mail = app.dev_box().newest_first().len();
    assert_eq!(mail, 1);

    let confirm = manage_page(&app, &token, "").await.form("/confirm");
    assert_eq!(confirm.send(&app).await.status, 303);
    app.deliver().await;
    let before = app.database.rows().await;
    look_at_everything(&app, &host.page, &token).await;
    assert_eq!(app.database.rows().await, before, "confirmed");

    let cancel = manage_page(&app, &token, "?action=cancel")
        .await
        .form("/cancel");
    assert_eq!(cancel.send(&app).await.status, 303);
    let before = app.database.rows().await;
    look_at_everything(&app, &host.page, &token).await;
    assert_eq!(app.database.rows().await, before, "cancelled");
    app.end().await;
}

/// A page that is added has to be looked at, too.
#[test]
fn every_path_of_the_pages_is_looked_at() {
    let addresses = addresses("/book/ana/abc12345", "t");
    for (template, _) in PATHS {
        let steps: Vec<&str> = template.split('/').collect();
        let matches = |address: &String| {
            let path = address.split('?').next().unwrap();
            let found: Vec<&str> = path.split('/').collect();
            let same = |(step, found): (&&str, &&str)| step.starts_with('{') || step == found;
            found.len() == steps.len() && steps.iter().zip(&found).all(same)
        };
        assert!(addresses.iter().any(matches), "{template}");
    }
}
