//! When a calendar cannot be understood.

use holdfast_tests::{
    Flow,
    calendar::{put, read_at, subscribed},
};
use reqwest::Method;

use super::{feed, file, published, text, times};

const KEPT: &str = "BEGIN:VEVENT\nUID:b\nSUMMARY:Odd\nDTSTART;TZID=Nowhere/Nothing:20260602T100000\nX-MORE:1\nBEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM\nEND:VEVENT";
const PARTLY: &str = "BEGIN:VEVENT\nUID:p\nSUMMARY:Partly\nDTSTART:20260603T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:someday\nEND:VEVENT";
const RULED: &str = "BEGIN:VEVENT\nUID:r\nSUMMARY:Ruled\nDTSTART:20260604T120000Z\nDURATION:PT1H\nRRULE:FREQ=SOMETIMES\nEND:VEVENT";

/// Busy time that is not known is told to nobody, to those who have an older tag neither.
///
/// Red when the tag is compared before the age.
#[tokio::test]
async fn a_feed_of_busy_time_fails_closed() {
    let flow = Flow::start().await;
    let (ana, key, own, _) = published(&flow, "ana", "full").await;
    let now = flow.context.clock.now();
    let other = subscribed(&flow.context, &ana, Some(now)).await;
    let (_, path) = feed(&flow, &key, other, "busy_only").await;
    let tag = flow.get(&path).await.header("etag");
    read_at(&flow.context, other, Some(now.plus_minutes(-2 * 24 * 60))).await;
    let request = flow
        .request(Method::GET, &path)
        .header("If-None-Match", tag);
    let stale = flow.send(request).await;
    assert_eq!(stale.code(), "availability_unknown");
    assert_eq!(stale.header("retry-after"), "60");
    assert!(!stale.text().contains("sync"), "why is the host's alone");
    read_at(&flow.context, other, None).await;
    assert_eq!(flow.get(&path).await.status, 503);

    let (_, path) = feed(&flow, &key, own, "busy_only").await;
    assert_eq!(flow.get(&path).await.status, 200);
    for lines in [RULED, PARTLY, KEPT] {
        put(&flow.context, own, lines).await;
        assert_eq!(flow.get(&path).await.status, 503, "{lines}");
        flow.sql(
            "UPDATE events SET marked_free = true; UPDATE calendars SET revision = revision + 1",
        )
        .await;
        assert_eq!(flow.get(&path).await.status, 200, "marked free: {lines}");
    }
    flow.end().await;
}

/// A feed has what is certain of such an event and names the rest; a file has it as it came.
#[tokio::test]
async fn in_full_what_is_not_understood_is_named_and_in_a_file_it_is_kept() {
    let flow = Flow::start().await;
    let (_, key, own, path) = published(&flow, "ana", "full").await;
    put(&flow.context, own, &[KEPT, PARTLY, RULED].join("\n")).await;
    let feed = text(&flow, &path).await;
    assert_eq!(feed.matches("BEGIN:VEVENT").count(), 2, "{feed}");
    assert!(
        !feed.contains("TZID=Nowhere/Nothing") && !feed.contains("EXDATE:"),
        "{feed}"
    );
    assert!(!feed.contains("RRULE:FREQ=SOMETIMES"), "{feed}");
    assert_eq!(times(&feed, "RRULE:FREQ=DAILY;COUNT=3"), 1, "{feed}");
    let problems: Vec<&str> = feed
        .lines()
        .filter_map(|line| line.strip_prefix("X-HOLDFAST-PROBLEM:"))
        .collect();
    assert_eq!(problems.len(), 3, "{feed}");
    assert!(
        problems
            .iter()
            .any(|words| words.contains("Odd") && words.contains("Nowhere/Nothing"))
    );
    assert!(problems.iter().any(|words| words.contains("someday")));

    let kept = file(&flow, &key, own).await;
    assert!(kept.contains(&format!("{KEPT}\n")), "{kept}");
    assert!(kept.contains(&format!("{PARTLY}\n")), "{kept}");
    assert_eq!(times(&kept, "RRULE:FREQ=SOMETIMES"), 1);
    assert!(!kept.contains("X-HOLDFAST-PROBLEM"), "{kept}");
    flow.end().await;
}
