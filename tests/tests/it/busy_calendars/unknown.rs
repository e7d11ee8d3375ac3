//! Ruling R3: a calendar that cannot be judged exactly closes the page.

use holdfast_tests::{
    Flow,
    app::at,
    calendar::{personal, put, read_at, subscribed, team},
    flow::SAM,
    host::TestHost,
};
use shared::ops::{self, CalendarFault, Explained, WhyNothing};

use crate::slots::on;

const START: &str = "2026-06-02T10:00:00Z";

/// The public answer is one and the same whatever the reason; the host hears which calendar.
async fn closed(flow: &Flow, host: &TestHost) -> (Option<String>, CalendarFault, bool) {
    let query = host.slots("2026-06-02T00:00:00Z", "2026-06-03T00:00:00Z", "UTC");
    for answer in [flow.get(&query).await, flow.book(host, START, SAM).await] {
        assert_eq!(answer.status, 503, "{}", answer.text());
        assert_eq!(answer.code(), "availability_unknown");
        assert_eq!(answer.header("retry-after"), "60");
        for private in ["Team", "Feed", "calendar", "rule", "stale"] {
            assert!(!answer.text().contains(private), "{}", answer.text());
        }
    }
    let busy = ops::host_busy(
        &flow.context,
        host.id,
        shared::instant::Span {
            from: at("2026-06-02T00:00:00Z"),
            to: at("2026-06-03T00:00:00Z"),
        },
    )
    .await;
    assert!(busy.is_err(), "the host is not told half of it: {busy:?}");
    let (handle, code) = host.page[6..].split_once('/').unwrap();
    let explained = ops::explain_start(&flow.context, host.id, handle, code, at(START))
        .await
        .unwrap()
        .unwrap();
    match explained {
        Explained::Nothing(WhyNothing::Calendar {
            name, why, event, ..
        }) => (name, why, event.is_some()),
        other => panic!("{other:?}"),
    }
}

/// Red when the age is not looked at. The limit itself is too old: what is good until then is not
/// good at it.
#[tokio::test]
async fn a_calendar_that_was_not_read_for_a_day_closes_the_page() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let now = flow.context.clock.now();
    let feed = subscribed(&flow.context, &ana, None).await;
    let name = || Some("Feed".to_owned());
    assert_eq!(
        closed(&flow, &ana).await,
        (name(), CalendarFault::NeverRead, false)
    );
    read_at(&flow.context, feed, Some(now.plus_minutes(-1440))).await;
    assert_eq!(
        closed(&flow, &ana).await,
        (name(), CalendarFault::Stale, false)
    );
    read_at(&flow.context, feed, Some(now.plus_minutes(-1439))).await;
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 8);
    // A minute later it is too old, though nothing was written.
    flow.context.clock.set(now.plus_minutes(1));
    assert_eq!(
        closed(&flow, &ana).await,
        (name(), CalendarFault::Stale, false)
    );
    flow.end().await;
}

/// Whatever the range: what cannot be understood may be at any time. Free events close nothing.
#[tokio::test]
async fn what_cannot_be_understood_closes_the_page_until_it_is_marked_free() {
    for (lines, why) in [
        (
            "DTSTART:20260901T100000Z\nDTEND:20260901T110000Z\nRRULE:FREQ=DAILY;EXDATES=1",
            CalendarFault::Rule,
        ),
        (
            "DTSTART:20200901T100000Z\nDTEND:20200901T110000Z\nRRULE:FREQ=SECONDLY",
            CalendarFault::Rule,
        ),
        (
            "DTSTART:17000101T100000Z\nDTEND:17000101T110000Z\nRRULE:FREQ=MINUTELY",
            CalendarFault::Rule,
        ),
        (
            "DTSTART:20200901T100000Z\nDTEND:20200901T110000Z\nEXDATE:soon\nRRULE:FREQ=DAILY;COUNT=3",
            CalendarFault::Problem,
        ),
        ("DTSTART:someday\nSUMMARY:Dinner", CalendarFault::Problem),
        (
            "DTSTART;TZID=Nowhere/Nothing:20260901T100000\nDURATION:PT1H",
            CalendarFault::Problem,
        ),
    ] {
        let flow = Flow::start().await;
        let ana = flow.host("ana").make().await;
        let calendar = team(&flow.context, &ana, &[]).await;
        let free = lines.replace("DTSTART", "TRANSP:TRANSPARENT\nDTSTART");
        put(
            &flow.context,
            calendar,
            &format!("BEGIN:VEVENT\nUID:0\n{free}\nEND:VEVENT"),
        )
        .await;
        assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 8, "{lines}");
        put(
            &flow.context,
            calendar,
            &format!("BEGIN:VEVENT\nUID:1\n{lines}\nEND:VEVENT"),
        )
        .await;
        if lines.contains("20260901T100000Z") {
            // Its rule is of no weight before its first occurrence is near.
            flow.at("2026-09-01T08:00:00Z");
            assert_eq!(
                flow.get(&ana.slots("2026-09-02T00:00:00Z", "2026-09-03T00:00:00Z", "UTC"))
                    .await
                    .status,
                503
            );
        } else {
            assert_eq!(
                closed(&flow, &ana).await,
                (Some("Team".into()), why, true),
                "{lines}"
            );
        }
        flow.sql(
            "UPDATE events SET marked_free = true; UPDATE calendars SET revision = revision + 1",
        )
        .await;
        assert_eq!(
            on(
                &flow,
                &ana,
                &flow.context.clock.now().plus_minutes(1440).to_string()[..10]
            )
            .await
            .len(),
            8,
            "{lines}"
        );
        flow.end().await;
    }
}

/// Exactly and fast, or not at all: a daily rule from 1700 is followed.
#[tokio::test]
async fn a_rule_from_1700_is_followed_exactly() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").free("every day 9:00-12:00").make().await;
    let calendar = personal(&flow.context, &ana).await;
    put(
        &flow.context,
        calendar,
        "BEGIN:VEVENT\nUID:1\nDTSTART:17000101T100000Z\nDTEND:17000101T110000Z\nRRULE:FREQ=DAILY;COUNT=1000000000\nEND:VEVENT",
    )
    .await;
    assert_eq!(on(&flow, &ana, "2026-06-02").await, ["09:00", "11:00"]);
    flow.end().await;
}
