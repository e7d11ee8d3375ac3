//! Faults that people reported of software of this kind, each by the id of its case. Those that
//! are races stand in `races.rs`, reminders in `outbox/reminders.rs`, invitations in
//! `outbox/invitations.rs`.

use std::collections::BTreeMap;

use holdfast_tests::{
    Flow,
    app::at,
    flow::SAM,
    host::{TestHost, starts},
    letter::Letter,
};
use serde_json::json;
use shared::instant::Instant;

/// An hour long, every quarter of an hour.
async fn page(flow: &Flow) -> TestHost {
    flow.host("ana").minutes(60, 15).make().await
}

/// Case bok-08: the link of the first mail, used after a move, cancels the one booking that there
/// is.
#[tokio::test]
async fn bok_08_the_first_link_cancels_the_moved_meeting_whole() {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    let first = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    assert_eq!(
        flow.reschedule(&first, "2026-06-02T14:00:00Z", 0)
            .await
            .status,
        200
    );
    flow.mail.drain().await;
    let answer = flow.cancel(&first).await.json();
    assert_eq!(
        (&answer["state"], &answer["start"]),
        (&json!("cancelled"), &json!("2026-06-02T14:00:00Z"))
    );
    for letter in flow.mail.drain().await {
        assert_eq!(letter.ics().instant("DTSTART"), at("2026-06-02T14:00:00Z"));
        assert_eq!(letter.ics().value("METHOD"), "CANCEL");
    }
    assert_eq!(flow.count("booking_hosts WHERE active").await, 0);
    assert_eq!(flow.text("SELECT status FROM events").await, "cancelled");
    flow.end().await;
}

/// Case bok-09: a booking is not in its own way, and stays in that of others. Red if the load does
/// not leave the booking itself out.
#[tokio::test]
async fn bok_09_an_hour_moves_by_a_quarter_of_an_hour() {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    let token = flow.link(&host, "2026-06-02T11:30:00Z", SAM).await;
    let range = "?from=2026-06-02T00:00:00Z&to=2026-06-03T00:00:00Z";
    let own = starts(&flow.look(&format!("/slots{range}"), &token).await.json());
    let others = starts(&flow.get(&format!("{}/slots{range}", host.api)).await.json());
    for time in ["10:45", "11:00", "11:15", "11:45", "12:00", "12:15"] {
        let start = at(&format!("2026-06-02T{time}:00Z"));
        assert!(own.contains(&start), "{time} for the booker");
        assert!(!others.contains(&start), "{time} for others");
    }
    let moved = flow.reschedule(&token, "2026-06-02T11:45:00Z", 0).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    flow.end().await;
}

/// Case bok-12: each use of a link moves the one booking.
#[tokio::test]
async fn bok_12_a_link_used_again_moves_the_same_booking() {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    let link = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    assert_eq!(
        flow.reschedule(&link, "2026-06-02T14:00:00Z", 0)
            .await
            .status,
        200
    );
    // From a page that was open before, and from one opened anew.
    let stale = flow.reschedule(&link, "2026-06-02T15:00:00Z", 0).await;
    assert_eq!(
        (stale.status.as_u16(), stale.code().as_str()),
        (409, "revision_conflict")
    );
    assert_eq!(stale.json()["booking"]["start"], "2026-06-02T14:00:00Z");
    assert_eq!(
        flow.reschedule(&link, "2026-06-02T15:00:00Z", 1)
            .await
            .status,
        200
    );
    assert_eq!(flow.count("bookings").await, 1);
    assert_eq!(flow.count("booking_hosts WHERE active").await, 1);
    flow.end().await;
}

/// Case bok-13: what is cancelled stays so.
#[tokio::test]
async fn bok_13_a_cancelled_booking_is_not_moved_back_to_life() {
    let flow = Flow::start().await;
    let host = page(&flow).await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    assert_eq!(flow.cancel(&token).await.status, 200);
    flow.mail.drain().await;
    for revision in 0..3 {
        let answer = flow
            .reschedule(&token, "2026-06-02T14:00:00Z", revision)
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (409, "booking_cancelled")
        );
    }
    assert_eq!(flow.count("booking_hosts WHERE active").await, 0);
    assert!(flow.mail.drain().await.is_empty());
    flow.end().await;
}

/// A calendar that keeps an event a UID, and of several the one with the highest SEQUENCE.
fn calendar_of<'a>(letters: impl Iterator<Item = &'a Letter>) -> Vec<Instant> {
    let mut events: BTreeMap<String, (i32, Option<Instant>)> = BTreeMap::new();
    for letter in letters.filter(|letter| letter.calendar.is_some()) {
        let ics = letter.ics();
        let stands = ics.value("METHOD") == "REQUEST";
        let event = (ics.sequence(), stands.then(|| ics.instant("DTSTART")));
        let held = events.entry(ics.value("UID")).or_insert((-1, None));
        if event.0 > held.0 {
            *held = event;
        }
    }
    events
        .into_values()
        .filter_map(|(_, start)| start)
        .collect()
}

/// Case out-15: a guest's calendar shows a moved meeting once, and a cancelled one not at all,
/// whatever the order in which the mails arrive.
#[tokio::test]
async fn out_15_a_guests_calendar_shows_the_new_time_only() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    let mut wish = holdfast_tests::flow::wish("2026-06-02T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    let booking = flow.ask(&host, &wish).await.json();
    let token = booking["manage_token"].as_str().unwrap();
    flow.mail.drain().await;
    assert_eq!(
        flow.reschedule(token, "2026-06-02T14:00:00Z", 0)
            .await
            .status,
        200
    );
    flow.mail.drain().await;
    for reader in ["kim@guests.test", SAM, "ana@hosts.test"] {
        let letters = flow.mail.letters();
        let own = || letters.iter().filter(|letter| letter.to == reader);
        let want = [at("2026-06-02T14:00:00Z")];
        assert_eq!(calendar_of(own()), want, "{reader}");
        assert_eq!(
            calendar_of(own().rev()),
            want,
            "{reader}, in the other order"
        );
    }
    assert_eq!(flow.cancel(token).await.status, 200);
    flow.mail.drain().await;
    for reader in ["kim@guests.test", SAM, "ana@hosts.test"] {
        let letters = flow.mail.letters();
        let own = || letters.iter().filter(|letter| letter.to == reader);
        assert!(
            calendar_of(own()).is_empty() && calendar_of(own().rev()).is_empty(),
            "{reader}"
        );
    }
    flow.end().await;
}
