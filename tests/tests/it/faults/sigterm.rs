//! SIGTERM with a send in flight: the program ends with 0 within 35 seconds, and nothing is lost.

use std::time::{Duration, Instant};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use holdfast_tests::{
    Flow,
    app::Options,
    flow::SAM,
    host::starts,
    process::{Running, Settings, free_port},
    smtp_sink::{At, Behaviour},
};

/// A hold whose mail is owed, on the machine's clock.
async fn owed() -> Flow {
    let flow = Flow::with(Options {
        system_clock: true,
        ..Options::default()
    })
    .await;
    let host = flow.host("ana").by_mail().make().await;
    let now = flow.context.clock.now();
    let path = host.slots(
        &now.plus_minutes(2 * 24 * 60).to_string(),
        &now.plus_minutes(4 * 24 * 60).to_string(),
        "UTC",
    );
    let start = starts(&flow.get(&path).await.json())[0].to_string();
    assert_eq!(flow.book(&host, &start, SAM).await.status, 201);
    flow
}

fn worker(flow: &Flow) -> Settings {
    Settings::web(&flow.database)
        .with(
            "HOLDFAST_KEYS",
            format!("test:{}", STANDARD.encode([7; 32])),
        )
        .without("HOLDFAST_ROLE")
        .with("HOLDFAST_LISTEN", format!("127.0.0.1:{}", free_port()))
        .with("HOLDFAST_SMTP_URL", flow.mail.sink.url())
}

/// Waits until the mail is being sent.
async fn sending(flow: &Flow) {
    for _ in 0..2_000 {
        if flow.count("manage_tokens").await > 0 && flow.mail.sink.open_connections() > 0 {
            tokio::time::sleep(Duration::from_millis(200)).await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("nothing is being sent");
}

async fn row(flow: &Flow) -> String {
    flow.text(
        "SELECT concat_ws(' ', coalesce(outcome, 'owed'), attempts, uncertain) FROM mail_outbox",
    )
    .await
}

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
