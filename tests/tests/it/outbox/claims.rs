//! R11: a claim, its lease, and endings under it.

use holdfast_tests::{
    Flow,
    app::at,
    flow::{SAM, wish},
};
use holdfast_worker::{
    jobs::send_mail::{self, JobEnd},
    sweeps,
};
use jiff::SignedDuration;
use serde_json::json;
use shared::{
    mail::domain::MailDomain,
    store::mail_queue::{ClaimedMail, Lane, SmtpCodes},
};

use super::{claim, page};

fn failure() -> JobEnd {
    JobEnd::Failed(SmtpCodes {
        class: "unreachable",
        ..SmtpCodes::default()
    })
}

/// A hold's mail, claimed at 08:00.
async fn claimed() -> (Flow, ClaimedMail) {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    let mail = claim(&flow, Lane::Prompt).await;
    (flow, mail)
}

async fn row(flow: &Flow) -> String {
    flow.text("SELECT concat_ws(' ', attempts, uncertain, coalesce(outcome, 'owed'), to_char(due_at AT TIME ZONE 'UTC', 'HH24:MI:SS'), claim_id IS NOT NULL) FROM mail_outbox").await
}

/// The lease, at its edges.
#[tokio::test]
async fn a_claim_is_one_workers_for_ten_minutes_to_the_microsecond() {
    let (flow, mail) = claimed().await;
    assert_eq!(mail.due_at, at("2026-06-01T08:10:00Z"));
    assert_eq!(row(&flow).await, "1 0 owed 08:10:00 t");
    flow.context
        .clock
        .set(mail.due_at.plus(SignedDuration::from_micros(-1)));
    assert!(
        send_mail::claim(&flow.context, Lane::Prompt)
            .await
            .unwrap()
            .is_none()
    );
    // At its end it is claimable, and the attempt before is counted as uncertain.
    flow.context.clock.set(mail.due_at);
    let second = claim(&flow, Lane::Prompt).await;
    assert_eq!(second.id, mail.id);
    assert_ne!(second.claim_id, mail.claim_id);
    assert_eq!(row(&flow).await, "2 1 owed 08:20:00 t");
    let end = send_mail::run(&flow.mail.post, &second, || {}).await;
    send_mail::finish(&flow.context, &second, &end)
        .await
        .unwrap();
    assert_eq!(row(&flow).await, "2 1 sent 08:20:00 f");
    flow.end().await;
}

/// Goes red if an ending does not name its claim.
#[tokio::test]
async fn a_worker_that_lost_its_lease_can_end_nothing() {
    let (flow, mail) = claimed().await;
    flow.context.clock.set(mail.due_at);
    let second = claim(&flow, Lane::Prompt).await;
    let before = flow.database.rows().await;
    let codes = || SmtpCodes {
        class: "recipient",
        ..SmtpCodes::default()
    };
    for end in [
        JobEnd::Sent,
        JobEnd::Skipped,
        JobEnd::Refused(codes()),
        failure(),
        JobEnd::Deferred,
        JobEnd::HeldBack { seconds: 10 },
        JobEnd::PutOff {
            domain: MailDomain(1),
            seconds: 600,
        },
        JobEnd::SteppedBack(MailDomain(1)),
        JobEnd::Lost,
    ] {
        send_mail::finish(&flow.context, &mail, &end).await.unwrap();
        assert_eq!(flow.database.rows().await, before, "{end:?}");
    }
    // It does not even send: the claim is looked at once more right before.
    assert_eq!(
        send_mail::run(&flow.mail.post, &mail, || panic!("sends")).await,
        JobEnd::Lost
    );
    assert_eq!(flow.database.rows().await, before);
    let end = send_mail::run(&flow.mail.post, &second, || {}).await;
    assert_eq!(end, JobEnd::Sent);
    send_mail::finish(&flow.context, &second, &end)
        .await
        .unwrap();
    assert_eq!(flow.mail.sink.count(), 1);
    flow.end().await;
}

/// A worker that wakes after its lease sends nothing, though nobody else has claimed the row. Red if
/// the claim is not looked at once more before the send.
#[tokio::test]
async fn a_worker_that_slept_through_its_lease_sends_nothing() {
    let (flow, mail) = claimed().await;
    flow.context.clock.set(mail.due_at);
    assert_eq!(
        send_mail::run(&flow.mail.post, &mail, || panic!("sends")).await,
        JobEnd::Lost
    );
    flow.mail.drain().await;
    assert_eq!(flow.mail.sink.count(), 1);
    flow.end().await;
}

/// One first attempt and twelve retries by the backoff, and never a fourteenth.
#[tokio::test]
async fn thirteen_attempts_and_then_it_is_exhausted() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    flow.sql("UPDATE mail_outbox SET outcome = 'sent', outcome_at = now() WHERE recipient <> 'booker' OR kind <> 'confirmed'").await;
    flow.sql("DELETE FROM mail_outbox WHERE outcome = 'sent'")
        .await;
    let mut waits = Vec::new();
    for attempt in 1..=13 {
        let mail = claim(&flow, Lane::Prompt).await;
        assert_eq!(mail.attempts, attempt);
        send_mail::finish(&flow.context, &mail, &failure())
            .await
            .unwrap();
        let now = flow.context.clock.now();
        let due: shared::instant::Instant = sqlx::query_scalar("SELECT due_at FROM mail_outbox")
            .fetch_one(&flow.context.pool)
            .await
            .unwrap();
        if attempt < 13 {
            waits.push(due.since(now).as_mins());
            flow.context
                .clock
                .set(due.plus(SignedDuration::from_micros(-1)));
            assert!(
                send_mail::claim(&flow.context, Lane::Prompt)
                    .await
                    .unwrap()
                    .is_none()
            );
            flow.context.clock.set(due);
        }
    }
    assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60]);
    assert!(row(&flow).await.starts_with("13 0 exhausted"));
    flow.context.clock.advance(SignedDuration::from_hours(24));
    assert!(
        send_mail::claim(&flow.context, Lane::Prompt)
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(
        flow.text("SELECT error_class FROM mail_outbox").await,
        "unreachable"
    );
    flow.end().await;
}

/// The last attempt's worker died: the sweep ends the row, nobody tries again.
#[tokio::test]
async fn the_last_attempt_of_a_dead_worker_is_exhausted_after_its_lease() {
    let (flow, _) = claimed().await;
    flow.sql("UPDATE mail_outbox SET attempts = 13").await;
    flow.context.clock.set(at("2026-06-01T08:09:59.999999Z"));
    sweeps::pass(&flow.context).await.unwrap();
    assert_eq!(row(&flow).await, "13 0 owed 08:10:00 t");
    flow.at("2026-06-01T08:10:00Z");
    assert!(
        send_mail::claim(&flow.context, Lane::Prompt)
            .await
            .unwrap()
            .is_none(),
        "never a fourteenth"
    );
    sweeps::pass(&flow.context).await.unwrap();
    assert_eq!(row(&flow).await, "13 1 exhausted 08:10:00 f");
    flow.at("2026-06-01T08:30:00Z");
    sweeps::pass(&flow.context).await.unwrap();
    flow.end().await;
}

/// Busy, or stopped before any mail server was asked: the attempt is given back, `remind_at` stays.
#[tokio::test]
async fn deferring_gives_the_attempt_back_and_leaves_the_reminders_time_alone() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    flow.mail.drain().await;
    flow.at("2026-06-03T10:00:00Z");
    // All senders are busy: nothing is asked of the mail server.
    flow.mail.post.mailer.close().await;
    let mail = claim(&flow, Lane::Reminder).await;
    let end = send_mail::run(&flow.mail.post, &mail, || {}).await;
    assert_eq!(end, JobEnd::Deferred);
    send_mail::finish(&flow.context, &mail, &end).await.unwrap();
    let row = format!(
        "SELECT concat_ws(' ', attempts, remind_at AT TIME ZONE 'UTC', due_at AT TIME ZONE 'UTC', claim_id IS NULL) FROM mail_outbox WHERE id = '{}'",
        mail.id
    );
    assert_eq!(
        flow.text(&row).await,
        "0 2026-06-03 10:00:00 2026-06-03 10:00:30 t"
    );
    // A failed attempt is kept, and still the reminder's own time stays.
    flow.at("2026-06-03T10:00:30Z");
    flow.sql(&format!("UPDATE mail_outbox SET due_at = '2026-06-03 11:00+00' WHERE lane = 'reminder' AND id <> '{}'", mail.id)).await;
    let mail = claim(&flow, Lane::Reminder).await;
    send_mail::finish(&flow.context, &mail, &failure())
        .await
        .unwrap();
    assert_eq!(
        flow.text(&row).await,
        "1 2026-06-03 10:00:00 2026-06-03 10:01:30 t"
    );
    flow.sql("DELETE FROM mail_outbox WHERE lane = 'reminder'")
        .await;
    flow.end().await;
}

/// Two workers claim different rows, and of one reader only one at a time. Red if the claim does not
/// look for others of its reader.
#[tokio::test]
async fn many_workers_share_the_rows_and_each_reader_has_one_on_its_way() {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    let mut tokens = Vec::new();
    for hour in 9..13 {
        let mut wish = wish(&format!("2026-06-04T{hour:02}:00:00Z"), SAM);
        wish["guests"] = json!([{ "email": "kim@guests.test" }]);
        assert_eq!(flow.ask(&host, &wish).await.status, 201);
        flow.mail.drain().await;
        tokens.push(flow.mail.token(SAM));
    }
    for token in &tokens {
        assert_eq!(flow.confirm(token).await.status, 200);
    }
    // Due beside the confirmations, to the same readers.
    flow.sql("UPDATE mail_outbox SET due_at = '2026-06-01 08:00+00' WHERE lane = 'reminder'")
        .await;
    let claims =
        futures::future::join_all((0..40).map(|_| send_mail::claim(&flow.context, Lane::Prompt)))
            .await;
    let claims: Vec<ClaimedMail> = claims.into_iter().filter_map(Result::unwrap).collect();
    let mut ids: Vec<_> = claims.iter().map(|mail| mail.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((claims.len(), ids.len()), (12, 12), "each row once");
    assert!(
        send_mail::claim(&flow.context, Lane::Reminder)
            .await
            .unwrap()
            .is_none(),
        "every reader has one on its way"
    );
    for mail in &claims {
        let end = send_mail::run(&flow.mail.post, mail, || {}).await;
        send_mail::finish(&flow.context, mail, &end).await.unwrap();
    }
    assert!(
        send_mail::claim(&flow.context, Lane::Reminder)
            .await
            .unwrap()
            .is_some()
    );
    flow.sql("UPDATE mail_outbox SET due_at = remind_at, claim_id = NULL, claimed_at = NULL, attempts = 0 WHERE lane = 'reminder'").await;
    flow.end().await;
}
