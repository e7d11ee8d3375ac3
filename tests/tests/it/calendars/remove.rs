//! Deleting a calendar.

use holdfast_tests::{
    Flow,
    calendar::{put, subscribed, team as make_team},
};
use reqwest::Method;

use super::{call, list, personal};
use crate::slots::on;

#[tokio::test]
async fn a_deleted_calendar_is_gone_for_everybody_with_its_events() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let (key, bens) = (flow.key(&ana).await, flow.key(&ben).await);
    let team = make_team(&flow.context, &ana, &[&ben]).await;
    let feed = subscribed(&flow.context, &ana, Some(flow.context.clock.now())).await;
    put(
        &flow.context,
        team,
        "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T090000Z\nDTEND:20260602T100000Z\nRRULE:FREQ=DAILY\nEND:VEVENT\nBEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20260603T090000Z\nDTSTART:20260603T120000Z\nDTEND:20260603T130000Z\nEND:VEVENT",
    )
    .await;
    assert_eq!(on(&flow, &ben, "2026-06-02").await.len(), 7);
    let path = format!("/v1/calendars/{team}");
    let refused = call(&flow, &bens, Method::DELETE, &path, None).await;
    assert_eq!(refused.code(), "not_permitted");
    for path in [path, format!("/v1/calendars/{feed}")] {
        let gone = call(&flow, &key, Method::DELETE, &path, None).await;
        assert_eq!(gone.status, 204, "{}", gone.text());
        let again = call(&flow, &key, Method::DELETE, &path, None).await;
        assert_eq!(again.code(), "not_found");
    }
    assert_eq!(on(&flow, &ben, "2026-06-02").await.len(), 8);
    assert_eq!(
        (
            list(&flow, &key).await.len(),
            list(&flow, &bens).await.len()
        ),
        (1, 1)
    );
    assert_eq!(flow.count("events").await, 0);
    flow.end().await;
}

/// The personal calendar stays; and one that bookings have their events on is not deleted under
/// them, and says which they are.
#[tokio::test]
async fn a_calendar_with_bookings_and_the_personal_one_stay() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let booking = flow.booked(&ana, "2026-06-02T09:00:00Z").await;
    let own = personal(&flow, &ana).await;
    let refused = call(&flow, &key, Method::DELETE, &own, None).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (409, "personal_calendar")
    );
    let team = make_team(&flow.context, &ana, &[]).await;
    flow.sql(&format!("UPDATE events SET calendar_id = '{team}'"))
        .await;
    let path = format!("/v1/calendars/{team}");
    let refused = call(&flow, &key, Method::DELETE, &path, None).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (409, "calendar_has_bookings")
    );
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains(booking["id"].as_str().unwrap()), "{detail}");
    assert_eq!(list(&flow, &key).await.len(), 2);
    flow.end().await;
}
