//! Two workers whose machines' clocks are an hour apart. Instants that decide come from the one clock
//! that they share, the database's.

use std::{collections::BTreeSet, time::Duration};

use holdfast_tests::{feeds, mail};
use holdfast_worker::{
    Pulse, Settings, Worker,
    jobs::send_mail::{self, Post},
};
use jiff::SignedDuration;
use shared::{clock::Clock, ops::Context, store::mail_queue::Lane};
use tokio::sync::Notify;

use super::on_the_machines_clock;

/// A context on a machine whose clock is wrong by so many minutes.
fn wrong_by(context: &Context, minutes: i64) -> Context {
    Context {
        clock: Clock::wrong_by(SignedDuration::from_mins(minutes)),
        ..context.clone()
    }
}

/// A lease is ten minutes of the database's, whoever takes it: a fast clock ends nobody else's early,
/// and a slow one keeps none longer. Red if the claim takes the worker's own clock.
#[tokio::test]
async fn a_lease_is_ten_minutes_by_the_databases_clock() {
    let (flow, host, offered) = on_the_machines_clock().await;
    assert_eq!(
        flow.book(&host, &offered[0], "sam@bookers.test")
            .await
            .status,
        201
    );
    let (slow, fast) = (wrong_by(&flow.context, -30), wrong_by(&flow.context, 30));
    for (first, second) in [(&slow, &fast), (&fast, &slow)] {
        let claimed = send_mail::claim(first, Lane::Prompt)
            .await
            .unwrap()
            .expect("it is due");
        let lease = claimed.due_at.since(claimed.claimed_at);
        assert_eq!(lease, SignedDuration::from_mins(10));
        let off = claimed.claimed_at.since(flow.context.clock.now()).as_secs();
        assert!(off.abs() < 60, "claimed {off} s from now");
        assert!(
            send_mail::claim(second, Lane::Prompt)
                .await
                .unwrap()
                .is_none()
        );
        // Its end comes by the database's clock as well.
        flow.sql("UPDATE mail_outbox SET due_at = clock_timestamp() + interval '1 second'")
            .await;
        assert!(
            send_mail::claim(second, Lane::Prompt)
                .await
                .unwrap()
                .is_none()
        );
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let taken = send_mail::claim(second, Lane::Prompt)
            .await
            .unwrap()
            .expect("the lease is over");
        assert!(taken.taken_over);
        let post = mail::post(second, &flow.mail.sink);
        let end = send_mail::run(&post, &taken, || {}).await;
        send_mail::finish(second, &taken, &end).await.unwrap();
        // The first one has nothing to say any more.
        let first_post = mail::post(first, &flow.mail.sink);
        let end = send_mail::run(&first_post, &claimed, || panic!("sends")).await;
        assert_eq!(end, send_mail::JobEnd::Lost);
        flow.sql("UPDATE mail_outbox SET outcome = NULL, outcome_at = NULL, attempts = 0, uncertain = uncertain + 1, due_at = clock_timestamp()").await;
    }
    flow.end().await;
}

fn run(flow: &holdfast_tests::Flow, context: Context) -> Worker {
    let post = Post {
        context: context.clone(),
        ..mail::post(&context, &flow.mail.sink)
    };
    Worker::start(Settings {
        post,
        concurrency: 4,
        syncer: feeds::syncer(&context),
        wake: std::sync::Arc::new(Notify::new()),
        listen: flow.database.options(),
        pulse: Pulse::default(),
    })
    .unwrap()
}

/// They share the work: every mail goes out once, and says the time that it is. A hold that is open by
/// the database's clock is open, though one of the machines thinks that it lapsed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_an_hour_apart_send_each_mail_once() {
    let (flow, host, offered) = on_the_machines_clock().await;
    let workers = [-30, 30].map(|minutes| run(&flow, wrong_by(&flow.context, minutes)));
    let count = offered.len().min(40);
    for (number, start) in offered.iter().take(count).enumerate() {
        let address = format!("b{number}@x{}.test", number % 5);
        assert_eq!(flow.book(&host, start, &address).await.status, 201);
    }
    // NOTIFY comes from another process in life; here the workers' own look finds it.
    flow.sql("SELECT pg_notify('holdfast_mail', '')").await;
    flow.mail
        .sink
        .wait_for(count, Duration::from_secs(60))
        .await
        .unwrap();
    for worker in workers {
        worker.stop().await;
    }
    let letters = flow.mail.letters();
    assert_eq!(letters.len(), count, "each once");
    for letter in &letters {
        let off = letter.date.since(flow.context.clock.now()).as_secs();
        assert!(off.abs() < 300, "dated {off} s from now");
    }
    let by = flow
        .texts("SELECT DISTINCT claimed_by FROM mail_outbox")
        .await;
    let by: BTreeSet<String> = by.into_iter().collect();
    assert!(
        !by.is_empty() && by.iter().all(|name| !name.is_empty()),
        "{by:?}"
    );
    assert_eq!(
        flow.count("mail_outbox WHERE outcome = 'sent' AND attempts = 1 AND uncertain = 0")
            .await,
        i64::try_from(count).unwrap()
    );
    flow.end().await;
}
