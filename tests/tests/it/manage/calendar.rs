//! `GET /v1/manage/calendar.ics`, in every state.

use holdfast_tests::{
    Answer, Flow,
    app::at,
    flow::{SAM, id},
    ics_check,
    letter::Ics,
};
use shared::ops::{self, Attendance};

use super::refused;

fn file(answer: &Answer) -> Ics {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(
        answer.header("content-type"),
        "text/calendar; charset=utf-8"
    );
    assert_eq!(
        answer.header("content-disposition"),
        "attachment; filename=\"booking.ics\""
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(ics_check::check(&answer.body), Vec::<String>::new());
    Ics(answer.text())
}

#[tokio::test]
async fn a_hold_has_none_a_meeting_a_request_and_a_cancelled_one_a_cancel_with_more() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let get = async || flow.look("/calendar.ics", &token).await;
    let none = flow.look("/calendar.ics", "nobody").await;
    let held = get().await;
    assert_eq!(
        (refused(&held), held.body),
        ((404, "not_found".into()), none.body)
    );
    flow.at("2026-06-01T08:10:00Z");
    let booking = flow.confirm(&token).await.json();
    let confirmed = file(&get().await);
    assert_eq!(
        (
            confirmed.value("METHOD"),
            confirmed.value("STATUS"),
            confirmed.sequence()
        ),
        ("REQUEST".into(), "CONFIRMED".into(), 1)
    );
    assert_eq!(confirmed.instant("DTSTART"), at("2026-06-02T10:00:00Z"));
    assert_eq!(confirmed.instant("DTEND"), at("2026-06-02T11:00:00Z"));
    assert_eq!(confirmed.instant("DTSTAMP"), at("2026-06-01T08:10:00Z"));
    assert_eq!(
        confirmed.value("UID"),
        format!("{}@{}", id(&booking), flow.context.instance)
    );
    // What the mail carries is the same to the byte.
    flow.mail.drain().await;
    assert_eq!(*flow.mail.newest(SAM).ics(), confirmed);
    flow.at("2026-06-01T08:20:00Z");
    assert_eq!(
        flow.reschedule(&token, "2026-06-02T14:00:00Z", 1)
            .await
            .status,
        200
    );
    let moved = file(&get().await);
    assert_eq!(
        (moved.value("UID"), moved.sequence()),
        (confirmed.value("UID"), 2)
    );
    assert_eq!(moved.instant("DTSTART"), at("2026-06-02T14:00:00Z"));
    assert_eq!(flow.cancel(&token).await.status, 200);
    let cancelled = file(&get().await);
    assert_eq!(
        (
            cancelled.value("METHOD"),
            cancelled.value("STATUS"),
            cancelled.sequence()
        ),
        ("CANCEL".into(), "CANCELLED".into(), 3)
    );
    assert_eq!(
        (cancelled.value("UID"), cancelled.instant("DTSTART")),
        (confirmed.value("UID"), at("2026-06-02T14:00:00Z"))
    );
    for ics in [&confirmed, &moved, &cancelled] {
        assert!(
            !ics.0.contains(&token) && !ics.0.contains("http"),
            "no link, no token: {}",
            ics.0
        );
    }
    flow.end().await;
}

#[tokio::test]
async fn a_finished_meeting_keeps_its_request_and_an_expired_hold_has_none() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let lapsed = flow.link(&host, "2026-06-02T15:00:00Z", SAM).await;
    let mut meetings = Vec::new();
    for (start, attendance) in [
        ("2026-06-02T10:00:00Z", Attendance::Completed),
        ("2026-06-02T11:00:00Z", Attendance::NoShow),
    ] {
        let token = flow.link(&host, start, SAM).await;
        let booking = id(&flow.confirm(&token).await.json());
        meetings.push((token, booking, attendance));
    }
    flow.at("2026-06-01T08:30:00Z");
    flow.mail.drain().await;
    assert_eq!(
        refused(&flow.look("/calendar.ics", &lapsed).await).0,
        404,
        "lapsed"
    );
    holdfast_worker::sweeps::pass(&flow.context).await.unwrap();
    assert_eq!(
        refused(&flow.look("/calendar.ics", &lapsed).await).0,
        404,
        "expired"
    );
    flow.at("2026-06-02T12:00:00Z");
    for (token, booking, attendance) in &meetings {
        ops::finish(&flow.context, host.id, *booking, *attendance, None)
            .await
            .unwrap();
        let ics = file(&flow.look("/calendar.ics", token).await);
        assert_eq!((ics.value("METHOD"), ics.sequence()), ("REQUEST".into(), 2));
    }
    flow.end().await;
}

/// The organizer is pinned by the confirmation; another sender later is named beside it.
#[tokio::test]
async fn the_organizer_stays_when_the_sender_changes() {
    let mut flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    assert_eq!(flow.confirm(&token).await.status, 200);
    flow.mail.drain().await;
    flow.mail.post.context.mail_from = std::sync::Arc::new(shared::config::Mailbox {
        name: Some("New".into()),
        address: "new@holdfast.test".parse().unwrap(),
    });
    assert_eq!(
        flow.reschedule(&token, "2026-06-02T12:00:00Z", 1)
            .await
            .status,
        200
    );
    let letter = flow.mail.drain().await.remove(1);
    let organizer = &letter.ics().all("ORGANIZER")[0];
    assert!(
        organizer.ends_with(":mailto:book@holdfast.test"),
        "{organizer}"
    );
    assert!(
        organizer.contains("SENT-BY=\"mailto:new@holdfast.test\""),
        "{organizer}"
    );
    assert!(String::from_utf8_lossy(&letter.bytes).contains("From: New <new@holdfast.test>"));
    flow.end().await;
}
