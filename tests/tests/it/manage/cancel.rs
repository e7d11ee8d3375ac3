//! Cancelling.

use holdfast_tests::{
    Flow,
    app::at,
    flow::{SAM, by_host, wish},
};
use serde_json::json;
use shared::{
    booking::Refusal,
    ops::{self, ChangeError},
};

use super::refused;

#[tokio::test]
async fn a_booker_cancels_and_everybody_hears_who_did_and_why() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    let mut wish = wish("2026-06-02T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    assert_eq!(flow.ask(&host, &wish).await.status, 201);
    flow.mail.drain().await;
    let token = flow.mail.token(SAM);
    flow.at("2026-06-01T09:00:00Z");
    let answer = flow
        .manage(
            "cancel",
            &token,
            &json!({ "reason": " I am ill.\nSorry! ", "expected_revision": 0 }),
        )
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let booking = answer.json();
    assert_eq!(
        (
            &booking["state"],
            &booking["revision"],
            &booking["cancelled_by"],
            &booking["actions"]
        ),
        (&json!("cancelled"), &json!(1), &json!("booker"), &json!([]))
    );
    assert!(!answer.text().contains("ill"), "the reason is for the host");
    assert_eq!(
        flow.text("SELECT concat_ws(' ', b.cancelled_at = '2026-06-01 09:00+00', h.active, e.status, e.sequence, e.deleted_at IS NULL)
            FROM bookings b JOIN booking_hosts h ON h.booking_id = b.id JOIN events e ON e.booking_id = b.id").await,
        "t f cancelled 1 t"
    );
    let letters = flow.mail.drain().await;
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["ana@hosts.test", SAM, "kim@guests.test"]);
    for letter in &letters {
        let ics = letter.ics();
        assert_eq!(
            (ics.value("METHOD"), ics.value("STATUS"), ics.sequence()),
            ("CANCEL".into(), "CANCELLED".into(), 1)
        );
        assert_eq!(ics.instant("DTSTAMP"), at("2026-06-01T09:00:00Z"));
    }
    assert!(letters[0].text.contains("I am ill."));
    assert_eq!(
        flow.book(&host, "2026-06-02T10:00:00Z", "lea@bookers.test")
            .await
            .status,
        201,
        "the time is free"
    );
    flow.end().await;
}

#[tokio::test]
async fn a_host_cancels_and_the_booker_is_told_that_it_was_the_host() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let booking = flow.look("", &token).await.json();
    flow.at("2026-06-02T10:30:00Z");
    // A host may cancel what has begun, a booker may not.
    assert_eq!(
        refused(&flow.cancel(&token).await),
        (409, "already_started".into())
    );
    ops::cancel(&flow.context, by_host(&host, &booking), None, None)
        .await
        .unwrap();
    let seen = flow.look("", &token).await.json();
    assert_eq!(
        (&seen["state"], &seen["cancelled_by"]),
        (&json!("cancelled"), &json!("host"))
    );
    let letters = flow.mail.drain().await;
    assert_eq!(
        letters.len(),
        2,
        "the host's calendar holds the invitation too"
    );
    flow.end().await;
}

/// R8: a second cancel by the same kind of actor is answered, by another it is refused.
#[tokio::test]
async fn cancelling_again_changes_nothing() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    for (by_booker, start) in [
        (true, "2026-06-02T10:00:00Z"),
        (false, "2026-06-02T12:00:00Z"),
    ] {
        let token = flow.link(&host, start, SAM).await;
        let booking = flow.look("", &token).await.json();
        let cancel = async || {
            if by_booker {
                flow.cancel(&token).await.status == 200
            } else {
                ops::cancel(&flow.context, by_host(&host, &booking), None, None)
                    .await
                    .is_ok()
            }
        };
        assert!(cancel().await);
        flow.mail.drain().await;
        let before = flow.database.rows().await;
        assert!(cancel().await);
        let other = if by_booker {
            let refused = ops::cancel(&flow.context, by_host(&host, &booking), None, None).await;
            matches!(refused, Err(ChangeError::Refused(Refusal::Cancelled, _)))
        } else {
            refused(&flow.cancel(&token).await) == (409, "booking_cancelled".into())
        };
        assert!(other);
        let stale = flow
            .manage("cancel", &token, &json!({ "expected_revision": 9 }))
            .await;
        assert_eq!(stale.status, if by_booker { 200 } else { 409 });
        assert_eq!(flow.database.rows().await, before);
    }
    flow.end().await;
}

/// A hold that is let go never was a meeting: nobody is mailed, its event is deleted.
#[tokio::test]
async fn a_released_hold_mails_nobody_and_frees_its_time() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let answer = flow
        .manage("cancel", &token, &json!({ "reason": "Changed my mind." }))
        .await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json()["state"]),
        (200, &json!("expired"))
    );
    assert_eq!(
        refused(&flow.cancel(&token).await),
        (409, "hold_expired".into())
    );
    assert!(flow.mail.drain().await.is_empty());
    assert_eq!(
        flow.text("SELECT concat_ws(' ', status, deleted_at IS NOT NULL) FROM events")
            .await,
        "cancelled t"
    );
    assert_eq!(
        flow.text(
            "SELECT concat_ws(' ', actor_kind, action) FROM booking_history WHERE revision = 1"
        )
        .await,
        "booker release"
    );
    let kim = flow
        .book(&host, "2026-06-02T10:00:00Z", "kim@bookers.test")
        .await;
    assert_eq!(kim.status, 201);
    ops::cancel(&flow.context, by_host(&host, &kim.json()), None, None)
        .await
        .unwrap();
    assert!(
        flow.mail.drain().await.is_empty(),
        "its own mail was not sent yet, and is not any more"
    );
    flow.end().await;
}

#[tokio::test]
async fn a_stale_revision_cancels_nothing() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let stale = flow
        .manage("cancel", &token, &json!({ "expected_revision": 1 }))
        .await;
    assert_eq!(refused(&stale), (409, "revision_conflict".into()));
    assert_eq!(stale.json()["booking"]["state"], "confirmed");
    let longest = "é".repeat(2000);
    let fine = flow
        .manage(
            "cancel",
            &token,
            &json!({ "expected_revision": 0, "reason": longest }),
        )
        .await;
    assert_eq!(fine.status, 200, "{}", fine.text());
    flow.end().await;
}
