//! A file that speaks of a booked event.

use holdfast_tests::{
    Flow,
    flow::{SAM, id},
};

use super::{import, taken};

/// What is stored passes, in UTC and in the event's own zone; each other value is refused by the
/// name of its field, and nothing of the file is taken over. Red for each check of `booked::check`
/// that is left out.
#[tokio::test]
async fn each_locked_field_is_refused_one_by_one() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").zone("Europe/Berlin").make().await;
    let key = flow.key(&ana).await;
    let token = flow.link(&ana, "2026-06-02T10:00:00Z", SAM).await;
    let booking = flow.look("", &token).await.json();
    let uid = format!("{}@{}", id(&booking), flow.context.instance);
    let event = |lines: &str| {
        let other = "BEGIN:VEVENT\nUID:other\nDTSTART:20260605T100000Z\nDURATION:PT1H\nEND:VEVENT";
        format!("{other}\nBEGIN:VEVENT\nUID:{uid}\n{lines}\nEND:VEVENT")
    };
    let times = "DTSTART:20260602T100000Z\nDTEND:20260602T110000Z";
    for (lines, field) in [
        (
            "DTSTART:20260602T103000Z\nDTEND:20260602T110000Z".to_owned(),
            "start",
        ),
        (
            "DTSTART:20260602T100000Z\nDTEND:20260602T113000Z".to_owned(),
            "end",
        ),
        ("DTSTART:20260602T100000Z".to_owned(), "end"),
        ("DTSTART;VALUE=DATE:20260602".to_owned(), "all_day"),
        (
            "DTSTART;TZID=Europe/Paris:20260602T120000\nDURATION:PT1H".to_owned(),
            "tz",
        ),
        ("DTSTART:20260602T120000\nDURATION:PT1H".to_owned(), "tz"),
        (format!("{times}\nRRULE:FREQ=DAILY;COUNT=1"), "rrule"),
        (format!("{times}\nEXDATE:20260603T100000Z"), "exdates"),
        (format!("{times}\nRDATE:20260603T100000Z"), "rdates"),
        (format!("{times}\nTRANSP:TRANSPARENT"), "transparency"),
        (format!("{times}\nSTATUS:CANCELLED"), "status"),
        (format!("{times}\nSTATUS:TENTATIVE"), "status"),
        ("DTSTART:someday".to_owned(), "start"),
    ] {
        let answer = import(&flow, &ana, &key, &event(&lines)).await;
        assert_eq!(answer.status, 409, "{lines}: {}", answer.text());
        assert_eq!(answer.code(), "booked_event_locked");
        assert_eq!(answer.json()["errors"][0]["pointer"], field, "{lines}");
        assert_eq!(flow.count("events").await, 1, "{lines}");
    }
    let own = "DTSTART;TZID=Europe/Berlin:20260602T120000\nDURATION:PT1H\nSUMMARY:Mine now";
    assert_eq!(taken(&flow, &ana, &key, &event(times)).await, (1, 0, 1));
    assert_eq!(taken(&flow, &ana, &key, &event(own)).await, (0, 0, 2));
    assert_eq!(flow.count("events").await, 2);
    let still = flow.look("", &token).await.json();
    assert_eq!(still["start"], booking["start"]);
    flow.end().await;
}
