//! Confirming, from the mailbox.

use holdfast_tests::{
    Flow,
    app::at,
    flow::{SAM, id},
    host::starts,
};
use jiff::SignedDuration;
use serde_json::json;

use super::refused;

#[tokio::test]
async fn the_mailed_link_confirms_and_everybody_hears_of_it() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    flow.at("2026-06-01T08:20:00Z");
    let answer = flow.confirm(&token).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let booking = answer.json();
    assert_eq!(
        (&booking["state"], &booking["revision"], &booking["actions"]),
        (
            &json!("confirmed"),
            &json!(1),
            &json!(["reschedule", "cancel"])
        )
    );
    assert_eq!(booking["hold_expires_at"], json!(null));
    assert_eq!(
        booking["manage_token"],
        json!(null),
        "the token is the mailbox's"
    );
    assert_eq!(
        flow.text("SELECT concat_ws(' ', status, sequence) FROM events")
            .await,
        "confirmed 1"
    );
    let letters = flow.mail.drain().await;
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["ana@hosts.test", SAM]);
    for letter in &letters {
        assert_eq!(letter.ics().sequence(), 1);
    }
    // The link of the first mail still opens it, and so does the newer one.
    let newer = letters[1].token().unwrap();
    assert_ne!(newer, token);
    for link in [&token, &newer] {
        assert_eq!(flow.look("", link).await.json(), booking);
    }
    flow.end().await;
}

/// R6, at equality: `now < hold_expires_at` and `now < start`. Goes red if either comparison of
/// the state machine, or of the conditional UPDATE behind it, is made inclusive.
#[tokio::test]
async fn at_the_instant_of_the_lapse_and_of_the_start_it_is_too_late() {
    for (start, lapse) in [
        ("2026-06-02T10:00:00Z", "2026-06-01T08:30:00Z"),
        ("2026-06-01T09:00:00Z", "2026-06-01T09:00:00Z"),
    ] {
        let flow = Flow::start().await;
        let host = flow.host("ana").by_mail().make().await;
        if start == lapse {
            flow.at("2026-06-01T08:45:00Z");
        }
        let token = flow.link(&host, start, SAM).await;
        let lapse = at(lapse);
        flow.context.clock.set(lapse);
        let late = flow.confirm(&token).await;
        assert_eq!(refused(&late), (409, "hold_expired".into()));
        assert_eq!(late.json()["booking"]["state"], "expired");
        flow.context
            .clock
            .set(lapse.plus(SignedDuration::from_micros(-1)));
        assert_eq!(flow.confirm(&token).await.status, 200);
        if start == lapse.to_string() {
            flow.context.clock.set(lapse);
        }
        flow.end().await;
    }
}

/// R8: a repeat answers 200 with the unchanged booking.
#[tokio::test]
async fn confirming_again_changes_nothing_and_mails_nobody() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let first = flow.confirm(&token).await.json();
    flow.mail.drain().await;
    let before = flow.database.rows().await;
    for body in [
        json!({}),
        json!({ "expected_revision": 0 }),
        json!({ "expected_revision": 1 }),
        json!({ "expected_revision": 7 }),
    ] {
        let again = flow.manage("confirm", &token, &body).await;
        assert_eq!(
            (again.status.as_u16(), again.json()),
            (200, first.clone()),
            "{body}"
        );
    }
    flow.at("2026-06-02T12:00:00Z");
    assert_eq!(
        flow.confirm(&token).await.json()["state"],
        "confirmed",
        "even after it began"
    );
    flow.at("2026-06-01T08:00:00Z");
    assert_eq!(flow.database.rows().await, before);
    flow.end().await;
}

#[tokio::test]
async fn a_stale_revision_confirms_nothing() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let stale = flow
        .manage("confirm", &token, &json!({ "expected_revision": 1 }))
        .await;
    assert_eq!(refused(&stale), (409, "revision_conflict".into()));
    assert_eq!(stale.json()["booking"]["revision"], 0);
    assert_eq!(
        flow.manage("confirm", &token, &json!({ "expected_revision": 0 }))
            .await
            .status,
        200
    );
    flow.end().await;
}

/// R6: not busy from the instant of the lapse, whether or not a sweep has come by.
#[tokio::test]
async fn a_lapsed_hold_frees_its_time_before_any_sweep() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().buffers(10, 10).make().await;
    let first = flow.booked(&host, "2026-06-02T10:00:00Z").await;
    flow.mail.drain().await;
    let token = flow.mail.token(SAM);
    let path = host.slots("2026-06-02T10:00:00Z", "2026-06-02T10:30:00Z", "UTC");
    let listed = async || starts(&flow.get(&path).await.json()).len();
    flow.context.clock.set(at("2026-06-01T08:29:59.999999Z"));
    assert_eq!(listed().await, 0);
    assert_eq!(
        flow.book(&host, "2026-06-02T10:00:00Z", "kim@bookers.test")
            .await
            .status,
        409
    );
    flow.at("2026-06-01T08:30:00Z");
    assert_eq!(listed().await, 1);
    assert_eq!(flow.look("", &token).await.json()["state"], "expired");
    assert_eq!(
        flow.text("SELECT state FROM bookings").await,
        "held",
        "no sweep came by"
    );
    // A neighbour whose buffers reach into it expires it too.
    let second = flow
        .book(&host, "2026-06-02T11:00:00Z", "kim@bookers.test")
        .await;
    assert_eq!(second.status, 201, "{}", second.text());
    let state = format!(
        "SELECT concat_ws(' ', state, revision) FROM bookings WHERE id = '{}'",
        id(&first)
    );
    assert_eq!(flow.text(&state).await, "expired 1");
    assert_eq!(
        flow.text("SELECT actor_kind || ' ' || action FROM booking_history WHERE revision = 1")
            .await,
        "system expire"
    );
    assert_eq!(
        refused(&flow.confirm(&token).await),
        (409, "hold_expired".into())
    );
    flow.end().await;
}

/// Unpublishing leaves open holds confirmable; so does a host who takes no more bookings.
#[tokio::test]
async fn a_hold_outlives_its_page() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    flow.sql("UPDATE event_types SET published_at = NULL, revision = revision + 1; UPDATE hosts SET is_active = false").await;
    assert_eq!(flow.confirm(&token).await.status, 200);
    flow.end().await;
}

/// R23: the instant that decides is read after the locks. Goes red if it is read before them: the
/// hold had not lapsed when the request came.
#[tokio::test]
async fn a_confirm_that_waited_past_the_lapse_is_too_late() {
    let flow = Flow::with(holdfast_tests::app::Options {
        system_clock: true,
        ..Default::default()
    })
    .await;
    let host = flow.host("ana").by_mail().make().await;
    let path = host.slots(
        &flow.context.clock.now().to_string(),
        &flow
            .context
            .clock
            .now()
            .plus_minutes(4 * 24 * 60)
            .to_string(),
        "UTC",
    );
    let start = starts(&flow.get(&path).await.json())[20];
    let token = flow.link(&host, &start.to_string(), SAM).await;
    let mut lock = flow.context.pool.begin_with("BEGIN").await.unwrap();
    sqlx::query("SELECT id FROM hosts FOR NO KEY UPDATE")
        .fetch_all(&mut *lock)
        .await
        .unwrap();
    sqlx::query("UPDATE bookings SET hold_expires_at = clock_timestamp() + interval '0.4 s'")
        .execute(&flow.context.pool)
        .await
        .unwrap();
    let (answer, ()) = tokio::join!(flow.confirm(&token), async {
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
        lock.commit().await.unwrap();
    });
    assert_eq!(refused(&answer), (409, "hold_expired".into()));
    holdfast_worker::sweeps::pass(&flow.context).await.unwrap();
    flow.end().await;
}
