//! A feed that comes back to the installation that made it.

use holdfast_tests::{
    Flow,
    feeds::{FeedServer, sync},
    flow::SAM,
};
use serde_json::json;

use super::published;
use crate::slots::on;

/// A host who subscribes to a feed of their own calendar is not in the way of moving their own
/// bookings; another host who does is busy while it takes place, without its buffers, and once.
///
/// Red when a feed of busy time has UIDs that this installation does not know.
#[tokio::test]
async fn an_own_booking_that_comes_back_is_not_counted_twice() {
    for detail in ["full", "busy_only"] {
        let flow = Flow::start().await;
        let (ana, key, _, path) = published(&flow, "ana", detail).await;
        let ben = flow.host("ben").make().await;
        let bens = flow.key(&ben).await;
        let token = flow.link(&ana, "2026-06-02T10:00:00Z", SAM).await;
        let feed = flow.get(&path).await.text();
        assert!(feed.contains("DTSTART:20260602T100000Z"), "{feed}");
        let (server, _) = FeedServer::with(&feed).await;
        for key in [&key, &bens] {
            let wish = json!({ "name": "Ana's", "address": server.url("/ana.ics") });
            let made = flow
                .post_signed(key, "/v1/calendars/subscriptions", &wish)
                .await;
            assert_eq!(made.status, 201, "{}", made.text());
        }
        assert_eq!(sync(&flow.context).await, 2);
        assert_eq!(flow.count("events WHERE copy_of IS NOT NULL").await, 2);
        let busy = on(&flow, &ben, "2026-06-02").await;
        assert!(
            !busy.contains(&"10:00".to_owned()) && busy.len() == 7,
            "{busy:?}"
        );
        // The move overlaps what the copy says.
        let moved = flow.reschedule(&token, "2026-06-02T10:30:00Z", 0).await;
        let code = moved.text();
        assert!(
            moved.status == 200 || code.contains("slot_not_offered"),
            "{code}"
        );
        let moved = flow.reschedule(&token, "2026-06-02T11:00:00Z", 0).await;
        assert_eq!(moved.status, 200, "{detail}: {}", moved.text());
        let free = on(&flow, &ana, "2026-06-02").await;
        assert!(
            free.contains(&"10:00".to_owned()),
            "{detail}: where it was is free: {free:?}"
        );
        flow.end().await;
    }
}
