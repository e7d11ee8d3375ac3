//! Many at once: exactly one winner, no 5xx, no deadlock shown to a caller, everything in order
//! afterwards ([`Flow::end`] looks).
//!
//! Checked by taking guards away: without the exclusion constraint's mapping the losers of
//! `of_64…` get 500; without the host lock and the constraint two of them win; without the check
//! of the revision both moves of `of_two_moves…` win; without the second look under the locks the
//! injected event of `an_event…` is booked over.

use futures::future::join_all;
use holdfast_tests::{
    Answer, Flow,
    flow::{SAM, id},
    host::TestHost,
};
use shared::{instant::Span, store::begin::begin};

const TEN: &str = "2026-06-02T10:00:00Z";
const TWO: &str = "2026-06-02T14:00:00Z";

/// How many answers have a status; all others must be 409 with one of the codes.
fn winners(answers: &[Answer], status: u16, codes: &[&str]) -> usize {
    let (won, lost): (Vec<&Answer>, Vec<&Answer>) =
        answers.iter().partition(|answer| answer.status == status);
    for answer in lost {
        assert_eq!(answer.status, 409, "{}", answer.text());
        assert!(codes.contains(&answer.code().as_str()), "{}", answer.text());
    }
    won.len()
}

async fn two_hosts_and_a_flow() -> (Flow, TestHost, TestHost) {
    let flow = Flow::start().await;
    let ana = flow.host("ana").minutes(60, 15).make().await;
    let ben = flow.host("ben").minutes(60, 15).make().await;
    (flow, ana, ben)
}

/// Case bok-01.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_64_who_ask_for_one_slot_one_gets_it() {
    let (flow, ana, ben) = two_hosts_and_a_flow().await;
    for (host, start) in [(&ana, TEN), (&ana, TWO), (&ben, TEN)] {
        let emails: Vec<String> = (0..64).map(|n| format!("b{n}@bookers.test")).collect();
        let answers = join_all(emails.iter().map(|email| flow.book(host, start, email))).await;
        assert_eq!(winners(&answers, 201, &["slot_taken"]), 1);
    }
    assert_eq!(flow.count("bookings").await, 3);
    assert_eq!(
        flow.count("mail_outbox WHERE kind = 'confirmed' AND recipient = 'booker'")
            .await,
        3
    );
    flow.end().await;
}

/// Case bok-03: two types of one host are not apart from each other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_overlapping_slots_of_two_types_one_is_booked() {
    let (flow, ana, _) = two_hosts_and_a_flow().await;
    let short = flow.second_page(&ana, 30).await;
    for day in 2..8 {
        let long = format!("2026-06-0{day}T10:00:00Z");
        let inside = format!("2026-06-0{day}T10:30:00Z");
        let (one, two) = tokio::join!(
            flow.book(&ana, &long, "p1@bookers.test"),
            flow.book(&short, &inside, "p2@bookers.test")
        );
        assert_eq!(winners(&[one, two], 201, &["slot_taken"]), 1);
    }
    assert_eq!(flow.count("bookings").await, 6);
    flow.end().await;
}

/// Case bok-12, and "two moves with one token and revision": one wins, the SEQUENCE goes up by
/// exactly one, the UID stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_moves_with_one_revision_one_moves_it() {
    let (flow, ana, _) = two_hosts_and_a_flow().await;
    let token = flow.link(&ana, TEN, SAM).await;
    let before = flow.look("/calendar.ics", &token).await.text();
    let answers = join_all((0..8).map(|n| {
        let (flow, token) = (&flow, &token);
        async move {
            flow.reschedule(token, &format!("2026-06-02T1{}:15:00Z", 1 + n % 4), 0)
                .await
        }
    }))
    .await;
    assert_eq!(winners(&answers, 200, &["revision_conflict"]), 1);
    let after = flow.look("/calendar.ics", &token).await.text();
    let line = |text: &str, name: &str| {
        text.lines()
            .find(|line| line.starts_with(name))
            .unwrap()
            .to_owned()
    };
    assert_eq!(line(&before, "UID:"), line(&after, "UID:"));
    assert_eq!(
        (line(&before, "SEQUENCE:"), line(&after, "SEQUENCE:")),
        ("SEQUENCE:0".into(), "SEQUENCE:1".into())
    );
    assert_eq!(flow.count("booking_hosts WHERE active").await, 1);
    flow.end().await;
}

/// Case bok-14: never active with its time freed, never cancelled with the new time held.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_and_a_cancel_at_once_leave_one_state() {
    let (flow, ana, _) = two_hosts_and_a_flow().await;
    for day in 2..8 {
        let token = flow
            .link(
                &ana,
                &format!("2026-06-0{day}T10:00:00Z"),
                &format!("d{day}@bookers.test"),
            )
            .await;
        let to = format!("2026-06-0{day}T14:00:00Z");
        let (moved, cancelled) = tokio::join!(flow.reschedule(&token, &to, 0), flow.cancel(&token));
        assert_eq!(cancelled.status, 200, "{}", cancelled.text());
        if moved.status != 200 {
            assert_eq!(
                (moved.status.as_u16(), moved.code().as_str()),
                (409, "booking_cancelled")
            );
        }
        assert_eq!(flow.look("", &token).await.json()["state"], "cancelled");
    }
    assert_eq!(flow.count("booking_hosts WHERE active").await, 0);
    flow.end().await;
}

/// The hold lapses at the instant at which it is confirmed by some and swept by others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn confirming_and_sweeping_at_once_leave_one_state() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, TEN, SAM).await;
    // A microsecond before the end both may still go either way; at the end only the sweep may.
    flow.at("2026-06-01T08:29:59.999999Z");
    let (confirmed, swept) = tokio::join!(
        flow.confirm(&token),
        holdfast_worker::sweeps::pass(&flow.context)
    );
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    assert_eq!(swept.unwrap(), 0);
    let second = flow.link(&host, TWO, "b2@bookers.test").await;
    flow.at("2026-06-01T08:59:59.999999Z");
    let (confirms, swept) = tokio::join!(join_all((0..8).map(|_| flow.confirm(&second))), async {
        flow.at("2026-06-01T09:00:00Z");
        holdfast_worker::sweeps::pass(&flow.context).await.unwrap()
    });
    let won = confirms
        .iter()
        .filter(|answer| answer.status == 200)
        .count();
    let state = flow.look("", &second).await.json()["state"].clone();
    assert_eq!(state == "confirmed", won > 0, "{state}");
    assert_eq!(state == "expired", swept > 0 || won == 0, "{state}");
    flow.end().await;
}

/// Two bookers want each other's times: neither waits for ever, and both may fail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_into_each_others_times_do_not_wait_for_each_other() {
    let (flow, ana, _) = two_hosts_and_a_flow().await;
    let one = flow.link(&ana, TEN, "p1@bookers.test").await;
    let two = flow.link(&ana, TWO, "p2@bookers.test").await;
    let (there, back) = tokio::join!(flow.reschedule(&one, TWO, 0), flow.reschedule(&two, TEN, 0));
    assert_eq!(winners(&[there, back], 200, &["slot_taken"]), 0);
    // A move into a race of others for the same time.
    let emails: Vec<String> = (0..8).map(|n| format!("r{n}@bookers.test")).collect();
    let noon = "2026-06-02T12:00:00Z";
    let (moved, asked) = tokio::join!(
        flow.reschedule(&one, noon, 0),
        join_all(emails.iter().map(|email| flow.book(&ana, noon, email)))
    );
    let booked = winners(&asked, 201, &["slot_taken"]);
    let moved = winners(&[moved], 200, &["slot_taken"]);
    assert_eq!(booked + moved, 1);
    flow.end().await;
}

/// An event that is committed while a booking waits for the calendar is seen: nobody is booked over
/// it, and no tentative event stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_between_the_look_and_the_booking_is_seen() {
    let (flow, ana, _) = two_hosts_and_a_flow().await;
    let token = flow.link(&ana, TWO, "p1@bookers.test").await;
    let span = |from: &str, to: &str| Span {
        from: from.parse().unwrap(),
        to: to.parse().unwrap(),
    };
    for (moves, busy) in [
        (false, span(TEN, "2026-06-02T10:10:00Z")),
        (true, span("2026-06-02T12:00:00Z", "2026-06-02T12:10:00Z")),
    ] {
        // Whoever writes events holds the calendar; the booking has looked already when it comes
        // to wait for it.
        let mut writer = begin(&flow.context.pool).await.unwrap();
        ana.insert_event(&flow.context, &mut writer, busy).await;
        let asks = async {
            if moves {
                flow.reschedule(&token, "2026-06-02T12:00:00Z", 0).await
            } else {
                flow.book(&ana, TEN, SAM).await
            }
        };
        let commits = async {
            flow.somebody_waits().await;
            writer.commit().await.unwrap();
        };
        let (answer, ()) = tokio::join!(asks, commits);
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (409, "slot_taken"),
            "{}",
            answer.text()
        );
    }
    assert_eq!(flow.count("bookings").await, 1);
    assert_eq!(flow.count("events WHERE status = 'tentative'").await, 0);
    assert_eq!(flow.look("", &token).await.json()["start"], TWO);
    flow.end().await;
}

/// The same request under one key, eight times at once: one booking, one answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_key_used_at_once_books_once() {
    let (flow, ana, _) = two_hosts_and_a_flow().await;
    let wish = holdfast_tests::flow::wish(TEN, SAM);
    let answers = join_all((0..8).map(|_| flow.ask_once(&ana, &wish, "the-key"))).await;
    let first = id(&answers[0].json());
    for answer in &answers {
        assert_eq!(answer.status, 201, "{}", answer.text());
        assert_eq!(id(&answer.json()), first);
    }
    let fresh = answers
        .iter()
        .filter(|answer| answer.header("idempotent-replayed").is_empty())
        .count();
    assert_eq!(fresh, 1);
    assert_eq!(flow.count("bookings").await, 1);
    flow.end().await;
}
