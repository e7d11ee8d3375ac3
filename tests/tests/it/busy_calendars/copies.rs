//! A booking that comes back through a subscription or a provider.

use holdfast_tests::{
    Flow,
    calendar::{put, subscribed},
    flow::{by_host, id},
};
use serde_json::Value;
use shared::ops;

use crate::slots::on;

/// The invitation of a booking as another calendar would hold it, at the given hours.
fn copy(flow: &Flow, booking: &Value, from: &str, to: &str) -> String {
    format!(
        "BEGIN:VEVENT\nUID:{}@{}\nDTSTART:20260602T{from}0000Z\nDTEND:20260602T{to}0000Z\nEND:VEVENT",
        id(booking),
        flow.context.instance
    )
}

/// Red when copies are not recognised: the booking would then be in the way of its own move, and
/// stay busy after it was cancelled until the next sync.
#[tokio::test]
async fn a_copy_of_ones_own_booking_is_not_counted() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").free("every day 9:00-13:00").make().await;
    let now = flow.context.clock.now();
    let feed = subscribed(&flow.context, &ana, Some(now)).await;
    let booking = flow.booked(&ana, "2026-06-02T10:00:00Z").await;
    put(&flow.context, feed, &copy(&flow, &booking, "10", "11")).await;
    assert_eq!(
        on(&flow, &ana, "2026-06-02").await,
        ["09:00", "11:00", "12:00"]
    );
    ops::cancel(&flow.context, by_host(&ana, &booking), None, None)
        .await
        .unwrap();
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 4);
    flow.end().await;
}

/// A copy of somebody else's booking is an event like any other, and so is what only looks like
/// a UID of ours.
#[tokio::test]
async fn other_copies_are_busy() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").free("every day 9:00-13:00").make().await;
    let ben = flow.host("ben").free("every day 9:00-13:00").make().await;
    let now = flow.context.clock.now();
    let feed = subscribed(&flow.context, &ana, Some(now)).await;
    let booking = flow.booked(&ben, "2026-06-02T10:00:00Z").await;
    put(&flow.context, feed, &copy(&flow, &booking, "10", "11")).await;
    assert_eq!(
        on(&flow, &ana, "2026-06-02").await,
        ["09:00", "11:00", "12:00"]
    );
    let elsewhere = format!(
        "BEGIN:VEVENT\nUID:{}@{}\nDTSTART:20260602T090000Z\nDTEND:20260602T100000Z\nEND:VEVENT",
        id(&booking),
        id(&booking)
    );
    put(&flow.context, feed, &elsewhere).await;
    assert_eq!(on(&flow, &ana, "2026-06-02").await, ["11:00", "12:00"]);
    flow.end().await;
}
