//! Budgets under many workers at once: exact, not about.

use holdfast_tests::{Flow, flow::wish, host::TestHost};
use holdfast_worker::{
    jobs::send_mail::{self, Post, Prepared},
    traffic::Traffic,
};
use serde_json::json;
use shared::{
    mail::budget::{MailBudgets, Suppression},
    store::mail_queue::{ClaimedMail, Lane},
};

use super::budgets::{OPEN, flow};

/// Books so many meetings, each with so many guests, whose addresses are named by `guest`.
async fn booked(
    flow: &Flow,
    host: &TestHost,
    meetings: usize,
    guests: usize,
    guest: impl Fn(usize, usize) -> String,
) {
    for meeting in 0..meetings {
        let start = format!(
            "2026-06-{:02}T{:02}:00:00Z",
            2 + meeting / 8,
            9 + meeting % 8
        );
        let mut wish = wish(&start, &format!("booker-{meeting}@bookers.test"));
        wish["guests"] = (0..guests)
            .map(|place| json!({ "email": guest(meeting, place) }))
            .collect();
        let answer = flow.ask(host, &wish).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
    }
}

/// Claims all that is due.
async fn claims(flow: &Flow) -> Vec<ClaimedMail> {
    let mut claims = Vec::new();
    while let Some(mail) = send_mail::claim(&flow.context, Lane::Prompt).await.unwrap() {
        claims.push(mail);
    }
    claims
}

/// What came of one mail.
#[derive(Debug, PartialEq, Eq)]
enum Came {
    Ready,
    Suppressed(Suppression),
}

/// Prepares all of them at once, each in a task of its own, over the pool's connections.
async fn prepare_all(post: &Post, claims: Vec<ClaimedMail>) -> Vec<(ClaimedMail, Came)> {
    // As many processes have slots of their own.
    let post = Post {
        traffic: Traffic::new(10_000, post.context.clock.clone()),
        ..post.clone()
    };
    let tasks: Vec<_> = claims
        .into_iter()
        .map(|mail| {
            let post = post.clone();
            tokio::spawn(async move {
                let came = match send_mail::prepare(&post, &mail, None).await.unwrap() {
                    Prepared::Ready(_) => Came::Ready,
                    Prepared::Suppress(suppressed) => Came::Suppressed(suppressed.why),
                    Prepared::Skip | Prepared::Defer | Prepared::Barred(..) | Prepared::Lost => {
                        panic!("{mail:?}")
                    }
                };
                (mail, came)
            })
        })
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        all.push(task.await.unwrap());
    }
    all
}

fn ready(all: &[(ClaimedMail, Came)], hosts: bool) -> usize {
    all.iter()
        .filter(|(mail, came)| (mail.recipient == "host") == hosts && *came == Came::Ready)
        .count()
}

/// The cap was far away when the lock was taken, and the ledger's ordinals say that it may be near
/// when the mail is counted: it is counted again by itself, and what the ordinals cannot know, that
/// most of them stand for nothing, does not hold it back. Red if being near is taken for being
/// reached.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cap_that_comes_near_meanwhile_is_counted_alone() {
    let flow = flow(MailBudgets {
        per_hour: 100_000,
        ..OPEN
    })
    .await;
    let host = flow.host("ana").by_mail().make().await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    let claims = claims(&flow).await;
    // `prepare` has its locks and waits for the booking's host.
    let mut blocker = flow.context.pool.begin_with("BEGIN").await.unwrap();
    sqlx::query("LOCK TABLE hosts IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *blocker)
        .await
        .unwrap();
    let post = flow.mail.post.clone();
    let preparing = tokio::spawn(async move { prepare_all(&post, claims).await });
    flow.somebody_waits().await;
    assert_eq!(
        flow.texts("SELECT DISTINCT mode FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE d.datname = current_database() AND l.locktype = 'advisory' AND granted ORDER BY 1").await,
        ["ExclusiveLock", "ShareLock"],
        "the address's alone, the cap's shared"
    );
    flow.sql(
        "INSERT INTO mail_ledger (claim_id, ordinal, mail_id, kind, at) VALUES (gen_random_uuid(), 0, gen_random_uuid(), 'sign_in', '2026-06-01 07:30+00');
         SELECT setval('mail_ledger_ordinal_seq', 100000)",
    )
    .await;
    blocker.rollback().await.unwrap();
    let all = preparing.await.unwrap();
    assert_eq!((all.len(), ready(&all, false)), (1, 1));
    flow.app.end().await;
}

/// Forty mails to one address are prepared at once, and seven of them leave. Red without the lock
/// of the address.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_preparers_reserve_no_more_for_one_address_than_it_may_get() {
    let flow = flow(MailBudgets {
        recipient_per_hour: 7,
        recipient_per_day: 20,
        ..OPEN
    })
    .await;
    let host = flow.host("ana").guests().make().await;
    booked(&flow, &host, 40, 1, |_, _| "kim@guests.test".into()).await;
    flow.sql("DELETE FROM mail_outbox WHERE recipient <> 'guest'")
        .await;
    let all = prepare_all(&flow.mail.post, claims(&flow).await).await;
    assert_eq!((all.len(), ready(&all, false)), (40, 7));
    assert!(
        all.iter().all(|(_, came)| *came == Came::Ready
            || *came == Came::Suppressed(Suppression::RecipientHour))
    );
    assert_eq!(flow.count("mail_ledger").await, 7);
    flow.app.end().await;
}

/// A small cap is always kept by one preparer at a time. Red without the cap's lock.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_preparers_reserve_no_more_than_a_small_cap() {
    let flow = flow(MailBudgets {
        per_hour: 23,
        ..OPEN
    })
    .await;
    let host = flow.host("ana").guests().make().await;
    // Preparers of one booking wait for each other anyway.
    booked(&flow, &host, 60, 0, |_, _| String::new()).await;
    let all = prepare_all(&flow.mail.post, claims(&flow).await).await;
    assert_eq!(all.len(), 120);
    let (hosts, strangers) = (ready(&all, true), ready(&all, false));
    assert_eq!(
        flow.count("mail_ledger").await,
        i64::try_from(hosts + strangers).unwrap()
    );
    // Hosts' mails may use the reserve of four; who came first is chance.
    assert!(
        strangers <= 23 && hosts + strangers == 27,
        "{strangers} of strangers, {hosts} of hosts"
    );
    assert_eq!(
        flow.count("manage_tokens WHERE mail_id IS NOT NULL").await,
        i64::try_from(
            all.iter()
                .filter(|(mail, came)| mail.recipient == "booker" && *came == Came::Ready)
                .count()
        )
        .unwrap()
    );
    flow.app.end().await;
}

/// A cap above the number of sessions: most reserve side by side, the last ones each alone, and
/// there are exactly as many as the cap. Red without the cap's lock.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_preparers_reach_a_large_cap_exactly() {
    let flow = flow(MailBudgets {
        per_hour: 0,
        ..OPEN
    })
    .await;
    let sessions = flow
        .count("generate_series(1, current_setting('max_connections')::int)")
        .await;
    let cap = u32::try_from(sessions).unwrap() + 30;
    let host = flow.host("ana").guests().make().await;
    let meetings = (cap as usize + 40) / 10;
    booked(&flow, &host, meetings, 10, |meeting, place| {
        format!("guest-{meeting}-{place}@guests.test")
    })
    .await;
    flow.sql("DELETE FROM mail_outbox WHERE recipient <> 'guest'")
        .await;
    let mut post = flow.mail.post.clone();
    post.context.limits.mail.per_hour = cap;
    let all = prepare_all(&post, claims(&flow).await).await;
    assert_eq!(all.len(), meetings * 10);
    assert_eq!(ready(&all, false), cap as usize);
    assert_eq!(flow.count("mail_ledger").await, i64::from(cap));
    flow.app.end().await;
}
