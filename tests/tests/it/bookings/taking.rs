//! A slot taken: held until the mailbox confirms it, or confirmed at once.

use holdfast_tests::{
    Flow,
    flow::{SAM, id, wish},
    host::starts,
};
use serde_json::{Value, json};
use shared::seal::Place;
use uuid::Uuid;

/// A sealed column, opened.
async fn opened(flow: &Flow, table: &'static str, column: &'static str, row: Uuid) -> String {
    let sql = format!("SELECT {column}_sealed FROM {table} WHERE id = $1");
    let sealed: Vec<u8> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
        .bind(row)
        .fetch_one(&flow.context.pool)
        .await
        .unwrap();
    let place = Place::new(table, column, row);
    flow.context.keys.seal.open_text(place, &sealed).unwrap()
}

#[tokio::test]
async fn a_page_with_email_link_holds_the_slot_and_keeps_the_token_for_the_mailbox() {
    let flow = Flow::start().await;
    let host = flow.host("ana").name("Ana Novak").by_mail().make().await;
    let mut wish = wish("2026-06-02T10:00:00Z", SAM);
    wish["note"] = json!("Bring the plan.");
    let answer = flow.ask(&host, &wish).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(answer.header("idempotent-replayed"), "");
    assert_eq!(answer.header("cache-control"), "no-store");
    let booking = answer.json();
    assert_eq!(
        booking,
        json!({
            "id": booking["id"], "state": "held", "revision": 0,
            "title": "Introduction", "description": "An hour to get to know each other.",
            "start": "2026-06-02T10:00:00Z", "end": "2026-06-02T11:00:00Z", "zone": "Europe/Paris",
            "host": { "name": "Ana Novak" }, "name": "Sam Lee", "email": SAM, "note": "Bring the plan.",
            "guests": [], "hold_expires_at": "2026-06-01T08:30:00Z",
        })
    );
    assert_eq!(id(&booking).get_version_num(), 7);
    assert_eq!(flow.count("manage_tokens").await, 0);
    assert_eq!(
        flow.text("SELECT concat_ws(' ', kind, status, tz, start_local, end_local, start_utc = '2026-06-02T10:00Z') FROM events").await,
        "meeting tentative UTC 2026-06-02 10:00:00 2026-06-02 11:00:00 t"
    );
    let event: Uuid = flow
        .text("SELECT id::text FROM events")
        .await
        .parse()
        .unwrap();
    assert_eq!(
        opened(&flow, "events", "title", event).await,
        "Introduction – Sam Lee"
    );
    assert_eq!(
        opened(&flow, "events", "notes", event).await,
        "Bring the plan."
    );

    // The mailbox alone gets the link, and it opens the booking.
    let letters = flow.mail.drain().await;
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].to, SAM);
    assert!(letters[0].calendar.is_none(), "a hold is no invitation");
    assert!(letters[0].link("confirm").is_some());
    let seen = flow.look("", &letters[0].token().unwrap()).await.json();
    assert_eq!(seen["id"], booking["id"]);
    assert_eq!(seen["actions"], json!(["confirm", "cancel"]));
    assert_eq!(
        seen["host"],
        json!({ "name": "Ana Novak", "email": "ana@hosts.test" })
    );
    flow.end().await;
}

#[tokio::test]
async fn a_page_with_instant_confirms_at_once_and_answers_the_token() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .zone("America/New_York")
        .set("location_kind", "'none'".into())
        .make()
        .await;
    let booking = flow.booked(&host, "2026-06-02T14:00:00Z").await;
    assert_eq!(
        booking,
        json!({
            "id": booking["id"], "state": "confirmed", "revision": 0,
            "title": "Introduction", "description": "An hour to get to know each other.",
            "start": "2026-06-02T14:00:00Z", "end": "2026-06-02T15:00:00Z", "zone": "Europe/Paris",
            "host": { "name": "Host ana" }, "name": "Sam Lee", "email": SAM, "guests": [],
            "manage_token": booking["manage_token"], "manage_url": booking["manage_url"],
        })
    );
    let token = booking["manage_token"].as_str().unwrap();
    assert_eq!(token.len(), 64);
    assert!(token.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(
        booking["manage_url"],
        format!("https://book.holdfast.test/book/m/{token}")
    );
    let seen = flow.look("", token).await.json();
    assert_eq!(
        (&seen["state"], &seen["reschedules_left"], &seen["actions"]),
        (
            &json!("confirmed"),
            &json!(5),
            &json!(["reschedule", "cancel"])
        )
    );
    assert_eq!(
        flow.text("SELECT concat_ws(' ', status, tz, start_local) FROM events")
            .await,
        "confirmed America/New_York 2026-06-02 10:00:00"
    );
    let to: Vec<String> = flow.mail.drain().await.into_iter().map(|l| l.to).collect();
    assert_eq!(to, ["ana@hosts.test", SAM]);
    flow.end().await;
}

/// R6: a hold lapses at the earlier of 30 minutes and the meeting's start.
#[tokio::test]
async fn a_hold_of_a_meeting_that_is_near_lapses_when_it_starts() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .by_mail()
        .minutes(60, 5)
        .free("every day 0:00-24:00")
        .make()
        .await;
    for (start, lapse) in [
        ("2026-06-01T08:10:00Z", "2026-06-01T08:10:00Z"),
        ("2026-06-01T09:10:00Z", "2026-06-01T08:30:00Z"),
    ] {
        assert_eq!(flow.booked(&host, start).await["hold_expires_at"], lapse);
    }
    // A hold needs ten minutes to be confirmed, whatever the notice.
    let near = flow.book(&host, "2026-06-01T08:05:00Z", SAM).await;
    assert_eq!(super::refused(&near), (422, "slot_not_offered".into()));
    flow.end().await;
}

/// Each page is booked with its own length and buffers, and both stand in each other's way. Case
/// bok-03, one after the other.
#[tokio::test]
async fn two_types_of_one_host_share_its_time() {
    let flow = Flow::start().await;
    let intro = flow.host("ana").minutes(60, 15).make().await;
    let review = flow.second_page(&intro, 30).await;
    flow.booked(&intro, "2026-06-02T10:00:00Z").await;
    for (start, want) in [
        ("2026-06-02T10:30:00Z", 409),
        ("2026-06-02T09:45:00Z", 409),
        ("2026-06-02T11:00:00Z", 201),
        ("2026-06-02T09:30:00Z", 201),
    ] {
        let answer = flow.book(&review, start, SAM).await;
        assert_eq!(answer.status, want, "{start}: {}", answer.text());
    }
    let day = ["2026-06-02T00:00:00Z", "2026-06-03T00:00:00Z"];
    let listed = starts(&flow.get(&intro.slots(day[0], day[1], "UTC")).await.json());
    let first = listed
        .iter()
        .map(ToString::to_string)
        .take(2)
        .collect::<Vec<_>>();
    assert_eq!(first, ["2026-06-02T11:30:00Z", "2026-06-02T11:45:00Z"]);
    flow.end().await;
}

/// Nothing of the type is read again for a booking that stands.
#[tokio::test]
async fn editing_the_page_afterwards_touches_no_booking() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .guests()
        .set("location_kind", "'none'".into())
        .make()
        .await;
    let booking = flow.booked(&host, "2026-06-02T10:00:00Z").await;
    let token = booking["manage_token"].as_str().unwrap();
    let before = flow.look("", token).await.json();
    flow.sql("UPDATE event_types SET duration_min = 30, step_min = 30, before_buffer_min = 60, allow_guests = false, confirmation = 'email_link', revision = revision + 1").await;
    assert_eq!(flow.look("", token).await.json(), before);
    assert_eq!(
        flow.text("SELECT blocked::text FROM booking_hosts").await,
        r#"["2026-06-02 10:00:00+00","2026-06-02 11:00:00+00")"#
    );
    flow.end().await;
}

/// R15: no page, no difference.
#[tokio::test]
async fn a_page_that_nobody_may_see_cannot_be_booked() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let never = flow
        .post(
            "/v1/pages/nobody/abcd1234/bookings",
            &wish("2026-06-02T10:00:00Z", SAM),
        )
        .await;
    assert_eq!(never.status, 404);
    for hidden in [
        "UPDATE event_types SET published_at = NULL",
        "UPDATE event_types SET published_at = now(); UPDATE hosts SET is_active = false",
        "UPDATE hosts SET is_active = true, contact_verified_at = NULL",
    ] {
        flow.sql(hidden).await;
        let answer = flow.book(&host, "2026-06-02T10:00:00Z", SAM).await;
        assert_eq!(
            (answer.status, &answer.body),
            (never.status, &never.body),
            "{hidden}"
        );
    }
    assert_eq!(flow.count("bookings").await, 0);
    flow.end().await;
}

/// The booker's language: the field, else `Accept-Language`, else English.
#[tokio::test]
async fn the_booker_is_written_to_in_the_language_they_asked_for() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let path = format!("{}/bookings", host.api);
    for (hour, field, header, want) in [
        (9, Value::Null, None, "en"),
        (10, Value::Null, Some("de, zh-Hans;q=0.8"), "zh-CN"),
        (11, json!("zh-CN"), Some("en"), "zh-CN"),
        (12, json!("en-GB"), Some("zh"), "en"),
        (13, json!("tlh"), Some("zh"), "en"),
    ] {
        let mut wish = wish(&format!("2026-06-02T{hour:02}:00:00Z"), SAM);
        if !field.is_null() {
            wish["locale"] = field.clone();
        }
        let mut request = flow.request(reqwest::Method::POST, &path).json(&wish);
        if let Some(header) = header {
            request = request.header("Accept-Language", header);
        }
        let answer = flow.send(request).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        let kept = flow
            .text("SELECT booker_locale FROM bookings ORDER BY start_at DESC LIMIT 1")
            .await;
        assert_eq!(kept, want, "{field} {header:?}");
        let html = &flow.mail.drain().await[0].html;
        assert!(html.contains(&format!("lang=\"{want}\"")), "{want}");
    }
    flow.end().await;
}
