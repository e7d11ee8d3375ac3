//! What a reading does to the host's time.

use std::sync::PoisonError;

use holdfast_tests::{
    Flow,
    feeds::{self, FeedServer, Reply, file, ok, status},
    flow::{SAM, id},
};
use serde_json::Value;

use super::{page, report, subscribe, sync_now};
use crate::slots::on;

const EVENT: &str = "BEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nDTSTART:20260602T100000Z\nDTEND:20260602T120000Z\nEND:VEVENT";

/// Red when `busy::load` forgets calendars that were never read.
#[tokio::test]
async fn a_page_is_closed_until_the_calendar_was_read_and_then_offers_what_is_free() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let (server, shown) = FeedServer::with(&file(EVENT)).await;
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 8);
    let calendar = subscribe(&flow, &key, &server.url("/ana.ics")).await;
    assert_eq!(page(&flow, &ana).await, 503);
    assert_eq!(feeds::sync(&flow.context).await, 1);
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 6);
    let seen = report(&flow, &key, calendar).await;
    assert_eq!(seen["sync"]["last_good_at"], "2026-06-01T08:00:00Z");
    assert_eq!(seen["sync"]["error"], Value::Null);
    // Nothing is due before the quarter of an hour is over.
    assert_eq!(feeds::sync(&flow.context).await, 0);
    *shown.lock().unwrap_or_else(PoisonError::into_inner) = file("");
    flow.at("2026-06-01T08:20:00Z");
    assert_eq!(feeds::sync(&flow.context).await, 1);
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 8);
    flow.end().await;
}

/// Case by case what moves the revision: news do, a stamp or another order does not.
#[tokio::test]
async fn the_revision_moves_only_when_something_is_new() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let other = "BEGIN:VEVENT\nUID:2\nDTSTART:20260602T140000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nRECURRENCE-ID:20260603T140000Z\nDTSTART:20260603T150000Z\nDURATION:PT1H\nEND:VEVENT";
    let (server, shown) = FeedServer::with(&file(&format!("{EVENT}\n{other}"))).await;
    let calendar = subscribe(&flow, &key, &server.url("/ana.ics")).await;
    feeds::sync(&flow.context).await;
    let ids = "SELECT string_agg(id::text, ',' ORDER BY id) FROM events";
    let revision = async || {
        report(&flow, &key, calendar).await["revision"]
            .as_i64()
            .unwrap()
    };
    let (first, held) = (revision().await, flow.text(ids).await);
    let stamped = EVENT.replace("UID:1", "UID:1\nDTSTAMP:20260601T080000Z");
    for same in [format!("{EVENT}\n{other}"), format!("{other}\n{stamped}")] {
        *shown.lock().unwrap_or_else(PoisonError::into_inner) = file(&same);
        sync_now(&flow, &key, calendar).await;
        assert_eq!(revision().await, first, "{same}");
        assert_eq!(flow.text(ids).await, held, "{same}");
    }
    let moved = other.replace("T150000Z", "T160000Z");
    *shown.lock().unwrap_or_else(PoisonError::into_inner) = file(&format!("{EVENT}\n{moved}"));
    sync_now(&flow, &key, calendar).await;
    assert_eq!(revision().await, first + 1);
    assert_eq!(flow.count("events").await, 3);
    let kept = flow.texts("SELECT id::text FROM events").await;
    let still = kept.iter().filter(|id| held.contains(id.as_str())).count();
    assert_eq!(still, 1, "the dentist stays where he is");
    flow.end().await;
}

/// `304` is as good as the file: what the server said of its file is sent back to it.
#[tokio::test]
async fn what_the_server_calls_unchanged_counts_as_read() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let server = FeedServer::start(|head| {
        if head.contains("if-none-match: \"v1\"")
            && head.contains("if-modified-since: Mon, 01 Jun 2026 00:00:00 GMT")
        {
            return Reply::Bytes(status("304 Not Modified", ""));
        }
        let known = "ETag: \"v1\"\r\nLast-Modified: Mon, 01 Jun 2026 00:00:00 GMT\r\n";
        Reply::Bytes(ok(known, file(EVENT).as_bytes()))
    })
    .await;
    let calendar = subscribe(&flow, &key, &server.url("/ana.ics")).await;
    feeds::sync(&flow.context).await;
    flow.at("2026-06-01T20:00:00Z");
    feeds::sync(&flow.context).await;
    let seen = report(&flow, &key, calendar).await;
    assert_eq!(seen["sync"]["last_good_at"], "2026-06-01T20:00:00Z");
    assert_eq!(seen["revision"], 1);
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 6);
    // Another program may read the file otherwise: it must see it again.
    flow.sql("UPDATE calendar_syncs SET read_by = 'another'")
        .await;
    sync_now(&flow, &key, calendar).await;
    let heard = server.heard();
    assert!(heard[1].contains("if-none-match"), "{}", heard[1]);
    assert!(!heard[2].contains("if-none-match"), "{}", heard[2]);
    flow.end().await;
}

/// Red when a failed reading clears the calendar, or counts as a good one.
#[tokio::test]
async fn a_failed_reading_keeps_what_was_read_until_that_is_too_old() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let fails = std::sync::Arc::new(std::sync::Mutex::new(None::<Vec<u8>>));
    let answer = fails.clone();
    let server = FeedServer::start(move |_| {
        let told = answer.lock().unwrap().clone();
        Reply::Bytes(told.unwrap_or_else(|| ok("", file(EVENT).as_bytes())))
    })
    .await;
    let calendar = subscribe(&flow, &key, &server.url("/ana.ics")).await;
    feeds::sync(&flow.context).await;
    flow.at("2026-06-01T09:00:00Z");
    for (reply, class) in [
        (status("404 Not Found", ""), "http_404"),
        (status("500 Oops", ""), "http_500"),
        (status("304 Not Modified", ""), "http_304"),
        (ok("", b"<html>Sign in</html>"), "not_a_calendar"),
        (ok("Content-Encoding: br\r\n", b"x"), "encoding"),
        (b"nonsense\r\n\r\n".to_vec(), "protocol"),
    ] {
        *fails.lock().unwrap() = Some(reply);
        sync_now(&flow, &key, calendar).await;
        let seen = report(&flow, &key, calendar).await;
        let error = &seen["sync"]["error"];
        assert_eq!(error["class"], class);
        assert_eq!(error["since"], "2026-06-01T09:00:00Z");
        assert_eq!(error["last_at"], "2026-06-01T09:00:00Z");
        assert_eq!(seen["sync"]["last_good_at"], "2026-06-01T08:00:00Z");
        assert_eq!(seen["revision"], 1);
        assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 6, "{class}");
    }
    // A day after the last good reading nothing is offered any more.
    flow.at("2026-06-02T08:00:00Z");
    assert_eq!(page(&flow, &ana).await, 503);
    *fails.lock().unwrap() = None;
    sync_now(&flow, &key, calendar).await;
    assert_eq!(page(&flow, &ana).await, 200);
    assert_eq!(
        report(&flow, &key, calendar).await["sync"]["error"],
        Value::Null
    );
    flow.end().await;
}

/// A booking that comes back through the subscription is the host's own: it is not in the way of
/// its own move.
#[tokio::test]
async fn a_copy_of_an_own_booking_is_recognised() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let token = flow.link(&ana, "2026-06-02T10:00:00Z", SAM).await;
    let booking = flow.look("", &token).await.json();
    let uid = format!("{}@{}", id(&booking), flow.context.instance);
    let copy = EVENT.replace("UID:1", &format!("UID:{uid}"));
    let (server, _) = FeedServer::with(&file(&copy)).await;
    subscribe(&flow, &key, &server.url("/ana.ics")).await;
    feeds::sync(&flow.context).await;
    // The copy says until noon; the booking itself is an hour.
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 7);
    let moved = flow.reschedule(&token, "2026-06-02T11:00:00Z", 0).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    flow.end().await;
}
