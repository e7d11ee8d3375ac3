//! A booking that goes to another host, at the same time.

use futures::future::join_all;
use holdfast_tests::{
    Flow,
    calendar::{personal, put, team},
    flow::{SAM, by_host, id, wish},
    host::TestHost,
};
use serde_json::{Value, json};
use shared::{
    booking::{PublicBooking, Refusal},
    ops::{self, ChangeError, MoveError, Reassign},
    store::{begin::begin, locks},
};

use crate::slots::on;

const TEN: &str = "2026-06-02T10:00:00Z";

/// Ana's page, which Ben may take over from; Cem may not.
async fn team_of_three() -> (Flow, [TestHost; 3]) {
    let flow = Flow::start().await;
    let hosts = [
        flow.host("ana").free("every day 9:00-12:00").make().await,
        flow.host("ben")
            .zone("Asia/Tokyo")
            .free("every day 18:00-21:00")
            .make()
            .await,
        flow.host("cem").make().await,
    ];
    may_take_over(&flow, &hosts[0], "ben").await;
    (flow, hosts)
}

async fn may_take_over(flow: &Flow, page: &TestHost, host: &str) {
    let (handle, code) = page.page[6..].split_once('/').unwrap();
    let set = ops::set_substitute(&flow.context, (handle, code), host, true).await;
    assert!(set.unwrap());
}

async fn give(
    flow: &Flow,
    from: &TestHost,
    booking: &Value,
    to: &str,
    revision: i32,
) -> Result<PublicBooking, MoveError> {
    let wish = Reassign {
        to: to.to_owned(),
        expected_revision: revision,
    };
    ops::reassign(&flow.context, by_host(from, booking), wish).await
}

/// Everything that says whose it is changes together, and nothing else does.
#[tokio::test]
async fn a_booking_goes_to_another_host_with_its_event_and_its_time() {
    let (flow, [ana, ben, _]) = team_of_three().await;
    let token = flow.link(&ana, TEN, SAM).await;
    let booking = flow.look("", &token).await.json();
    let uid = async || {
        let file = flow.look("/calendar.ics", &token).await.text();
        let of = |name: &str| {
            let line = file.lines().find(|line| line.starts_with(name)).unwrap();
            line.to_owned()
        };
        (of("UID:"), of("SEQUENCE:"))
    };
    let (before, _) = uid().await;
    let given = give(&flow, &ana, &booking, "ben", 0).await.unwrap();
    assert_eq!((given.id, given.standing.revision), (id(&booking), 1));
    assert_eq!(uid().await, (before, "SEQUENCE:1".to_owned()));
    let shown = flow.look("", &token).await.json();
    assert_eq!(shown["host"]["name"], "Host ben");
    assert_eq!(shown["start"], TEN);
    assert_eq!(
        on(&flow, &ana, "2026-06-02").await,
        ["09:00", "10:00", "11:00"]
    );
    assert_eq!(on(&flow, &ben, "2026-06-02").await, ["09:00", "11:00"]);
    let event = flow
        .text("SELECT c.owner_host_id || ' ' || e.tz || ' ' || e.start_local FROM events e JOIN calendars c ON c.id = e.calendar_id")
        .await;
    assert_eq!(event, format!("{} Asia/Tokyo 2026-06-02 19:00:00", ben.id));
    let history = flow
        .text("SELECT action || ' ' || old_host || ' ' || new_host FROM booking_history WHERE revision = 1")
        .await;
    assert_eq!(history, format!("reschedule {} {}", ana.id, ben.id));
    // It is Ben's alone from now on, and Ben's to give back.
    let late = give(&flow, &ana, &booking, "ben", 1).await;
    assert!(
        matches!(late, Err(MoveError::Change(ChangeError::NotFound))),
        "{late:?}"
    );
    give(&flow, &ben, &booking, "ana", 1).await.unwrap();
    assert_eq!(on(&flow, &ana, "2026-06-02").await, ["09:00", "11:00"]);
    flow.end().await;
}

/// The old host hears that it is over for them, the new one that it is theirs, booker and guests
/// who the host is now; and who is reminded changes too. A host who gets it back is told so.
#[tokio::test]
async fn everybody_hears_what_it_means_for_them() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").guests().make().await;
    let ben = flow.host("ben").make().await;
    may_take_over(&flow, &ana, "ben").await;
    let mut wish = wish("2026-06-20T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    let booking = flow.ask(&ana, &wish).await.json();
    flow.mail.drain().await;
    let said = |since: usize| -> Vec<(String, String, String)> {
        let letters = flow.mail.letters();
        let mut said: Vec<_> = letters[since..]
            .iter()
            .map(|letter| {
                let method = letter
                    .calendar
                    .as_ref()
                    .map(|calendar| calendar.method.clone());
                (
                    letter.to.clone(),
                    letter.subject.clone(),
                    method.unwrap_or_default(),
                )
            })
            .collect();
        said.sort();
        said
    };
    let told = |rows: &[(&str, &str, &str)]| -> Vec<(String, String, String)> {
        let own = |(to, subject, method): &(&str, &str, &str)| {
            (
                (*to).to_owned(),
                (*subject).to_owned(),
                (*method).to_owned(),
            )
        };
        rows.iter().map(own).collect()
    };
    let before = flow.mail.letters().len();
    give(&flow, &ana, &booking, "ben", 0).await.unwrap();
    flow.mail.drain().await;
    assert_eq!(
        said(before),
        told(&[
            (
                "ana@hosts.test",
                "Handed over: Introduction with Sam Lee",
                "CANCEL"
            ),
            (
                "ben@hosts.test",
                "New booking: Introduction with Sam Lee",
                "REQUEST"
            ),
            (
                "kim@guests.test",
                "New host: Introduction with Host ben",
                "REQUEST"
            ),
            (SAM, "New host: Introduction with Host ben", "REQUEST"),
        ])
    );
    let reminded = "SELECT h.handle FROM mail_outbox m JOIN hosts h ON h.id = m.recipient_id WHERE m.kind = 'reminder' AND m.outcome IS NULL";
    assert_eq!(flow.texts(reminded).await, ["ben"]);
    let before = flow.mail.letters().len();
    give(&flow, &ben, &booking, "ana", 1).await.unwrap();
    flow.mail.drain().await;
    let again = said(before);
    assert_eq!(again[0].1, "New booking: Introduction with Sam Lee");
    assert_eq!(again[1].1, "Handed over: Introduction with Sam Lee");
    assert_eq!(flow.texts(reminded).await, ["ana"]);
    flow.end().await;
}

/// What waited to be sent to the old host says nothing false: the confirmation is skipped.
#[tokio::test]
async fn mail_that_waited_for_the_old_host_is_skipped() {
    let (flow, [ana, _, _]) = team_of_three().await;
    let booking = flow.booked(&ana, TEN).await;
    give(&flow, &ana, &booking, "ben", 0).await.unwrap();
    flow.mail.drain().await;
    let kinds = format!(
        "SELECT kind || ' ' || outcome FROM mail_outbox WHERE recipient_id = '{}' AND kind <> 'reminder' ORDER BY revision",
        ana.id
    );
    assert_eq!(
        flow.texts(&kinds).await,
        ["confirmed skipped", "cancelled sent"]
    );
    flow.end().await;
}

/// What the old host hears is of the day they lost it, though the booking has moved on since; and
/// who has it back before that was sent never hears that they lost it.
#[tokio::test]
async fn a_late_farewell_is_of_its_own_revision() {
    let (flow, [ana, ben, _]) = team_of_three().await;
    let token = flow.link(&ana, TEN, SAM).await;
    let booking = flow.look("", &token).await.json();
    for (from, to, revision) in [(&ana, "ben", 0), (&ben, "ana", 1), (&ana, "ben", 2)] {
        give(&flow, from, &booking, to, revision).await.unwrap();
    }
    let moved = flow.reschedule(&token, "2026-06-02T11:00:00Z", 3).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    flow.mail.drain().await;
    let letters = flow.mail.letters();
    let farewells: Vec<_> = letters
        .iter()
        .filter(|letter| letter.subject.starts_with("Handed over"))
        .collect();
    assert_eq!(farewells.len(), 1);
    let calendar = farewells[0].calendar.as_ref().unwrap();
    assert_eq!(
        (farewells[0].to.as_str(), calendar.ics.sequence()),
        ("ana@hosts.test", 3)
    );
    assert_eq!(calendar.ics.value("DTSTART"), "20260602T100000Z");
    let kinds = "SELECT recipient || ' ' || revision || ' ' || outcome FROM mail_outbox WHERE kind = 'cancelled' ORDER BY revision";
    assert_eq!(
        flow.texts(kinds).await,
        ["host 1 skipped", "host 2 skipped", "host 3 sent"]
    );
    flow.end().await;
}

/// Nor does the end of the booking take from the old host that they lost it: their calendar would
/// keep the meeting. Red if a cancellation, or marking it as over, skips every kind of mail.
#[tokio::test]
async fn the_end_of_the_booking_leaves_the_old_hosts_farewell() {
    for end in ["cancelled", "completed"] {
        let (flow, [ana, ben, _]) = team_of_three().await;
        let token = flow.link(&ana, TEN, SAM).await;
        let booking = flow.look("", &token).await.json();
        give(&flow, &ana, &booking, "ben", 0).await.unwrap();
        if end == "cancelled" {
            assert_eq!(flow.cancel(&token).await.status, 200);
        } else {
            flow.at("2026-06-02T10:30:00Z");
            let done = ops::Attendance::Completed;
            ops::finish(&flow.context, ben.id, id(&booking), done, None)
                .await
                .unwrap();
        }
        let letters = flow.mail.drain().await;
        let to_ana: Vec<_> = letters
            .iter()
            .filter(|letter| letter.to == "ana@hosts.test")
            .map(|letter| (letter.ics().value("METHOD"), letter.ics().sequence()))
            .collect();
        assert_eq!(to_ana, [("CANCEL".to_owned(), 1)], "{end}");
        flow.end().await;
    }
}

/// A later move is judged by the new host's calendars.
#[tokio::test]
async fn after_that_a_move_asks_the_new_hosts_calendars() {
    let (flow, [ana, ben, _]) = team_of_three().await;
    let token = flow.link(&ana, TEN, SAM).await;
    let booking = flow.look("", &token).await.json();
    give(&flow, &ana, &booking, "ben", 0).await.unwrap();
    let event = "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T110000Z\nDURATION:PT5M\nEND:VEVENT";
    put(&flow.context, personal(&flow.context, &ben).await, event).await;
    let answer = flow.reschedule(&token, "2026-06-02T11:00:00Z", 1).await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (409, "slot_taken")
    );
    let answer = flow.reschedule(&token, "2026-06-02T09:00:00Z", 1).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    flow.end().await;
}

#[tokio::test]
async fn what_cannot_be_given_changes_nothing() {
    let (flow, [ana, ben, _]) = team_of_three().await;
    let booking = flow.booked(&ana, TEN).await;
    let digest = async || {
        flow.text("SELECT md5(string_agg(b::text, '' ORDER BY b.id) || (SELECT string_agg(h::text, '') FROM booking_hosts h) || (SELECT count(*) FROM mail_outbox)) FROM bookings b").await
    };
    let before = digest().await;
    let refused = |outcome: Result<PublicBooking, MoveError>| match outcome {
        Err(MoveError::Change(ChangeError::Refused(refusal, _))) => refusal,
        other => panic!("{other:?}"),
    };
    for nobody in ["cem", "nobody", ""] {
        let outcome = give(&flow, &ana, &booking, nobody, 0).await;
        assert!(
            matches!(outcome, Err(MoveError::NotOfThisPage)),
            "{nobody}: {outcome:?}"
        );
    }
    let same = give(&flow, &ana, &booking, "ana", 0).await.unwrap();
    assert_eq!(same.standing.revision, 0, "who has it already");
    assert_eq!(
        refused(give(&flow, &ana, &booking, "ben", 7).await),
        Refusal::RevisionConflict
    );
    for (sql, undo) in [
        ("is_active = false", "is_active = true"),
        ("contact_verified_at = NULL", "contact_verified_at = now()"),
    ] {
        flow.sql(&format!("UPDATE hosts SET {sql} WHERE handle = 'ben'"))
            .await;
        let outcome = give(&flow, &ana, &booking, "ben", 0).await;
        assert!(
            matches!(outcome, Err(MoveError::HostInactive(_))),
            "{sql}: {outcome:?}"
        );
        flow.sql(&format!("UPDATE hosts SET {undo} WHERE handle = 'ben'"))
            .await;
    }
    let calendar = team(&flow.context, &ben, &[]).await;
    let event = "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T105900Z\nDURATION:PT5M\nEND:VEVENT";
    put(&flow.context, calendar, event).await;
    let outcome = give(&flow, &ana, &booking, "ben", 0).await;
    assert!(matches!(outcome, Err(MoveError::Taken(_))), "{outcome:?}");
    assert_eq!(digest().await, before);
    flow.at(TEN);
    assert_eq!(
        refused(give(&flow, &ana, &booking, "ben", 0).await),
        Refusal::AlreadyStarted
    );
    assert_eq!(digest().await, before);
    flow.end().await;
}

/// Two hosts give each other their bookings at once, over and over: both hosts are locked in one
/// order, so nobody waits in a circle.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gifts_in_both_directions_do_not_lock_crosswise() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let ben = flow.host("ben").make().await;
    may_take_over(&flow, &ana, "ben").await;
    may_take_over(&flow, &ben, "ana").await;
    let before = flow.deadlocks().await;
    let mut pairs = Vec::new();
    for hour in 0..4 {
        pairs.push((
            &ana,
            "ben",
            flow.booked(&ana, &format!("2026-06-02T{:02}:00:00Z", 9 + hour))
                .await,
        ));
        pairs.push((
            &ben,
            "ana",
            flow.booked(&ben, &format!("2026-06-03T{:02}:00:00Z", 9 + hour))
                .await,
        ));
    }
    for round in 0..8 {
        let outcomes = join_all(pairs.iter().map(|(from, to, booking)| {
            let (from, to) = if round % 2 == 0 {
                (*from, *to)
            } else {
                (if from.id == ana.id { &ben } else { &ana }, &*from.handle)
            };
            give(&flow, from, booking, to, round)
        }))
        .await;
        for outcome in outcomes {
            outcome.unwrap();
        }
    }
    assert_eq!(flow.deadlocks().await, before);
    flow.end().await;
}

/// A cancellation that waited for the old host's lock does not go on under it: it takes the new
/// host's. Red when the host is not compared after the locks.
#[tokio::test]
async fn who_waited_for_the_old_host_takes_the_new_ones_lock() {
    let (flow, [ana, ben, _]) = team_of_three().await;
    let token = flow.link(&ana, TEN, SAM).await;
    let lock = async |host: &TestHost| {
        let mut tx = begin(&flow.context.pool).await.unwrap();
        let locked = locks::lock_host(&mut tx, host.id, &[], None).await.unwrap();
        assert!(locked.is_some());
        tx
    };
    let (mut first, second) = (lock(&ana).await, lock(&ben).await);
    let changes = async {
        flow.somebody_waits().await;
        sqlx::query("UPDATE booking_hosts SET host_id = $1")
            .bind(ben.id)
            .execute(&mut *first)
            .await
            .unwrap();
        sqlx::query(
            "UPDATE events SET calendar_id = (SELECT id FROM calendars WHERE owner_host_id = $1)",
        )
        .bind(ben.id)
        .execute(&mut *first)
        .await
        .unwrap();
        first.commit().await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        assert_eq!(flow.count("bookings WHERE state = 'cancelled'").await, 0);
        flow.somebody_waits().await;
        second.rollback().await.unwrap();
    };
    let (answer, ()) = tokio::join!(flow.cancel(&token), changes);
    assert_eq!(answer.status, 200, "{}", answer.text());
    flow.end().await;
}
