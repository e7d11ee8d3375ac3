//! A good stream, and what each rule finds in a bad one.
use super::check;

const GOOD: &str = "BEGIN:VCALENDAR\r\nPRODID:-//x//y//EN\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\n\
    BEGIN:VEVENT\r\nUID:1@2\r\nSEQUENCE:0\r\nDTSTAMP:20260101T000000Z\r\n\
    DTSTART:20260201T100000Z\r\nDTEND:20260201T103000Z\r\n\
    ORGANIZER;CN=\"A ^' ^^ ^n:;,\":mailto:a@example.com\r\n\
    ATTENDEE;CN=\"B\";ROLE=CHAIR;PARTSTAT=ACCEPTED:mailto:b@example.com\r\n\
    ATTENDEE;CN=\"C\";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FA\r\n LSE:mailto:c@example.com\r\n\
    SUMMARY:a\\, b\\; c\\\\ d\\ne: \"f\"\r\nDESCRIPTION:long\r\n er\r\n\
    STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[test]
fn a_good_stream_has_no_fault() {
    assert!(
        check(GOOD.as_bytes()).is_empty(),
        "{:?}",
        check(GOOD.as_bytes())
    );
    let cancel = GOOD
        .replace("METHOD:REQUEST", "METHOD:CANCEL")
        .replace("STATUS:CONFIRMED", "STATUS:CANCELLED");
    assert!(check(cancel.as_bytes()).is_empty());
    let zone = GOOD
        .replace(
            "BEGIN:VEVENT",
            "BEGIN:VTIMEZONE\r\nTZID:Europe/Paris\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT",
        )
        .replace(
            "DTSTART:20260201T100000Z",
            "DTSTART;TZID=Europe/Paris:20260201T100000",
        );
    assert!(
        check(zone.as_bytes()).is_empty(),
        "{:?}",
        check(zone.as_bytes())
    );
}

#[test]
fn each_rule_finds_its_fault() {
    let long = format!("DESCRIPTION:{}", "x".repeat(64));
    for (from, to, fault) in [
        ("\r\nUID", "\nUID", "LF without CR"),
        ("\r\nUID", "\rUID", "CR without LF"),
        ("\r\nUID", "\r\n\r\nUID", "an empty line"),
        ("END:VCALENDAR\r\n", "END:VCALENDAR", "not end with CRLF"),
        ("BEGIN:VCALENDAR", "\r\nBEGIN:VCALENDAR", "not start with"),
        ("DESCRIPTION:long", long.as_str(), "a line of 76"),
        ("SUMMARY:a", "SUMMARY:\u{7}a", "a control character"),
        ("SUMMARY:a", "SUMMARY:\u{2028}a", "a control character"),
        ("TRANSP:OPAQUE", "TRANSPOPAQUE", "no colon"),
        ("SUMMARY:a", "SUM_MARY:a", "not a property's name"),
        ("CN=\"B\"", "CN=\"B", "a quote that is not closed"),
        ("CN=\"B\"", "CN=B,C", "a parameter that needs quotes"),
        ("CN=\"B\"", "CN=\"^B\"", "a caret outside of RFC 6868"),
        ("CN=\"B\"", "CN=\"B\";CN=\"C\"", "a parameter twice"),
        ("a\\, b", "a, b", "not escaped"),
        ("a\\, b", "a\\: b", "not escaped"),
        ("END:VEVENT\r\n", "", "closes nothing"),
        ("BEGIN:VEVENT", "BEGIN:VTODO", "a VTODO within"),
        ("METHOD:REQUEST\r\n", "", "METHOD stands 0 times"),
        ("METHOD:REQUEST", "METHOD:CANCEL", "METHOD:CANCEL with"),
        ("VERSION:2.0", "VERSION:1.0", "not version 2.0"),
        ("UID:1@2\r\n", "", "UID stands 0 times"),
        ("UID:1@2", "UID:1@2\r\nUID:3", "UID stands 2 times"),
        ("UID:1@2", "UID:1@2\r\nURL:x", "URL has no place"),
        ("SEQUENCE:0", "SEQUENCE:-1", "SEQUENCE is no number"),
        ("100000Z", "100000", "DTSTART is no time in UTC"),
        ("0201T103000Z", "0230T103000Z", "DTEND is no time in UTC"),
        ("103000Z", "100000Z", "the end is not after"),
        ("DTSTART:", "DTSTART;TZID=X:", "a zone that is not defined"),
        ("mailto:b@", "b@", "is no mailto"),
        ("mailto:b@", "mailto:b b@", "is no mailto"),
        (
            "SUMMARY",
            "ATTENDEE;CN=x:mailto:B@example.com\r\nSUMMARY",
            "attends twice",
        ),
        ("OPAQUE", "BUSY", "TRANSP"),
        (
            "ROLE=CHAIR;PARTSTAT=ACCEPTED",
            "ROLE",
            "a parameter without a value",
        ),
        ("CN=\"B\"", "C_N=\"B\"", "not a parameter's name"),
        ("CN=\"B\"", "CN=\"B\"x", "no colon after a parameter"),
        ("DTSTAMP:", "DTSTAMP;TZID=x:", "a zone that is not defined"),
        (
            "VERSION:2.0\r\n",
            "",
            "VERSION stands 0 times in the calendar",
        ),
        (
            "VERSION:2.0",
            "VERSION:2.0\r\nPRODID:x",
            "PRODID stands 2 times",
        ),
        ("END:VCALENDAR\r\n", "", "[\"VCALENDAR\"] not closed"),
        (
            "END:VCALENDAR",
            "END:VCALENDAR\r\nX-A:b",
            "a line outside of",
        ),
        (
            "END:VEVENT",
            "END:VEVENT\r\nBEGIN:VEVENT\r\nEND:VEVENT",
            "2 events",
        ),
        (
            "END:VCALENDAR\r\n",
            "END:VCALENDAR\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
            "not one calendar",
        ),
        (
            "STATUS",
            "LOCATION:a\r\nLOCATION:b\r\nSTATUS",
            "LOCATION stands twice",
        ),
        ("d\\ne", "d\\", "not escaped"),
        ("CN=\"A", "SENT-BY=\"x\";CN=\"A", "is no mailto"),
        ("CN=\"B\"", "CN=\"\"", "ATTENDEE with CN="),
        ("CN=\"B\";", "", "ATTENDEE without CN"),
        ("ROLE=CHAIR;", "", "ATTENDEE without ROLE"),
        (";PARTSTAT=ACCEPTED", "", "ATTENDEE without PARTSTAT"),
        ("ROLE=CHAIR", "ROLE=BOSS", "ATTENDEE with ROLE=BOSS"),
        ("=ACCEPTED", "=YES", "ATTENDEE with PARTSTAT=YES"),
        ("RSVP=FA\r\n LSE", "RSVP=TRUE", "ATTENDEE with RSVP=TRUE"),
        ("CN=\"A", "ROLE=CHAIR;CN=\"A", "ORGANIZER with ROLE=CHAIR"),
        (
            "CN=\"B",
            "SENT-BY=\"mailto:x@y\";CN=\"B",
            "ATTENDEE with SENT-BY",
        ),
        ("REQ-PARTICIPANT", "CHAIR", "more than one chair"),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let faults = check(GOOD.replacen(from, to, 1).as_bytes());
        assert!(
            faults.iter().any(|found| found.contains(fault)),
            "{to:?} should be {fault:?}, found {faults:?}"
        );
    }
    let mut cut = GOOD.replace("er\r\n", "é\r\n").into_bytes();
    let at = cut.windows(2).position(|w| w == "é".as_bytes());
    if let Some(at) = at {
        cut.splice(at + 1..at + 1, b"\r\n ".iter().copied());
    }
    let faults = check(&cut);
    assert!(
        faults.iter().any(|f| f == "a fold inside of a character"),
        "{faults:?}"
    );
    let faults = check(b"BEGIN:VCALENDAR\r\nX:\xff\r\n");
    assert!(faults.iter().any(|f| f == "the stream is not UTF-8"));
    let alone: String = GOOD
        .split_inclusive("\r\n")
        .filter(|line| !line.starts_with("ATTENDEE") && !line.starts_with(" LSE"))
        .collect();
    assert_eq!(check(alone.as_bytes()), ["nobody attends"]);
}
