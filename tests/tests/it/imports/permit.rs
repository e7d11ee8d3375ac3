//! How many files are taken over at once.

use std::time::Duration;

use holdfast_tests::{Flow, calendar::personal, feeds::file};
use shared::{
    ops::import,
    store::{begin::begin, calendars},
};

const EVENT: &str = "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T120000Z\nDURATION:PT1H\nEND:VEVENT";

/// Two at once; the next is told to come again. A client that leaves ends neither its import nor
/// its permit.
///
/// Red when the permit ends with the request.
#[tokio::test]
async fn an_import_keeps_its_permit_when_its_client_leaves() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let calendar = personal(&flow.context, &ana).await;
    let permits = &flow.state.import_permits;
    assert_eq!(permits.available_permits(), 2);
    // Whoever writes the calendar waits for this.
    let mut tx = begin(&flow.context.pool).await.unwrap();
    assert!(calendars::lock(&mut tx, calendar).await.unwrap());
    for left in [1, 0] {
        let permit = flow.state.import_permit().unwrap();
        let bytes = file(EVENT).into_bytes();
        let work = import::import(&flow.context, ana.id, calendar, bytes, permit);
        let waited = tokio::time::timeout(Duration::from_millis(300), work).await;
        assert!(waited.is_err(), "it waits for the calendar, and is left");
        assert_eq!(permits.available_permits(), left);
    }
    let refused = super::import(&flow, &ana, &key, EVENT).await;
    assert_eq!(refused.code(), "overloaded");
    assert_eq!(refused.header("retry-after"), "5");
    tx.rollback().await.unwrap();
    for _ in 0..1_000 {
        if permits.available_permits() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(permits.available_permits(), 2);
    assert_eq!(flow.count("events").await, 1, "the first was taken over");
    flow.end().await;
}
