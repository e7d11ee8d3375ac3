//! What a host called free stays free when the calendar is read again.

use std::sync::PoisonError;

use holdfast_tests::{
    Flow,
    feeds::{self, FeedServer, file},
};

use super::{page, subscribe, sync_now};

const UNKNOWN: &str = "BEGIN:VEVENT\nUID:1\nSUMMARY:Dinner\nDTSTART;TZID=Nowhere/Nothing:20260602T180000\nDURATION:PT1H\nEND:VEVENT";
const NAMELESS: &str = "BEGIN:VEVENT\nDTSTAMP:20260101T000000Z\nDTSTART:someday\nEND:VEVENT";
const OTHER: &str =
    "BEGIN:VEVENT\nUID:2\nDTSTART:20260602T100000Z\nDTEND:20260602T110000Z\nEND:VEVENT";

/// For each first file, marked free as a whole, what the page says after the next one.
async fn after(first: &str, mark: &str, next: &str) -> u16 {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let (server, shown) = FeedServer::with(&file(first)).await;
    let calendar = subscribe(&flow, &key, &server.url("/")).await;
    feeds::sync(&flow.context).await;
    assert_eq!(page(&flow, &ana).await, 503, "{first}");
    let marked = format!(
        "UPDATE events SET marked_free = true WHERE {mark}; UPDATE calendars SET revision = revision + 1"
    );
    flow.sql(&marked).await;
    *shown.lock().unwrap_or_else(PoisonError::into_inner) = file(next);
    sync_now(&flow, &key, calendar).await;
    let found = page(&flow, &ana).await;
    flow.end().await;
    found
}

#[tokio::test]
async fn by_its_uid_whatever_else_changes() {
    let changed = UNKNOWN.replace("Dinner", "Late dinner");
    assert_eq!(
        after(UNKNOWN, "true", &format!("{OTHER}\n{changed}")).await,
        200
    );
}

#[tokio::test]
async fn by_its_text_if_it_has_no_uid() {
    let stamped = NAMELESS.replace("20260101", "20260601");
    assert_eq!(
        after(NAMELESS, "true", &format!("{OTHER}\n{stamped}")).await,
        200
    );
    let changed = NAMELESS.replace("someday", "some other day");
    assert_eq!(
        after(NAMELESS, "true", &changed).await,
        503,
        "another event"
    );
}

/// Red when a decision is carried over although another event of that UID is not decided.
#[tokio::test]
async fn a_decision_about_one_of_two_events_with_one_uid_is_none_about_the_other() {
    let second = UNKNOWN.replace("180000", "200000");
    let both = format!("{UNKNOWN}\n{second}");
    let one = "id = (SELECT min(id::text)::uuid FROM events)";
    let changed = both.replace("Dinner", "Supper");
    assert_eq!(after(&both, one, &changed).await, 503);
}

/// An override is decided about by the start that it replaces.
#[tokio::test]
async fn by_the_occurrence_that_an_override_replaces() {
    let series = "BEGIN:VEVENT\nUID:1\nDTSTART:20260602T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=5\nEND:VEVENT";
    let broken = |day: &str, what: &str| {
        format!(
            "BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:202606{day}T100000Z\nDTSTART:202606{day}T130000Z\nDTEND:{what}\nEND:VEVENT"
        )
    };
    let first = format!("{series}\n{}", broken("03", "never"));
    let mark = "series_id IS NOT NULL";
    assert_eq!(
        after(
            &first,
            mark,
            &format!("{series}\n{}", broken("03", "who knows"))
        )
        .await,
        200
    );
    assert_eq!(
        after(
            &first,
            mark,
            &format!("{series}\n{}", broken("04", "never"))
        )
        .await,
        503
    );
}
