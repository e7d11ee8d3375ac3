//! Claims, leases and waits.

use std::time::Duration;

use holdfast_tests::{
    Flow,
    feeds::{self, FeedServer, Reply, file, ok, reaching, status},
};
use holdfast_worker::syncs;
use serde_json::json;
use shared::{
    ops::subscription::{self, Outcome},
    store::calendar_syncs::LEASE_MIN,
};
use tokio_util::sync::CancellationToken;

use super::{report, subscribe};

/// Two workers never read one calendar at once; a worker that died leaves it at the end of its
/// lease, and what it writes afterwards counts for nothing. Red when `hold` or `succeed` forget the
/// claim.
#[tokio::test]
async fn a_claim_is_one_workers_until_its_lease_ends() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    subscribe(&flow, &key, "https://feeds.test/1.ics").await;
    let context = &flow.context;
    let (one, two) = tokio::join!(
        subscription::claim(context, 4),
        subscription::claim(context, 4)
    );
    let (mut one, two) = (one.unwrap(), two.unwrap());
    one.extend(two);
    assert_eq!(one.len(), 1);
    let dead = one.remove(0);
    let now = context.clock.now();
    context.clock.set(now.plus_minutes(LEASE_MIN));
    let alive = subscription::claim(context, 4).await.unwrap().remove(0);
    assert_eq!(alive.attempts, 2);
    let body = |uid: u32| {
        file(&format!(
            "BEGIN:VEVENT\nUID:{uid}\nDTSTART:20260602T100000Z\nEND:VEVENT"
        ))
        .into_bytes()
    };
    let late = subscription::take_file(context, &dead, body(1), (None, None), 900).await;
    assert_eq!(late.unwrap(), Outcome::Lost);
    assert_eq!(
        subscription::not_modified(context, &dead, 900)
            .await
            .unwrap(),
        Outcome::Lost
    );
    subscription::fail(context, &dead, "timed_out", 60)
        .await
        .unwrap();
    assert_eq!(flow.count("events").await, 0);
    assert_eq!(
        flow.count("calendars WHERE last_good_sync_at IS NOT NULL")
            .await,
        0
    );
    assert_eq!(
        flow.count("calendar_syncs WHERE error_class IS NOT NULL")
            .await,
        0
    );
    let good = subscription::take_file(context, &alive, body(2), (None, None), 900).await;
    assert_eq!(good.unwrap(), Outcome::Changed);
    assert_eq!(
        flow.count("calendar_syncs WHERE claim_id IS NULL AND attempts = 0")
            .await,
        1
    );
    flow.end().await;
}

/// Asking for a reading while one is under way is not lost: there is another after it.
#[tokio::test]
async fn asking_during_a_reading_reads_once_more() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let calendar = subscribe(&flow, &key, "https://feeds.test/1.ics").await;
    let claim = subscription::claim(&flow.context, 4)
        .await
        .unwrap()
        .remove(0);
    assert_eq!(
        report(&flow, &key, calendar).await["sync"]["is_running"],
        true
    );
    let path = format!("/v1/calendars/{calendar}/sync");
    assert_eq!(flow.post_signed(&key, &path, &json!({})).await.status, 202);
    assert!(
        subscription::claim(&flow.context, 4)
            .await
            .unwrap()
            .is_empty()
    );
    subscription::fail(&flow.context, &claim, "timed_out", 3_600)
        .await
        .unwrap();
    assert_eq!(
        subscription::claim(&flow.context, 4).await.unwrap().len(),
        1
    );
    flow.end().await;
}

/// Each failure waits longer than the one before, and a server that asks for more gets it.
#[tokio::test]
async fn failures_wait_longer_and_longer() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let server =
        FeedServer::start(|_| Reply::Bytes(status("503 Busy", "Retry-After: 600\r\n"))).await;
    subscribe(&flow, &key, &server.url("/")).await;
    let mut waits = Vec::new();
    for _ in 0..4 {
        assert_eq!(feeds::sync(&flow.context).await, 1);
        let now = flow.context.clock.now();
        let mut conn = flow.context.pool.acquire().await.unwrap();
        let due = shared::store::calendar_syncs::next_due(&mut conn)
            .await
            .unwrap()
            .unwrap();
        waits.push(due.since(now).as_mins());
        flow.context.clock.set(due);
    }
    assert_eq!(&waits[..2], &[10, 10], "as the server asked: {waits:?}");
    assert!((13..=17).contains(&waits[2]), "{waits:?}");
    assert!((27..=33).contains(&waits[3]), "{waits:?}");
    flow.end().await;
}

/// The running worker is woken by the subscription and reads it at once; when it stops, a calendar
/// whose server says nothing is given back.
#[tokio::test]
async fn the_running_worker_reads_what_is_subscribed_and_gives_back_what_it_cannot_end() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let quick = FeedServer::start(|_| Reply::Bytes(ok("", file("").as_bytes()))).await;
    let stuck = FeedServer::start(|_| Reply::Silence).await;
    let read = subscribe(&flow, &key, &quick.url("/")).await;
    let waiting = subscribe(&flow, &key, &stuck.url("/")).await;
    let closing = CancellationToken::new();
    let syncer = reaching(&flow.context, "127.0.0.1");
    let stop = closing.clone();
    let step = tokio::spawn(async move { syncs::step(&syncer, &stop).await.unwrap() });
    for _ in 0..200 {
        if !stuck.heard().is_empty()
            && report(&flow, &key, read).await["sync"]["last_good_at"].is_string()
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert!(report(&flow, &key, read).await["sync"]["last_good_at"].is_string());
    closing.cancel();
    assert_eq!(step.await.unwrap(), 2);
    let seen = report(&flow, &key, waiting).await;
    assert_eq!(seen["sync"]["is_running"], false, "{seen}");
    assert_eq!(seen["sync"]["error"], serde_json::Value::Null, "{seen}");
    assert_eq!(flow.count("calendar_syncs WHERE attempts > 0").await, 0);
    flow.end().await;
}
