//! Others whom the booker names.

use holdfast_tests::{
    Flow,
    flow::{SAM, wish},
    host::TestHost,
};
use serde_json::{Value, json};

use super::{faults, refused};

fn with_guests(start: &str, guests: Value) -> Value {
    let mut wish = wish(start, SAM);
    wish["guests"] = guests;
    wish
}

fn guests(count: usize) -> Value {
    (1..=count)
        .map(|n| json!({ "email": format!("guest{n}@guests.test") }))
        .collect()
}

#[tokio::test]
async fn a_page_that_takes_no_guests_says_so_and_stores_nothing() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let answer = flow
        .ask(&host, &with_guests("2026-06-02T10:00:00Z", guests(1)))
        .await;
    assert_eq!(refused(&answer), (422, "guests_not_allowed".into()));
    assert_eq!(answer.json()["errors"][0]["pointer"], "/guests");
    for table in ["bookings", "booking_guests", "events", "mail_outbox"] {
        assert_eq!(flow.count(table).await, 0, "{table}");
    }
    let empty = flow
        .ask(&host, &with_guests("2026-06-02T10:00:00Z", json!([])))
        .await;
    assert_eq!(empty.status, 201);
    flow.end().await;
}

#[tokio::test]
async fn ten_guests_are_invited_and_an_eleventh_is_too_many() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    let eleven = flow
        .ask(&host, &with_guests("2026-06-02T10:00:00Z", guests(11)))
        .await;
    assert_eq!(faults(&eleven), [("/guests".into(), "too_many".into())]);
    let mut ten = guests(10);
    ten[3]["name"] = json!("Kim Gast");
    ten[4]["name"] = json!("   ");
    let answer = flow
        .ask(&host, &with_guests("2026-06-02T10:00:00Z", ten))
        .await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let shown = answer.json()["guests"].clone();
    assert_eq!(
        shown[3],
        json!({ "email": "guest4@guests.test", "name": "Kim Gast" })
    );
    assert_eq!(shown[4], json!({ "email": "guest5@guests.test" }));
    // In the order in which they were named, read back as well.
    let token = answer.json()["manage_token"].as_str().unwrap().to_owned();
    assert_eq!(flow.look("", &token).await.json()["guests"], shown);

    // Hosts first, then the booker, then guests, each with an invitation of their own.
    let letters = flow.mail.drain().await;
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to[..2], ["ana@hosts.test", SAM]);
    assert_eq!(to.len(), 12);
    for letter in &letters[2..] {
        let ics = letter.ics();
        assert_eq!(ics.all("ATTENDEE").len(), 3, "host, booker, themselves");
        let others = letters[2..].iter().filter(|other| other.to != letter.to);
        for other in others {
            let everything = format!("{} {} {}", letter.text, letter.html, ics.0);
            assert!(
                !everything.contains(&other.to),
                "{} sees {}",
                letter.to,
                other.to
            );
        }
        assert!(letter.token().is_none(), "only the booker has a link");
    }
    flow.end().await;
}

#[tokio::test]
async fn every_fault_of_every_guest_is_named_at_once() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    let wish = with_guests(
        "2026-06-02T10:00:00Z",
        json!([
            { "email": "kim@guests.test" },
            { "email": "KIM@Guests.test" },
            { "email": "Sam@Bookers.test" },
            { "email": "nonsense" },
            { "email": "" },
            { "email": "lea@guests.test", "name": "L".repeat(101) },
            { "email": "max@guests.test", "name": "Max\nBcc: x" },
        ]),
    );
    let answer = flow.ask(&host, &wish).await;
    let want = [
        ("/guests/1/email", "repeated"),
        ("/guests/2/email", "repeated"),
        ("/guests/3/email", "invalid_email"),
        ("/guests/4/email", "missing"),
        ("/guests/5/name", "too_long"),
        ("/guests/6/name", "control_characters"),
    ];
    let want = want.map(|(pointer, code)| (pointer.to_owned(), code.to_owned()));
    assert_eq!(faults(&answer), want);
    assert_eq!(flow.count("bookings").await, 0);
    flow.end().await;
}

/// Turning guests off later leaves those who are there on their mail.
#[tokio::test]
async fn guests_stay_when_the_page_takes_no_more() {
    let flow = Flow::start().await;
    let host: TestHost = flow.host("ana").guests().make().await;
    let booking = flow
        .ask(&host, &with_guests("2026-06-02T10:00:00Z", guests(2)))
        .await
        .json();
    flow.mail.drain().await;
    flow.sql("UPDATE event_types SET allow_guests = false, revision = revision + 1")
        .await;
    let token = booking["manage_token"].as_str().unwrap();
    let moved = flow.reschedule(token, "2026-06-02T14:00:00Z", 0).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    assert_eq!(moved.json()["guests"].as_array().unwrap().len(), 2);
    let mut to: Vec<String> = flow.mail.drain().await.into_iter().map(|l| l.to).collect();
    to[2..].sort();
    assert_eq!(
        to,
        [
            "ana@hosts.test",
            SAM,
            "guest1@guests.test",
            "guest2@guests.test"
        ]
    );
    flow.end().await;
}

/// serde would also take a list of a struct's fields in order.
#[tokio::test]
async fn a_list_where_an_object_belongs_is_400() {
    let flow = Flow::start().await;
    let host = flow.host("ana").guests().make().await;
    let answer = flow
        .ask(
            &host,
            &with_guests(
                "2026-06-02T10:00:00Z",
                json!([{ "email": "kim@guests.test" }, ["lea@guests.test"]]),
            ),
        )
        .await;
    assert_eq!(refused(&answer), (400, "invalid_body".into()));
    assert_eq!(answer.json()["errors"][0]["pointer"], "/guests/1");
    let listed = json!([
        "2026-06-02T10:00:00Z",
        "UTC",
        "Sam",
        SAM,
        null,
        [],
        {},
        null
    ]);
    let answer = flow.ask(&host, &listed).await;
    assert_eq!(refused(&answer), (400, "invalid_body".into()));
    assert_eq!(flow.count("bookings").await, 0);
    flow.end().await;
}
