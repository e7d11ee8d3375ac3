//! `GET /v1/bookings/{id}`: everything that its host may see.

use holdfast_tests::{
    Flow,
    flow::{SAM, wish},
};
use serde_json::{Value, json};
use shared::seal::Place;

use super::{act, shown};

/// A page that asks, takes guests and has a place; a booking with all of that.
async fn booked() -> (Flow, holdfast_tests::app::TestKey, Value) {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .guests()
        .ask("Which?", "choice", true, &["this", "that"])
        .ask("All?", "multiple_choice", false, &["one", "two"])
        .ask("Sure?", "yes_no", false, &[])
        .ask("Else?", "long_text", false, &[])
        .make()
        .await;
    let place = Place::new("event_types", "location", host.event_type);
    let context = &flow.context;
    let sealed = context.keys.seal.seal(place, b"Room 5", &context.random);
    sqlx::query("UPDATE event_types SET location_kind = 'text', location_sealed = $1")
        .bind(sealed.unwrap())
        .execute(&context.pool)
        .await
        .unwrap();
    let key = flow.key(&host).await;
    let mut wish = wish("2026-06-03T10:00:00Z", SAM);
    wish["note"] = json!("I am\nlate.");
    wish["locale"] = json!("zh-CN");
    wish["guests"] =
        json!([{ "email": "kim@guests.test", "name": "Kim Gast" }, { "email": "lea@guests.test" }]);
    wish["answers"] = json!({
        host.questions[0].to_string(): "that",
        host.questions[1].to_string(): ["two", "one"],
        host.questions[2].to_string(): false,
    });
    let answer = flow.ask(&host, &wish).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let mut booking = answer.json();
    booking["questions"] = json!(host.questions);
    booking["event_type"] = json!(host.event_type);
    booking["code"] = json!(host.page.rsplit_once('/').unwrap().1);
    (flow, key, booking)
}

#[tokio::test]
async fn a_host_sees_the_booking_whole() {
    let (flow, key, booking) = booked().await;
    let mut seen = shown(&flow, &key, &booking).await;
    let guests: Vec<Value> = seen["guests"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .map(|guest| guest.as_object_mut().unwrap().remove("id").unwrap())
        .collect();
    let mails = seen.as_object_mut().unwrap().remove("mails").unwrap();
    let questions = booking["questions"].as_array().unwrap();
    let want = json!({
        "id": booking["id"],
        "state": "confirmed",
        "revision": 0,
        "code": booking["code"],
        "event_type_id": booking["event_type"],
        "title": "Introduction",
        "description": "An hour to get to know each other.",
        "start": "2026-06-03T10:00:00Z",
        "end": "2026-06-03T11:00:00Z",
        "zone": "Europe/Paris",
        "locale": "zh-CN",
        "location": { "kind": "text", "text": "Room 5" },
        "name": "Sam Lee",
        "email": SAM,
        "note": "I am\nlate.",
        "guests": [{ "email": "kim@guests.test", "name": "Kim Gast" }, { "email": "lea@guests.test" }],
        "answers": [
            { "question": questions[0], "label": "Which?", "kind": "choice", "value": "that" },
            { "question": questions[1], "label": "All?", "kind": "multiple_choice", "value": ["two", "one"] },
            { "question": questions[2], "label": "Sure?", "kind": "yes_no", "value": false },
        ],
        "actions": ["reschedule", "cancel"],
        "history": [{
            "revision": 0, "at": "2026-06-01T08:00:00Z", "actor": "booker", "action": "book", "to_state": "confirmed",
            "new": { "start": "2026-06-03T10:00:00Z", "end": "2026-06-03T11:00:00Z" },
        }],
    });
    assert_eq!(seen, want);
    // Owed: the confirmation and a reminder each, hosts first, then the booker, then the guests.
    let of: Vec<(Value, Value, Value)> = mails
        .as_array()
        .unwrap()
        .iter()
        .map(|mail| {
            (
                mail["kind"].clone(),
                mail["recipient"].clone(),
                mail["guest_id"].clone(),
            )
        })
        .collect();
    let mut want = Vec::new();
    for kind in ["confirmed", "reminder"] {
        want.push((json!(kind), json!("host"), Value::Null));
        want.push((json!(kind), json!("booker"), Value::Null));
        want.extend(
            guests
                .iter()
                .map(|id| (json!(kind), json!("guest"), id.clone())),
        );
    }
    let sorted = |mut list: Vec<(Value, Value, Value)>| {
        list.sort_by_key(|mail| format!("{mail:?}"));
        list
    };
    assert_eq!(of[0], want[0]);
    assert_eq!(of[1], want[1]);
    assert_eq!(sorted(of), sorted(want));
    // The list shows the same.
    let list = flow.get_signed(&key, "/v1/bookings").await.json();
    assert_eq!(list["data"], json!([shown(&flow, &key, &booking).await]));
    flow.end().await;
}

/// A hold, and what happens to it; every transition is in the history.
#[tokio::test]
async fn a_hosts_view_follows_the_bookings_life() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let key = flow.key(&host).await;
    let booking = flow.booked(&host, "2026-06-02T10:00:00Z").await;
    flow.mail.drain().await;
    let token = flow.mail.token(SAM);
    let seen = shown(&flow, &key, &booking).await;
    assert_eq!(
        (&seen["state"], &seen["hold_expires_at"], &seen["actions"]),
        (
            &json!("held"),
            &json!("2026-06-01T08:30:00Z"),
            &json!(["cancel"])
        )
    );
    flow.confirm(&token).await;
    let moved = flow.reschedule(&token, "2026-06-02T12:00:00Z", 1).await;
    assert_eq!(moved.status, 200);
    flow.manage("cancel", &token, &json!({ "reason": "I am ill." }))
        .await;
    let seen = shown(&flow, &key, &booking).await;
    assert_eq!(
        (
            &seen["state"],
            &seen["cancelled_by"],
            &seen["cancel_reason"],
            &seen["actions"],
            &seen["revision"]
        ),
        (
            &json!("cancelled"),
            &json!("booker"),
            &json!("I am ill."),
            &json!([]),
            &json!(3)
        )
    );
    assert!(seen.get("hold_expires_at").is_none());
    let history: Vec<String> = seen["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            format!(
                "{} {} {} {}>{} {}>{}",
                entry["revision"],
                entry["actor"].as_str().unwrap(),
                entry["action"].as_str().unwrap(),
                entry["from_state"].as_str().unwrap_or("-"),
                entry["to_state"].as_str().unwrap(),
                entry["old"]["start"].as_str().map_or("-", |at| &at[11..16]),
                entry["new"]["start"].as_str().map_or("-", |at| &at[11..16]),
            )
        })
        .collect();
    assert_eq!(
        history,
        [
            "0 booker hold ->held ->10:00",
            "1 booker confirm held>confirmed 10:00>10:00",
            "2 booker reschedule confirmed>confirmed 10:00>12:00",
            "3 booker cancel confirmed>cancelled 12:00>12:00",
        ]
    );
    flow.end().await;
}

#[tokio::test]
async fn what_a_host_may_do_follows_the_clock() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let key = flow.key(&host).await;
    let booking = flow.booked(&host, "2026-06-02T10:00:00Z").await;
    let actions = async || shown(&flow, &key, &booking).await["actions"].clone();
    flow.at("2026-06-02T09:59:59Z");
    assert_eq!(actions().await, json!(["reschedule", "cancel"]));
    flow.at("2026-06-02T10:00:00Z");
    assert_eq!(actions().await, json!(["cancel", "complete", "no_show"]));
    let done = act(&flow, &key, &booking, "complete", &json!({})).await;
    assert_eq!(done.json()["actions"], json!([]));
    flow.end().await;
}

/// A booking that is nobody's, one of another host, and a text that is no id are one 404. Red when
/// `ops::host_booking::read` leaves out the comparison with the key's host.
#[tokio::test]
async fn another_hosts_booking_is_as_if_it_never_was() {
    let (flow, _, booking) = booked().await;
    let ben = flow.host("ben").make().await;
    let ben_key = flow.key(&ben).await;
    let nobodys = "01900000-0000-7000-8000-000000000000";
    let mut bodies = Vec::new();
    for id in [nobodys, booking["id"].as_str().unwrap(), "nonsense", "%00"] {
        let answer = flow
            .get_signed(&ben_key, &format!("/v1/bookings/{id}"))
            .await;
        assert_eq!(answer.status, 404, "{id}");
        bodies.push(answer.body);
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    flow.end().await;
}
