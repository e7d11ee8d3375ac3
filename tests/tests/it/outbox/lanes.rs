//! Two lanes: a backlog of one never holds up the other.

use std::time::{Duration, Instant};

use holdfast_tests::{
    Flow,
    flow::SAM,
    mail::worker,
    smtp_sink::{At, Behaviour},
};
use shared::store::mail_queue::Lane;

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
