//! Second presses and stale ones: the current state, never an error page, and nothing happens twice.
use holdfast_tests::{Answer, TestApp};

use super::{ELEVEN, TEN, at, booked, cancelled_by_host, held, manage_page, with_mail};

fn is_state(answer: &Answer, status: u16, tag: &str, notice: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.texts("tag"), [tag]);
    assert!(answer.notice().starts_with(notice), "{}", answer.notice());
}

#[tokio::test]
async fn a_second_confirmation_finds_it_confirmed_and_mails_nobody_again() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    let form = manage_page(&app, &token, "").await.form("/confirm");
    assert_eq!(form.send(&app).await.status, 303);
    let before = app.database.rows().await;
    let again = form.send(&app).await;
    is_state(&again, 200, "Confirmed", "This had already been confirmed.");
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn a_hold_that_lapsed_before_the_press_is_said_to_have_lapsed() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    let page = manage_page(&app, &token, "").await;
    at(&app, "2026-06-01T08:30:00Z");
    let before = app.database.rows().await;
    for form in page.forms() {
        let answer = form.send(&app).await;
        is_state(&answer, 409, "Not booked", "The hold lapsed before");
    }
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn a_hold_declined_after_it_was_confirmed_stays_confirmed() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    let page = manage_page(&app, &token, "").await;
    page.form("/confirm").send(&app).await;
    let before = app.database.rows().await;
    let declined = page.form("/cancel").send(&app).await;
    is_state(
        &declined,
        409,
        "Confirmed",
        "This has been confirmed meanwhile.",
    );
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn a_hold_given_up_twice_is_given_up_and_cannot_be_confirmed_any_more() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    let page = manage_page(&app, &token, "").await;
    assert_eq!(page.form("/cancel").send(&app).await.status, 303);
    let before = app.database.rows().await;
    let again = page.form("/cancel").send(&app).await;
    is_state(&again, 200, "Not booked", "The hold is given up.");
    let late = page.form("/confirm").send(&app).await;
    is_state(&late, 409, "Not booked", "The booking changed meanwhile");
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn a_second_cancellation_finds_it_cancelled() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let form = manage_page(&app, &token, "?action=cancel")
        .await
        .form("/cancel");
    let form = form.with("reason", "Ill");
    assert_eq!(form.send(&app).await.status, 303);
    let before = app.database.rows().await;
    let again = form.with("reason", "Something else").send(&app).await;
    is_state(&again, 200, "Cancelled", "This had already been cancelled.");
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn presses_after_the_host_cancelled_change_nothing_and_say_so() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let cancel = manage_page(&app, &token, "?action=cancel")
        .await
        .form("/cancel");
    let review = format!("?action=reschedule&start={ELEVEN}");
    let review = manage_page(&app, &token, &review).await.form("/reschedule");
    cancelled_by_host(&app, &host).await;
    let before = app.database.rows().await;
    for form in [cancel, review] {
        let answer = form.send(&app).await;
        is_state(
            &answer,
            409,
            "Cancelled",
            "This had already been cancelled.",
        );
        assert!(answer.says("It was cancelled by the host."));
    }
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn presses_after_the_start_or_the_end_are_too_late() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let cancel = manage_page(&app, &token, "?action=cancel")
        .await
        .form("/cancel");
    let review = "?action=reschedule&start=2026-06-03T10:00:00Z";
    let review = manage_page(&app, &token, review).await.form("/reschedule");
    at(&app, "2026-06-02T10:00:00Z");
    let before = app.database.rows().await;
    for form in [&cancel, &review] {
        let answer = form.send(&app).await;
        is_state(&answer, 409, "Under way", "The meeting has begun");
    }
    assert_eq!(app.database.rows().await, before);
    app.database
        .run("UPDATE bookings SET state = 'completed'")
        .await;
    for form in [&cancel, &review] {
        let answer = form.send(&app).await;
        is_state(&answer, 409, "Took place", "The meeting is over");
    }
    app.end().await;
}

#[tokio::test]
async fn a_cancellation_of_what_was_moved_meanwhile_shows_the_new_time() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let cancel = manage_page(&app, &token, "?action=cancel")
        .await
        .form("/cancel");
    let review = "?action=reschedule&start=2026-06-03T10:00:00Z";
    let review = manage_page(&app, &token, review).await.form("/reschedule");
    assert_eq!(review.send(&app).await.status, 303);
    let before = app.database.rows().await;
    let answer = cancel.send(&app).await;
    is_state(&answer, 409, "Confirmed", "The booking changed meanwhile");
    assert!(answer.says("Wednesday, 3 June 2026"));
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn a_reason_that_cannot_be_kept_comes_back_in_its_field() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let form = manage_page(&app, &token, "?action=cancel")
        .await
        .form("/cancel");
    let before = app.database.rows().await;
    for (reason, said) in [
        (
            "字".repeat(2001),
            "This is too long: 2000 characters at most.",
        ),
        (
            "a\u{7}b".to_owned(),
            "Please leave out line breaks and control characters.",
        ),
    ] {
        let answer = form.clone().with("reason", &reason).send(&app).await;
        assert_eq!(answer.status, 422);
        assert!(answer.says(said), "{said}");
        assert_eq!(answer.form("/cancel").value("reason"), reason);
    }
    assert_eq!(app.database.rows().await, before);
    let kept = form
        .with("reason", "Line\r\nbreaks\tare fine")
        .send(&app)
        .await;
    assert_eq!(kept.status, 303);
    app.end().await;
}
