//! `GET /book/m/{token}/calendar.ics`, in every state.
use holdfast_tests::{TestApp, ics_check, letter::Ics};

use super::{TEN, at, booked, cancelled_by_host, held, manage_page, with_mail};

async fn file(app: &TestApp, token: &str) -> Ics {
    let answer = manage_page(app, token, "/calendar.ics").await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.header("content-type"),
        "text/calendar; charset=utf-8"
    );
    let disposition = "attachment; filename=\"booking.ics\"";
    assert_eq!(answer.header("content-disposition"), disposition);
    assert_eq!(answer.header("x-robots-tag"), "noindex");
    let text = answer.text();
    let faults = ics_check::check(text.as_bytes());
    assert!(faults.is_empty(), "{faults:?}");
    assert!(!text.contains(token), "calendars are shared");
    Ics(text)
}

#[tokio::test]
async fn a_request_while_it_stands_and_a_cancel_once_it_does_not() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let token = booked(&app, &host, TEN).await;
    let first = file(&app, &token).await;
    assert_eq!((&*first.value("METHOD"), first.sequence()), ("REQUEST", 0));
    let review = "?action=reschedule&start=2026-06-03T10:00:00Z";
    let review = manage_page(&app, &token, review).await.form("/reschedule");
    assert_eq!(review.send(&app).await.status, 303);
    let moved = file(&app, &token).await;
    assert_eq!((&*moved.value("METHOD"), moved.sequence()), ("REQUEST", 1));
    assert_eq!(moved.value("DTSTART"), "20260603T100000Z");
    assert_eq!(moved.value("UID"), first.value("UID"));
    at(&app, "2026-06-03T10:30:00Z");
    assert_eq!(file(&app, &token).await.value("METHOD"), "REQUEST");
    at(&app, "2026-06-01T09:00:00Z");
    cancelled_by_host(&app, &host).await;
    let over = file(&app, &token).await;
    assert_eq!((&*over.value("METHOD"), over.sequence()), ("CANCEL", 2));
    assert_eq!(over.value("UID"), first.value("UID"));
    app.end().await;
}

#[tokio::test]
async fn what_was_never_confirmed_has_none() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let token = held(&app, &host, TEN).await;
    let status = async || manage_page(&app, &token, "/calendar.ics").await.status;
    assert_eq!(status().await, 404);
    at(&app, "2026-06-01T08:30:00Z");
    assert_eq!(status().await, 404);
    app.end().await;
}
