//! The circuit breaker: an outage of the mail server burns no attempts but the first few, and one bad
//! address cannot stall all mail.

use std::time::{Duration, Instant};

use holdfast_tests::{
    Flow,
    app::Options,
    flow::SAM,
    host::{TestHost, starts},
    logs,
    mail::worker,
    smtp_sink::{At, Behaviour},
};
use holdfast_worker::jobs::send_mail::JobEnd;

/// Holds by so many people, whose one mail each is owed.
async fn holds(flow: &Flow, host: &TestHost, count: usize) {
    for number in 0..count {
        let start = format!(
            "2026-06-04T{:02}:{:02}:00Z",
            9 + number / 2,
            number % 2 * 30
        );
        let answer = flow
            .book(host, &start, &format!("b{number}@x{number}.test"))
            .await;
        assert_eq!(answer.status, 201, "{}", answer.text());
    }
}

async fn attempts(flow: &Flow) -> Vec<String> {
    flow.texts("SELECT concat_ws(' ', coalesce(outcome, 'owed'), attempts) FROM mail_outbox ORDER BY due_at, id")
        .await
}

fn kinds(ends: &[JobEnd]) -> String {
    let letter = |end: &JobEnd| match end {
        JobEnd::Failed(_) => 'F',
        JobEnd::Deferred => 'p',
        JobEnd::HeldBack { .. } => 'd',
        JobEnd::Sent => 'S',
        JobEnd::Refused(_) => 'R',
        _ => '?',
    };
    ends.iter().map(letter).collect()
}

/// Whatever fails everybody: three attempts in a row, and the rest waits with its attempts. The probes
/// that fail before the recipient was named cost none either; the one that succeeds opens the way for
/// all. Red without the breaker: eight attempts a round.
#[tokio::test]
async fn an_outage_burns_three_attempts_and_mail_goes_on_by_itself_afterwards() {
    for (trouble, burnt_by_probe) in [
        (Behaviour::reply(At::Greeting, "554 5.7.1 go away"), false),
        (Behaviour::reply(At::Mail, "451 4.3.0 no"), false),
        (Behaviour::reply(At::Mail, "530 5.7.0 sign in"), false),
        (Behaviour::DropAt(At::Ehlo), false),
        (Behaviour::reply(At::Mail, "banana"), false),
        (Behaviour::reply(At::Rcpt, "554 5.7.1 policy"), true),
        (Behaviour::reply(At::Rcpt, "550 5.4.1 no route"), true),
        (Behaviour::reply(At::Data, "554 5.5.1 no"), true),
        (Behaviour::reply(At::Dot, "550 5.7.26 DMARC"), true),
    ] {
        let flow = Flow::start().await;
        let host = flow.host("ana").by_mail().minutes(30, 30).make().await;
        holds(&flow, &host, 8).await;
        flow.mail.sink.behave(trouble.clone());
        assert_eq!(kinds(&flow.mail.ends().await), "FFFddddd", "{trouble:?}");
        let rows = attempts(&flow).await;
        assert_eq!(
            rows,
            [["owed 0"; 5].as_slice(), &["owed 1"; 3]].concat(),
            "{trouble:?}"
        );
        // Held back for ten seconds; then one of them is the probe.
        flow.at("2026-06-01T08:00:10Z");
        let probed = if burnt_by_probe { "Fdddd" } else { "pdddd" };
        assert_eq!(kinds(&flow.mail.ends().await), probed, "{trouble:?}");
        flow.at("2026-06-01T08:00:29.999Z");
        flow.sql("UPDATE mail_outbox SET due_at = '2026-06-01 08:00:20+00' WHERE outcome IS NULL")
            .await;
        assert_eq!(
            kinds(&flow.mail.ends().await),
            "dddddddd",
            "the second wait is twice as long: {trouble:?}"
        );
        flow.mail.sink.behave(Behaviour::Accept);
        flow.at("2026-06-01T08:01:20Z");
        assert_eq!(kinds(&flow.mail.ends().await), "SSSSSSSS", "{trouble:?}");
        let log = logs::capture().text();
        assert!(log.contains("the mail server takes no mail, or our settings are wrong"));
        assert!(log.contains("the mail server answers again"));
        flow.end().await;
    }
}

/// Policy refusals of one address, time after time, leave everybody else's mail alone. Red if one
/// party is enough to open the breaker.
#[tokio::test]
async fn one_bad_address_cannot_stall_all_mail() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().minutes(30, 30).make().await;
    flow.mail
        .sink
        .behave_for(SAM, Behaviour::reply(At::Rcpt, "550 5.7.1 policy"));
    for hour in 9..17 {
        let start = format!("2026-06-04T{hour:02}:00:00Z");
        assert_eq!(flow.book(&host, &start, SAM).await.status, 201);
    }
    holds(&flow, &host, 0).await;
    assert_eq!(kinds(&flow.mail.ends().await), "FFFFFFFF");
    assert_eq!(
        flow.book(&host, "2026-06-04T09:30:00Z", "kim@x.test")
            .await
            .status,
        201
    );
    assert_eq!(kinds(&flow.mail.ends().await), "S");
    flow.mail.sink.behave_for(SAM, Behaviour::Accept);
    flow.at("2026-06-01T08:01:00Z");
    flow.end().await;
}

/// A hanging domain is no outage: silence about three of its addresses opens nothing.
#[tokio::test]
async fn a_domain_that_hangs_does_not_open_it() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().minutes(30, 30).make().await;
    for (hour, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let address = format!("{name}@slow.test");
        let start = format!("2026-06-04T{:02}:00:00Z", 9 + hour);
        assert_eq!(flow.book(&host, &start, &address).await.status, 201);
    }
    flow.mail.sink.behave(Behaviour::DropAt(At::Rcpt));
    assert_eq!(kinds(&flow.mail.ends().await), "FFFF");
    // The same silence about another domain makes two parties of it.
    assert_eq!(
        flow.book(&host, "2026-06-04T14:00:00Z", SAM).await.status,
        201
    );
    assert_eq!(kinds(&flow.mail.ends().await), "F");
    assert_eq!(
        flow.book(&host, "2026-06-04T15:00:00Z", "kim@x.test")
            .await
            .status,
        201
    );
    assert_eq!(kinds(&flow.mail.ends().await), "d");
    flow.mail.sink.behave(Behaviour::Accept);
    flow.at("2026-06-01T08:01:00Z");
    flow.end().await;
}

/// A running worker, without a restart: while the breaker is open nothing is even claimed, and within
/// its wait after the recovery everything has left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_worker_recovers_by_itself() {
    let mut flow = Flow::with(Options {
        system_clock: true,
        ..Options::default()
    })
    .await;
    let host = flow
        .host("ana")
        .by_mail()
        .minutes(30, 30)
        .free("every day 0:00-24:00")
        .make()
        .await;
    let now = flow.context.clock.now();
    let path = host.slots(
        &now.plus_minutes(2 * 24 * 60).to_string(),
        &now.plus_minutes(4 * 24 * 60).to_string(),
        "UTC",
    );
    let starts = starts(&flow.get(&path).await.json());
    flow.mail
        .sink
        .behave(Behaviour::reply(At::Greeting, "421 4.3.2 down"));
    let running = worker(&flow);
    for (number, start) in starts.iter().take(20).enumerate() {
        let address = format!("b{number}@x{number}.test");
        let answer = flow.book(&host, &start.to_string(), &address).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let untouched = flow
        .count("mail_outbox WHERE attempts = 0 AND claim_id IS NULL")
        .await;
    assert!(untouched >= 16, "{untouched}");
    assert_eq!(flow.mail.sink.count(), 0);
    let connections = flow.mail.sink.connections();
    assert!(connections <= 5, "it is asked no more: {connections}");
    flow.mail.sink.behave(Behaviour::Accept);
    let recovered = Instant::now();
    let most = usize::try_from(untouched).unwrap();
    flow.mail
        .sink
        .wait_for(most, Duration::from_secs(40))
        .await
        .unwrap();
    assert!(recovered.elapsed() < Duration::from_secs(30));
    // Those whose attempts were burnt come by their backoff.
    flow.sql("UPDATE mail_outbox SET due_at = now() WHERE outcome IS NULL AND claim_id IS NULL AND kind <> 'reminder'").await;
    flow.mail
        .sink
        .wait_for(20, Duration::from_secs(40))
        .await
        .unwrap();
    running.stop().await;
    flow.mail.reopen();
    flow.end().await;
}
