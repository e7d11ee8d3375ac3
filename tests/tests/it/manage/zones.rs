//! The host's zone, at the booking and at each move.

use holdfast_tests::{
    Flow,
    app::at,
    flow::{SAM, by_host},
};
use shared::ops::{self, Move};

/// All five time columns and the zone, and what the booking says.
async fn columns(flow: &Flow) -> String {
    flow.text(
        "SELECT concat_ws(' ', e.start_local, e.end_local, e.tz, e.start_utc AT TIME ZONE 'UTC', e.end_utc AT TIME ZONE 'UTC',
                e.start_utc = b.start_at AND e.end_utc = b.end_at AND tstzrange(b.start_at, b.end_at) = h.blocked)
           FROM events e JOIN bookings b ON b.id = e.booking_id JOIN booking_hosts h ON h.booking_id = b.id",
    )
    .await
}

/// A host moves from Dublin to Tokyo; the next move of the booking, whoever makes it, writes Tokyo
/// strings, Tokyo's zone and instants that fit.
#[tokio::test]
async fn after_the_host_moved_from_dublin_to_tokyo_a_move_writes_tokyo() {
    for mover in ["booker", "host"] {
        let flow = Flow::start().await;
        let host = flow.host("ana").zone("Europe/Dublin").make().await;
        let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
        assert_eq!(
            columns(&flow).await,
            "2026-06-02 11:00:00 2026-06-02 12:00:00 Europe/Dublin 2026-06-02 10:00:00 2026-06-02 11:00:00 t"
        );
        flow.sql("UPDATE hosts SET zone = 'Asia/Tokyo'").await;
        // The booking stays what it was until it moves.
        assert_eq!(
            flow.look("", &token).await.json()["start"],
            "2026-06-02T10:00:00Z"
        );
        // Nine to five in Tokyo now.
        assert_eq!(
            flow.reschedule(&token, "2026-06-03T10:00:00Z", 0)
                .await
                .status,
            422
        );
        let start = "2026-06-03T05:00:00Z";
        if mover == "booker" {
            let moved = flow.reschedule(&token, start, 0).await;
            assert_eq!(moved.status, 200, "{}", moved.text());
        } else {
            let to = Move {
                start: at(start),
                expected_revision: 0,
                zone: None,
                key: None,
            };
            let booking = flow.look("", &token).await.json();
            ops::reschedule(&flow.context, by_host(&host, &booking), to)
                .await
                .unwrap();
        }
        assert_eq!(
            columns(&flow).await,
            "2026-06-03 14:00:00 2026-06-03 15:00:00 Asia/Tokyo 2026-06-03 05:00:00 2026-06-03 06:00:00 t"
        );
        let letters = flow.mail.drain().await;
        assert!(letters[0].text.contains("Tokyo"), "{}", letters[0].text);
        assert_eq!(letters[1].ics().instant("DTSTART"), at(start));
        flow.end().await;
    }
}

/// A schedule's own zone goes before the host's.
#[tokio::test]
async fn a_schedule_with_a_zone_of_its_own_writes_that_one() {
    let flow = Flow::start().await;
    let host = flow.host("ana").zone("Europe/Dublin").make().await;
    flow.sql("UPDATE schedules SET zone = 'America/St_Johns', revision = revision + 1")
        .await;
    let token = flow.link(&host, "2026-06-02T12:30:00Z", SAM).await;
    assert_eq!(
        columns(&flow).await,
        "2026-06-02 10:00:00 2026-06-02 11:00:00 America/St_Johns 2026-06-02 12:30:00 2026-06-02 13:30:00 t"
    );
    assert_eq!(
        flow.reschedule(&token, "2026-06-03T12:30:00Z", 0)
            .await
            .status,
        200
    );
    flow.end().await;
}

/// Across the change of the clocks the meeting keeps its instants and its wall times fit them.
#[tokio::test]
async fn a_move_over_a_change_of_the_clocks_keeps_the_length() {
    let flow = Flow::start().await;
    flow.at("2026-10-20T08:00:00Z");
    let host = flow
        .host("ana")
        .zone("Europe/Dublin")
        .free("every day 0:00-6:00")
        .make()
        .await;
    let token = flow.link(&host, "2026-10-24T01:00:00Z", SAM).await;
    // 01:00 in winter time, the second one.
    let moved = flow.reschedule(&token, "2026-10-25T02:00:00Z", 0).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    assert_eq!(
        columns(&flow).await,
        "2026-10-25 02:00:00 2026-10-25 03:00:00 Europe/Dublin 2026-10-25 02:00:00 2026-10-25 03:00:00 t"
    );
    flow.end().await;
}
