//! Nothing starves: a backlog of one lane never holds up the other, nor one of a domain that hangs the
//! mail to others.

use std::time::{Duration, Instant};

use holdfast_tests::{
    Flow,
    flow::{SAM, wish},
    mail::worker,
    smtp_sink::{At, Behaviour},
};
use serde_json::{Value, json};
use shared::{store::mail_queue::Lane, wake::Wake};

use super::claim;

#[tokio::test]
async fn each_lane_claims_its_own_rows() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    flow.booked(&host, "2026-06-03T10:00:00Z").await;
    flow.at("2026-06-02T10:00:00Z");
    let mut kinds = Vec::new();
    for lane in [Lane::Reminder, Lane::Prompt] {
        kinds.push(claim(&flow, lane).await.kind);
    }
    assert_eq!(kinds, ["reminder", "confirmed"]);
    flow.sql("UPDATE mail_outbox SET claim_id = NULL, claimed_at = NULL, attempts = 0, due_at = '2026-06-02 10:00+00'").await;
    flow.end().await;
}

/// A thousand reminders behind a mail server that does not answer: a confirmation still leaves
/// within a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stalled_backlog_of_reminders_holds_up_no_confirmation() {
    let mut flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let slow = "slow@bookers.test";
    for hour in 9..17 {
        let answer = flow
            .book(&host, &format!("2026-06-03T{hour:02}:00:00Z"), slow)
            .await;
        assert_eq!(answer.status, 201);
    }
    flow.mail.drain().await;
    flow.at("2026-06-02T16:30:00Z");
    flow.mail
        .sink
        .behave_for(slow, Behaviour::StallAt(At::Rcpt));
    flow.mail
        .sink
        .behave_for("ana@hosts.test", Behaviour::StallAt(At::Rcpt));
    let running = worker(&flow);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let asked = Instant::now();
    let before = flow.mail.sink.count();
    // The host's copy stalls too; the booker's goes on the lane's other slot.
    assert_eq!(
        flow.book(&host, "2026-06-04T10:00:00Z", SAM).await.status,
        201
    );
    flow.mail
        .sink
        .wait_for(before + 1, Duration::from_secs(10))
        .await
        .unwrap();
    assert!(
        asked.elapsed() < Duration::from_secs(3),
        "{:?}",
        asked.elapsed()
    );
    assert_eq!(flow.mail.newest(SAM).to, SAM);
    flow.mail.sink.behave_for(slow, Behaviour::Accept);
    flow.mail
        .sink
        .behave_for("ana@hosts.test", Behaviour::Accept);
    flow.mail.sink.close_idle(None).await;
    running.stop().await;
    flow.mail.reopen();
    flow.at("2026-06-02T18:30:00Z");
    flow.end().await;
}

/// Ten guests at `slow.test`.
fn slow_guests(booking: usize) -> Value {
    let guest = |number: usize| json!({ "email": format!("g{booking}-{number}@slow.test") });
    (0..10).map(guest).collect()
}

/// Mail to other domains, prompt and reminders, while more than a thousand mails of each lane are owed
/// to a domain for which the mail server hangs.
async fn passes_a_hanging_domain(at: At) {
    let mut flow = Flow::start().await;
    let host = flow
        .host("ana")
        .guests()
        .minutes(5, 5)
        .free("every day 0:00-24:00")
        .make()
        .await;
    for booking in 0..104 {
        let start = format!(
            "2026-06-03T{:02}:{:02}:00Z",
            10 + booking / 12,
            booking % 12 * 5
        );
        let mut wish = wish(&start, &format!("b{booking}@slow.test"));
        wish["guests"] = slow_guests(booking);
        assert_eq!(flow.ask(&host, &wish).await.status, 201);
    }
    // Reminders fall due between 10:00 and 18:40, a day before.
    flow.at("2026-06-02T18:45:00Z");
    let owed = |lane: &str| {
        format!("mail_outbox WHERE recipient <> 'host' AND lane = '{lane}' AND outcome IS NULL")
    };
    for lane in ["prompt", "reminder"] {
        assert_eq!(flow.count(&owed(lane)).await, 1_144, "{lane}");
    }
    flow.mail
        .sink
        .behave_for("@slow.test", Behaviour::StallAt(at));
    let running = worker(&flow);
    // Until the domain has the slots that it gets, and every lane looks for something else to do.
    tokio::time::sleep(Duration::from_secs(3)).await;
    for (number, lane) in ["prompt", "reminder", "prompt", "reminder"]
        .into_iter()
        .enumerate()
    {
        let asked = Instant::now();
        let address = format!("quick{number}@x{number}.test");
        let start = format!("2026-06-05T{:02}:00:00Z", 9 + number);
        assert_eq!(flow.book(&host, &start, &address).await.status, 201);
        let kind = if lane == "reminder" {
            flow.sql(&format!("UPDATE mail_outbox SET due_at = '2026-06-02 18:45+00' WHERE kind = 'reminder' AND booking_id = (SELECT id FROM bookings WHERE start_at = '{start}')")).await;
            let Wake::Here(wake) = &flow.context.wake else {
                panic!("the worker runs in this process");
            };
            wake.notify_waiters();
            "reminder"
        } else {
            "confirmed"
        };
        let sent = format!(
            "mail_outbox m JOIN bookings b ON b.id = m.booking_id WHERE b.start_at = '{start}' AND m.kind = '{kind}' AND m.recipient = 'booker' AND m.outcome = 'sent'"
        );
        while flow.count(&sent).await == 0 {
            let waited = asked.elapsed();
            assert!(waited < Duration::from_secs(5), "{at:?} {lane}: {waited:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    // No attempt was burnt but those of the mails that hang.
    let tried = flow
        .count("mail_outbox WHERE recipient <> 'host' AND attempts > 0 AND outcome IS NULL")
        .await;
    assert!(tried <= 8, "{tried}");
    flow.mail.sink.behave_for("@slow.test", Behaviour::Accept);
    flow.mail.sink.close_idle(None).await;
    running.stop().await;
    flow.mail.reopen();
    flow.app.end().await;
}

/// Red without the limit on a domain's slots, and without the claims' passing over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_mails_behind_a_hanging_domain_hold_up_no_other_domain() {
    passes_a_hanging_domain(At::Rcpt).await;
}

/// The same when the server takes everything and then thinks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_mails_that_hang_after_the_final_dot_hold_up_no_other_domain() {
    passes_a_hanging_domain(At::Dot).await;
}
