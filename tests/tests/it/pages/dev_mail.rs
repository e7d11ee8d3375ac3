//! `/dev/mail`: what the development mailer kept.
use holdfast_tests::{TestApp, ics_check};

use super::{SAM, TEN, held, manage_page, with_mail};

#[tokio::test]
async fn mail_is_listed_newest_first_and_read_as_text_html_and_invitation() {
    let app = with_mail().await;
    let empty = app.get("/dev/mail").await;
    assert_eq!(empty.status, 200);
    assert!(empty.says("No mail yet"));
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    manage_page(&app, &token, "")
        .await
        .form("/confirm")
        .send(&app)
        .await;
    app.deliver().await;

    let list = app.get("/dev/mail").await;
    let titles = list.texts("row-title");
    assert_eq!(titles.len(), 3, "{titles:?}");
    assert!(
        titles[2].starts_with("Please confirm: "),
        "the oldest is last"
    );
    assert!(list.says(SAM) && list.says("ana@hosts.test"));

    let hold = app.get("/dev/mail/1").await;
    assert_eq!(hold.status, 200);
    assert!(hold.says("Mon, 1 Jun, 08:00:00 UTC"));
    let link = format!("https://book.holdfast.test/book/m/{token}?action=confirm");
    assert!(hold.links().contains(&link), "{:?}", hold.links());
    assert!(!hold.links().contains(&"/dev/mail/1/invite.ics".to_owned()));
    assert_eq!(app.get("/dev/mail/1/invite.ics").await.status, 404);

    let newest = app.dev_box().newest_first()[0].clone();
    assert!(newest.calendar.is_some());
    let path = format!("/dev/mail/{}", newest.number);
    let confirmed = app.get(&path).await;
    let invite = format!("{path}/invite.ics");
    assert!(confirmed.links().contains(&invite));
    let file = app.get(&invite).await;
    assert_eq!(file.header("content-type"), "text/calendar; charset=utf-8");
    assert!(file.header("content-disposition").starts_with("attachment"));
    assert!(ics_check::check(&file.body).is_empty());
    assert_eq!(file.text(), newest.calendar.unwrap());
    app.end().await;
}

/// Red when `observe` overrides the policy that the handler set.
#[tokio::test]
async fn the_html_part_stands_alone_and_may_do_nothing() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    held(&app, &host, TEN).await;
    let part = app.get("/dev/mail/1/html").await;
    assert_eq!(part.status, 200);
    assert_eq!(part.text(), app.dev_box().find(1).unwrap().html);
    let policy = part.header("content-security-policy");
    for rule in ["sandbox", "default-src 'none'", "style-src 'unsafe-inline'"] {
        assert!(
            policy.split("; ").any(|held| held == rule),
            "{rule}: {policy}"
        );
    }
    assert!(
        !policy.contains("allow-") && !policy.contains("'self'"),
        "{policy}"
    );
    app.end().await;
}

#[tokio::test]
async fn only_the_newest_two_hundred_are_kept_and_the_others_are_404() {
    let app: TestApp = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    held(&app, &host, TEN).await;
    let message = app.dev_box().find(1).unwrap();
    for _ in 0..200 {
        app.dev_box().keep(message.clone());
    }
    assert_eq!(app.get("/dev/mail").await.texts("row-title").len(), 200);
    assert_eq!(app.get("/dev/mail/1").await.status, 404);
    assert_eq!(app.get("/dev/mail/1/html").await.status, 404);
    assert_eq!(app.get("/dev/mail/201").await.status, 200);
    app.end().await;
}
