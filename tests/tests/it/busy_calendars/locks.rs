//! Events against bookings: the locks between calendars and hosts.
//!
//! Checked by taking guards away. Without the lock on calendars that are only read, four of these
//! go red: what is written while a booking waits is not seen, and the waits do not take place. With
//! the writer's lock on all of them, members of a team wait for each other. With the host's own
//! calendar first instead of the order of ids, deadlocks are broken.

use futures::future::join_all;
use holdfast_tests::{
    Flow,
    calendar::{join, personal, put, team, write},
    flow::SAM,
};
use shared::store::{begin::begin, calendars, locks};

const TEN: &str = "2026-06-02T10:00:00Z";
const EVENT: &str =
    "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T103000Z\nDTEND:20260602T104500Z\nEND:VEVENT";

/// An event of the team that is committed between the slot list and the booking, or the move, is
/// seen: the writer holds the calendar, the booking waits for it, and looks again.
#[tokio::test]
async fn a_team_event_that_is_written_while_a_booking_waits_is_seen() {
    for moves in [false, true] {
        let flow = Flow::start().await;
        let ana = flow.host("ana").make().await;
        let ben = flow.host("ben").make().await;
        let calendar = team(&flow.context, &ben, &[&ana]).await;
        let token = if moves {
            Some(flow.link(&ana, "2026-06-02T14:00:00Z", SAM).await)
        } else {
            None
        };
        let before = flow.count("events").await;
        let mut tx = begin(&flow.context.pool).await.unwrap();
        assert!(calendars::lock(&mut tx, calendar).await.unwrap());
        let asks = async {
            match &token {
                None => flow.book(&ana, TEN, SAM).await,
                Some(token) => flow.reschedule(token, TEN, 0).await,
            }
        };
        let writes = async {
            flow.somebody_waits().await;
            write(&flow.context, &mut tx, calendar, EVENT).await;
            tx.commit().await.unwrap();
        };
        let (answer, ()) = tokio::join!(asks, writes);
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (409, "slot_taken"),
            "moves: {moves}"
        );
        assert_eq!(flow.count("events").await, before + 1, "no tentative event");
        flow.end().await;
    }
}

/// And the other way round: a writer waits for a booking that reads its calendar.
#[tokio::test]
async fn an_event_waits_for_a_booking_that_has_looked() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let calendar = team(&flow.context, &ana, &[]).await;
    let mut booking = begin(&flow.context.pool).await.unwrap();
    locks::lock_host(&mut booking, ana.id, &[], None)
        .await
        .unwrap()
        .unwrap();
    let writes = async {
        put(&flow.context, calendar, EVENT).await;
        flow.context.clock.now()
    };
    let lets_go = async {
        flow.somebody_waits().await;
        assert_eq!(flow.count("events").await, 0);
        booking.commit().await.unwrap();
    };
    tokio::join!(writes, lets_go);
    assert_eq!(flow.count("events").await, 1);
    flow.end().await;
}

/// Hosts who share a team's calendar do not wait for each other.
#[tokio::test]
async fn bookings_of_two_members_of_a_team_do_not_wait_for_each_other() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let ben = flow.host("ben").make().await;
    team(&flow.context, &ana, &[&ben]).await;
    let mut other = begin(&flow.context.pool).await.unwrap();
    locks::lock_host(&mut other, ana.id, &[], None)
        .await
        .unwrap()
        .unwrap();
    let answer = flow.book(&ben, TEN, SAM).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    other.rollback().await.unwrap();
    flow.end().await;
}

/// A booking writes to its host's own calendar, so whoever sees that one waits.
#[tokio::test]
async fn a_booking_waits_for_one_that_writes_to_a_calendar_it_sees() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let ben = flow.host("ben").make().await;
    join(&flow.context, personal(&flow.context, &ana).await, &ben).await;
    let mut other = begin(&flow.context.pool).await.unwrap();
    locks::lock_host(&mut other, ana.id, &[], None)
        .await
        .unwrap()
        .unwrap();
    let lets_go = async {
        flow.somebody_waits().await;
        other.rollback().await.unwrap();
    };
    let (answer, ()) = tokio::join!(flow.book(&ben, TEN, SAM), lets_go);
    assert_eq!(answer.status, 201, "{}", answer.text());
    flow.end().await;
}

/// Hosts who see each other's calendars book at the same time, fifty times over: each gets the
/// slot or loses it, and the database never has to break a deadlock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_who_see_each_others_calendars_do_not_lock_crosswise() {
    let flow = Flow::start().await;
    let mut hosts = Vec::new();
    for handle in ["ana", "ben", "cem"] {
        hosts.push(flow.host(handle).minutes(15, 15).make().await);
    }
    for owner in &hosts {
        let calendar = personal(&flow.context, owner).await;
        for other in hosts.iter().filter(|other| other.id != owner.id) {
            join(&flow.context, calendar, other).await;
        }
    }
    let before = flow.deadlocks().await;
    let mut booked = 0;
    for round in 0..50 {
        let start = format!("2026-06-{:02}T{:02}:00:00Z", 2 + round / 8, 9 + round % 8);
        let answers = join_all(hosts.iter().enumerate().map(|(number, host)| {
            let (flow, start) = (&flow, &start);
            async move {
                flow.book(host, start, &format!("b{number}-{round}@bookers.test"))
                    .await
            }
        }))
        .await;
        let won = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(won, 1, "one is busy for all who see it");
        assert!(
            answers
                .iter()
                .all(|answer| [201, 409].contains(&answer.status.as_u16()))
        );
        booked += won;
    }
    assert_eq!(booked, 50);
    assert_eq!(flow.deadlocks().await, before);
    flow.end().await;
}
