//! Sharing a calendar, and leaving one.

use holdfast_tests::{Flow, calendar::put};
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use super::{call, list, personal, team};
use crate::slots::on;

fn id_of(path: &str) -> Uuid {
    path.rsplit_once('/').unwrap().1.parse().unwrap()
}

const NINE: &str =
    "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T090000Z\nDTEND:20260602T100000Z\nEND:VEVENT";

/// Ruling R2: everything that a host can see is busy, from the moment that they see it.
#[tokio::test]
async fn a_shared_calendar_counts_for_whom_it_is_shared_with() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let (key, bens) = (flow.key(&ana).await, flow.key(&ben).await);
    for path in [team(&flow, &key).await, personal(&flow, &ana).await] {
        put(&flow.context, id_of(&path), NINE).await;
        assert_eq!(on(&flow, &ben, "2026-06-02").await.len(), 8, "{path}");
        let member = format!("{path}/members/ben");
        // A second time changes nothing.
        for _ in 0..2 {
            let shared = call(&flow, &key, Method::PUT, &member, None).await;
            assert_eq!(shared.status, 200, "{}", shared.text());
            let members = shared.json()["members"].clone();
            assert_eq!(
                members[1],
                json!({ "handle": "ben", "name": "Host ben", "role": "member" })
            );
            assert_eq!(members.as_array().unwrap().len(), 2);
        }
        assert_eq!(on(&flow, &ben, "2026-06-02").await.len(), 7, "{path}");
        let seen = list(&flow, &bens).await;
        assert_eq!((seen.len(), &seen[1]["role"]), (2, &json!("member")));
        let left = call(&flow, &bens, Method::DELETE, &member, None).await;
        assert_eq!(left.status, 204, "{}", left.text());
        assert_eq!(on(&flow, &ben, "2026-06-02").await.len(), 8, "{path}");
        assert_eq!(list(&flow, &bens).await.len(), 1);
    }
    flow.end().await;
}

#[tokio::test]
async fn members_share_with_nobody_and_remove_nobody_but_themselves() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let cyd = flow.host("cyd").make().await;
    let (key, bens, cyds) = (
        flow.key(&ana).await,
        flow.key(&ben).await,
        flow.key(&cyd).await,
    );
    let path = team(&flow, &key).await;
    let member = |handle: &str| format!("{path}/members/{handle}");
    for handle in ["ben", "cyd"] {
        assert_eq!(
            call(&flow, &key, Method::PUT, &member(handle), None)
                .await
                .status,
            200
        );
    }
    for (who, method, handle) in [
        (&bens, Method::PUT, "ana"),
        (&bens, Method::DELETE, "cyd"),
        (&bens, Method::DELETE, "ana"),
        // Nor does the owner leave.
        (&key, Method::DELETE, "ana"),
    ] {
        let answer = call(&flow, who, method.clone(), &member(handle), None).await;
        assert_eq!(answer.code(), "not_permitted", "{method} {handle}");
    }
    let removed = call(&flow, &key, Method::DELETE, &member("cyd"), None).await;
    assert_eq!(removed.status, 204);
    // Who does not see it learns nothing of it, nor does anybody of who is not on it.
    for (who, method, handle) in [
        (&cyds, Method::DELETE, "cyd"),
        (&cyds, Method::PUT, "cyd"),
        (&key, Method::DELETE, "cyd"),
        (&key, Method::PUT, "nobody"),
    ] {
        let answer = call(&flow, who, method.clone(), &member(handle), None).await;
        assert_eq!(answer.code(), "not_found", "{method} {handle}");
    }
    flow.sql("UPDATE hosts SET is_active = false WHERE handle = 'cyd'")
        .await;
    let inactive = call(&flow, &key, Method::PUT, &member("cyd"), None).await;
    assert_eq!(inactive.code(), "not_found");
    flow.end().await;
}

/// Whoever changes what a host sees takes the host first: sharing waits for a booking that is
/// between its locks and its insert.
#[tokio::test]
async fn sharing_waits_for_a_booking_of_that_host() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let key = flow.key(&ana).await;
    let path = team(&flow, &key).await;
    let mut tx = flow.context.pool.begin_with("BEGIN").await.unwrap();
    sqlx::query("SELECT id FROM hosts WHERE id = $1 FOR NO KEY UPDATE")
        .bind(ben.id)
        .execute(&mut *tx)
        .await
        .unwrap();
    let member = format!("{path}/members/ben");
    let shared = call(&flow, &key, Method::PUT, &member, None);
    let watch = async {
        flow.somebody_waits().await;
        tx.commit().await.unwrap();
    };
    let (shared, ()) = tokio::join!(shared, watch);
    assert_eq!(shared.status, 200);
    flow.end().await;
}
