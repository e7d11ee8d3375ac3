//! A worker that is stopped (SIGSTOP, a suspended machine, a swapped-out process) and wakes after its
//! lease.

use std::time::Duration;

use holdfast_tests::{
    Flow,
    process::Running,
    smtp_sink::{At, Behaviour},
};

use super::{on_the_machines_clock, owed, row, worker};

/// A worker whose mail the server took, stopped before it could hear of it; its lease is then over.
async fn frozen(flow: &Flow, answer: Behaviour) -> Running {
    flow.mail.sink.behave_times(1, answer);
    let mut first = Running::start_worker(&worker(flow));
    first.ready().await;
    let began = std::time::Instant::now();
    while flow.count("mail_outbox WHERE claim_id IS NOT NULL").await == 0
        || flow.mail.sink.open_connections() == 0
    {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "nothing is being sent"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // The message is with the server, its answer not yet on its way.
    tokio::time::sleep(Duration::from_millis(700)).await;
    first.signal("STOP");
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    flow.sql("UPDATE mail_outbox SET due_at = now() WHERE claim_id IS NOT NULL")
        .await;
    first
}

/// The acknowledgement of a worker that wakes after its lease is lost: another has sent the mail
/// meanwhile, and it is that worker's ending which stands. The copy is counted and has the same
/// Message-ID.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_acknowledgement_of_a_worker_that_wakes_after_its_lease_is_lost() {
    let flow = owed().await;
    let late = Behaviour::DelayAt(At::Dot, Duration::from_millis(1_500));
    let first = frozen(&flow, late).await;
    assert_eq!(flow.mail.sink.count(), 1);
    let mut second = Running::start_worker(&worker(&flow));
    second.ready().await;
    flow.mail
        .sink
        .wait_for(2, Duration::from_secs(20))
        .await
        .unwrap();
    second.stop().await;
    assert_eq!(row(&flow).await, "sent 2 1");
    let ended = flow
        .texts("SELECT concat_ws(' ', claimed_by, outcome_at) FROM mail_outbox")
        .await;
    first.signal("CONT");
    let began = std::time::Instant::now();
    while !first
        .stderr()
        .contains("claim lost: another worker has this mail")
    {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "{}",
            first.stderr()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (_, figures) = first.get("/metrics").await;
    assert!(
        figures.contains("holdfast_mail_total{outcome=\"lost\",class=\"\"} 1"),
        "{figures}"
    );
    assert_eq!(row(&flow).await, "sent 2 1", "nothing was written");
    let after = flow
        .texts("SELECT concat_ws(' ', claimed_by, outcome_at) FROM mail_outbox")
        .await;
    assert_eq!(after, ended);
    let letters = flow.mail.letters();
    assert_eq!(letters.len(), 2);
    assert_eq!(letters[0].message_id, letters[1].message_id);
    first.stop().await;
    flow.end().await;
}

/// A failure that it hears of is lost as well: it neither burns an attempt nor moves the row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_heard_after_the_lease_changes_nothing() {
    let flow = owed().await;
    let first = frozen(&flow, Behaviour::StallAt(At::Rcpt)).await;
    let mut second = Running::start_worker(&worker(&flow));
    second.ready().await;
    flow.mail
        .sink
        .wait_for(1, Duration::from_secs(20))
        .await
        .unwrap();
    second.stop().await;
    assert_eq!(row(&flow).await, "sent 2 1");
    flow.mail
        .sink
        .close_idle(Some("550 5.1.1 no such user"))
        .await;
    first.signal("CONT");
    let began = std::time::Instant::now();
    while !first
        .stderr()
        .contains("claim lost: another worker has this mail")
    {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "{}",
            first.stderr()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(row(&flow).await, "sent 2 1");
    first.stop().await;
    flow.end().await;
}

/// A worker that woke goes on as if nothing had been.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_woke_sends_what_is_owed() {
    let (flow, host, offered) = on_the_machines_clock().await;
    let mut worker = Running::start_worker(&worker(&flow));
    worker.ready().await;
    worker.signal("STOP");
    for (number, start) in offered.iter().take(4).enumerate() {
        let address = format!("b{number}@bookers.test");
        assert_eq!(flow.book(&host, start, &address).await.status, 201);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(flow.mail.sink.count(), 0);
    worker.signal("CONT");
    flow.mail
        .sink
        .wait_for(4, Duration::from_secs(35))
        .await
        .unwrap();
    worker.stop().await;
    flow.end().await;
}
