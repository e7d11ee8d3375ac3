//! Reminders: when they are owed, when they are not, and what a move makes of them.

use holdfast_tests::{
    Flow,
    flow::{SAM, wish},
    smtp_sink::{At, Behaviour},
};
use serde_json::json;

/// The worker, whenever somebody may be due between two instants.
async fn run_worker(flow: &Flow, from: &str, to: &str) -> Vec<(String, String)> {
    let mut sent = Vec::new();
    let mut now: shared::instant::Instant = from.parse().unwrap();
    let to = to.parse().unwrap();
    while now <= to {
        flow.context.clock.set(now);
        for letter in flow.mail.drain().await {
            sent.push((letter.to, now.to_string()));
        }
        now = now.plus_minutes(15);
    }
    sent
}

fn reminders(flow: &Flow, to: &str) -> Vec<String> {
    let letters = flow.mail.letters().into_iter();
    letters
        .filter(|letter| letter.to == to && letter.subject.starts_with("Reminder"))
        .map(|letter| letter.date.to_string())
        .collect()
}

/// Case rem-02: after a move only the new time is reminded of.
#[tokio::test]
async fn rem_02_a_moved_meeting_is_reminded_of_at_its_new_time_alone() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-10T10:00:00Z", SAM).await;
    flow.at("2026-06-05T08:00:00Z");
    assert_eq!(
        flow.reschedule(&token, "2026-06-17T15:00:00Z", 0)
            .await
            .status,
        200
    );
    run_worker(&flow, "2026-06-05T08:00:00Z", "2026-06-18T00:00:00Z").await;
    assert_eq!(reminders(&flow, SAM), ["2026-06-16T15:00:00Z"]);
    let letter = flow.mail.newest(SAM);
    assert!(
        letter.text.contains("17 June 2026") && !letter.text.contains("10 June"),
        "{}",
        letter.text
    );
    assert!(letter.calendar.is_none());
    assert_eq!(
        flow.look("", &letter.token().unwrap()).await.status,
        200,
        "it carries a working link"
    );
    flow.end().await;
}

/// One that went out already is owed again for the new time: rebuilt from the rules, not from the
/// rows that are left.
#[tokio::test]
async fn a_reminder_that_went_out_before_a_move_is_owed_again() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-03T10:00:00Z", SAM).await;
    flow.at("2026-06-02T10:00:00Z");
    assert_eq!(flow.mail.drain().await.len(), 2);
    assert_eq!(
        flow.reschedule(&token, "2026-06-05T10:00:00Z", 0)
            .await
            .status,
        200
    );
    run_worker(&flow, "2026-06-02T10:00:00Z", "2026-06-05T10:00:00Z").await;
    assert_eq!(
        reminders(&flow, SAM),
        ["2026-06-02T10:00:00Z", "2026-06-04T10:00:00Z"]
    );
    flow.end().await;
}

/// Case rem-04, decided: a confirmation just went out, so none.
#[tokio::test]
async fn rem_04_a_day_before_is_not_said_within_an_hour_of_the_booking() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    flow.at("2026-06-10T08:00:00Z");
    flow.booked(&host, "2026-06-10T10:00:00Z").await;
    flow.booked(&host, "2026-06-11T09:00:00Z").await;
    // 24 hours before it is an hour and no less from now.
    assert_eq!(flow.count("mail_outbox WHERE kind = 'reminder'").await, 2);
    flow.context
        .clock
        .set("2026-06-10T08:00:00.000001Z".parse().unwrap());
    flow.sql("UPDATE event_types SET step_min = 5, revision = revision + 1")
        .await;
    flow.booked(&host, "2026-06-11T10:00:00Z").await;
    assert_eq!(flow.count("mail_outbox WHERE kind = 'reminder'").await, 4);
    flow.sql("DELETE FROM reminder_rules").await;
    flow.booked(&host, "2026-06-12T10:00:00Z").await;
    assert_eq!(
        flow.count("mail_outbox WHERE kind = 'reminder'").await,
        4,
        "no rule, no reminder"
    );
    run_worker(&flow, "2026-06-10T08:15:00Z", "2026-06-12T10:00:00Z").await;
    flow.end().await;
}

/// Several rules, each with its own audience.
#[tokio::test]
async fn each_rule_reminds_its_own_audience() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    flow.sql(&format!(
        "DELETE FROM reminder_rules;
         INSERT INTO reminder_rules (id, event_type_id, offset_min, to_hosts, to_booker, to_guests) VALUES
            (gen_random_uuid(), '{0}', 2880, true, false, false),
            (gen_random_uuid(), '{0}', 60, false, true, true),
            (gen_random_uuid(), '{0}', 15, false, true, false)",
        host.event_type
    ))
    .await;
    let mut wish = wish("2026-06-05T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    assert_eq!(flow.ask(&host, &wish).await.status, 201);
    flow.mail.drain().await;
    let sent = run_worker(&flow, "2026-06-01T08:00:00Z", "2026-06-05T10:00:00Z").await;
    let sent: Vec<(&str, &str)> = sent
        .iter()
        .map(|(to, at)| (to.as_str(), at.as_str()))
        .collect();
    assert_eq!(
        sent,
        [
            ("ana@hosts.test", "2026-06-03T10:00:00Z"),
            (SAM, "2026-06-05T09:00:00Z"),
            ("kim@guests.test", "2026-06-05T09:00:00Z"),
            (SAM, "2026-06-05T09:45:00Z"),
        ]
    );
    flow.end().await;
}

/// Case rem-05: nothing about a meeting that has begun.
#[tokio::test]
async fn rem_05_a_worker_that_was_down_sends_no_reminder_of_a_meeting_that_began() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    flow.link(&host, "2026-06-10T10:00:00Z", SAM).await;
    flow.link(&host, "2026-06-10T11:00:00Z", "kim@bookers.test")
        .await;
    run_worker(&flow, "2026-06-09T08:45:00Z", "2026-06-09T09:00:00Z").await;
    flow.at("2026-06-10T10:05:00Z");
    flow.mail.drain().await;
    assert!(reminders(&flow, SAM).is_empty());
    assert_eq!(
        flow.count("mail_outbox WHERE kind = 'reminder' AND outcome = 'skipped'")
            .await,
        2
    );
    // The one that has not begun is late, and still true.
    assert_eq!(
        reminders(&flow, "kim@bookers.test"),
        ["2026-06-10T10:05:00Z"]
    );
    flow.end().await;
}

/// Case rem-07: two workers, and a mail server that answers 451 once to one of two guests.
#[tokio::test]
async fn rem_07_two_workers_and_a_retry_remind_each_guest_once() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    let mut wish = wish("2026-06-10T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }, { "email": "lea@guests.test" }]);
    assert_eq!(flow.ask(&host, &wish).await.status, 201);
    flow.mail.drain().await;
    flow.mail.sink.behave_times_for(
        "kim@guests.test",
        1,
        Behaviour::reply(At::Rcpt, "451 4.3.0 later"),
    );
    flow.at("2026-06-09T10:00:00Z");
    // Each drains by itself, as a worker of its own does.
    tokio::join!(flow.mail.ends(), flow.mail.ends());
    flow.at("2026-06-09T10:01:00Z");
    tokio::join!(flow.mail.ends(), flow.mail.ends());
    for guest in ["kim@guests.test", "lea@guests.test"] {
        assert_eq!(reminders(&flow, guest).len(), 1, "{guest}");
    }
    flow.end().await;
}

/// Case rem-09, by what exists: a hold that nobody confirmed reminds nobody.
#[tokio::test]
async fn rem_09_a_hold_and_a_cancelled_meeting_get_no_reminder() {
    let flow = Flow::start().await;
    let held = flow.host("ana").by_mail().make().await;
    let host = flow.host("bob").make().await;
    flow.link(&held, "2026-06-10T10:00:00Z", SAM).await;
    let token = flow.link(&host, "2026-06-10T10:00:00Z", SAM).await;
    assert_eq!(flow.count("mail_outbox WHERE kind = 'reminder'").await, 2);
    flow.at("2026-06-05T08:00:00Z");
    assert_eq!(flow.cancel(&token).await.status, 200);
    run_worker(&flow, "2026-06-05T08:00:00Z", "2026-06-10T12:00:00Z").await;
    assert!(reminders(&flow, SAM).is_empty());
    assert!(reminders(&flow, "bob@hosts.test").is_empty());
    holdfast_worker::sweeps::pass(&flow.context).await.unwrap();
    flow.end().await;
}

/// The offset is elapsed time: across a change of the clocks it is an hour off on the wall.
#[tokio::test]
async fn rem_08_a_reminder_over_a_change_of_the_clocks_is_1440_minutes_before() {
    let flow = Flow::start().await;
    flow.at("2026-03-20T08:00:00Z");
    let host = flow.host("ana").zone("Europe/Berlin").make().await;
    flow.link(&host, "2026-03-29T10:00:00Z", SAM).await;
    run_worker(&flow, "2026-03-28T09:00:00Z", "2026-03-29T10:00:00Z").await;
    assert_eq!(reminders(&flow, SAM), ["2026-03-28T10:00:00Z"]);
    flow.end().await;
}
