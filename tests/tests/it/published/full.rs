//! Feeds and files of everything on a calendar.

use holdfast_tests::{
    Flow,
    calendar::{personal, put, team},
    flow::id,
};
use serde_json::json;

use super::{feed, file, published, text, times};

const EVENT: &str = "BEGIN:VEVENT\nUID:a\\,b\nSUMMARY:Dentist\\, at last\nDESCRIPTION:One\\nTwo\nLOCATION:Here\nSEQUENCE:3\n\
    ATTENDEE;CN=\"Bo, B\";PARTSTAT=ACCEPTED:mailto:bo@x.test\nATTENDEE;PARTSTAT=TENTATIVE:urn:uuid:1 2\n\
    DTSTART;TZID=America/Halifax:20260602T090000\nDTEND;TZID=America/Halifax:20260602T100000\nRRULE:FREQ=DAILY;COUNT=3\n\
    EXDATE;TZID=America/Halifax:20260603T090000\nRDATE;VALUE=PERIOD:20260610T120000Z/PT30M\nSTATUS:TENTATIVE\nX-MICROSOFT-CDO-BUSYSTATUS:OOF\nEND:VEVENT\n\
    BEGIN:VEVENT\nUID:a\\,b\nSUMMARY:Later\nRECURRENCE-ID;TZID=America/Halifax:20260604T090000\nDTSTART;TZID=America/Halifax:20260604T110000\nDURATION:PT1H\nEND:VEVENT";

/// The feed is published by its host and names nobody else; the file is not published and has
/// everybody. Case out-19: a time in a zone names one that the stream defines.
#[tokio::test]
async fn an_event_is_written_as_it_was_read() {
    let flow = Flow::start().await;
    let ana = flow
        .host("ana")
        .name("Ana Silva")
        .email("ana@hosts.test")
        .make()
        .await;
    let key = flow.key(&ana).await;
    let calendar = team(&flow.context, &ana, &[]).await;
    put(&flow.context, calendar, EVENT).await;
    let (_, path) = feed(&flow, &key, calendar, "full").await;
    let event = "UID:a\\,b\nDTSTAMP:20260601T080000Z\nSEQUENCE:3\n\
        DTSTART;TZID=America/Halifax:20260602T090000\nDTEND;TZID=America/Halifax:20260602T100000\nRRULE:FREQ=DAILY;COUNT=3\n\
        EXDATE;TZID=America/Halifax:20260603T090000\nRDATE;VALUE=PERIOD:20260610T120000Z/PT30M\n\
        SUMMARY:Dentist\\, at last\nDESCRIPTION:One\\nTwo\nLOCATION:Here\nSTATUS:TENTATIVE\nTRANSP:OPAQUE\nX-MICROSOFT-CDO-BUSYSTATUS:OOF\n";
    let change = "UID:a\\,b\nDTSTAMP:20260601T080000Z\nSEQUENCE:0\nRECURRENCE-ID;TZID=America/Halifax:20260604T090000\n\
        DTSTART;TZID=America/Halifax:20260604T110000\nDURATION:PT1H\nSUMMARY:Later\nSTATUS:CONFIRMED\nTRANSP:OPAQUE\n";
    let organizer = "ORGANIZER;CN=\"Ana Silva\":mailto:ana@hosts.test\n";
    let feed = text(&flow, &path).await;
    assert!(
        feed.starts_with("BEGIN:VCALENDAR\nPRODID:-//Holdfast//Holdfast//EN\nVERSION:2.0\nMETHOD:PUBLISH\nNAME:Team\nX-WR-CALNAME:Team\n\
            REFRESH-INTERVAL;VALUE=DURATION:PT30M\nX-PUBLISHED-TTL:PT30M\nBEGIN:VTIMEZONE\nTZID:America/Halifax\n"),
        "{feed}"
    );
    for lines in [event, change] {
        assert!(
            feed.contains(&format!("BEGIN:VEVENT\n{lines}{organizer}END:VEVENT\n")),
            "{feed}"
        );
    }
    let file = file(&flow, &key, calendar).await;
    assert!(!file.contains("METHOD") && !file.contains("ORGANIZER") && !file.contains("REFRESH"));
    let attendees = "ATTENDEE;CN=\"Bo, B\";PARTSTAT=ACCEPTED:mailto:bo@x.test\nATTENDEE;PARTSTAT=TENTATIVE:urn:uuid:1%202\n";
    assert!(
        file.contains(&format!("BEGIN:VEVENT\n{event}{attendees}END:VEVENT\n")),
        "{file}"
    );
    assert!(
        file.contains(&format!("BEGIN:VEVENT\n{change}END:VEVENT\n")),
        "{file}"
    );
    flow.end().await;
}

/// What is deleted, cancelled or lapsed is not there.
#[tokio::test]
async fn bookings_go_by_their_own_uid_and_state() {
    let flow = Flow::start().await;
    let (ana, key, calendar, path) = published(&flow, "ana", "full").await;
    put(&flow.context, calendar, EVENT).await;
    let wish = json!({ "start": "2026-06-02T09:00:00Z", "zone": "Europe/Paris", "name": "Sam Lee", "email": "sam@x.test", "note": "Bring, please" });
    let booking = flow.ask(&ana, &wish).await.json();
    let uid = format!("{}@{}", id(&booking), flow.context.instance);
    let lines = |status: &str| {
        format!(
            "UID:{uid}\nSEQUENCE:0\nDTSTART:20260602T090000Z\nDTEND:20260602T100000Z\n\
             SUMMARY:Meeting – Sam Lee\nDESCRIPTION:Bring\\, please\nSTATUS:{status}\nTRANSP:OPAQUE\n"
        )
    };
    // When a booking was last written is the database's to say.
    let unstamped = |text: String| -> String {
        let lines = text.lines().filter(|line| !line.starts_with("DTSTAMP:"));
        lines.map(|line| format!("{line}\n")).collect()
    };
    let both = async || {
        let file = file(&flow, &key, calendar).await;
        [unstamped(text(&flow, &path).await), unstamped(file)]
    };
    for text in both().await {
        let summary = text.lines().find(|line| line.contains("Sam Lee")).unwrap();
        let want = lines("CONFIRMED").replace("Meeting – Sam Lee", &summary["SUMMARY:".len()..]);
        assert!(text.contains(&want), "{text}\n{want}");
        assert!(!text.contains("sam@x.test"), "{text}");
    }
    flow.sql("UPDATE bookings SET state = 'held', hold_expires_at = '2026-06-01T08:30Z'")
        .await;
    for text in both().await {
        assert_eq!(times(&text, "STATUS:TENTATIVE"), 2, "{text}");
    }
    flow.at("2026-06-01T08:30:00Z");
    for text in both().await {
        assert_eq!(
            times(&text, &format!("UID:{uid}")),
            0,
            "a lapsed hold: {text}"
        );
    }
    flow.at("2026-06-01T08:00:00Z");
    flow.sql("UPDATE bookings SET state = 'confirmed', hold_expires_at = NULL")
        .await;
    let cancel = format!("/v1/bookings/{}/cancel", id(&booking));
    assert_eq!(
        flow.post_signed(&key, &cancel, &json!({})).await.status,
        200
    );
    flow.sql("UPDATE events SET deleted_at = now() WHERE booking_id IS NULL AND series_id IS NULL")
        .await;
    for text in both().await {
        assert_eq!(text.matches("BEGIN:VEVENT").count(), 0, "{text}");
    }
    flow.end().await;
}

/// In a feed nobody is invited, so what the host declined is written as free.
#[tokio::test]
async fn what_the_host_declined_takes_no_time() {
    let flow = Flow::start().await;
    let ana = flow.host("ana").email("ana@hosts.test").make().await;
    let key = flow.key(&ana).await;
    let calendar = personal(&flow.context, &ana).await;
    let (_, path) = feed(&flow, &key, calendar, "full").await;
    put(
        &flow.context,
        calendar,
        "BEGIN:VEVENT\nUID:1\nATTENDEE;PARTSTAT=DECLINED:mailto:Ana@hosts.test\nDTSTART:20260602T090000Z\nDURATION:PT1H\nEND:VEVENT",
    )
    .await;
    assert_eq!(times(&text(&flow, &path).await, "TRANSP:TRANSPARENT"), 1);
    let file = file(&flow, &key, calendar).await;
    assert_eq!(times(&file, "TRANSP:OPAQUE"), 1);
    assert_eq!(
        times(&file, "ATTENDEE;PARTSTAT=DECLINED:mailto:ana@hosts.test"),
        1
    );
    flow.end().await;
}

/// Text that tries to begin lines, parameters or components of its own.
///
/// Red when what another file gave is written as it stands.
#[tokio::test]
async fn no_text_begins_a_line_of_its_own() {
    let flow = Flow::start().await;
    let evil = "x\\nATTACH:https://bad.test\u{2028}END:VEVENT\u{85}END:VCALENDAR;\u{b}\",a=b:\\\\n";
    let ana = flow.host("ana").name("Ana \"; X=1: ^n").make().await;
    let key = flow.key(&ana).await;
    let calendar = team(&flow.context, &ana, &[]).await;
    let (_, path) = feed(&flow, &key, calendar, "full").await;
    let zone = "a\u{2028}END:VTIMEZONE\u{b}b;c=\\,d";
    let lines = format!(
        "BEGIN:VTIMEZONE\nTZID:{zone}\nBEGIN:STANDARD\nDTSTART:20200101T000000\nTZOFFSETFROM:+0130\nTZOFFSETTO:+0130\nEND:STANDARD\nEND:VTIMEZONE\n\
         BEGIN:VEVENT\nUID:{evil}\nSUMMARY:{evil}\nDESCRIPTION:{evil}\nLOCATION:{evil}\n\
         ATTENDEE;CN=\"{}\":{}\nDTSTART;TZID=\"{zone}\":20260602T090000\nDURATION:PT1H\nEND:VEVENT\n\
         BEGIN:VEVENT\nUID:2\nDTSTART:20260602T090000Z\nRRULE:FREQ=DAILY\u{2028}END:VEVENT\nEND:VEVENT\n\
         BEGIN:VEVENT\nUID:3\nDTSTART:some\u{2028}END:VEVENT\u{85}day\u{7}\nEND:VEVENT",
        evil.replace('"', ""),
        evil.replace('"', ""),
    );
    put(&flow.context, calendar, &lines).await;
    for text in [text(&flow, &path).await, file(&flow, &key, calendar).await] {
        let mut open = Vec::new();
        for line in text.lines() {
            assert!(!line.starts_with("ATTACH"), "{text}");
            match line.split_once(':') {
                Some(("BEGIN", component)) => open.push(component),
                Some(("END", component)) => assert_eq!(open.pop(), Some(component), "{text}"),
                _ => {}
            }
        }
        assert!(open.is_empty(), "{text}");
        assert_eq!(times(&text, "TZID:Custom 1"), 1, "{text}");
        assert_eq!(
            times(&text, "DTSTART;TZID=Custom 1:20260602T090000"),
            1,
            "{text}"
        );
    }
    flow.end().await;
}
