//! What became of a booking's mail, for its host: never to which address.

use holdfast_tests::{
    Flow,
    app::TestKey,
    flow::{SAM, wish},
    smtp_sink::{At, Behaviour},
};
use serde_json::{Value, json};

use super::shown;

/// The mails of a kind to a role, each without what is not there.
fn mails<'a>(booking: &'a Value, kind: &str, recipient: &str) -> Vec<&'a Value> {
    let all = booking["mails"].as_array().unwrap().iter();
    all.filter(|mail| mail["kind"] == kind && mail["recipient"] == recipient)
        .collect()
}

async fn booked(flow: &Flow) -> (TestKey, Value) {
    let host = flow.host("ana").guests().make().await;
    let key = flow.key(&host).await;
    let mut wish = wish("2026-06-03T10:00:00Z", SAM);
    wish["guests"] = json!([{ "email": "kim@guests.test" }]);
    let booking = flow.ask(&host, &wish).await.json();
    (key, booking)
}

#[tokio::test]
async fn each_mails_outcome_is_shown() {
    let flow = Flow::start().await;
    let (key, booking) = booked(&flow).await;
    let seen = shown(&flow, &key, &booking).await;
    assert_eq!(
        *mails(&seen, "confirmed", "booker")[0],
        json!({
            "kind": "confirmed", "recipient": "booker", "revision": 0, "offset_min": 0,
            "due_at": "2026-06-01T08:00:00Z", "attempts": 0, "uncertain": 0,
        }),
        "owed"
    );
    let guest = seen["guests"][0]["id"].clone();
    flow.mail.sink.behave_for(
        "kim@guests.test",
        Behaviour::reply(At::Rcpt, "550 5.1.1 no kim here"),
    );
    flow.mail.sink.behave_for(
        "ana@hosts.test",
        Behaviour::reply(At::Rcpt, "451 4.3.0 ana, later"),
    );
    flow.mail.drain().await;
    let seen = shown(&flow, &key, &booking).await;
    let sent = mails(&seen, "confirmed", "booker")[0];
    assert_eq!(
        (&sent["outcome"], &sent["outcome_at"], &sent["attempts"]),
        (&json!("sent"), &json!("2026-06-01T08:00:00Z"), &json!(1))
    );
    let rejected = mails(&seen, "confirmed", "guest")[0];
    assert_eq!(
        (
            &rejected["outcome"],
            &rejected["guest_id"],
            &rejected["smtp_stage"],
            &rejected["smtp_code"],
            &rejected["smtp_status"]
        ),
        (
            &json!("rejected"),
            &guest,
            &json!("rcpt_to"),
            &json!(550),
            &json!("5.1.1")
        )
    );
    let later = mails(&seen, "confirmed", "host")[0];
    assert_eq!(
        (
            later.get("outcome"),
            &later["attempts"],
            &later["smtp_code"],
            &later["smtp_status"]
        ),
        (None, &json!(1), &json!(451), &json!("4.3.0"))
    );
    assert!(later["due_at"].as_str().unwrap() > "2026-06-01T08:00:00Z");
    assert!(later["error_class"].is_string());
    // No address, and nothing of what the server said.
    let text = seen["mails"].to_string();
    for words in ["@", "no kim here", "later"] {
        assert!(!text.contains(words), "{words}: {text}");
    }
    flow.mail
        .sink
        .behave_for("ana@hosts.test", Behaviour::Accept);
    flow.at("2026-06-01T09:00:00Z");
    flow.mail.drain().await;
    let seen = shown(&flow, &key, &booking).await;
    assert_eq!(mails(&seen, "confirmed", "host")[0]["outcome"], "sent");
    flow.end().await;
}

/// What a transition made false is seen as skipped, beside what is owed instead.
#[tokio::test]
async fn mail_that_was_skipped_is_shown_as_that() {
    let flow = Flow::start().await;
    let (key, booking) = booked(&flow).await;
    flow.mail.drain().await;
    let token = booking["manage_token"].as_str().unwrap();
    assert_eq!(
        flow.reschedule(token, "2026-06-05T12:00:00Z", 0)
            .await
            .status,
        200
    );
    let seen = shown(&flow, &key, &booking).await;
    let reminders = mails(&seen, "reminder", "booker");
    let told: Vec<_> = reminders
        .iter()
        .map(|mail| {
            (
                mail["revision"].clone(),
                mail["offset_min"].clone(),
                mail["outcome"].clone(),
                mail["due_at"].clone(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (
                json!(0),
                json!(1440),
                json!("skipped"),
                json!("2026-06-02T10:00:00Z")
            ),
            (
                json!(1),
                json!(1440),
                Value::Null,
                json!("2026-06-04T12:00:00Z")
            ),
        ]
    );
    let moved = mails(&seen, "rescheduled", "guest");
    assert_eq!((moved.len(), &moved[0]["revision"]), (1, &json!(1)));
    // The links of the mail are the booker's alone.
    flow.mail.drain().await;
    let text = shown(&flow, &key, &booking).await.to_string();
    for secret in [token, flow.mail.token(SAM).as_str(), "manage_"] {
        assert!(!text.contains(secret), "{text}");
    }
    flow.end().await;
}
