#![expect(clippy::unwrap_used, reason = "tests")]

use std::time::{Duration, Instant as Clock};

use proptest::prelude::*;

use super::*;
use crate::{
    calendar::{
        event::{Answer, Kind, Moment, Status, Transparency},
        recurrence::{Budget, Host, Why, busy, occurrences},
    },
    instant::Span,
};

fn file(lines: &[&str]) -> Calendar {
    let text = format!("BEGIN:VCALENDAR\n{}\nEND:VCALENDAR\n", lines.join("\n"));
    read(text.as_bytes(), &Zones::bundled()).unwrap()
}

fn event(lines: &[&str]) -> Calendar {
    let mut all = vec!["BEGIN:VEVENT"];
    all.extend(lines);
    all.push("END:VEVENT");
    file(&all)
}

fn range() -> Span {
    let at = |text: &str| text.parse().unwrap();
    Span::new(at("2026-01-01T00:00:00Z"), at("2027-01-01T00:00:00Z")).unwrap()
}

/// What the strict reader says for a host in Berlin.
fn strict(calendar: &Calendar) -> Result<Vec<String>, Why> {
    let zone = Zones::bundled().get("Europe/Berlin").unwrap();
    let host = Host {
        zone: &zone,
        addresses: &[],
    };
    busy(calendar, &host, range(), &mut Budget::new(1_000_000))
        .map(|spans| {
            let shown = spans
                .iter()
                .map(|span| format!("{}/{}", span.from, span.to));
            shown.collect()
        })
        .map_err(|incomplete| incomplete.why)
}

fn faults(calendar: &Calendar) -> Vec<String> {
    let events = calendar.series.iter().flat_map(|s| &s.master.problems);
    let unreadable = calendar.unreadable.iter().flat_map(|u| &u.problems);
    let all = calendar.problems.iter().chain(events).chain(unreadable);
    all.map(ToString::to_string).collect()
}

#[test]
fn an_event_is_read_into_plain_values() {
    let calendar = event(&[
        "UID:u1@example.test",
        "SEQUENCE:3",
        "SUMMARY:Review\\, second\\npart",
        "DESCRIPTION:notes",
        "LOCATION:Room 1",
        "DTSTART;TZID=Europe/Berlin:20260301T100000",
        "DTEND;TZID=Europe/Berlin:20260301T110000",
        "RRULE:freq=WEEKLY; count=2",
        "EXDATE;TZID=Europe/Berlin:20260308T100000",
        "STATUS:TENTATIVE",
        "ATTENDEE;CN=Ana ^'A^' B;PARTSTAT=ACCEPTED:MAILTO:Ana@Example.test",
        "ATTENDEE;EMAIL=bo@example.test:/principals/17/",
        "BEGIN:VALARM",
        "TRIGGER:-PT15M",
        "SUMMARY:not the event's",
        "DTSTART:nonsense",
        "END:VALARM",
    ]);
    assert_eq!(faults(&calendar), [""; 0]);
    let event = &calendar.series[0].master;
    assert_eq!(event.uid.as_deref(), Some("u1@example.test"));
    assert_eq!((event.sequence, event.line), (3, 2));
    assert_eq!(event.title, "Review, second\npart");
    assert_eq!(
        (event.notes.as_str(), event.location.as_str()),
        ("notes", "Room 1")
    );
    assert_eq!(
        event.rrule.as_deref(),
        Some("freq=WEEKLY; count=2"),
        "verbatim"
    );
    assert_eq!(event.exdates.len(), 1);
    assert_eq!(event.status, Status::Tentative);
    assert_eq!(event.kind, Kind::Meeting);
    assert_eq!(event.attendees[0].address, "ana@example.test");
    assert_eq!(event.attendees[0].name.as_deref(), Some("Ana \"A\" B"));
    assert_eq!(event.attendees[0].answer, Answer::Accepted);
    assert_eq!(event.attendees[1].address, "bo@example.test");
    assert_eq!(event.attendees[1].answer, Answer::NeedsAction);
    assert_eq!(event.verbatim, None);
    assert_eq!(
        strict(&calendar).unwrap(),
        ["2026-03-01T09:00:00Z/2026-03-01T10:00:00Z"]
    );
}

#[test]
fn what_exchange_says_of_busy_time_counts_where_the_standard_is_silent() {
    let of = |lines: &[&str]| {
        let mut all = vec!["DTSTART:20260301T100000Z"];
        all.extend(lines);
        let event = event(&all).series.remove(0).master;
        (event.transparency, event.status, event.kind)
    };
    use {Kind::*, Status::*, Transparency::*};
    assert_eq!(of(&[]), (Opaque, Confirmed, Commitment));
    assert_eq!(of(&["X-MICROSOFT-CDO-BUSYSTATUS:FREE"]).0, Transparent);
    assert_eq!(
        of(&["X-MICROSOFT-CDO-BUSYSTATUS:FREE", "TRANSP:OPAQUE"]).0,
        Opaque
    );
    assert_eq!(
        of(&["X-MICROSOFT-CDO-BUSYSTATUS:OOF"]),
        (Opaque, Confirmed, OutOfOffice)
    );
    assert_eq!(of(&["X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE"]).1, Tentative);
    assert_eq!(of(&["TRANSP:TRANSPARENT"]).0, Transparent);
    assert_eq!(of(&["STATUS:CANCELLED"]).1, Cancelled);
    assert_eq!(
        of(&["TRANSP:PERHAPS", "STATUS:PERHAPS"]),
        (Opaque, Confirmed, Commitment)
    );
}

/// Whatever may decide when the host is busy and cannot be understood is kept and blocks.
#[test]
fn what_cannot_be_understood_is_kept_verbatim_and_blocks() {
    let start = "DTSTART:20260301T100000Z";
    for (lines, fault) in [
        (vec!["SUMMARY:x"], "line 2: the event has no DTSTART"),
        (vec!["DTSTART:soon"], "line 3: DTSTART cannot be read: soon"),
        (
            vec!["DTSTART;TZID=Nowhere/At All:20260301T100000"],
            "line 3: the zone Nowhere/At All is not known and the file does not define it",
        ),
        (
            vec![start, "DTEND:later"],
            "line 4: DTEND cannot be read: later",
        ),
        (
            vec![start, "DTEND:20260301T090000Z"],
            "line 2: DTEND does not follow DTSTART",
        ),
        (
            vec![start, "DTEND;VALUE=DATE:20260302"],
            "line 2: DTEND does not follow DTSTART",
        ),
        (
            vec![start, "DURATION:-PT1H"],
            "line 4: DURATION cannot be read: -PT1H",
        ),
        (
            vec![start, "DURATION:PT1H", "DTEND:20260301T110000Z"],
            "line 2: DTEND or DURATION is given twice",
        ),
        (
            vec![start, "DTSTART:20260302T100000Z"],
            "line 4: DTSTART is given twice",
        ),
        (
            vec![start, "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"],
            "line 5: RRULE is given twice",
        ),
        (
            vec![start, "EXDATE:20260230T100000Z"],
            "line 4: EXDATE cannot be read: 20260230T100000Z",
        ),
        (vec![start, "RDATE:x/y"], "line 4: RDATE cannot be read: x"),
        (
            vec![start, "EXRULE:FREQ=DAILY"],
            "line 4: EXRULE is no longer defined by RFC 5545 and is not followed",
        ),
        (
            vec![start, "RECURRENCE-ID:x"],
            "line 4: RECURRENCE-ID cannot be read: x",
        ),
        (
            vec![start, "RECURRENCE-ID;RANGE=THISANDPRIOR:20260301T100000Z"],
            "line 4: a RANGE other than THISANDFUTURE is no longer defined by RFC 5545 and is not followed",
        ),
        (
            vec![
                "DTSTART:20260301T100000",
                "DTEND;TZID=Asia/Tokyo:20260301T110000",
            ],
            "line 2: DTEND does not follow DTSTART",
        ),
        (
            vec![start, "RRULE:FREQ=DAILY", "broken fold"],
            "line 5: not a property: a content line is NAME;PARAMETER=VALUE:VALUE",
        ),
    ] {
        let calendar = event(&lines);
        assert_eq!(faults(&calendar), [fault]);
        assert!(
            matches!(strict(&calendar), Err(Why::Problem(problem)) if problem.to_string() == fault),
            "{fault}"
        );
        let kept = calendar
            .series
            .first()
            .and_then(|series| series.master.verbatim.clone())
            .or(calendar
                .unreadable
                .first()
                .map(|event| event.verbatim.clone()))
            .unwrap();
        let whole = format!("BEGIN:VEVENT\r\n{}\r\nEND:VEVENT", lines.join("\r\n"));
        assert_eq!(kept, whole);
        // Free is free, whatever else it says.
        let mut free = lines.clone();
        free.push("TRANSP:TRANSPARENT");
        assert_eq!(strict(&event(&free)), Ok(Vec::new()), "{fault}");
    }
}

/// Read in the host's zone, the end would be before the start for a host in Tokyo, and the time
/// free. Turns red when `end_beside` gives the end as it is.
#[test]
fn an_end_without_a_zone_is_on_the_clock_of_the_start() {
    for (start, end) in [
        (
            "DTSTART;TZID=America/New_York:20260301T100000",
            "DTEND:20260301T110000",
        ),
        ("DTSTART:20260301T150000Z", "DTEND:20260301T160000"),
    ] {
        assert_eq!(
            strict(&event(&[start, end])).unwrap(),
            ["2026-03-01T15:00:00Z/2026-03-01T16:00:00Z"],
            "{start}"
        );
    }
}

#[test]
fn a_time_that_calls_itself_a_date_is_its_day() {
    for start in [
        "DTSTART;VALUE=DATE:20260301T000000Z",
        "DTSTART;VALUE=DATE:20260301T100000",
    ] {
        assert_eq!(
            strict(&event(&[start])).unwrap(),
            ["2026-02-28T23:00:00Z/2026-03-01T23:00:00Z"],
            "{start}"
        );
    }
}

#[test]
fn a_zone_may_be_defined_after_what_names_it() {
    let calendar = file(&[
        "BEGIN:VEVENT",
        "DTSTART;TZID=Later:20260301T100000",
        "DURATION:PT1H",
        "END:VEVENT",
        "BEGIN:VTIMEZONE",
        "TZID:Later",
        "BEGIN:STANDARD",
        "DTSTART:19700101T000000",
        "TZOFFSETFROM:+0545",
        "TZOFFSETTO:+0545",
        "END:STANDARD",
        "END:VTIMEZONE",
    ]);
    assert_eq!(
        strict(&calendar).unwrap(),
        ["2026-03-01T04:15:00Z/2026-03-01T05:15:00Z"]
    );
}

/// No clock is so far from UTC, and the look for what overlaps a range relies on it.
#[test]
fn a_zone_of_the_file_that_is_days_away_is_not_used() {
    let with = |offset: &str| {
        file(&[
            "BEGIN:VTIMEZONE",
            "TZID:Far",
            "BEGIN:STANDARD",
            "DTSTART:19700101T000000",
            &format!("TZOFFSETFROM:{offset}"),
            &format!("TZOFFSETTO:{offset}"),
            "END:STANDARD",
            "END:VTIMEZONE",
            "BEGIN:VEVENT",
            "DTSTART;TZID=Far:20260301T100000",
            "DURATION:PT1H",
            "END:VEVENT",
        ])
    };
    assert_eq!(
        strict(&with("+1600")).unwrap(),
        ["2026-02-28T18:00:00Z/2026-02-28T19:00:00Z"]
    );
    assert!(strict(&with("-1601")).is_err());
    assert!(strict(&with("+2359")).is_err());
}

#[test]
fn what_decides_nothing_may_be_broken() {
    let calendar = event(&[
        "DTSTART:20260301T100000Z",
        "DURATION:PT1H",
        "SEQUENCE:many",
        "DESCRIPTION:first",
        "second line without its space",
    ]);
    assert_eq!(faults(&calendar).len(), 2);
    assert_eq!(
        strict(&calendar).unwrap(),
        ["2026-03-01T10:00:00Z/2026-03-01T11:00:00Z"]
    );
}

#[test]
fn a_file_that_was_cut_short_blocks() {
    let whole = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20260301T100000Z\r\nDURATION:PT1H\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    let of = |text: &str| read(text.as_bytes(), &Zones::bundled());
    assert!(strict(&of(whole).unwrap()).is_ok());
    let ends: Vec<usize> = whole.match_indices("\r\n").map(|(at, _)| at).collect();
    for end in &ends[..ends.len() - 1] {
        let cut = of(&whole[..*end]).unwrap();
        assert!(strict(&cut).is_err(), "{}", &whole[..*end]);
    }
    assert_eq!(of("").unwrap_err(), NotACalendar::NoCalendar);
    assert_eq!(of("<html>").unwrap_err(), NotACalendar::NoCalendar);
    let large = vec![b'x'; MAX_BYTES + 1];
    assert_eq!(
        read(&large, &Zones::bundled()).unwrap_err(),
        NotACalendar::TooLarge
    );
}

#[test]
fn an_end_that_is_missing_costs_one_event_not_the_next() {
    let calendar = file(&[
        "BEGIN:VEVENT",
        "DTSTART:20260301T100000Z",
        "BEGIN:VEVENT",
        "DTSTART:20260302T100000Z",
        "DURATION:PT1H",
        "END:VEVENT",
        "END:VTODO",
    ]);
    assert_eq!(
        faults(&calendar),
        [
            "line 8: END without its BEGIN",
            "line 2: VEVENT is not ended"
        ]
    );
    assert_eq!(calendar.series.len(), 2);
    assert!(strict(&calendar).is_err());
}

#[test]
fn published_busy_time_without_events_is_not_passed_over() {
    let calendar = file(&[
        "BEGIN:VFREEBUSY",
        "FREEBUSY:20260301T100000Z/PT1H",
        "END:VFREEBUSY",
    ]);
    assert_eq!(faults(&calendar), ["line 2: VFREEBUSY is not read"]);
    assert!(strict(&calendar).is_err());
}

#[test]
fn zones_are_found_behind_a_registrys_prefix_and_by_their_place() {
    let busy_on = |zone: &[&str], name: &str| {
        let mut lines = zone.to_vec();
        let start = format!("DTSTART;TZID={name}:20260701T120000");
        lines.extend(["BEGIN:VEVENT", &start, "DURATION:PT1H", "END:VEVENT"]);
        strict(&file(&lines)).unwrap()
    };
    let expected = ["2026-07-01T15:00:00Z/2026-07-01T16:00:00Z"];
    for name in [
        "/mozilla.org/20050126_1/America/Argentina/Buenos_Aires",
        "/America/Argentina/Buenos_Aires",
        "america/argentina/buenos_aires",
        "Argentina Standard Time",
    ] {
        assert_eq!(busy_on(&[], name), expected, "{name}");
    }
    let placed = [
        "BEGIN:VTIMEZONE",
        "TZID:Mine",
        "X-LIC-LOCATION:America/Argentina/Buenos_Aires",
        "END:VTIMEZONE",
    ];
    assert_eq!(busy_on(&placed, "Mine"), expected);
    // An abbreviation that the file explains means what the file says.
    let explained = [
        "BEGIN:VTIMEZONE",
        "TZID:EST",
        "BEGIN:STANDARD",
        "DTSTART:19700101T000000",
        "TZOFFSETFROM:-0300",
        "TZOFFSETTO:-0300",
        "END:STANDARD",
        "END:VTIMEZONE",
    ];
    assert_eq!(busy_on(&explained, "EST"), expected);
}

#[test]
fn a_zone_of_the_file_follows_its_own_rules_and_lists() {
    let zone = [
        "BEGIN:VTIMEZONE",
        "TZID:Island",
        "BEGIN:STANDARD",
        "DTSTART:20251025T030000",
        "TZOFFSETFROM:+0200",
        "TZOFFSETTO:+0100",
        "RDATE:20261024T030000",
        "END:STANDARD",
        "BEGIN:DAYLIGHT",
        "DTSTART:20200329T020000",
        "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20260329T010000Z",
        "END:DAYLIGHT",
        "END:VTIMEZONE",
    ];
    let mut lines = zone.to_vec();
    lines.extend([
        "BEGIN:VEVENT",
        "DTSTART;TZID=Island:20260328T120000",
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY;COUNT=2",
        "RDATE;TZID=Island:20261025T120000",
        "END:VEVENT",
    ]);
    let calendar = file(&lines);
    assert_eq!(
        strict(&calendar).unwrap(),
        [
            "2026-03-28T11:00:00Z/2026-03-28T12:00:00Z",
            "2026-03-29T10:00:00Z/2026-03-29T11:00:00Z",
            "2026-10-25T11:00:00Z/2026-10-25T12:00:00Z",
        ]
    );
    let Moment::Time { clock, .. } = &calendar.series[0].master.start else {
        unreachable!("a time")
    };
    assert_eq!(clock.name(), Some("Island"));
    // Rules that cannot be followed make the events on them unreadable, and nothing else.
    let broken: Vec<&str> = lines
        .iter()
        .map(|line| match *line {
            "TZOFFSETTO:+0200" => "TZOFFSETTO:summer",
            line => line,
        })
        .collect();
    let calendar = file(&broken);
    assert_eq!(
        faults(&calendar),
        [
            "line 18: the VTIMEZONE Island cannot be used",
            "line 21: the VTIMEZONE Island cannot be used"
        ]
    );
    assert!(strict(&calendar).is_err());
    assert_eq!(
        strict(&file(&broken[..15])),
        Ok(Vec::new()),
        "a zone that is not used"
    );
}

#[test]
fn revisions_and_doubles_are_told_apart() {
    let of = |uid: &str, sequence: u32, day: u32, more: &str| {
        format!(
            "BEGIN:VEVENT\nUID:{uid}\nSEQUENCE:{sequence}\nDTSTART:202603{day:02}T100000Z\nDURATION:PT1H\n{more}END:VEVENT"
        )
    };
    let days = |events: &[String]| {
        let lines: Vec<&str> = events.iter().flat_map(|event| event.lines()).collect();
        let spans = strict(&file(&lines)).unwrap();
        spans
            .iter()
            .map(|span| span[8..10].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(days(&[of("a", 1, 1, ""), of("a", 2, 2, "")]), ["02"]);
    assert_eq!(days(&[of("a", 2, 2, ""), of("a", 1, 1, "")]), ["02"]);
    assert_eq!(days(&[of("a", 1, 1, ""), of("a", 1, 2, "")]), ["01", "02"]);
    let moved = "RECURRENCE-ID:20260301T100000Z\n";
    assert_eq!(
        days(&[
            of("a", 0, 1, ""),
            of("a", 1, 5, moved),
            of("a", 2, 6, moved),
            of("a", 1, 7, moved)
        ]),
        ["06"]
    );
    // An override whose series is elsewhere stands for itself.
    assert_eq!(days(&[of("b", 1, 5, moved)]), ["05"]);
    // Without UID every event is its own.
    assert_eq!(
        days(&[of("", 0, 1, ""), of("", 0, 2, ""), of("", 1, 3, "")]),
        ["01", "02", "03"]
    );
}

#[test]
fn hostile_files_are_bounded() {
    let began = Clock::now();
    let start = "DTSTART:20260301T100000Z";
    // Three hundred thousand EXDATEs.
    let dates = "20260301T100000Z,".repeat(309_000);
    let calendar = event(&[
        start,
        "RRULE:FREQ=DAILY",
        &format!("EXDATE:{}", &dates[..MAX_BYTES - 500]),
    ]);
    assert_eq!(
        faults(&calendar),
        ["line 5: a content line of more than 1048576 bytes"]
    );
    assert!(strict(&calendar).is_err());
    let calendar = event(&[
        start,
        "RRULE:FREQ=DAILY",
        &format!("EXDATE:{}", &dates[..1_000_000]),
    ]);
    assert_eq!(
        faults(&calendar),
        ["line 5: more than 10000 dates in EXDATE"]
    );
    assert!(strict(&calendar).is_err());
    let one = "EXDATE:20260301T100000Z";
    let mut lines = vec![start, "RRULE:FREQ=DAILY;COUNT=3"];
    lines.extend(std::iter::repeat_n(one, 100_000));
    assert!(strict(&event(&lines)).is_err());

    // Nested without end, and lines without end.
    let deep: Vec<&str> = std::iter::repeat_n("BEGIN:VALARM", 100_000).collect();
    assert!(
        faults(&file(&deep)).contains(&"line 9: components are nested more than 8 deep".to_owned())
    );
    let many: Vec<&str> = std::iter::repeat_n("X-A:1", MAX_LINES).collect();
    let calendar = file(&many);
    assert!(faults(&calendar)[0].ends_with("more than 200000 content lines"));
    assert!(strict(&calendar).is_err());
    let events: Vec<&str> =
        std::iter::repeat_n(["BEGIN:VEVENT", start, "END:VEVENT"], MAX_EVENTS + 1)
            .flatten()
            .collect();
    let calendar = file(&events);
    assert_eq!(calendar.series.len(), MAX_EVENTS);
    assert!(faults(&calendar)[0].ends_with("more than 10000 events"));
    assert!(strict(&calendar).is_err());

    // Zones without end: what they may take together is bounded.
    let mut zones = String::new();
    for n in 0..4_000 {
        zones.push_str(&format!(
            "BEGIN:VTIMEZONE\nTZID:z{n}\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:FREQ=DAILY\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=z{n}:20260301T100000\nEND:VEVENT\n"
        ));
    }
    let lines: Vec<&str> = zones.lines().collect();
    assert!(strict(&file(&lines)).is_err());
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// No bytes bring the reader down, nor what is read the expansion.
    #[test]
    fn no_bytes_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        pieces in prop::collection::vec((0_usize..24, any::<prop::sample::Index>(), any::<u8>()), 0..40),
    ) {
        let zones = Zones::bundled();
        // Bytes at random are no calendar.
        prop_assert!(read(&bytes, &zones).is_err());
        // Lines at random, some with a byte changed.
        const LINES: [&str; 24] = [
            "BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "BEGIN:VTIMEZONE",
            "END:VTIMEZONE", "BEGIN:STANDARD", "END:STANDARD", "TZID:z", "TZOFFSETFROM:+0100",
            "TZOFFSETTO:-0230", "DTSTART;TZID=z:20260101T000000", "DTSTART:20260101",
            "DTEND:20260105T000000Z", "DURATION:P1DT3H", "RRULE:FREQ=DAILY;COUNT=3",
            "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "EXDATE:20260102T000000Z,20260103",
            "RDATE;VALUE=PERIOD:20260101T000000Z/PT1H", "UID:u", "RECURRENCE-ID:20260102",
            "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=z:20260101T000000", "ATTENDEE;CN=\"a:b\":mailto:x@y",
            " folded",
        ];
        let mut text = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n".to_vec();
        for (line, place, byte) in pieces {
            let mut line = LINES[line].as_bytes().to_vec();
            if byte < 60 {
                let at = place.index(line.len());
                line[at] = byte;
            }
            text.extend(line);
            text.extend(b"\r\n");
        }
        let calendar = read(&text, &zones).unwrap();
        let zone = zones.get("Europe/Berlin").unwrap();
        let host = Host { zone: &zone, addresses: &[] };
        let found = occurrences(&calendar, &host, range(), &mut Budget::new(20_000));
        let strict = busy(&calendar, &host, range(), &mut Budget::new(20_000));
        prop_assert_eq!(strict.is_err(), !found.incomplete.is_empty());
        prop_assert!(found.occurrences.iter().all(|o| o.from <= o.to));
    }
}
