//! `booking_hosts_no_overlap`: one host's active bookings never overlap, buffers included.

use holdfast_tests::{
    Flow,
    flow::{SAM, by_host, id},
    host::TestHost,
};
use serde_json::{Value, json};
use shared::ops::{self, Attendance};

use super::refusal;

/// SQL that puts one more booking of the first one's host into `span`.
fn second(span: &str) -> String {
    format!(
        "CREATE TEMP TABLE copy ON COMMIT DROP AS SELECT * FROM bookings;
         UPDATE copy SET id = '00000000-0000-7000-8000-000000000001';
         INSERT INTO bookings SELECT * FROM copy;
         INSERT INTO booking_hosts (booking_id, host_id, event_id, blocked)
         SELECT '00000000-0000-7000-8000-000000000001', host_id, event_id, '{span}' FROM booking_hosts"
    )
}

fn overlap() -> Option<(String, String)> {
    Some(("23P01".into(), "booking_hosts_no_overlap".into()))
}

async fn app_with_page() -> (Flow, TestHost) {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().buffers(15, 15).make().await;
    (flow, host)
}

/// A meeting from 10 to 11, blocked from 9:45 to 11:15.
async fn bring_to(state: &str) -> (Flow, TestHost, Value) {
    let (flow, host) = app_with_page().await;
    let booking = flow.booked(&host, "2026-06-02T10:00:00Z").await;
    flow.mail.drain().await;
    let token = flow.mail.token(SAM);
    if !matches!(state, "held" | "expired") {
        assert_eq!(flow.confirm(&token).await.status, 200);
    }
    match state {
        "expired" | "cancelled" => assert_eq!(flow.cancel(&token).await.status, 200),
        "completed" | "no_show" => {
            flow.at("2026-06-02T12:00:00Z");
            let attendance = if state == "completed" {
                Attendance::Completed
            } else {
                Attendance::NoShow
            };
            ops::finish(&flow.context, host.id, id(&booking), attendance, None)
                .await
                .unwrap();
        }
        _ => {}
    }
    assert_eq!(flow.text("SELECT state FROM bookings").await, state);
    (flow, host, booking)
}

#[tokio::test]
async fn an_overlap_is_23p01_in_every_state_that_keeps_its_time() {
    for state in ["held", "confirmed", "completed", "no_show"] {
        let (flow, ..) = bring_to(state).await;
        for (from, to) in [
            ("2026-06-02 11:14+00", "2026-06-02 12:00+00"),
            ("2026-06-02 09:00+00", "2026-06-02 09:46+00"),
            ("2026-06-02 10:10+00", "2026-06-02 10:20+00"),
            ("2026-06-02 00:00+00", "2026-06-03 00:00+00"),
        ] {
            let sql = second(&format!("[{from},{to})"));
            assert_eq!(refusal(&flow, &sql).await, overlap(), "{state} {from}");
        }
        for (from, to) in [
            ("2026-06-02 11:15+00", "2026-06-02 12:00+00"),
            ("2026-06-02 09:00+00", "2026-06-02 09:45+00"),
        ] {
            let sql = second(&format!("[{from},{to})"));
            assert_eq!(refusal(&flow, &sql).await, None, "{state} {from}");
        }
        flow.end().await;
    }
}

#[tokio::test]
async fn what_is_off_frees_its_time_and_cannot_take_it_back_from_others() {
    for state in ["expired", "cancelled"] {
        let (flow, ..) = bring_to(state).await;
        let there = second("[2026-06-02 10:10+00,2026-06-02 10:20+00)");
        assert_eq!(refusal(&flow, &there).await, None, "{state}");
        let revived = format!("{there}; UPDATE booking_hosts SET active = true");
        assert_eq!(refusal(&flow, &revived).await, overlap(), "{state}");
        flow.end().await;
    }
}

#[tokio::test]
async fn a_move_into_an_overlap_is_23p01_and_another_host_is_not_in_the_way() {
    let (flow, ana) = app_with_page().await;
    let bob = flow.host("bob").make().await;
    for (host, start) in [
        (&ana, "2026-06-02T10:00:00Z"),
        (&ana, "2026-06-02T14:00:00Z"),
        (&bob, "2026-06-02T14:00:00Z"),
    ] {
        flow.booked(host, start).await;
    }
    let onto = |who: &TestHost| {
        format!(
            "UPDATE booking_hosts SET blocked = '[2026-06-02 14:30+00,2026-06-02 15:00+00)'
              WHERE host_id = '{}' AND lower(blocked) < '2026-06-02 11:00+00'",
            who.id
        )
    };
    assert_eq!(refusal(&flow, &onto(&ana)).await, overlap());
    let free = onto(&ana)
        .replace("14:30", "11:30")
        .replace("15:00", "13:45");
    assert_eq!(refusal(&flow, &free).await, None);
    flow.end().await;
}

/// The whole booking of another host stands beside, and a host's own operations agree with the
/// constraint about what overlaps.
#[tokio::test]
async fn the_operations_and_the_constraint_agree_about_buffers() {
    let (flow, host) = app_with_page().await;
    let booking = flow.booked(&host, "2026-06-02T10:00:00Z").await;
    let next = flow.book(&host, "2026-06-02T11:00:00Z", SAM).await;
    assert_eq!(
        (next.status.as_u16(), next.code().as_str()),
        (409, "slot_taken")
    );
    assert_eq!(
        flow.book(&host, "2026-06-02T12:00:00Z", SAM).await.status,
        201
    );
    ops::cancel(&flow.context, by_host(&host, &booking), None, None)
        .await
        .unwrap();
    let freed = flow
        .ask(&host, &json!({ "start": "2026-06-02T10:00:00Z", "zone": "UTC", "name": "Kim", "email": "kim@bookers.test" }))
        .await;
    assert_eq!(freed.status, 201);
    flow.end().await;
}
