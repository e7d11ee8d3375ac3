//! What stands and what a file says.

use holdfast_tests::{Flow, calendar::personal};

use super::{import, taken};
use crate::slots::on;

const SERIES: &str = "BEGIN:VEVENT\nUID:s\nSUMMARY:Stand-up\nDTSTART:20260602T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\nEND:VEVENT";
const MOVED: &str = "BEGIN:VEVENT\nUID:s\nRECURRENCE-ID:20260603T100000Z\nDTSTART:20260603T140000Z\nDURATION:PT1H\nEND:VEVENT";
const SINGLE: &str =
    "BEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nDTSTART:20260602T120000Z\nDURATION:PT1H\nEND:VEVENT";
const NAMELESS: &str = "BEGIN:VEVENT\nDTSTART:20260602T150000Z\nDURATION:PT1H\nEND:VEVENT";

/// The same file again changes nothing, the revision least of all.
#[tokio::test]
async fn a_file_is_taken_over_once_however_often_it_is_imported() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let twins = format!("{SINGLE}\n{}", SINGLE.replace("T12", "T13"));
    let lines = format!("{SERIES}\n{MOVED}\n{twins}\n{NAMELESS}");
    assert_eq!(taken(&flow, &ana, &key, &lines).await, (5, 0, 0));
    let revision = flow.text("SELECT revision::text FROM calendars").await;
    for _ in 0..2 {
        assert_eq!(taken(&flow, &ana, &key, &lines).await, (0, 0, 5));
    }
    assert_eq!(
        flow.text("SELECT revision::text FROM calendars").await,
        revision
    );
    assert_eq!(flow.count("events").await, 5);
    // Ten, twelve, one and three o'clock are taken on the second.
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 4);
    flow.end().await;
}

/// Red when SEQUENCE is not looked at.
#[tokio::test]
async fn an_event_is_updated_unless_the_one_that_stands_is_newer() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let at = |sequence: u32, hour: u32| {
        SINGLE
            .replace("UID:1", &format!("UID:1\nSEQUENCE:{sequence}"))
            .replace("T12", &format!("T{hour}"))
    };
    for (sequence, hour, report, busy) in [
        (2, 12, (1, 0, 0), "12"),
        (1, 13, (0, 0, 1), "12"),
        (2, 14, (0, 1, 0), "14"),
        (3, 15, (0, 1, 0), "15"),
    ] {
        assert_eq!(taken(&flow, &ana, &key, &at(sequence, hour)).await, report);
        let free = on(&flow, &ana, "2026-06-02").await;
        assert_eq!(free.len(), 7);
        let start = format!("2026-06-02T{busy}:00:00Z").parse().unwrap();
        assert!(!free.contains(&start), "{busy}: {free:?}");
    }
    assert_eq!(flow.count("events").await, 1);
    flow.end().await;
}

/// An override finds its series by itself, and what the file does not have stays.
///
/// Red when an override without its series is taken for the series itself, and when the series does
/// not reach where its new override lies.
#[tokio::test]
async fn an_override_that_comes_alone_replaces_its_occurrence() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    assert_eq!(taken(&flow, &ana, &key, SERIES).await, (1, 0, 0));
    assert_eq!(on(&flow, &ana, "2026-06-03").await.len(), 7);
    let far = MOVED.replace("DTSTART:20260603T14", "DTSTART:20260720T14");
    assert_eq!(taken(&flow, &ana, &key, &far).await, (1, 0, 0));
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 7);
    assert_eq!(on(&flow, &ana, "2026-06-03").await.len(), 8);
    assert_eq!(on(&flow, &ana, "2026-07-20").await.len(), 7);
    // The series changes; its override stays with it.
    let later = SERIES
        .replace("T10", "T11")
        .replace("UID:s", "UID:s\nSEQUENCE:1");
    assert_eq!(taken(&flow, &ana, &key, &later).await, (0, 1, 0));
    assert_eq!(flow.count("events WHERE series_id IS NOT NULL").await, 1);
    assert_eq!(taken(&flow, &ana, &key, &later).await, (0, 0, 1));
    flow.end().await;
}

/// What cannot be understood is taken over as it is, told by its line, and blocks.
#[tokio::test]
async fn what_cannot_be_understood_is_told_by_its_line_and_closes_the_page() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let broken = "BEGIN:VEVENT\nUID:b\nDTSTART;TZID=Nowhere/Nothing:20260602T100000\nEND:VEVENT";
    let answer = import(&flow, &ana, &key, &format!("{SINGLE}\n{broken}")).await;
    let problem = &answer.json()["problems"][0];
    assert_eq!(problem["line"], 12, "{}", answer.text());
    assert_eq!(problem["blocking"], true);
    assert!(
        problem["text"]
            .as_str()
            .unwrap()
            .contains("Nowhere/Nothing")
    );
    let query = ana.slots("2026-06-02T00:00:00Z", "2026-06-03T00:00:00Z", "UTC");
    assert_eq!(flow.get(&query).await.status, 503);
    flow.end().await;
}

/// All or none: a file with a fault of its own is refused with every fault, and nothing is written.
#[tokio::test]
async fn a_damaged_file_is_refused_whole() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").make().await;
    let key = flow.key(&ana).await;
    let cut = format!("{SINGLE}\nBEGIN:VFREEBUSY\nUID:2\nEND:VFREEBUSY");
    let answer = import(&flow, &ana, &key, &cut).await;
    assert_eq!(answer.code(), "validation_failed");
    let fault = &answer.json()["errors"][0];
    assert_eq!(fault["code"], "damaged_file");
    assert!(
        fault["detail"].as_str().unwrap().starts_with("line "),
        "{fault}"
    );
    assert_eq!(flow.count("events").await, 0);
    assert_eq!(on(&flow, &ana, "2026-06-02").await.len(), 8);
    flow.end().await;
}

/// A member writes a team's calendar, and nobody but its owner a personal one.
#[tokio::test]
async fn another_hosts_personal_calendar_is_read_only_to_those_it_is_shared_with() {
    let flow = Flow::start().await;
    let (ana, ben) = (flow.host("ana").make().await, flow.host("ben").make().await);
    let bens = flow.key(&ben).await;
    let calendar = personal(&flow.context, &ana).await;
    holdfast_tests::calendar::join(&flow.context, calendar, &ben).await;
    let team = holdfast_tests::calendar::team(&flow.context, &ana, &[&ben]).await;
    for (calendar, status) in [(calendar, 409), (team, 200)] {
        let request = flow
            .signed(
                &bens,
                reqwest::Method::POST,
                &format!("/v1/calendars/{calendar}/import"),
            )
            .header("Content-Type", "text/calendar")
            .body(holdfast_tests::feeds::file(SINGLE));
        let answer = flow.send(request).await;
        assert_eq!(answer.status, status, "{}", answer.text());
    }
    flow.end().await;
}
