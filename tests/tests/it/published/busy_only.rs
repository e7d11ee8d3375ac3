//! Feeds of busy time alone.

use holdfast_tests::{
    Flow,
    calendar::{personal, put, team},
    flow::{SAM, id},
};
use serde_json::json;
use shared::locale::Locale;

use super::{feed, published, text, times};

/// Nothing that anybody typed, and nothing that leads to a booking.
const CANARIES: [&str; 14] = [
    "Canary title",
    "Canary notes",
    "Canary place",
    "canary-uid",
    "canary-guest",
    "Canary guest",
    "Canary page",
    "Canary booker",
    "canary-booker",
    "Canary note",
    "Canary team",
    "canary-host",
    "ATTENDEE",
    "ORGANIZER",
];

const EVENT: &str = "BEGIN:VEVENT\nUID:canary-uid\nSUMMARY:Canary title\nDESCRIPTION:Canary notes\nLOCATION:Canary place\n\
    ATTENDEE;CN=Canary guest:mailto:canary-guest@x.test\nDTSTART:20260602T120000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\nEND:VEVENT";

/// Red when a booking goes by its own UID, and when the calendar's name is told.
#[tokio::test]
async fn nothing_but_when_is_told() {
    let flow = Flow::start().await;
    let ana = flow
        .host("ana")
        .name("Ana Silva")
        .email("canary-host@hosts.test")
        .titled("Canary page", "Canary notes")
        .make()
        .await;
    let key = flow.key(&ana).await;
    let own = personal(&flow.context, &ana).await;
    let shared = team(&flow.context, &ana, &[]).await;
    flow.sql("UPDATE calendars SET revision = revision + 1")
        .await;
    put(&flow.context, own, EVENT).await;
    put(&flow.context, shared, EVENT).await;
    let wish = json!({ "start": "2026-06-02T09:00:00Z", "zone": "Europe/Paris", "name": "Canary booker", "email": "canary-booker@x.test", "note": "Canary note" });
    let booking = flow.ask(&ana, &wish).await.json();
    for calendar in [own, shared] {
        let (_, path) = feed(&flow, &key, calendar, "busy_only").await;
        let feed = text(&flow, &path).await;
        for canary in CANARIES {
            assert!(!feed.contains(canary), "{canary} in\n{feed}");
        }
        assert!(!feed.contains("Team"), "the calendar's own name");
        let booking = id(&booking);
        for secret in [
            booking.to_string(),
            booking.simple().to_string(),
            flow.context.instance.to_string(),
            calendar.to_string(),
        ] {
            assert!(!feed.contains(&secret), "{secret} in\n{feed}");
        }
        let names: std::collections::BTreeSet<&str> = feed
            .lines()
            .map(|line| line.split([':', ';']).next().unwrap())
            .collect();
        assert_eq!(
            names.into_iter().collect::<Vec<_>>(),
            [
                "BEGIN",
                "DTEND",
                "DTSTAMP",
                "DTSTART",
                "END",
                "METHOD",
                "NAME",
                "PRODID",
                "REFRESH-INTERVAL",
                "SUMMARY",
                "TRANSP",
                "UID",
                "VERSION",
                "X-PUBLISHED-TTL",
                "X-WR-CALNAME",
            ]
        );
        assert_eq!(
            times(&feed, "X-WR-CALNAME:Ana Silva"),
            1,
            "whose it is, as on their pages"
        );
        let busy = if calendar == own { 4 } else { 3 };
        assert_eq!(times(&feed, "SUMMARY:Busy"), busy, "{feed}");
        // All look alike, the booking's UID too.
        let uids: Vec<&str> = feed
            .lines()
            .filter_map(|line| line.strip_prefix("UID:"))
            .collect();
        assert_eq!(uids.len(), busy);
        assert!(
            uids.iter()
                .all(|uid| uid.len() == 64 && uid.bytes().all(|b| b.is_ascii_hexdigit()))
        );
        // The meeting, without its buffers.
        let booked = "DTSTART:20260602T090000Z\nDTEND:20260602T100000Z\n";
        assert_eq!(feed.matches(booked).count(), busy - 3);
    }
    flow.end().await;
}

/// What takes no time is not there; what is busy is as it counts for the host's own pages: merged,
/// on the host's clock.
#[tokio::test]
async fn only_what_takes_time_is_there_and_it_is_merged() {
    let flow = Flow::start().await;
    let ana = flow
        .host("ana")
        .zone("Europe/Berlin")
        .email("ana@hosts.test")
        .locale(Locale::ZhCn)
        .make()
        .await;
    let key = flow.key(&ana).await;
    let calendar = personal(&flow.context, &ana).await;
    let (_, path) = feed(&flow, &key, calendar, "busy_only").await;
    let event = |uid: u32, lines: &str| format!("BEGIN:VEVENT\nUID:{uid}\n{lines}\nEND:VEVENT");
    let lines = [
        event(
            1,
            "DTSTART:20260603T100000Z\nDURATION:PT1H\nTRANSP:TRANSPARENT",
        ),
        event(
            2,
            "DTSTART:20260604T100000Z\nDURATION:PT1H\nSTATUS:CANCELLED",
        ),
        event(
            3,
            "DTSTART:20260605T100000Z\nDURATION:PT1H\nATTENDEE;PARTSTAT=DECLINED:mailto:ana@hosts.test",
        ),
        event(4, "DTSTART:20260608T100000Z\nDURATION:PT1H"),
        event(5, "DTSTART:20260608T103000Z\nDURATION:PT1H"),
        event(6, "DTSTART;VALUE=DATE:20260610"),
        event(7, "DTSTART:20260611T090000\nDURATION:PT30M"),
        event(
            8,
            "DTSTART:20260612T100000Z\nDURATION:PT1H\nSTATUS:TENTATIVE",
        ),
        event(
            9,
            "DTSTART:20250101T100000Z\nDURATION:PT1H\nRRULE:FREQ=YEARLY",
        ),
        event(10, "DTSTART:20260615T100000Z\nDURATION:PT1H"),
    ];
    put(&flow.context, calendar, &lines.join("\n")).await;
    flow.sql("UPDATE events SET kind = 'note' WHERE reach @> '2026-06-15T10:30Z'::timestamptz AND upper(reach) < '2026-07-01'").await;
    flow.sql("UPDATE calendars SET revision = revision + 1")
        .await;
    let feed = text(&flow, &path).await;
    let spans: Vec<(&str, &str)> = feed
        .split("BEGIN:VEVENT")
        .skip(1)
        .map(|event| {
            let of = |name: &str| {
                event
                    .lines()
                    .find_map(|line| line.strip_prefix(name))
                    .unwrap()
            };
            (of("DTSTART:"), of("DTEND:"))
        })
        .collect();
    assert_eq!(
        spans,
        [
            ("20260608T100000Z", "20260608T113000Z"),
            ("20260609T220000Z", "20260610T220000Z"),
            ("20260611T070000Z", "20260611T073000Z"),
            ("20260612T100000Z", "20260612T110000Z"),
            ("20270101T100000Z", "20270101T110000Z"),
        ]
    );
    assert_eq!(times(&feed, "SUMMARY:忙碌"), 5);
    flow.end().await;
}

/// A hold is busy until it lapses; what is cancelled is not there.
#[tokio::test]
async fn a_booking_is_busy_while_it_takes_its_hosts_time() {
    let flow = Flow::start().await;
    let (ana, _, calendar, _) = published(&flow, "ana", "full").await;
    let key = flow.key(&ana).await;
    let (_, path) = feed(&flow, &key, calendar, "busy_only").await;
    let token = flow.link(&ana, "2026-06-02T10:00:00Z", SAM).await;
    assert_eq!(
        times(&text(&flow, &path).await, "DTSTART:20260602T100000Z"),
        1
    );
    assert_eq!(
        flow.reschedule(&token, "2026-06-02T15:00:00Z", 0)
            .await
            .status,
        200
    );
    let moved = text(&flow, &path).await;
    assert_eq!(times(&moved, "DTSTART:20260602T100000Z"), 0);
    assert_eq!(times(&moved, "DTSTART:20260602T150000Z"), 1);
    assert_eq!(flow.cancel(&token).await.status, 200);
    assert_eq!(times(&text(&flow, &path).await, "SUMMARY:Busy"), 0);
    flow.end().await;
}
