//! Calendars that are large, readers that are slow, and what breaks on the way.

use std::{future::poll_fn, time::Duration};

use holdfast_tests::{
    Flow,
    calendar::{personal, put},
};
use reqwest::Method;
use shared::ops::feed::{self, Chunk, Chunks};

use super::{feed as make, file, published, unfolded};

/// So many events, of some hundred octets each.
fn many(events: u32) -> String {
    let notes = "A quite ordinary sentence of notes. ".repeat(10);
    let one = |number| {
        let (day, hour) = (1 + number % 28, number / 28 % 24);
        format!(
            "BEGIN:VEVENT\nUID:{number}\nSUMMARY:Event {number}\nDESCRIPTION:{notes}\nDTSTART;TZID=Europe/Berlin:202607{day:02}T{hour:02}0000\nDURATION:PT1H\nEND:VEVENT\n"
        )
    };
    (0..events).map(one).collect()
}

async fn next(chunks: &mut Chunks) -> Chunk {
    poll_fn(|task| chunks.poll_next(task)).await
}

/// Until so many permits are free.
async fn free(flow: &Flow, permits: usize) {
    for _ in 0..1_000 {
        if flow.state.export_permits.available_permits() == permits {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{} permits", flow.state.export_permits.available_permits());
}

/// Of five thousand events a few chunks are in memory while nobody reads on; the permit is held
/// until the end, or until the reader leaves.
///
/// Red when the channel has no bound, and when the permit ends with the call.
#[tokio::test]
async fn a_calendar_of_five_thousand_events_is_written_as_it_is_read() {
    let flow = Flow::start().await;
    let (ana, key, calendar, path) = published(&flow, "ana", "full").await;
    put(&flow.context, calendar, &many(5_000)).await;
    let whole = file(&flow, &key, calendar).await;
    let summaries = |text: &str| text.matches("\nSUMMARY:Event ").count();
    assert_eq!(summaries(&whole), 5_000);
    let feed = flow.get(&path).await;
    assert_eq!(summaries(&unfolded(&feed)), 5_000);
    free(&flow, 4).await;

    let permit = flow.state.export_permit().unwrap();
    let mut chunks = feed::export(&flow.context, ana.id, calendar, permit)
        .await
        .unwrap();
    // Whoever writes goes as far as it may.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(flow.state.export_permits.available_permits(), 3);
    assert_eq!(
        flow.count(
            "pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
        )
        .await,
        1,
        "it waits for its reader with the rest unread"
    );
    let mut read = 0;
    for _ in 0..3 {
        match next(&mut chunks).await {
            Chunk::Text(text) => read += text.len(),
            other => panic!("{other:?}"),
        }
    }
    assert!(read < 3 * 40 * 1_024, "{read} octets in three chunks");
    drop(chunks);
    free(&flow, 4).await;
    assert!(flow.is_quiet().await);
    flow.end().await;
}

/// Four at once in a process.
#[tokio::test]
async fn a_fifth_calendar_at_once_is_told_to_come_again() {
    let flow = Flow::start().await;
    let (_, key, calendar, path) = published(&flow, "ana", "full").await;
    let held: Vec<_> = (0..4)
        .map(|_| flow.state.export_permit().unwrap())
        .collect();
    let export = format!("/v1/calendars/{calendar}/export.ics");
    for answer in [flow.get(&path).await, flow.get_signed(&key, &export).await] {
        assert_eq!(answer.code(), "overloaded");
        assert_eq!(answer.header("retry-after"), "5");
    }
    drop(held);
    assert_eq!(flow.get(&path).await.status, 200);
    flow.end().await;
}

/// What cannot be written to its end does not end as what was: the connection breaks.
///
/// Red when a failure ends the body.
#[tokio::test]
async fn half_a_calendar_is_not_taken_for_a_whole_one() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let calendar = personal(&flow.context, &ana).await;
    let (_, path) = make(&flow, &key, calendar, "full").await;
    put(&flow.context, calendar, &many(2_000)).await;
    // The last one was sealed for another column, and does not open.
    flow.sql("UPDATE events SET title_sealed = notes_sealed WHERE id = (SELECT id FROM events ORDER BY id DESC LIMIT 1)").await;
    let mut answer = flow.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(answer.status(), 200, "it had begun");
    let mut read = 0;
    let broken = loop {
        match answer.chunk().await {
            Ok(Some(bytes)) => read += bytes.len(),
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert!(
        broken && read > 100_000,
        "{read} octets, and an end as if that were all"
    );
    // At the very beginning it is an answer.
    flow.sql("UPDATE events SET title_sealed = notes_sealed")
        .await;
    free(&flow, 4).await;
    assert!(flow.is_quiet().await);
    flow.end().await;
}
