//! A mail leaves within a second of its commit, whoever committed and however the worker hears.

use std::time::{Duration, Instant};

use holdfast_tests::{
    Flow,
    app::Options,
    flow::{self, SAM},
    host::{TestHost, starts},
    mail::worker,
};
use shared::{
    locale::Locale,
    ops::{self, Authority, Context},
    store::pool,
    wake::Wake,
};

const SECOND: Duration = Duration::from_secs(1);

/// On the machine's clock, as in production.
async fn running() -> (Flow, TestHost) {
    let flow = Flow::with(Options {
        system_clock: true,
        ..Options::default()
    })
    .await;
    let host = flow.host("ana").free("every day 0:00-24:00").make().await;
    (flow, host)
}

/// A free slot some days on.
async fn free_slot(flow: &Flow, host: &TestHost) -> String {
    let now = flow.context.clock.now();
    let (from, to) = (now.plus_minutes(3 * 24 * 60), now.plus_minutes(4 * 24 * 60));
    let path = host.slots(&from.to_string(), &to.to_string(), "UTC");
    starts(&flow.get(&path).await.json())[0].to_string()
}

/// A wish for a slot, past HTTP.
fn wish(host: &TestHost, start: &str) -> ops::Take {
    ops::Take {
        handle: host.handle.clone(),
        code: host.page.rsplit('/').next().unwrap().to_owned(),
        request: serde_json::from_value(flow::wish(start, SAM)).unwrap(),
        wished: Locale::En,
        ip: None,
        idempotency_key: None,
    }
}

/// Waits until the worker listens and is idle.
async fn settled(flow: &Flow) {
    for _ in 0..500 {
        let listening = flow
            .count("pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'")
            .await;
        if listening == 1 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the worker does not listen");
}

async fn arrives(flow: &Flow, wanted: usize, since: Instant) {
    flow.mail
        .sink
        .wait_for(wanted, Duration::from_secs(20))
        .await
        .unwrap();
    let took = since.elapsed();
    assert!(took < SECOND, "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_in_this_process_wakes_the_worker() {
    let (mut flow, host) = running().await;
    let worker = worker(&flow);
    settled(&flow).await;
    for round in 0..3 {
        let start = free_slot(&flow, &host).await;
        let began = Instant::now();
        assert_eq!(flow.book(&host, &start, SAM).await.status, 201);
        arrives(&flow, 2 * (round + 1), began).await;
    }
    worker.stop().await;
    flow.mail.reopen();
    flow.end().await;
}

/// Commits of another process: one NOTIFY after them, coalesced.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_elsewhere_wakes_the_worker() {
    let (mut flow, host) = running().await;
    let worker = worker(&flow);
    settled(&flow).await;
    let other_pool = pool::open(pool::tuned(flow.database.options()), 2);
    let elsewhere = Context {
        wake: Wake::elsewhere(other_pool.clone()),
        ..flow.context.clone()
    };
    // Booked without a word: the row alone wakes nobody.
    let silent = Context {
        wake: Wake::here(),
        ..flow.context.clone()
    };
    for round in 0..3 {
        let start = free_slot(&flow, &host).await;
        let began = Instant::now();
        let taken = ops::book(&elsewhere, wish(&host, &start)).await.unwrap();
        arrives(&flow, 4 * round + 2, began).await;
        let token = taken.token.unwrap();
        let began = Instant::now();
        ops::cancel(&silent, Authority::Token(token.as_str()), None, None)
            .await
            .unwrap();
        elsewhere.wake.mail_is_owed();
        arrives(&flow, 4 * round + 4, began).await;
    }
    worker.stop().await;
    flow.mail.reopen();
    other_pool.close().await;
    flow.end().await;
}

/// The earliest due instant is waited for by a timer, without a word from anybody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reminder_leaves_when_it_is_due() {
    let (mut flow, host) = running().await;
    let worker = worker(&flow);
    settled(&flow).await;
    let start = free_slot(&flow, &host).await;
    assert_eq!(flow.book(&host, &start, SAM).await.status, 201);
    flow.mail
        .sink
        .wait_for(2, Duration::from_secs(20))
        .await
        .unwrap();
    // The worker is told of them once, and then waits for their time.
    flow.sql("UPDATE mail_outbox SET due_at = clock_timestamp() + interval '2 s' WHERE kind = 'reminder'").await;
    flow.context.wake.mail_is_owed();
    tokio::time::sleep(SECOND).await;
    assert_eq!(flow.mail.sink.count(), 2, "not early");
    let began = Instant::now() + SECOND;
    flow.mail
        .sink
        .wait_for(4, Duration::from_secs(20))
        .await
        .unwrap();
    assert!(began.elapsed() < SECOND, "{:?}", began.elapsed());
    worker.stop().await;
    flow.mail.reopen();
    // Not the invariants: these reminders were sent two days before their own time.
    flow.app.end().await;
}

/// The listening connection is lost: the worker listens again and looks for what it missed. Red if
/// it does not look: the mail would wait for the slow poll.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_whose_listener_was_cut_off_listens_again() {
    let (mut flow, host) = running().await;
    let worker = worker(&flow);
    settled(&flow).await;
    let other_pool = pool::open(pool::tuned(flow.database.options()), 1);
    let elsewhere = Context {
        wake: Wake::elsewhere(other_pool.clone()),
        ..flow.context.clone()
    };
    let silent = Context {
        wake: Wake::here(),
        ..flow.context.clone()
    };
    let start = free_slot(&flow, &host).await;
    ops::book(&silent, wish(&host, &start)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(flow.mail.sink.count(), 0, "nobody said a word");
    let cut = flow.count("(SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%') cut").await;
    assert_eq!(cut, 1);
    // What nobody heard of is found on listening again.
    flow.mail
        .sink
        .wait_for(2, Duration::from_secs(5))
        .await
        .unwrap();
    settled(&flow).await;
    let began = Instant::now();
    let token = flow.mail.token(SAM);
    ops::cancel(&elsewhere, Authority::Token(&token), None, None)
        .await
        .unwrap();
    arrives(&flow, 4, began).await;
    worker.stop().await;
    flow.mail.reopen();
    other_pool.close().await;
    flow.end().await;
}
