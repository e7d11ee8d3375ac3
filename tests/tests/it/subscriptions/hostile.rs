//! Calendars that mean harm: none stalls a request, and none opens a slot.

use std::time::{Duration, Instant};

use holdfast_tests::{
    Flow,
    feeds::{self, FeedServer, Reply, file, ok, reaching},
};
use holdfast_worker::syncs;
use tokio_util::sync::CancellationToken;

use super::{page, report, subscribe};
use crate::slots::on;

/// 50 MB of nothing, as gzip: made of one stored block would be as large, so a real encoder of runs
/// is used.
fn bomb() -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let chunk = vec![b' '; 1_000_000];
    for _ in 0..50 {
        encoder.write_all(&chunk).unwrap();
    }
    encoder.finish().unwrap()
}

/// Whatever its server does, the calendar was not read: the page stays closed, at once, and says no
/// more than that.
#[tokio::test]
async fn what_cannot_be_read_keeps_the_page_closed() {
    let bomb = bomb();
    assert!(bomb.len() < 100_000);
    let packed = ok("Content-Encoding: gzip\r\n", &bomb);
    let head = b"HTTP/1.1 200 OK\r\n".to_vec();
    let line = [b"X-Filler: ".as_slice(), &[b'a'; 500], b"\r\n"].concat();
    let often = Duration::from_millis(1);
    let servers = [
        (
            "too_large",
            FeedServer::start(move |_| Reply::Bytes(packed.clone())).await,
        ),
        (
            "protocol",
            FeedServer::start(move |_| Reply::Drip(head.clone(), line.clone(), often)).await,
        ),
        (
            "too_many_redirects",
            FeedServer::start(|_| {
                Reply::Bytes(holdfast_tests::feeds::status(
                    "302 Found",
                    "Location: /again\r\n",
                ))
            })
            .await,
        ),
        (
            "forbidden_address",
            FeedServer::start(|_| {
                Reply::Bytes(holdfast_tests::feeds::status(
                    "302 Found",
                    "Location: http://127.0.0.9/\r\n",
                ))
            })
            .await,
        ),
    ];
    for (class, server) in servers {
        let flow = Flow::start().await;
        let ana = flow.host("ana").make().await;
        let key = flow.key(&ana).await;
        let calendar = subscribe(&flow, &key, &server.url("/")).await;
        let begun = Instant::now();
        assert_eq!(feeds::sync(&flow.context).await, 1);
        assert!(begun.elapsed() < Duration::from_secs(10), "{class}");
        let seen = report(&flow, &key, calendar).await;
        assert_eq!(seen["sync"]["error"]["class"], class, "{seen}");
        assert_eq!(page(&flow, &ana).await, 503, "{class}");
        flow.end().await;
    }
}

/// An address that means this machine is not asked, however it is written.
#[tokio::test]
async fn an_address_that_resolves_to_loopback_is_not_asked() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let server = FeedServer::start(|_| Reply::Bytes(ok("", file("").as_bytes()))).await;
    let calendar = subscribe(
        &flow,
        &key,
        &format!("http://localhost:{}/", server.address.port()),
    )
    .await;
    let syncer = reaching(&flow.context, "");
    assert_eq!(
        syncs::step(&syncer, &CancellationToken::new())
            .await
            .unwrap(),
        1
    );
    let seen = report(&flow, &key, calendar).await;
    assert_eq!(seen["sync"]["error"]["class"], "forbidden_address");
    assert_eq!(server.heard(), [""; 0]);
    assert_eq!(page(&flow, &ana).await, 503);
    flow.end().await;
}

/// While one calendar's server says a byte a second, others are read and pages answer.
#[tokio::test]
async fn a_slow_server_holds_up_neither_pages_nor_other_calendars() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let (key, bens) = (flow.key(&ana).await, flow.key(&ben).await);
    let slow = FeedServer::start(|_| {
        let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
        Reply::Drip(head, b"1\r\nB\r\n".to_vec(), Duration::from_secs(1))
    })
    .await;
    let quick = FeedServer::start(|_| Reply::Bytes(ok("", file("").as_bytes()))).await;
    subscribe(&flow, &key, &slow.url("/")).await;
    subscribe(&flow, &bens, &quick.url("/")).await;
    let syncer = reaching(&flow.context, "127.0.0.1");
    let closing = CancellationToken::new();
    let stop = closing.clone();
    let step = tokio::spawn(async move { syncs::step(&syncer, &stop).await.unwrap() });
    let begun = Instant::now();
    while page(&flow, &ben).await != 200 {
        assert!(
            begun.elapsed() < Duration::from_secs(8),
            "ben's calendar waits"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let asked = Instant::now();
    assert_eq!(page(&flow, &ana).await, 503, "not read yet");
    assert!(asked.elapsed() < Duration::from_secs(2));
    closing.cancel();
    assert_eq!(step.await.unwrap(), 2);
    flow.end().await;
}

/// Files that are read well and hold what cannot be followed, or more than is followed: closed, and
/// quickly so.
#[tokio::test]
async fn rules_and_numbers_without_measure_open_nothing() {
    let rule = |start: &str, rule: &str| {
        format!("BEGIN:VEVENT\nUID:1\nDTSTART:{start}\nDURATION:PT1H\nRRULE:{rule}\nEND:VEVENT")
    };
    let many: String = (0..10_001)
        .map(|n| {
            format!("BEGIN:VEVENT\nUID:{n}\nDTSTART:20260101T000000Z\nDURATION:PT1H\nEND:VEVENT\n")
        })
        .collect();
    let thousand: String = (0..1_000)
        .map(|n| {
            rule("17000101T000000Z", "FREQ=DAILY;COUNT=1000000000")
                .replace("UID:1\n", &format!("UID:{n}\n"))
                + "\n"
        })
        .collect();
    for (what, lines, expected) in [
        (
            "SECONDLY from 1700",
            rule("17000101T000000Z", "FREQ=SECONDLY"),
            None,
        ),
        (
            "SECONDLY a billion times",
            rule("20260601T000000Z", "FREQ=SECONDLY;COUNT=1000000000"),
            None,
        ),
        (
            "MINUTELY from 1700",
            rule("17000101T000000Z", "FREQ=MINUTELY"),
            None,
        ),
        (
            "a day that never comes",
            rule("20260601T000000Z", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
            None,
        ),
        ("10,001 events", many, None),
        ("a thousand endless series from 1700", thousand, Some(8)),
        ("deep", "BEGIN:VEVENT\n".repeat(5_000), None),
        (
            "a billion days, exactly",
            rule("20260601T120000Z", "FREQ=DAILY;COUNT=1000000000"),
            Some(7),
        ),
    ] {
        let flow = Flow::start().await;
        let ana = flow.host("ana").make().await;
        let key = flow.key(&ana).await;
        let (server, _) = FeedServer::with(&file(&lines)).await;
        let calendar = subscribe(&flow, &key, &server.url("/")).await;
        let begun = Instant::now();
        assert_eq!(feeds::sync(&flow.context).await, 1);
        let (read, asked) = (begun.elapsed(), Instant::now());
        assert!(read < Duration::from_secs(60), "{what}: read in {read:?}");
        let seen = report(&flow, &key, calendar).await;
        assert!(seen["sync"]["last_good_at"].is_string(), "{what}: {seen}");
        let status = if expected.is_some() { 200 } else { 503 };
        assert_eq!(page(&flow, &ana).await, status, "{what}");
        assert!(
            asked.elapsed() < Duration::from_secs(5),
            "{what}: asked {:?}",
            asked.elapsed()
        );
        if let Some(slots) = expected {
            assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), slots, "{what}");
        }
        flow.end().await;
    }
}
