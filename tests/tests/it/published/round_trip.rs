//! A calendar that is written and read back.

use holdfast_tests::{
    Flow,
    calendar::{personal, put, team},
    feeds,
};
use reqwest::Method;
use shared::{
    calendar::{
        ics_read,
        recurrence::{Budget, Host, occurrences},
    },
    instant::Span,
    zone::Zones,
};

use super::{
    download, file,
    random::{Random, calendar},
};

const SERIES: usize = 150;

/// Every occurrence in two years: what it is called, when it is and whether it takes time.
fn taking_place(bytes: &[u8]) -> Vec<String> {
    let zones = Zones::bundled();
    let read = ics_read::read(bytes, &zones).unwrap();
    assert!(
        read.unreadable.is_empty() && read.problems.is_empty(),
        "{:?}",
        read.problems
    );
    let host = Host {
        zone: &zones.get("Asia/Tokyo").unwrap(),
        addresses: &["ana@hosts.test".to_owned()],
    };
    let at = |text: &str| text.parse().unwrap();
    let range = Span::new(at("2025-12-01T00:00:00Z"), at("2027-12-01T00:00:00Z")).unwrap();
    let found = occurrences(&read, &host, range, &mut Budget::new(10_000_000));
    assert!(
        found.incomplete.is_empty() && found.unshown.is_empty(),
        "{:?}",
        found.incomplete
    );
    let mut lines: Vec<String> = found
        .occurrences
        .iter()
        .map(|one| {
            let event = one.event;
            format!(
                "{} {:?} {:?} {:?} busy {} {:?} {:?} {:?} {:?} {}",
                one.from,
                one.to,
                one.dates,
                event.title,
                one.busy,
                event.location,
                event.notes,
                event.status,
                event.attendees,
                event.sequence
            )
        })
        .collect();
    lines.sort_unstable();
    lines
}

/// Random calendars are, after an export and an import into another host's calendar, what they
/// were, and so once more after that.
///
/// Red when EXDATE, RECURRENCE-ID, the custom zone or DURATION is left out.
#[tokio::test]
async fn an_export_that_is_imported_elsewhere_is_the_same_calendar() {
    let mut random = Random::new(0x0F0A_57E4);
    for round in 0..4 {
        let flow = Flow::start().await;
        let ana = flow.host("ana").email("ana@hosts.test").make().await;
        let ben = flow.host("ben").email("ben@hosts.test").make().await;
        let (anas, bens) = (flow.key(&ana).await, flow.key(&ben).await);
        let from = team(&flow.context, &ana, &[]).await;
        let to = personal(&flow.context, &ben).await;
        let lines = calendar(&mut random, SERIES);
        put(&flow.context, from, lines.trim_end()).await;
        let source = taking_place(feeds::file(&lines).as_bytes());
        assert!(source.len() > 2_000, "{}", source.len());
        let exported = download(&flow, &anas, from).await;
        assert_eq!(
            taking_place(&exported.body),
            source,
            "round {round}: the file"
        );

        let request = flow
            .signed(&bens, Method::POST, &format!("/v1/calendars/{to}/import"))
            .header("Content-Type", "text/calendar")
            .body(exported.body.clone());
        let report = flow.send(request).await;
        assert_eq!(report.status, 200, "{}", report.text());
        assert_eq!(report.json()["problems"], serde_json::json!([]));
        let events = exported.text().matches("BEGIN:VEVENT").count();
        assert_eq!(report.json()["added"], events);
        let again = download(&flow, &bens, to).await;
        assert_eq!(
            taking_place(&again.body),
            source,
            "round {round}: imported and exported"
        );
        // The same file, but for whose it is and the order of the events.
        let sorted = |text: String| {
            let text = text.replace("END:VCALENDAR\n", "");
            let mut parts: Vec<String> = text.split("BEGIN:V").skip(2).map(str::to_owned).collect();
            parts.sort_unstable();
            parts
        };
        assert_eq!(
            sorted(file(&flow, &bens, to).await),
            sorted(file(&flow, &anas, from).await)
        );
        flow.end().await;
    }
}
