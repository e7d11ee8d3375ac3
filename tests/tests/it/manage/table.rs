//! Every state against every verb by every actor: what happens, or why not.

use holdfast_tests::{Flow, app::at, host::TestHost};
use serde_json::Value;
use shared::{
    booking::{PublicBooking, Refusal},
    instant::Instant,
    ops::{self, Attendance, Authority, ChangeError, Move, MoveError},
};
use uuid::Uuid;

const VERBS: [&str; 7] = [
    "confirm",
    "move by booker",
    "move by host",
    "cancel by booker",
    "cancel by host",
    "complete",
    "no-show",
];

/// A row: a state, and for each verb the state after it (unchanged in brackets) or the refusal.
const TABLE: [(&str, [&str; 7]); 8] = [
    (
        "held",
        [
            "confirmed",
            "NotConfirmed",
            "NotConfirmed",
            "expired",
            "expired",
            "NotConfirmed",
            "NotConfirmed",
        ],
    ),
    (
        "lapsed",
        [
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
        ],
    ),
    (
        "expired",
        [
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
            "HoldExpired",
        ],
    ),
    (
        "confirmed",
        [
            "(confirmed)",
            "confirmed",
            "confirmed",
            "cancelled",
            "cancelled",
            "NotStarted",
            "NotStarted",
        ],
    ),
    (
        "begun",
        [
            "(confirmed)",
            "AlreadyStarted",
            "AlreadyStarted",
            "AlreadyStarted",
            "cancelled",
            "completed",
            "no_show",
        ],
    ),
    (
        "cancelled by booker",
        [
            "Cancelled",
            "Cancelled",
            "Cancelled",
            "(cancelled)",
            "Cancelled",
            "Cancelled",
            "Cancelled",
        ],
    ),
    (
        "completed",
        [
            "Finished",
            "Finished",
            "Finished",
            "Finished",
            "Finished",
            "(completed)",
            "Finished",
        ],
    ),
    (
        "no_show",
        [
            "Finished",
            "Finished",
            "Finished",
            "Finished",
            "Finished",
            "Finished",
            "(no_show)",
        ],
    ),
];

fn of_change(outcome: Result<PublicBooking, ChangeError>) -> Result<String, Refusal> {
    match outcome {
        Ok(booking) => Ok(booking.standing.state.word().to_owned()),
        Err(ChangeError::Refused(refusal, _)) => Err(refusal),
        Err(other) => panic!("{other}"),
    }
}

struct Subject {
    booking: Uuid,
    token: String,
    revision: i32,
    start: Instant,
}

async fn apply(flow: &Flow, host: &TestHost, verb: &str, of: &Subject) -> Result<String, Refusal> {
    let context = &flow.context;
    let booker = Authority::Token(&of.token);
    let by_host = Authority::Host {
        booking: of.booking,
        host: host.id,
    };
    let to = |authority| async move {
        let to = Move {
            start: of.start.plus_minutes(7 * 24 * 60),
            expected_revision: of.revision,
            zone: None,
            key: None,
        };
        match ops::reschedule(context, authority, to).await {
            Ok(moved) => Ok(moved.booking),
            Err(MoveError::Change(error)) => Err(error),
            Err(other) => panic!("{other}"),
        }
    };
    of_change(match verb {
        "confirm" => ops::confirm(context, &of.token, None).await,
        "move by booker" => to(booker).await,
        "move by host" => to(by_host).await,
        "cancel by booker" => ops::cancel(context, booker, None, None).await,
        "cancel by host" => ops::cancel(context, by_host, None, None).await,
        "complete" => ops::finish(context, host.id, of.booking, Attendance::Completed, None).await,
        _ => ops::finish(context, host.id, of.booking, Attendance::NoShow, None).await,
    })
}

/// One booking for each verb, all brought to one state.
async fn bring_all_to(flow: &Flow, host: &TestHost, state: &str) -> Vec<Subject> {
    let mut subjects = Vec::new();
    for hour in 9..16 {
        let start = at(&format!("2026-06-02T{hour:02}:00:00Z"));
        let email = format!("n{hour}@bookers.test");
        let token = flow.link(host, &start.to_string(), &email).await;
        if !["held", "lapsed", "expired"].contains(&state) {
            assert_eq!(flow.confirm(&token).await.status, 200);
        }
        if state == "cancelled by booker" {
            assert_eq!(flow.cancel(&token).await.status, 200);
        }
        let booking = flow.look("", &token).await.json()["id"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        subjects.push(Subject {
            booking,
            token,
            revision: 0,
            start,
        });
    }
    flow.mail.drain().await;
    match state {
        "lapsed" | "expired" => flow.at("2026-06-01T08:30:00Z"),
        "begun" | "completed" | "no_show" => flow.at("2026-06-02T15:00:00Z"),
        _ => {}
    }
    match state {
        "expired" => drop(holdfast_worker::sweeps::pass(&flow.context).await.unwrap()),
        "completed" | "no_show" => {
            let attendance = if state == "completed" {
                Attendance::Completed
            } else {
                Attendance::NoShow
            };
            for subject in &subjects {
                ops::finish(&flow.context, host.id, subject.booking, attendance, None)
                    .await
                    .unwrap();
            }
        }
        _ => {}
    }
    for subject in &mut subjects {
        let sql = format!(
            "SELECT revision::text FROM bookings WHERE id = '{}'",
            subject.booking
        );
        subject.revision = flow.text(&sql).await.parse().unwrap();
    }
    subjects
}

#[tokio::test]
async fn every_state_answers_every_verb_as_the_table_says() {
    for (state, row) in TABLE {
        let flow = Flow::start().await;
        let host = flow.host("ana").by_mail().make().await;
        let subjects = bring_all_to(&flow, &host, state).await;
        for ((verb, want), subject) in VERBS.iter().zip(row).zip(&subjects) {
            let what = format!("{state}: {verb}");
            let before = flow.database.rows().await;
            let outcome = apply(&flow, &host, verb, subject).await;
            let said = match &outcome {
                Ok(state) => state.clone(),
                Err(refusal) => format!("{refusal:?}"),
            };
            let unchanged = want.trim_matches(['(', ')']);
            assert_eq!(said, unchanged, "{what}");
            let after = flow.database.rows().await;
            let moved = outcome.is_ok() && unchanged == want;
            assert_eq!(after != before, moved, "{what}");
            let sql = format!(
                "SELECT revision::text FROM bookings WHERE id = '{}'",
                subject.booking
            );
            let revision: i32 = flow.text(&sql).await.parse().unwrap();
            assert_eq!(revision, subject.revision + i32::from(moved), "{what}");
        }
        holdfast_worker::sweeps::pass(&flow.context).await.unwrap();
        flow.end().await;
    }
}

/// A host's authority reaches no other host's booking.
#[tokio::test]
async fn another_hosts_booking_is_not_found() {
    let flow = Flow::start().await;
    let (ana, bob) = (flow.host("ana").make().await, flow.host("bob").make().await);
    let booking: Value = flow.booked(&ana, "2026-06-02T10:00:00Z").await;
    let id = holdfast_tests::flow::id(&booking);
    let others = Authority::Host {
        booking: id,
        host: bob.id,
    };
    let refused = ops::cancel(&flow.context, others, None, None).await;
    assert!(matches!(refused, Err(ChangeError::NotFound)));
    flow.at("2026-06-02T10:00:00Z");
    let refused = ops::finish(&flow.context, bob.id, id, Attendance::Completed, None).await;
    assert!(matches!(refused, Err(ChangeError::NotFound)));
    assert_eq!(flow.count("bookings WHERE state = 'confirmed'").await, 1);
    flow.end().await;
}
