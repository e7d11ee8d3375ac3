//! What a host does with a booking over their key.

use holdfast_tests::{Flow, app::TestKey, flow::SAM, host::TestHost};
use reqwest::Method;
use serde_json::{Value, json};

use super::{act, shown};

async fn confirmed() -> (Flow, TestHost, TestKey, Value) {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let key = flow.key(&host).await;
    let booking = flow.booked(&host, "2026-06-03T10:00:00Z").await;
    flow.mail.drain().await;
    (flow, host, key, booking)
}

/// Status and code of an answer.
fn told(answer: &holdfast_tests::Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.code())
}

#[tokio::test]
async fn a_host_cancels_and_the_booker_hears_why() {
    let (flow, host, key, booking) = confirmed().await;
    let body = json!({ "reason": " My train broke down. ", "expected_revision": 0 });
    let answer = act(&flow, &key, &booking, "cancel", &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let seen = answer.json();
    assert_eq!(
        (
            &seen["state"],
            &seen["revision"],
            &seen["cancelled_by"],
            &seen["actions"]
        ),
        (&json!("cancelled"), &json!(1), &json!("host"), &json!([]))
    );
    let letters = flow.mail.drain().await;
    let mut to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    to.sort_unstable();
    assert_eq!(to, ["ana@hosts.test", SAM]);
    let to_booker = flow.mail.newest(SAM);
    assert!(to_booker.text.contains("My train broke down."));
    assert_eq!(to_booker.calendar.unwrap().method, "CANCEL");
    // Again: unchanged, and nobody is mailed again. With a stale revision too: it is so already.
    let again = act(
        &flow,
        &key,
        &booking,
        "cancel",
        &json!({ "reason": "Other" }),
    )
    .await;
    assert_eq!((again.status.as_u16(), again.json()), (200, seen));
    assert!(flow.mail.drain().await.is_empty());
    assert_eq!(
        shown(&flow, &key, &booking).await["cancel_reason"],
        "My train broke down."
    );
    // The time is free, and its booker's link shows who cancelled.
    let link = booking["manage_token"].as_str().unwrap();
    assert_eq!(flow.look("", link).await.json()["cancelled_by"], "host");
    assert_eq!(flow.cancel(link).await.code(), "booking_cancelled");
    flow.booked(&host, "2026-06-03T10:00:00Z").await;
    flow.end().await;
}

#[tokio::test]
async fn what_its_booker_cancelled_its_host_cannot_cancel_again() {
    let (flow, _, key, booking) = confirmed().await;
    flow.cancel(booking["manage_token"].as_str().unwrap()).await;
    let answer = act(&flow, &key, &booking, "cancel", &json!({})).await;
    assert_eq!(told(&answer), (409, "booking_cancelled".into()));
    // With the booking as its host sees it, not as its booker does.
    let current = &answer.json()["booking"];
    assert_eq!(
        (
            &current["cancelled_by"],
            &current["email"],
            &current["actions"]
        ),
        (&json!("booker"), &json!(SAM), &json!([]))
    );
    assert!(current.get("reschedules_left").is_none());
    flow.end().await;
}

/// R5, R12: a hold that its host lets go mails nobody, and its link can confirm nothing.
#[tokio::test]
async fn a_host_releases_a_hold_and_nobody_is_mailed() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let key = flow.key(&host).await;
    let token = flow.link(&host, "2026-06-03T10:00:00Z", SAM).await;
    let booking = flow.look("", &token).await.json();
    let answer = act(&flow, &key, &booking, "cancel", &json!({})).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json()["state"]),
        (200, &json!("expired"))
    );
    assert!(flow.mail.drain().await.is_empty());
    assert_eq!(flow.confirm(&token).await.code(), "hold_expired");
    let history = shown(&flow, &key, &booking).await["history"][1].clone();
    assert_eq!(
        (&history["actor"], &history["action"]),
        (&json!("host"), &json!("release"))
    );
    flow.booked(&host, "2026-06-03T10:00:00Z").await;
    flow.end().await;
}

/// A meeting that has begun can still be called off by its host, never by its booker.
#[tokio::test]
async fn a_host_may_cancel_what_has_begun() {
    let (flow, _, key, booking) = confirmed().await;
    flow.at("2026-06-03T10:30:00Z");
    let link = booking["manage_token"].as_str().unwrap();
    assert_eq!(flow.cancel(link).await.code(), "already_started");
    let answer = act(&flow, &key, &booking, "cancel", &json!({})).await;
    assert_eq!(answer.json()["state"], "cancelled");
    flow.end().await;
}

/// R7, R14, R18: the same booking at another time; every link still opens it.
#[tokio::test]
async fn a_host_moves_a_booking_and_every_link_of_its_booker_still_works() {
    let (flow, host, key, booking) = confirmed().await;
    let links = [
        booking["manage_token"].as_str().unwrap().to_owned(),
        flow.mail.token(SAM),
    ];
    let body = json!({ "start": "2026-06-04T14:00:00Z", "expected_revision": 0 });
    let answer = act(&flow, &key, &booking, "reschedule", &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let seen = answer.json();
    assert_eq!(
        (
            &seen["id"],
            &seen["revision"],
            &seen["start"],
            &seen["end"],
            &seen["zone"]
        ),
        (
            &booking["id"],
            &json!(1),
            &json!("2026-06-04T14:00:00Z"),
            &json!("2026-06-04T15:00:00Z"),
            &json!("Europe/Paris"),
        )
    );
    let letters = flow.mail.drain().await;
    assert_eq!(letters.len(), 2);
    for letter in &letters {
        assert_eq!(letter.ics().sequence(), 1);
    }
    for link in &links {
        let managed = flow.look("", link).await.json();
        assert_eq!(managed["start"], "2026-06-04T14:00:00Z");
        assert_eq!(
            managed["reschedules_left"], 5,
            "a host's move is not the booker's"
        );
    }
    let history = shown(&flow, &key, &booking).await["history"][1].clone();
    assert_eq!(
        (&history["actor"], &history["action"]),
        (&json!("host"), &json!("reschedule"))
    );
    flow.booked(&host, "2026-06-03T10:00:00Z").await;
    flow.end().await;
}

/// R8: a repeat under its key is answered again and moves nothing; a stale one is refused.
#[tokio::test]
async fn a_hosts_move_that_is_sent_again_moves_once() {
    let (flow, host, key, booking) = confirmed().await;
    let path = format!(
        "/v1/bookings/{}/reschedule",
        booking["id"].as_str().unwrap()
    );
    let send = async |key: &TestKey, path: &str, start: &str, revision: i32| {
        let body = json!({ "start": start, "expected_revision": revision });
        let request = flow.signed(key, Method::POST, path);
        flow.send(request.header("Idempotency-Key", "once").json(&body))
            .await
    };
    let first = send(&key, &path, "2026-06-04T14:00:00Z", 0).await;
    assert_eq!(
        (first.status.as_u16(), first.header("idempotent-replayed")),
        (200, String::new())
    );
    flow.mail.drain().await;
    // Moved on meanwhile, and sent again with another of the host's keys.
    let token = booking["manage_token"].as_str().unwrap();
    flow.reschedule(token, "2026-06-05T09:00:00Z", 1).await;
    let other = flow.key(&host).await;
    for key in [&key, &other] {
        let again = send(key, &path, "2026-06-04T14:00:00Z", 0).await;
        assert_eq!(again.header("idempotent-replayed"), "true");
        assert_eq!(again.json(), first.json());
    }
    // Another request, and another booking, under the same key.
    let reused = send(&key, &path, "2026-06-04T15:00:00Z", 2).await;
    assert_eq!(told(&reused), (422, "idempotency_key_reused".into()));
    let second = flow.booked(&host, "2026-06-03T12:00:00Z").await;
    let elsewhere = format!("/v1/bookings/{}/reschedule", second["id"].as_str().unwrap());
    let reused = send(&key, &elsewhere, "2026-06-04T14:00:00Z", 0).await;
    assert_eq!(told(&reused), (422, "idempotency_key_reused".into()));
    // The booker's keys are of another space, and so are another host's.
    let ben = flow.host("ben").make().await;
    let ben_key = flow.key(&ben).await;
    let his = flow.booked(&ben, "2026-06-03T12:00:00Z").await;
    let his_path = format!("/v1/bookings/{}/reschedule", his["id"].as_str().unwrap());
    assert_eq!(
        send(&ben_key, &his_path, "2026-06-04T14:00:00Z", 0)
            .await
            .status,
        200
    );
    // Without a key the revision decides.
    let stale = json!({ "start": "2026-06-04T14:00:00Z", "expected_revision": 0 });
    let answer = act(&flow, &key, &booking, "reschedule", &stale).await;
    assert_eq!(told(&answer), (409, "revision_conflict".into()));
    let current = &answer.json()["booking"];
    assert_eq!(
        (&current["revision"], &current["start"], &current["actions"]),
        (
            &json!(2),
            &json!("2026-06-05T09:00:00Z"),
            &json!(["reschedule", "cancel"])
        )
    );
    flow.end().await;
}

/// Hours and other bookings are in a host's way as in anybody's; bookers' limits are not.
#[tokio::test]
async fn a_hosts_move_keeps_to_what_the_page_offers_and_not_to_bookers_limits() {
    let (flow, host, key, booking) = confirmed().await;
    flow.booked(&host, "2026-06-03T12:00:00Z").await;
    for (start, code) in [
        ("2026-06-03T12:00:00Z", "slot_taken"),
        ("2026-06-03T20:00:00Z", "slot_not_offered"),
        ("2026-06-03T10:00:00Z", "unchanged"),
    ] {
        let body = json!({ "start": start, "expected_revision": 0 });
        let answer = act(&flow, &key, &booking, "reschedule", &body).await;
        assert_eq!(answer.code(), code, "{start}");
    }
    for revision in 0..7 {
        let hour = 13 + revision % 2;
        let body =
            json!({ "start": format!("2026-06-04T{hour}:00:00Z"), "expected_revision": revision });
        let answer = act(&flow, &key, &booking, "reschedule", &body).await;
        assert_eq!(answer.status, 200, "{revision}: {}", answer.text());
    }
    // A zone is the booker's to choose.
    let body = json!({ "start": "2026-06-04T09:00:00Z", "expected_revision": 7, "zone": "UTC" });
    let answer = act(&flow, &key, &booking, "reschedule", &body).await;
    assert_eq!(told(&answer), (400, "invalid_body".into()));
    flow.end().await;
}

#[tokio::test]
async fn a_host_says_whether_the_booker_came_and_nobody_is_mailed() {
    for (verb, state, other) in [
        ("complete", "completed", "no-show"),
        ("no-show", "no_show", "complete"),
    ] {
        let (flow, _, key, booking) = confirmed().await;
        flow.at("2026-06-03T09:59:59Z");
        let early = act(&flow, &key, &booking, verb, &json!({})).await;
        assert_eq!(told(&early), (409, "not_started".into()));
        assert_eq!(early.json()["booking"]["state"], "confirmed");
        flow.mail.drain().await;
        flow.at("2026-06-03T10:00:00Z");
        let stale = act(
            &flow,
            &key,
            &booking,
            verb,
            &json!({ "expected_revision": 1 }),
        )
        .await;
        assert_eq!(told(&stale), (409, "revision_conflict".into()));
        let done = act(
            &flow,
            &key,
            &booking,
            verb,
            &json!({ "expected_revision": 0 }),
        )
        .await;
        assert_eq!(
            (
                done.status.as_u16(),
                &done.json()["state"],
                &done.json()["revision"]
            ),
            (200, &json!(state), &json!(1))
        );
        let again = act(&flow, &key, &booking, verb, &json!({})).await;
        assert_eq!((again.status.as_u16(), again.json()), (200, done.json()));
        let answer = act(&flow, &key, &booking, other, &json!({})).await;
        assert_eq!(told(&answer), (409, "booking_finished".into()));
        assert!(flow.mail.drain().await.is_empty());
        flow.end().await;
    }
}

/// The mailbox confirms a hold: a host has no call for it.
#[tokio::test]
async fn a_host_cannot_confirm_for_the_booker() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let key = flow.key(&host).await;
    let booking = flow.booked(&host, "2026-06-03T10:00:00Z").await;
    let answer = act(&flow, &key, &booking, "confirm", &json!({})).await;
    assert_eq!(answer.status, 404);
    // Nor does a key open what a manage token opens.
    let request = flow.signed(&key, Method::POST, "/v1/manage/confirm");
    assert_eq!(flow.send(request.json(&json!({}))).await.status, 404);
    assert_eq!(shown(&flow, &key, &booking).await["state"], "held");
    flow.end().await;
}

/// A body may have 1 MiB and not a byte more; a stranger's is not read at all.
#[tokio::test]
async fn a_signed_body_may_have_a_mebibyte() {
    let (flow, _, key, booking) = confirmed().await;
    let path = format!("/v1/bookings/{}/cancel", booking["id"].as_str().unwrap());
    let padded = |bytes: usize| {
        let json = r#"{ "expected_revision": 7 }"#;
        format!("{json}{}", " ".repeat(bytes - json.len()))
    };
    let send = async |bytes: usize| {
        let request = flow.signed(&key, Method::POST, &path);
        flow.send(
            request
                .header("Content-Type", "application/json")
                .body(padded(bytes)),
        )
        .await
    };
    assert_eq!(send(1024 * 1024).await.code(), "revision_conflict");
    let refused = send(1024 * 1024 + 1).await;
    assert_eq!(told(&refused), (413, "body_too_large".into()));
    assert_eq!(refused.json()["detail"], "at most 1048576 bytes");
    let stranger = flow
        .request(Method::POST, &path)
        .header("Content-Type", "application/json")
        .body(padded(1024 * 1024 + 1));
    assert_eq!(flow.send(stranger).await.status, 401);
    // Without a length that it announces, the body is counted as it comes.
    let chunk = padded(1024 * 1024 + 1);
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{chunk}\r\n0\r\n\r\n",
        key.text,
        chunk.len()
    );
    let answer = flow.raw(&head).await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    flow.end().await;
}
