//! A domain that is limited by the mail server is left alone for ten minutes, and at most ten times a
//! mail.

use holdfast_tests::{
    Flow,
    flow::SAM,
    host::TestHost,
    smtp_sink::{At, Behaviour},
};
use shared::store::mail_queue::MAX_PAUSES;

/// Holds by people at `slow.test`, one after the other.
async fn holds(flow: &Flow, host: &TestHost, names: &[&str]) {
    for (number, name) in names.iter().enumerate() {
        let start = format!(
            "2026-06-04T{:02}:{:02}:00Z",
            9 + number / 2,
            number % 2 * 30
        );
        let answer = flow.book(host, &start, &format!("{name}@slow.test")).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
    }
}

/// Attempts, pauses and due time of each mail, in order.
async fn rows(flow: &Flow) -> Vec<String> {
    flow.texts("SELECT concat_ws(' ', coalesce(outcome, 'owed'), attempts, pauses, to_char(due_at AT TIME ZONE 'UTC', 'HH24:MI:SS')) FROM mail_outbox ORDER BY created_at, id")
        .await
}

/// 421 or 451 with 4.7.x, other than greylisting at RCPT: the row fails, the domain's other mail is put
/// off for ten minutes with its attempts, other domains are not touched. Red without the pause.
#[tokio::test]
async fn a_limited_domain_is_left_alone_for_ten_minutes_and_others_are_not() {
    for (at, reply) in [
        (At::Rcpt, "421 4.7.0 slow down"),
        (At::Data, "451 4.7.1 slow down"),
        (At::Dot, "421 4.7.28 rate"),
        (At::Dot, "451 4.7.500 busy"),
    ] {
        let flow = Flow::start().await;
        let host = flow.host("ana").by_mail().minutes(30, 30).make().await;
        holds(&flow, &host, &["a", "b", "c", "d"]).await;
        flow.mail.sink.behave(Behaviour::reply(at, reply));
        flow.mail.drain().await;
        assert_eq!(
            rows(&flow).await,
            [
                "owed 1 0 08:01:00",
                "owed 0 1 08:10:00",
                "owed 0 1 08:10:00",
                "owed 0 1 08:10:00"
            ],
            "{reply}"
        );
        flow.mail.sink.behave(Behaviour::Accept);
        assert_eq!(
            flow.book(&host, "2026-06-04T14:00:00Z", SAM).await.status,
            201
        );
        let to: Vec<String> = flow.mail.drain().await.into_iter().map(|l| l.to).collect();
        assert_eq!(to, [SAM], "{reply}");
        // The one that met the limit is due by its backoff, and put off like the others.
        flow.at("2026-06-01T08:01:00Z");
        assert!(flow.mail.drain().await.is_empty());
        assert_eq!(rows(&flow).await[0], "owed 1 1 08:10:00", "{reply}");
        flow.at("2026-06-01T08:10:00Z");
        assert_eq!(flow.mail.drain().await.len(), 4, "{reply}");
        flow.end().await;
    }
}

/// Greylisting at RCPT, a full mailbox and a busy one are about the address: nobody else waits.
#[tokio::test]
async fn greylisting_pauses_nobody() {
    for reply in [
        "451 4.7.1 greylisted",
        "450 4.7.0 greylisted",
        "450 4.2.1 busy",
        "452 4.2.2 full",
    ] {
        let flow = Flow::start().await;
        let host = flow.host("ana").by_mail().minutes(30, 30).make().await;
        holds(&flow, &host, &["a", "b"]).await;
        flow.mail
            .sink
            .behave_times(1, Behaviour::reply(At::Rcpt, reply));
        assert_eq!(flow.mail.drain().await.len(), 1, "{reply}");
        assert_eq!(
            rows(&flow).await,
            ["owed 1 0 08:01:00", "sent 1 0 08:10:00"],
            "{reply}"
        );
        flow.at("2026-06-01T08:01:00Z");
        flow.end().await;
    }
}

/// Ten times and no more: then a mail is tried whatever its domain said last. Red without the count.
#[tokio::test]
async fn a_mail_is_put_off_ten_times_at_most() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().minutes(30, 30).make().await;
    flow.mail
        .sink
        .behave(Behaviour::reply(At::Rcpt, "421 4.7.0 slow down"));
    holds(&flow, &host, &["a", "b", "c"]).await;
    flow.mail.drain().await;
    flow.sql("UPDATE mail_outbox SET due_at = '2026-06-01 08:05+00', pauses = CASE WHEN attempts > 0 THEN 0 WHEN id = (SELECT max(id::text)::uuid FROM mail_outbox) THEN 9 ELSE 10 END").await;
    flow.at("2026-06-01T08:05:00Z");
    flow.mail.drain().await;
    let mut rows = rows(&flow).await;
    rows.sort();
    // The second pause began when the mail that had been put off ten times was refused as well.
    assert_eq!(MAX_PAUSES, 10);
    assert_eq!(
        rows,
        [
            "owed 0 10 08:10:00",
            "owed 1 1 08:10:00",
            "owed 1 10 08:06:00"
        ],
    );
    flow.mail.sink.behave(Behaviour::Accept);
    flow.at("2026-06-01T08:15:00Z");
    flow.end().await;
}

/// The database learns which mail goes to the domain, and nothing else of it: no name is written.
#[tokio::test]
async fn only_a_keyed_fingerprint_of_the_domain_is_written_and_only_when_it_is_needed() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().minutes(30, 30).make().await;
    holds(&flow, &host, &["a", "b", "c"]).await;
    flow.mail
        .sink
        .behave(Behaviour::reply(At::Rcpt, "450 4.2.0 later"));
    flow.mail.drain().await;
    let known = "mail_outbox WHERE domain_fp IS NOT NULL";
    assert_eq!(flow.count(known).await, 0);
    flow.mail
        .sink
        .behave(Behaviour::reply(At::Rcpt, "421 4.7.0 slow down"));
    flow.at("2026-06-01T08:01:00Z");
    flow.mail.drain().await;
    assert_eq!(
        flow.count(known).await,
        1,
        "one was due and in nobody's hands"
    );
    for (_, rows) in flow.database.rows().await {
        assert!(!rows.iter().any(|row| row.contains("slow")), "{rows:?}");
    }
    flow.mail.sink.behave(Behaviour::Accept);
    flow.at("2026-06-01T08:11:00Z");
    flow.end().await;
}
