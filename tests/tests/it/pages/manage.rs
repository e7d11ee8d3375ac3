//! `GET /book/m/{token}`: what a booking's page says and offers in each state.
use holdfast_tests::{Answer, TestApp, app::Options, page::Form};
use reqwest::{Method, header::ACCEPT_LANGUAGE};
use shared::{config::Limits, ops};

use super::{
    SAM, TEN, at, booked, cancelled_by_host, filled, held, located, manage_page, with_mail,
};

/// Where the page's forms go, by their last step.
fn steps(page: &Answer) -> Vec<String> {
    let forms = page.forms();
    let last = |form: &Form| form.action.rsplit('/').next().unwrap().to_owned();
    forms.iter().map(last).collect()
}

/// What the page's links ask for.
fn actions(page: &Answer) -> Vec<String> {
    page.links()
        .iter()
        .filter(|link| link.starts_with('/'))
        .filter_map(|link| Some(link.split_once("action=")?.1.to_owned()))
        .collect()
}

fn offers_file(page: &Answer) -> bool {
    page.links()
        .iter()
        .any(|link| link.ends_with("/calendar.ics"))
}

#[tokio::test]
async fn a_hold_is_confirmed_or_given_up_and_says_until_when() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    // The links that no mail of a hold has lead to the hold itself.
    for query in [
        "",
        "?action=confirm",
        "?action=cancel",
        "?action=reschedule",
        "?action=x",
    ] {
        let page = manage_page(&app, &token, query).await;
        assert_eq!(page.status, 200);
        assert_eq!(page.texts("tag"), ["Held"], "{query}");
        assert_eq!(steps(&page), ["confirm", "cancel"], "{query}");
        assert!(actions(&page).is_empty() && !offers_file(&page));
        assert!(page.says("10:30"), "08:30 UTC in Paris: when it lapses");
        assert!(page.says("If you do nothing, the time is released then"));
        assert!(!page.says("ana@hosts.test"), "not before it is confirmed");
    }
    app.end().await;
}

#[tokio::test]
async fn a_confirmed_booking_is_moved_cancelled_and_put_into_calendars() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .set("location_kind", "'none'".into())
        .make()
        .await;
    let token = booked(&app, &host, TEN).await;
    let page = manage_page(&app, &token, "").await;
    assert_eq!(page.texts("tag"), ["Confirmed"]);
    assert!(steps(&page).is_empty());
    assert_eq!(actions(&page), ["reschedule", "cancel"]);
    assert!(offers_file(&page));
    assert!(page.says("ana@hosts.test") && page.says(SAM));
    assert!(page.says("You can move it 5 more times."));
    for calendar in [
        "https://calendar.google.com/",
        "https://outlook.live.com/",
        "https://outlook.office.com/",
        "https://calendar.yahoo.com/",
    ] {
        let link = page.links().into_iter().find(|l| l.starts_with(calendar));
        let link = link.unwrap();
        assert!(
            !link.contains(&token) && !link.contains("bookers.test"),
            "{link}"
        );
    }
    app.end().await;
}

#[tokio::test]
async fn once_begun_nothing_can_be_changed_and_once_over_it_took_place() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    for (instant, tag) in [
        ("2026-06-02T09:59:59Z", "Confirmed"),
        ("2026-06-02T10:00:00Z", "Under way"),
        ("2026-06-02T10:59:59Z", "Under way"),
        ("2026-06-02T11:00:00Z", "Took place"),
    ] {
        at(&app, instant);
        for query in ["", "?action=cancel", "?action=reschedule"] {
            let page = manage_page(&app, &token, query).await;
            assert_eq!(page.status, 200, "{instant} {query}");
            if tag == "Confirmed" {
                continue;
            }
            assert_eq!(page.texts("tag"), [tag], "{instant} {query}");
            assert!(steps(&page).is_empty() && actions(&page).is_empty());
        }
    }
    app.database
        .run("UPDATE bookings SET state = 'no_show'")
        .await;
    let page = manage_page(&app, &token, "").await;
    assert_eq!(
        page.texts("tag"),
        ["Took place"],
        "the booker is not told off"
    );
    app.end().await;
}

#[tokio::test]
async fn a_cancelled_booking_says_by_whom_and_a_lapsed_hold_when() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    manage_page(&app, &token, "")
        .await
        .form("/confirm")
        .send(&app)
        .await;
    cancelled_by_host(&app, &host).await;
    for query in [
        "",
        "?action=cancel",
        "?action=reschedule",
        "?done=cancelled",
    ] {
        let page = manage_page(&app, &token, query).await;
        assert_eq!(page.texts("tag"), ["Cancelled"]);
        assert!(page.says("It was cancelled by the host."));
        assert!(steps(&page).is_empty() && actions(&page).is_empty());
        assert!(offers_file(&page));
        assert!(page.links().iter().any(|link| link.starts_with(&host.page)));
    }

    let token = held(&app, &host, "2026-06-03T10:00:00Z").await;
    at(&app, "2026-06-01T08:30:00Z");
    let swept = async || ops::expire_holds(&app.context).await.unwrap();
    for sweep in [false, true] {
        if sweep {
            swept().await;
        }
        let page = manage_page(&app, &token, "").await;
        assert_eq!(page.texts("tag"), ["Not booked"]);
        assert!(page.says("This hold has lapsed"), "swept: {sweep}");
        assert!(page.says("10:30"), "08:30 UTC in Paris");
        assert!(steps(&page).is_empty() && !offers_file(&page));
    }
    app.end().await;
}

#[tokio::test]
async fn a_hold_that_was_given_up_is_told_from_one_that_lapsed() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    let held = manage_page(&app, &token, "").await;
    let done = held.form("/cancel").send(&app).await;
    assert_eq!(
        done.header("location"),
        format!("/book/m/{token}?done=given_up")
    );
    let page = app.get(&done.header("location")).await;
    assert!(page.says("This hold was given up"));
    assert_eq!(page.notice(), "The hold is given up. Nothing is booked.");
    at(&app, "2026-06-01T12:00:00Z");
    assert!(
        manage_page(&app, &token, "")
            .await
            .says("This hold was given up")
    );
    app.end().await;
}

/// Red when `done::notice` does not ask for the state.
#[tokio::test]
async fn the_address_only_says_what_the_booking_bears_out() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    for (word, notice) in [
        ("booked", "Booked."),
        ("moved", "Moved."),
        ("cancelled", ""),
        ("given_up", ""),
        ("<b>", ""),
        ("", ""),
    ] {
        let page = manage_page(&app, &token, &format!("?done={word}")).await;
        assert!(
            page.notice().starts_with(notice),
            "{word}: {}",
            page.notice()
        );
        assert_eq!(page.notice().is_empty(), notice.is_empty(), "{word}");
    }
    app.end().await;
}

#[tokio::test]
async fn at_the_limit_of_moves_the_page_says_to_write_to_the_host() {
    let app = TestApp::with(Options {
        limits: Limits {
            booker_reschedules: 0,
            ..Options::default().limits
        },
        ..Options::default()
    })
    .await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let page = manage_page(&app, &token, "").await;
    assert_eq!(actions(&page), ["cancel"], "cancelling stays possible");
    assert!(page.says("Please write to the host"));
    assert!(page.links().contains(&"mailto:ana@hosts.test".to_owned()));
    let page = manage_page(&app, &token, "?action=reschedule").await;
    assert_eq!(
        (page.status.as_u16(), page.texts("tag")),
        (200, vec!["Confirmed".into()])
    );
    assert!(
        page.notice()
            .starts_with("This booking can't be moved again.")
    );
    app.end().await;
}

#[tokio::test]
async fn no_page_of_a_booking_is_kept_indexed_or_named_to_others() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let cancel = manage_page(&app, &token, "?action=cancel")
        .await
        .form("/cancel");
    let stale = cancel
        .clone()
        .with("expected_revision", "7")
        .send(&app)
        .await;
    let answers = [
        manage_page(&app, &token, "").await,
        manage_page(&app, &token, "?action=cancel").await,
        manage_page(&app, &token, "?action=reschedule").await,
        manage_page(&app, &token, "/calendar.ics").await,
        manage_page(&app, "x", "").await,
        manage_page(&app, &token, "/confirm").await,
        stale,
        cancel.send(&app).await,
    ];
    for answer in answers {
        let status = answer.status;
        assert_eq!(answer.header("cache-control"), "no-store", "{status}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{status}");
        // The router's own 405 has no token's page behind it.
        if status != 405 {
            assert_eq!(answer.header("x-robots-tag"), "noindex", "{status}");
        }
    }
    // A form answers what somebody typed; it is not kept either.
    let form = filled(&app, &host, "2026-06-03T10:00:00Z", "x")
        .await
        .send(&app)
        .await;
    assert_eq!(form.header("cache-control"), "no-store");
    app.end().await;
}

#[tokio::test]
async fn the_language_of_the_address_is_kept_through_forms_and_presses() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    let page = manage_page(&app, &token, "?lang=zh-CN").await;
    assert!(page.says("<html lang=\"zh-CN\">"));
    let form = page.form("/confirm");
    assert_eq!(form.value("lang"), "zh-CN");
    let pressed = form.send(&app).await;
    let want = format!("/book/m/{token}?done=confirmed&lang=zh-CN");
    assert_eq!(pressed.header("location"), want);
    let again = form.send(&app).await;
    assert!(again.says("<html lang=\"zh-CN\">"));
    // Without the parameter the browser decides, and no link names it.
    let request = app.request(Method::GET, &format!("/book/m/{token}"));
    let page = app.send(request.header(ACCEPT_LANGUAGE, "zh")).await;
    assert!(page.says("<html lang=\"zh-CN\">"));
    let own = |link: &String| link.starts_with("/book/m/") && !link.contains("lang=en");
    assert!(
        page.links()
            .iter()
            .filter(|link| own(link))
            .all(|l| !l.contains("lang"))
    );
    app.end().await;
}

#[tokio::test]
async fn the_place_is_told_once_it_is_confirmed() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    located(&app, &host, "link", "https://meet.hosts.test/ana?x=1&y=2").await;
    let token = held(&app, &host, TEN).await;
    assert!(!manage_page(&app, &token, "").await.says("meet.hosts.test"));
    let page = app.get(&host.page).await;
    assert!(!page.says("meet.hosts.test"));
    manage_page(&app, &token, "")
        .await
        .form("/confirm")
        .send(&app)
        .await;
    let page = manage_page(&app, &token, "").await;
    let link = "https://meet.hosts.test/ana?x=1&y=2".to_owned();
    assert!(page.links().contains(&link));
    app.end().await;
}
