//! Completed, or the booker stayed away.

use holdfast_tests::{
    Flow,
    app::at,
    flow::{SAM, id},
    host::starts,
};
use jiff::SignedDuration;
use serde_json::json;
use shared::{
    booking::Refusal,
    ops::{self, Attendance, ChangeError},
};

#[tokio::test]
async fn a_meeting_that_began_can_be_marked_and_mails_nobody() {
    for (attendance, state) in [
        (Attendance::Completed, "completed"),
        (Attendance::NoShow, "no_show"),
    ] {
        let flow = Flow::start().await;
        let host = flow.host("ana").make().await;
        let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
        let booking = id(&flow.look("", &token).await.json());
        let start = at("2026-06-02T10:00:00Z");
        let mark = async |expected| {
            ops::finish(&flow.context, host.id, booking, attendance, expected).await
        };
        flow.context
            .clock
            .set(start.plus(SignedDuration::from_micros(-1)));
        assert!(matches!(
            mark(None).await,
            Err(ChangeError::Refused(Refusal::NotStarted, _))
        ));
        flow.mail.drain().await;
        flow.context.clock.set(start);
        assert!(matches!(
            mark(Some(1)).await,
            Err(ChangeError::Refused(Refusal::RevisionConflict, _))
        ));
        assert_eq!(mark(Some(0)).await.unwrap().standing.revision, 1);
        assert_eq!(
            mark(None).await.unwrap().standing.revision,
            1,
            "again changes nothing"
        );
        assert!(flow.mail.drain().await.is_empty());
        let seen = flow.look("", &token).await.json();
        assert_eq!(
            (&seen["state"], &seen["actions"]),
            (&json!(state), &json!([]))
        );
        // Its time stays taken.
        assert_eq!(
            flow.text("SELECT active::text FROM booking_hosts").await,
            "true"
        );
        flow.at("2026-06-02T09:00:00Z");
        let path = host.slots("2026-06-02T10:00:00Z", "2026-06-02T11:00:00Z", "UTC");
        assert!(starts(&flow.get(&path).await.json()).is_empty());
        flow.at("2026-06-02T12:00:00Z");
        flow.end().await;
    }
}

/// A mail that was still owed is not sent once the meeting is over.
#[tokio::test]
async fn what_is_still_owed_of_a_finished_meeting_is_skipped() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let booking = flow.booked(&host, "2026-06-03T10:00:00Z").await;
    flow.at("2026-06-03T10:00:00Z");
    ops::finish(
        &flow.context,
        host.id,
        id(&booking),
        Attendance::Completed,
        None,
    )
    .await
    .unwrap();
    assert!(flow.mail.drain().await.is_empty());
    assert_eq!(flow.count("mail_outbox WHERE outcome = 'skipped'").await, 4);
    flow.end().await;
}
