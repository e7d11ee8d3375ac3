//! How often a booker may move one booking.

use holdfast_tests::{
    Flow,
    app::{Options, at},
    flow::{SAM, by_host},
};
use serde_json::json;
use shared::ops::{self, Move};

use super::refused;

#[tokio::test]
async fn the_sixth_move_by_the_booker_is_refused_and_the_hosts_moves_do_not_count() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T09:00:00Z", SAM).await;
    let mut revision = 0;
    for day in 3..8 {
        let answer = flow
            .reschedule(&token, &format!("2026-06-0{day}T09:00:00Z"), revision)
            .await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json()["reschedules_left"], 7 - day);
        let to = Move {
            start: at(&format!("2026-06-0{day}T12:00:00Z")),
            expected_revision: revision + 1,
            zone: None,
            key: None,
        };
        ops::reschedule(&flow.context, by_host(&host, &answer.json()), to)
            .await
            .unwrap();
        revision += 2;
    }
    let refusal = flow
        .reschedule(&token, "2026-06-08T09:00:00Z", revision)
        .await;
    assert_eq!(refused(&refusal), (409, "reschedule_limit".into()));
    assert_eq!(refusal.json()["booking"]["actions"], json!(["cancel"]));
    assert_eq!(
        refused(&flow.look("/slots", &token).await),
        (409, "reschedule_limit".into())
    );
    // The host may still move it, and the booker cancel it.
    let booking = flow.look("", &token).await.json();
    assert_eq!(
        (&booking["reschedules_left"], &booking["revision"]),
        (&json!(0), &json!(10))
    );
    let to = Move {
        start: at("2026-06-09T12:00:00Z"),
        expected_revision: revision,
        zone: None,
        key: None,
    };
    ops::reschedule(&flow.context, by_host(&host, &booking), to)
        .await
        .unwrap();
    assert_eq!(flow.cancel(&token).await.status, 200);
    flow.end().await;
}

#[tokio::test]
async fn zero_switches_it_off() {
    let mut options = Options::default();
    options.limits.booker_reschedules = 0;
    let flow = Flow::with(options).await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T09:00:00Z", SAM).await;
    let booking = flow.look("", &token).await.json();
    assert_eq!(
        (&booking["reschedules_left"], &booking["actions"]),
        (&json!(0), &json!(["cancel"]))
    );
    assert_eq!(
        refused(&flow.reschedule(&token, "2026-06-02T12:00:00Z", 0).await),
        (409, "reschedule_limit".into())
    );
    flow.end().await;
}

/// The limit is the booking's: another one of the same booker has its own.
#[tokio::test]
async fn each_booking_has_its_own_count() {
    let mut options = Options::default();
    options.limits.booker_reschedules = 1;
    let flow = Flow::with(options).await;
    let host = flow.host("ana").make().await;
    let first = flow.link(&host, "2026-06-02T09:00:00Z", SAM).await;
    let second = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    assert_eq!(
        flow.reschedule(&first, "2026-06-02T12:00:00Z", 0)
            .await
            .status,
        200
    );
    assert_eq!(
        flow.reschedule(&first, "2026-06-02T13:00:00Z", 1)
            .await
            .status,
        409
    );
    assert_eq!(
        flow.reschedule(&second, "2026-06-02T13:00:00Z", 0)
            .await
            .status,
        200
    );
    flow.end().await;
}
