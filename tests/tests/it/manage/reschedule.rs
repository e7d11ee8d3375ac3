//! Moving a booking in place.

use holdfast_tests::{
    Flow,
    app::at,
    flow::{SAM, by_host, id},
    host::starts,
};
use serde_json::json;
use shared::ops::{self, Move, MoveError};

use super::refused;

/// R7: the same booking, one revision more; the old time is free and the new one is taken.
#[tokio::test]
async fn a_move_keeps_the_booking_and_moves_all_of_it() {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .buffers(15, 15)
        .minutes(60, 60)
        .make()
        .await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let before = flow.look("", &token).await.json();
    let body =
        json!({ "start": "2026-06-03T14:00:00Z", "expected_revision": 0, "zone": "Asia/Tokyo" });
    let answer = flow.manage("reschedule", &token, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut want = before.clone();
    want["start"] = json!("2026-06-03T14:00:00Z");
    want["end"] = json!("2026-06-03T15:00:00Z");
    want["zone"] = json!("Asia/Tokyo");
    want["revision"] = json!(1);
    want["reschedules_left"] = json!(4);
    assert_eq!(answer.json(), want);
    assert_eq!(flow.look("", &token).await.json(), want);
    assert_eq!(
        flow.text("SELECT concat_ws(' ', e.start_local, e.end_local, e.tz, e.sequence, lower(h.blocked) AT TIME ZONE 'UTC', upper(h.blocked) AT TIME ZONE 'UTC') FROM events e JOIN booking_hosts h ON h.event_id = e.id").await,
        "2026-06-03 14:00:00 2026-06-03 15:00:00 UTC 1 2026-06-03 13:45:00 2026-06-03 15:15:00"
    );
    assert_eq!(
        flow.text("SELECT concat_ws(' ', actor_kind, action, from_state, to_state, old_span, new_span) FROM booking_history WHERE revision = 1").await,
        r#"booker reschedule confirmed confirmed ["2026-06-02 10:00:00+00","2026-06-02 11:00:00+00") ["2026-06-03 14:00:00+00","2026-06-03 15:00:00+00")"#
    );
    assert_eq!(
        flow.book(&host, "2026-06-02T10:00:00Z", "kim@bookers.test")
            .await
            .status,
        201
    );
    assert_eq!(
        flow.book(&host, "2026-06-03T14:00:00Z", "lea@bookers.test")
            .await
            .status,
        409
    );
    // Without a zone it stays.
    let next = flow
        .reschedule(&token, "2026-06-04T14:00:00Z", 1)
        .await
        .json();
    assert_eq!(next["zone"], "Asia/Tokyo");
    flow.end().await;
}

/// R8. Goes red if the revision is not compared: the second press would move the meeting again.
#[tokio::test]
async fn a_stale_revision_moves_nothing_and_shows_what_is() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    assert_eq!(
        flow.reschedule(&token, "2026-06-02T12:00:00Z", 0)
            .await
            .status,
        200
    );
    for (start, revision) in [
        ("2026-06-02T12:00:00Z", 0),
        ("2026-06-02T14:00:00Z", 0),
        ("2026-06-02T14:00:00Z", 2),
        ("2026-06-02T14:00:00Z", -1),
    ] {
        let stale = flow.reschedule(&token, start, revision).await;
        assert_eq!(
            refused(&stale),
            (409, "revision_conflict".into()),
            "{revision}"
        );
        let current = &stale.json()["booking"];
        assert_eq!(
            (&current["revision"], &current["start"]),
            (&json!(1), &json!("2026-06-02T12:00:00Z"))
        );
    }
    assert_eq!(flow.count("booking_history").await, 2);
    flow.end().await;
}

#[tokio::test]
async fn a_move_to_the_same_time_is_no_move() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let before = flow.database.rows().await;
    let same = flow.reschedule(&token, "2026-06-02T10:00:00Z", 0).await;
    assert_eq!(refused(&same), (409, "unchanged".into()));
    let elsewhere = json!({ "start": "2026-06-02T19:00:00+09:00", "expected_revision": 0, "zone": "Asia/Tokyo" });
    let same = flow.manage("reschedule", &token, &elsewhere).await;
    assert_eq!(
        refused(&same),
        (409, "unchanged".into()),
        "however it is written"
    );
    assert_eq!(flow.database.rows().await, before);
    flow.end().await;
}

#[tokio::test]
async fn it_works_when_the_page_is_unpublished_and_not_when_the_host_is_inactive() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let booking = flow.look("", &token).await.json();
    flow.sql("UPDATE event_types SET published_at = NULL, revision = revision + 1")
        .await;
    assert_eq!(
        flow.look("/slots?from=2026-06-02T00:00:00Z", &token)
            .await
            .status,
        200
    );
    assert_eq!(
        flow.reschedule(&token, "2026-06-02T12:00:00Z", 0)
            .await
            .status,
        200
    );
    flow.sql("UPDATE hosts SET is_active = false").await;
    let answer = flow.reschedule(&token, "2026-06-02T14:00:00Z", 1).await;
    assert_eq!(refused(&answer), (409, "host_inactive".into()));
    assert_eq!(answer.json()["booking"]["start"], "2026-06-02T12:00:00Z");
    assert_eq!(
        refused(&flow.look("/slots", &token).await),
        (409, "host_inactive".into())
    );
    let to = Move {
        start: at("2026-06-02T14:00:00Z"),
        expected_revision: 1,
        zone: None,
        key: None,
    };
    let by_host = ops::reschedule(&flow.context, by_host(&host, &booking), to).await;
    assert!(matches!(by_host, Err(MoveError::HostInactive(_))));
    assert_eq!(
        flow.cancel(&token).await.status,
        200,
        "cancelling stays possible"
    );
    flow.end().await;
}

/// Length and buffers are the booking's; step, hours, notice, horizon and limits the type's as it
/// is now.
#[tokio::test]
async fn a_move_keeps_its_length_and_obeys_the_rules_of_the_day() {
    let flow = Flow::start().await;
    let host = flow.host("ana").minutes(60, 60).buffers(0, 30).make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    flow.sql("UPDATE event_types SET duration_min = 15, step_min = 15, after_buffer_min = 0, before_buffer_min = 60, notice_min = 1440, revision = revision + 1").await;
    flow.booked(&host, "2026-06-02T15:30:00Z").await;
    for (start, want) in [
        ("2026-06-02T07:45:00Z", 422),
        ("2026-06-02T16:15:00Z", 422),
        ("2026-06-02T10:07:00Z", 422),
        // Its own 30 minutes after, and the other's hour before.
        ("2026-06-02T13:15:00Z", 409),
        ("2026-06-02T13:00:00Z", 200),
    ] {
        let answer = flow.reschedule(&token, start, 0).await;
        assert_eq!(answer.status, want, "{start}: {}", answer.text());
    }
    assert_eq!(
        flow.look("", &token).await.json()["end"],
        "2026-06-02T14:00:00Z"
    );
    // Notice is the type's too.
    flow.at("2026-06-02T08:00:00Z");
    assert_eq!(
        refused(&flow.reschedule(&token, "2026-06-03T07:45:00Z", 1).await),
        (422, "slot_not_offered".into())
    );
    assert_eq!(
        flow.reschedule(&token, "2026-06-03T09:00:00Z", 1)
            .await
            .status,
        200
    );
    flow.at("2026-06-03T14:30:00Z");
    flow.end().await;
}

/// Nothing waits for a mailbox: the ten minutes that a hold needs are no notice of a move.
#[tokio::test]
async fn a_move_needs_no_time_to_be_confirmed() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().minutes(30, 5).make().await;
    let token = flow.link(&host, "2026-06-01T16:00:00Z", SAM).await;
    assert_eq!(flow.confirm(&token).await.status, 200);
    flow.at("2026-06-01T08:59:00Z");
    assert_eq!(
        flow.book(&host, "2026-06-01T09:05:00Z", SAM).await.status,
        422
    );
    assert_eq!(
        flow.reschedule(&token, "2026-06-01T09:05:00Z", 1)
            .await
            .status,
        200
    );
    flow.end().await;
}

/// What is listed can be moved to, and nothing else can.
#[tokio::test]
async fn the_list_of_times_to_move_to_is_right() {
    let flow = Flow::start().await;
    let host = flow.host("ana").minutes(60, 15).buffers(15, 0).make().await;
    host.busy(
        &flow.context,
        "2026-06-02T13:00:00Z",
        "2026-06-02T14:00:00Z",
    )
    .await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let path = "/slots?from=2026-06-02T00:00:00Z&to=2026-06-03T00:00:00Z";
    let answer = flow.look(path, &token).await.json();
    assert_eq!(answer["zone"], "Europe/Paris", "the booker's");
    assert_eq!(
        flow.look(&format!("{path}&zone=Asia/Tokyo"), &token)
            .await
            .json()["zone"],
        "Asia/Tokyo"
    );
    let listed = starts(&answer);
    assert!(
        !listed.contains(&at("2026-06-02T10:00:00Z")),
        "its own time is no move"
    );
    let mut revision = 0;
    for minutes in (8 * 60..17 * 60).step_by(15) {
        let start = at("2026-06-02T00:00:00Z").plus_minutes(minutes);
        if start == at("2026-06-02T10:00:00Z") {
            continue;
        }
        let answer = flow.reschedule(&token, &start.to_string(), revision).await;
        assert_eq!(
            answer.status == 200,
            listed.contains(&start),
            "{start}: {}",
            answer.text()
        );
        if answer.status == 200 {
            // Back, by the host, whose moves are not counted.
            let booking = answer.json();
            revision += 2;
            let to = Move {
                start: at("2026-06-02T10:00:00Z"),
                expected_revision: revision - 1,
                zone: None,
                key: None,
            };
            ops::reschedule(&flow.context, by_host(&host, &booking), to)
                .await
                .unwrap();
            flow.sql("UPDATE bookings SET booker_reschedules = 0").await;
        }
    }
    assert!(listed.len() > 15);
    assert_eq!(id(&flow.look("", &token).await.json()).get_version_num(), 7);
    flow.end().await;
}
