//! A worker that stops: nothing is lost, and what no mail server was asked about is given back.

use std::time::Duration;

use holdfast_tests::{Flow, flow::SAM, mail::worker, smtp_sink::Behaviour};

/// A send that is under way when the worker stops finishes, and is acknowledged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_send_under_way_is_finished_first() {
    let mut flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    flow.mail
        .sink
        .behave(Behaviour::SlowBytes(Duration::from_millis(4)));
    let running = worker(&flow);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(
        flow.book(&host, "2026-06-04T10:00:00Z", SAM).await.status,
        201
    );
    for _ in 0..500 {
        if flow.mail.sink.open_connections() > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running.stop().await;
    flow.mail.reopen();
    assert_eq!(flow.mail.sink.count(), 1);
    assert_eq!(
        flow.text("SELECT concat_ws(' ', outcome, attempts) FROM mail_outbox")
            .await,
        "sent 1"
    );
    flow.end().await;
}

/// After the stop nothing is claimed any more, whoever calls.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_worker_claims_nothing() {
    let mut flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let running = worker(&flow);
    tokio::time::sleep(Duration::from_millis(100)).await;
    running.stop().await;
    flow.mail.reopen();
    assert_eq!(
        flow.book(&host, "2026-06-04T10:00:00Z", SAM).await.status,
        201
    );
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(
        flow.text("SELECT concat_ws(' ', attempts, outcome) FROM mail_outbox")
            .await,
        "0"
    );
    flow.end().await;
}
