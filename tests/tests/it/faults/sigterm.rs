//! SIGTERM with a send in flight: the program ends with 0 within 35 seconds, and nothing is lost.

use std::time::{Duration, Instant};

use holdfast_tests::{
    process::Running,
    smtp_sink::{At, Behaviour},
};

use super::{owed, row, sending, worker};

/// A send that comes to its end meanwhile is finished and acknowledged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_is_stopped_finishes_the_send_under_way() {
    let flow = owed().await;
    flow.mail
        .sink
        .behave(Behaviour::SlowBytes(Duration::from_millis(15)));
    let mut running = Running::start_worker(&worker(&flow));
    running.ready().await;
    sending(&flow).await;
    let asked = Instant::now();
    running.stop().await;
    assert!(
        asked.elapsed() < Duration::from_secs(20),
        "{:?}",
        asked.elapsed()
    );
    assert_eq!(row(&flow).await, "sent 1 0");
    assert_eq!(flow.mail.letters().len(), 1);
    flow.end().await;
}

/// One that does not end is left to its lease: the mail server was asked, and nobody can say
/// whether it took the mail. The next worker sends it, with the same Message-ID, and it is counted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_send_that_does_not_end_is_left_to_its_lease_and_counted() {
    let flow = owed().await;
    flow.mail.sink.behave(Behaviour::StallAt(At::Dot));
    let mut running = Running::start_worker(&worker(&flow));
    running.ready().await;
    sending(&flow).await;
    let asked = Instant::now();
    running.signal("TERM");
    let status = running.ended().await;
    assert_eq!(status.code(), Some(0), "{}", running.stderr());
    let took = asked.elapsed();
    assert!(took < Duration::from_secs(35), "{took:?}");
    // The send's own limit is as long as the wait: it may have ended without an answer.
    let left = row(&flow).await;
    assert!(["owed 1 0", "owed 1 1"].contains(&left.as_str()), "{left}");
    flow.mail.sink.behave(Behaviour::Accept);
    flow.sql("UPDATE mail_outbox SET due_at = now()").await;
    let mut running = Running::start_worker(&worker(&flow));
    running.ready().await;
    flow.mail
        .sink
        .wait_for(1, Duration::from_secs(20))
        .await
        .unwrap();
    running.stop().await;
    assert_eq!(row(&flow).await, "sent 2 1");
    flow.end().await;
}
