//! Budgets of mail, one mail after the other. What many workers do at once is in
//! `budgets_of_many`.

use holdfast_tests::{
    Flow,
    app::{Options, at},
    flow::{SAM, wish},
    logs,
    smtp_sink::{At, Behaviour},
};
use holdfast_worker::{
    jobs::send_mail::{self, JobEnd},
    sweeps,
    traffic::Traffic,
};
use jiff::SignedDuration;
use serde_json::json;
use shared::{
    config::Limits,
    fingerprint::Purpose,
    id,
    mail::budget::{MailBudgets, Suppression},
    ops,
    store::{
        budget,
        mail_queue::{ClaimedMail, Lane},
    },
    token::hex,
};

use super::{claim, page};

/// No limit that matters here.
pub(super) const OPEN: MailBudgets = MailBudgets {
    recipient_per_hour: 1_000_000,
    recipient_per_day: 1_000_000,
    sign_in_per_hour: 1_000_000,
    sign_in_per_day: 1_000_000,
    per_hour: 0,
};

/// A flow with these budgets and no other limit.
pub(super) async fn flow(mail: MailBudgets) -> Flow {
    let options = Options::default();
    Flow::with(Options {
        // Ids that no other test's lines in the log have.
        seed: 20_261_202 + u64::from(mail.recipient_per_hour),
        limits: Limits {
            mail,
            ..options.limits
        },
        // So many workers can prepare side by side.
        connections: 30,
        ..options
    })
    .await
}

/// Sends what is due; a second passes, so that rows are in order by when they were written.
async fn drain(flow: &Flow) -> usize {
    let letters = flow.mail.drain().await;
    flow.context.clock.advance(SignedDuration::from_secs(1));
    letters.len()
}

/// Per recipient, in an hour and in a day.
fn recipient(recipient_per_hour: u32, recipient_per_day: u32) -> MailBudgets {
    MailBudgets {
        recipient_per_hour,
        recipient_per_day,
        ..OPEN
    }
}

/// Rows by outcome and reason, of everybody but hosts.
async fn strangers(flow: &Flow) -> Vec<String> {
    flow.texts(
        "SELECT concat_ws(' ', kind, recipient, coalesce(outcome, 'owed'), suppression_reason) FROM mail_outbox
          WHERE recipient <> 'host' AND lane = 'prompt' ORDER BY created_at, revision, priority, id",
    )
    .await
}

/// Five an hour to one address, whatever it is to whichever booking of whichever host. The sixth is
/// held back for good; the booking stands, its host hears of it, and nobody else is held back. Red
/// if `prepare` does not reserve.
#[tokio::test]
async fn the_sixth_mail_to_an_address_in_an_hour_is_suppressed_for_good() {
    let captured = logs::capture();
    let flow = flow(recipient(5, 20)).await;
    let (ana, bob) = (
        flow.host("ana").guests().make().await,
        flow.host("bob").guests().make().await,
    );
    let (kim, written) = ("kim@guests.test", " KIM@guests.TEST ");
    // Twice the booker, four times a guest; addresses differ by case and space alone.
    for (host, hour, booker, guest) in [
        (&ana, 10, kim, None),
        (&bob, 11, written, None),
        (&ana, 12, "one@bookers.test", Some(kim)),
        (&bob, 13, "two@bookers.test", Some("Kim@Guests.test")),
        (&ana, 14, "three@bookers.test", Some(kim)),
        (&bob, 15, "four@bookers.test", Some(kim)),
    ] {
        let mut wish = wish(&format!("2026-06-03T{hour}:00:00Z"), booker);
        if let Some(guest) = guest {
            wish["guests"] = json!([{ "email": guest }]);
        }
        let answer = flow.ask(host, &wish).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        drain(&flow).await;
    }
    assert_eq!(
        strangers(&flow).await[6..],
        [
            "confirmed booker sent",
            "confirmed guest sent",
            "confirmed booker sent",
            "confirmed guest suppressed recipient_hour",
        ]
    );
    assert_eq!(
        flow.count(
            "mail_outbox WHERE kind = 'confirmed' AND recipient = 'host' AND outcome = 'sent'"
        )
        .await,
        6
    );
    // One line, which names the fingerprint that the ledger has and no address.
    let fingerprint = hex(&flow
        .context
        .keys
        .fingerprint
        .of_address(Purpose::MailLedger, &kim.parse().unwrap()));
    let row = flow
        .text("SELECT id::text FROM mail_outbox WHERE outcome = 'suppressed'")
        .await;
    let log = captured.text();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(&row)).collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("\"WARN\"")
            && lines[0].contains(&fingerprint)
            && lines[0].contains("recipient_hour")
            && !lines[0].to_lowercase().contains("kim@"),
        "{}",
        lines[0]
    );
    assert_eq!(
        flow.count(&format!(
            "mail_ledger WHERE encode(recipient_fp, 'hex') = '{fingerprint}'"
        ))
        .await,
        5
    );
    // Not even when there is budget again, and nothing of the booking changes.
    flow.at("2026-06-02T09:00:00Z");
    assert_eq!(drain(&flow).await, 0);
    assert_eq!(
        flow.texts("SELECT DISTINCT state FROM bookings").await,
        ["confirmed"]
    );
    flow.end().await;
}

/// A mail that is held back makes no link: the mails that left opened the booking, this one cannot.
#[tokio::test]
async fn a_suppressed_mail_mints_no_token() {
    let flow = flow(recipient(1, 20)).await;
    let host = page(&flow).await;
    let token = flow.link(&host, "2026-06-04T10:00:00Z", SAM).await;
    assert_eq!(flow.count("manage_tokens").await, 1);
    assert_eq!(flow.confirm(&token).await.status, 200);
    let ends = flow.mail.ends().await;
    assert!(
        matches!(
            ends[..],
            [JobEnd::Sent, JobEnd::Suppressed(suppressed)] if suppressed.why == Suppression::RecipientHour
        ),
        "{ends:?}"
    );
    assert_eq!(flow.mail.arrived().len(), 1);
    assert_eq!(flow.count("manage_tokens").await, 1);
    assert_eq!(flow.look("", &token).await.status, 200);
    // The move and the cancellation are changes like any other, mailed to the host alone.
    assert_eq!(
        flow.reschedule(&token, "2026-06-04T12:00:00Z", 1)
            .await
            .status,
        200
    );
    assert_eq!(flow.mail.drain().await.len(), 1);
    assert_eq!(flow.cancel(&token).await.status, 200);
    assert_eq!(flow.mail.drain().await.len(), 1);
    flow.end().await;
}

/// The hour and the day roll: what was sent at an instant counts for less than an hour, and less
/// than a day, after it.
#[tokio::test]
async fn the_hour_and_the_day_roll_to_the_microsecond() {
    let flow = flow(recipient(2, 5)).await;
    let host = flow.host("ana").make().await;
    let mut slots = (2..30)
        .flat_map(|day| (9..17).map(move |hour| format!("2026-06-{day:02}T{hour:02}:00:00Z")));
    let mut outcomes = Vec::new();
    let micro = SignedDuration::from_micros(1);
    let start = at("2026-06-01T08:00:00Z");
    // Minutes after the first, and how many microseconds before that.
    for (minutes, before) in [
        (0, 0),
        (10, 0),
        (20, 0),
        (60, 1),
        (60, 0),
        (61, 0),
        (70, 0),
        (180, 0),
        (24 * 60, 1),
        (24 * 60, 0),
        (24 * 60 + 1, 0),
    ] {
        let now = start
            .plus_minutes(minutes)
            .plus(-(micro.checked_mul(before).unwrap()));
        flow.context.clock.set(now);
        let slot = slots.by_ref().find(|slot| at(slot) > now).unwrap();
        flow.booked(&host, &slot).await;
        flow.mail.drain().await;
        let ending = flow
            .text("SELECT coalesce(suppression_reason, outcome) FROM mail_outbox WHERE kind = 'confirmed' AND recipient = 'booker' ORDER BY created_at DESC, id DESC LIMIT 1")
            .await;
        outcomes.push(ending);
        // Reminders would count too.
        flow.sql("DELETE FROM mail_outbox WHERE lane = 'reminder'")
            .await;
    }
    assert_eq!(
        outcomes,
        [
            "sent",           // 08:00
            "sent",           // 08:10
            "recipient_hour", // 08:20
            "recipient_hour", // 09:00 but a microsecond
            "sent",           // 09:00: the first is an hour old
            "recipient_hour", // 09:01: with 08:10 and 09:00
            "sent",           // 09:10
            "sent",           // 11:00: the fifth of the day
            "recipient_day",  // a day after the first but a microsecond
            "sent",           // a day after the first
            "recipient_day",  // 08:10 of the day before still counts
        ]
    );
    flow.end().await;
}

/// Cancelling and booking again resets nothing, and neither does another IP or another page.
#[tokio::test]
async fn cancelling_and_booking_again_resets_no_budget() {
    let flow = flow(recipient(3, 20)).await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-04T10:00:00Z", SAM).await;
    flow.context.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(flow.cancel(&token).await.status, 200);
    drain(&flow).await;
    let second = flow.second_page(&host, 30).await;
    for (host, hour) in [(&second, 11), (&host, 12)] {
        let request = flow
            .request(reqwest::Method::POST, &format!("{}/bookings", host.api))
            .header("X-Forwarded-For", format!("192.0.2.{hour}"))
            .json(&wish(&format!("2026-06-04T{hour}:00:00Z"), SAM));
        assert_eq!(flow.send(request).await.status, 201);
        drain(&flow).await;
    }
    assert_eq!(
        strangers(&flow).await,
        [
            "confirmed booker sent",
            "cancelled booker sent",
            "confirmed booker sent",
            "confirmed booker suppressed recipient_hour",
        ]
    );
    flow.end().await;
}

/// Strangers' mail stops at the installation's cap, hosts' at 120 % of it.
#[tokio::test]
async fn at_the_cap_strangers_mail_stops_and_hosts_have_the_reserve() {
    let flow = flow(MailBudgets {
        per_hour: 10,
        ..OPEN
    })
    .await;
    let host = flow.host("ana").make().await;
    for (day, hour) in (4..6).flat_map(|day| (9..13).map(move |hour| (day, hour))) {
        let start = format!("2026-06-{day:02}T{hour:02}:00:00Z");
        let booker = format!("b{day}-{hour}@bookers.test");
        assert_eq!(flow.book(&host, &start, &booker).await.status, 201);
        drain(&flow).await;
    }
    let endings = |who: &str| {
        format!(
            "SELECT coalesce(suppression_reason, outcome) FROM mail_outbox WHERE kind = 'confirmed' AND recipient = '{who}' ORDER BY created_at, id"
        )
    };
    let (sent, over) = ("sent", "instance_hour");
    assert_eq!(
        flow.texts(&endings("booker")).await,
        [sent, sent, sent, sent, sent, over, over, over]
    );
    assert_eq!(
        flow.texts(&endings("host")).await,
        [sent, sent, sent, sent, sent, sent, sent, over],
        "twelve in all"
    );
    // Sign-in mail has the reserve too, and it is used up.
    let (mail, claim) = ids(&flow);
    let to = "ana@hosts.test".parse().unwrap();
    let mut tx = flow.context.pool.begin_with("BEGIN").await.unwrap();
    let refused = ops::reserve_sign_in_mail(&flow.context, &mut tx, mail, claim, &to)
        .await
        .unwrap();
    assert_eq!(refused, Some(Suppression::InstanceHour));
    tx.rollback().await.unwrap();
    // An hour later there is budget again.
    flow.at("2026-06-01T09:00:07Z");
    flow.booked(&host, "2026-06-06T10:00:00Z").await;
    assert_eq!(drain(&flow).await, 2);
    flow.end().await;
}

fn ids(flow: &Flow) -> (uuid::Uuid, uuid::Uuid) {
    let context = &flow.context;
    let new = || id::new(context.clock.now(), &context.random).unwrap();
    (new(), new())
}

/// Sign-in mail has budgets of its own, by fingerprints of its own: what an address got as a booker
/// does not count, and the other way round.
#[tokio::test]
async fn sign_in_mail_is_counted_apart_from_bookers_mail() {
    let flow = flow(MailBudgets {
        recipient_per_hour: 1,
        sign_in_per_hour: 2,
        sign_in_per_day: 3,
        ..OPEN
    })
    .await;
    let host = flow.host("ana").make().await;
    flow.link(&host, "2026-06-04T10:00:00Z", SAM).await;
    let sign_in = async |address: &str| {
        let (mail, claim) = ids(&flow);
        let mut tx = flow.context.pool.begin_with("BEGIN").await.unwrap();
        let to = address.parse().unwrap();
        let refused = ops::reserve_sign_in_mail(&flow.context, &mut tx, mail, claim, &to)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        (refused, claim)
    };
    assert_eq!(sign_in(SAM).await.0, None);
    let (refused, second) = sign_in(" SAM@bookers.test").await;
    assert_eq!(refused, None);
    assert_eq!(sign_in(SAM).await.0, Some(Suppression::RecipientHour));
    assert_eq!(sign_in("kim@bookers.test").await.0, None);
    // One that reached nobody is given back.
    let mut conn = flow.context.pool.acquire().await.unwrap();
    assert!(budget::release(&mut conn, second).await.unwrap());
    assert!(!budget::release(&mut conn, second).await.unwrap(), "once");
    drop(conn);
    assert_eq!(sign_in(SAM).await.0, None);
    flow.at("2026-06-01T09:00:00Z");
    assert_eq!(sign_in(SAM).await.0, None);
    assert_eq!(sign_in(SAM).await.0, Some(Suppression::RecipientDay));
    assert_eq!(
        flow.texts("SELECT kind || ' ' || count(DISTINCT recipient_fp) FROM mail_ledger WHERE recipient_fp IS NOT NULL GROUP BY kind ORDER BY kind").await,
        ["confirmed 1", "sign_in 2"]
    );
    flow.end().await;
}

/// What reached nobody is given back: a failed attempt, a refused address, all senders busy.
#[tokio::test]
async fn an_attempt_that_reached_nobody_gives_its_reservation_back() {
    let flow = flow(recipient(2, 20)).await;
    let host = page(&flow).await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    let ledger = async || flow.count("mail_ledger").await;
    flow.mail
        .sink
        .behave_times(1, Behaviour::reply(At::Rcpt, "451 4.3.0 later"));
    for minute in [0, 1] {
        flow.context
            .clock
            .set(at("2026-06-01T08:00:00Z").plus_minutes(minute));
        let before = flow.mail.ends().await;
        assert_eq!(before.len(), 1, "{before:?}");
        assert_eq!(ledger().await, minute, "the second attempt is sent");
    }
    let token = flow.mail.token(SAM);
    assert_eq!(flow.confirm(&token).await.status, 200);
    // Refused for good.
    flow.mail
        .sink
        .behave_for(SAM, Behaviour::reply(At::Rcpt, "550 5.1.1 gone"));
    flow.mail.drain().await;
    assert_eq!(ledger().await, 2, "the hold's, and the host's");
    flow.mail.sink.behave_for(SAM, Behaviour::Accept);
    // All senders busy: nothing was asked of the mail server.
    assert_eq!(flow.cancel(&token).await.status, 200);
    flow.mail.post.mailer.close().await;
    let ends = flow.mail.ends().await;
    assert_eq!(ends, [JobEnd::Deferred, JobEnd::Deferred]);
    assert_eq!(ledger().await, 2);
    let mut flow = flow;
    flow.mail.reopen();
    flow.at("2026-06-01T08:02:00Z");
    assert_eq!(flow.mail.drain().await.len(), 2);
    flow.end().await;
}

/// What may have been delivered stays counted, for others. It never holds back its own repeat: a
/// mail whose answer was lost is not lost with it.
#[tokio::test]
async fn an_uncertain_attempt_counts_for_others_and_never_for_itself() {
    let flow = flow(recipient(1, 20)).await;
    let host = page(&flow).await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    flow.mail.sink.behave_times(1, Behaviour::LoseAck);
    assert!(matches!(flow.mail.ends().await[..], [JobEnd::Failed(_)]));
    assert_eq!(flow.count("mail_ledger").await, 1);
    flow.booked(&host, "2026-06-04T12:00:00Z").await;
    assert!(matches!(
        flow.mail.ends().await[..],
        [JobEnd::Suppressed(_)]
    ));
    flow.at("2026-06-01T08:01:00Z");
    assert_eq!(flow.mail.ends().await, [JobEnd::Sent]);
    // So is the attempt of a worker that died: nobody knows.
    assert_eq!(
        flow.book(&host, "2026-06-04T14:00:00Z", "kim@bookers.test")
            .await
            .status,
        201
    );
    let dead = claim(&flow, Lane::Prompt).await;
    assert!(matches!(
        send_mail::prepare(&flow.mail.post, &dead, None)
            .await
            .unwrap(),
        send_mail::Prepared::Ready(_)
    ));
    flow.context.clock.set(dead.due_at);
    assert_eq!(flow.mail.ends().await, [JobEnd::Sent]);
    assert_eq!(
        flow.count(&format!("mail_ledger WHERE mail_id = '{}'", dead.id))
            .await,
        2
    );
    sweeps::pass(&flow.context).await.unwrap();
    flow.end().await;
}

/// A mail that is skipped, or that must wait for another, is not counted.
#[tokio::test]
async fn a_skipped_mail_is_not_counted() {
    let flow = flow(recipient(5, 20)).await;
    let host = page(&flow).await;
    flow.booked(&host, "2026-06-04T10:00:00Z").await;
    let mail = claim(&flow, Lane::Prompt).await;
    flow.sql("UPDATE mail_outbox SET due_at = '2026-06-01 09:00+00'")
        .await;
    flow.at("2026-06-01T08:30:00Z");
    let end = send_mail::run(&flow.mail.post, &mail, || panic!("sends")).await;
    assert_eq!(end, JobEnd::Skipped);
    send_mail::finish(&flow.context, &mail, &end).await.unwrap();
    assert_eq!(flow.count("mail_ledger").await, 0);
    sweeps::pass(&flow.context).await.unwrap();
    flow.end().await;
}

/// Rows go two days after they were written, and no earlier.
#[tokio::test]
async fn the_ledger_is_purged_after_two_days() {
    let flow = flow(recipient(5, 20)).await;
    let host = flow.host("ana").make().await;
    flow.link(&host, "2026-06-20T10:00:00Z", SAM).await;
    flow.at("2026-06-03T08:00:00Z");
    sweeps::pass(&flow.context).await.unwrap();
    assert_eq!(flow.count("mail_ledger").await, 2);
    flow.context.clock.set(at("2026-06-03T08:00:00.000001Z"));
    sweeps::pass(&flow.context).await.unwrap();
    assert_eq!(flow.count("mail_ledger").await, 0);
    flow.end().await;
}

/// No lock of a budget is held while a mail is sent: another mail to the same address is prepared
/// and sent meanwhile, in both modes of the cap's lock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_budget_is_locked_while_a_mail_is_sent() {
    for per_hour in [10, 1_000_000] {
        let mut flow = flow(MailBudgets {
            per_hour,
            ..recipient(5, 20)
        })
        .await;
        let host = page(&flow).await;
        flow.booked(&host, "2026-06-04T10:00:00Z").await;
        let stalled = claim(&flow, Lane::Prompt).await;
        flow.mail.sink.behave_times(1, Behaviour::StallAt(At::Dot));
        // Slots enough for the domain that both go to.
        flow.mail.post.traffic = Traffic::new(8, flow.context.clock.clone());
        let post = flow.mail.post.clone();
        let (told, tell) = tokio::sync::oneshot::channel();
        let sending = tokio::spawn(async move {
            let end = send_mail::run(&post, &stalled, || {
                let _ = told.send(());
            })
            .await;
            (stalled, end)
        });
        tell.await.unwrap();
        assert_eq!(
            flow.count("pg_locks l JOIN pg_database d ON d.oid = l.database WHERE d.datname = current_database() AND l.locktype = 'advisory'")
                .await,
            0
        );
        flow.booked(&host, "2026-06-04T12:00:00Z").await;
        let quick = claim(&flow, Lane::Prompt).await;
        let end = send_mail::run(&flow.mail.post, &quick, || {}).await;
        assert_eq!(end, JobEnd::Sent);
        send_mail::finish(&flow.context, &quick, &end)
            .await
            .unwrap();
        flow.mail.sink.close_idle(None).await;
        let (stalled, end): (ClaimedMail, JobEnd) = sending.await.unwrap();
        send_mail::finish(&flow.context, &stalled, &end)
            .await
            .unwrap();
        flow.at("2026-06-01T08:02:00Z");
        flow.end().await;
    }
}
