//! Calendar files: read, expanded for views and for busy time, stored and read again.

use std::{collections::BTreeSet, mem::discriminant, time::Duration};

use shared::{
    calendar::{
        event::{Calendar, Event, Length, Moment},
        extent::{Extent, extent},
        ics_read,
        problem::Problem,
        recurrence::{Budget, EVENT_STEPS, Host, busy, occurrences},
        timing::Timing,
    },
    instant::Span,
    zone::{Zone, Zones},
};

use super::{Sight, Target, holds, magnitude};
use crate::fuzz::{limit::Limit, timer::Timer};

/// The target.
pub struct Ics {
    zones: Zones,
    zone: Zone,
    range: Span,
}

impl Ics {
    /// With the bundled table, for a host in Dublin, over a year.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it opens a table")]
    pub fn new() -> Self {
        let zones = Zones::bundled();
        let zone = zones.get("Europe/Dublin").expect("a zone of the table");
        let at = |text: &str| text.parse().expect("an instant");
        let range = Span::new(at("2026-01-01T00:00:00Z"), at("2027-01-01T00:00:00Z"));
        Self {
            zones,
            zone,
            range: range.expect("a range"),
        }
    }
}

/// The calendars of the cases, one a line in a small file of JSON.
const CASES: &str = include_str!("../../../data/calendar-cases.json");

const WORDS: &[&str] = &[
    "BEGIN:VCALENDAR\r\n",
    "END:VCALENDAR\r\n",
    "BEGIN:VEVENT\r\n",
    "END:VEVENT\r\n",
    "BEGIN:VTIMEZONE\r\n",
    "END:VTIMEZONE\r\n",
    "BEGIN:STANDARD\r\n",
    "END:STANDARD\r\n",
    "BEGIN:DAYLIGHT\r\n",
    "END:DAYLIGHT\r\n",
    "BEGIN:VALARM\r\n",
    "END:VALARM\r\n",
    "BEGIN:VFREEBUSY\r\n",
    "DTSTART",
    "DTEND",
    "DURATION",
    "RRULE",
    "RDATE",
    "EXDATE",
    "EXRULE",
    "RECURRENCE-ID",
    ";RANGE=THISANDFUTURE",
    ";VALUE=DATE",
    ";VALUE=PERIOD",
    ";VALUE=DATE-TIME",
    ";TZID=Europe/Berlin",
    ";TZID=Eastern Standard Time",
    ";TZID=\"a:b\"",
    ";TZID=Mine",
    "TZID:Mine\r\n",
    "TZOFFSETFROM:+0100\r\n",
    "TZOFFSETTO:-0230\r\n",
    "X-LIC-LOCATION:Asia/Tokyo\r\n",
    ":20260329T013000",
    "T013000Z",
    "20261025",
    "/PT1H",
    "P1DT3H",
    "-PT5M",
    "P4W",
    ",",
    ";",
    ":",
    "=",
    "\"",
    "\\n",
    "\\,",
    "^n",
    "\r\n",
    "\n",
    "\r\n ",
    "\n\t",
    "UID:u\r\n",
    "SEQUENCE:2\r\n",
    "STATUS:CANCELLED\r\n",
    "STATUS:TENTATIVE\r\n",
    "TRANSP:TRANSPARENT\r\n",
    "TRANSP:OPAQUE\r\n",
    "X-MICROSOFT-CDO-BUSYSTATUS:OOF\r\n",
    "ATTENDEE;PARTSTAT=DECLINED:mailto:host@example.test\r\n",
    "FREQ=DAILY",
    "FREQ=WEEKLY",
    "FREQ=MONTHLY",
    "FREQ=YEARLY",
    "FREQ=HOURLY",
    "FREQ=SECONDLY",
    ";INTERVAL=2",
    ";COUNT=1000000000",
    ";UNTIL=20260901",
    ";BYDAY=MO,-1FR",
    ";BYMONTH=2",
    ";BYMONTHDAY=-1",
    ";BYSETPOS=-1",
    ";BYWEEKNO=53",
    ";BYYEARDAY=366",
    ";WKST=SU",
    "17000101",
    "99991231",
    "00010101",
    "\u{feff}",
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\n",
    "DTSTART:16010101T020000\r\n",
];

impl Target for Ics {
    fn seeds(&self) -> Vec<Vec<u8>> {
        let cases: serde_json::Value = serde_json::from_str(CASES).expect("the cases are JSON");
        let calendars = cases["calendars"].as_array().expect("a list");
        calendars
            .iter()
            .map(|case| {
                let lines: Vec<&str> = case["lines"]
                    .as_array()
                    .expect("lines")
                    .iter()
                    .filter_map(serde_json::Value::as_str)
                    .collect();
                let lines = lines.join("\r\n");
                format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{lines}\r\nEND:VCALENDAR\r\n")
                    .into_bytes()
            })
            .collect()
    }

    fn words(&self) -> &'static [&'static str] {
        WORDS
    }

    fn limit(&self) -> Limit {
        Limit {
            time: Duration::from_millis(100),
            // A hundred thousand occurrences; a few copies of the lines.
            bytes: 32 * 1_024 * 1_024,
            bytes_per_byte: 200,
        }
    }

    fn read(&self, input: &[u8], timer: &mut Timer) -> Result<Sight, String> {
        let Ok(calendar) = timer.of(|| ics_read::read(input, &self.zones)) else {
            return Ok(Sight::new(false, "no calendar"));
        };
        let addresses = ["host@example.test".to_owned()];
        let host = Host {
            zone: &self.zone,
            addresses: &addresses,
        };
        let budget = || Budget::new(EVENT_STEPS);
        let found = timer.of(|| occurrences(&calendar, &host, self.range, &mut budget()));
        let strict = timer.of(|| busy(&calendar, &host, self.range, &mut budget()));
        holds(strict.is_err() != found.incomplete.is_empty(), || {
            format!("strict {strict:?}, tolerant {:?}", found.incomplete)
        })?;
        for occurrence in &found.occurrences {
            let inside = occurrence.from <= occurrence.to
                && occurrence.from < self.range.to
                && self.range.from <= occurrence.to;
            holds(inside, || format!("outside the range: {occurrence:?}"))?;
        }
        let busy_spans = strict.as_ref().map_or(&[][..], Vec::as_slice);
        holds(busy_spans.is_sorted_by(|a, b| a.to < b.from), || {
            format!("not merged: {busy_spans:?}")
        })?;
        self.stored(&calendar, timer)?;
        let understood = !found.occurrences.is_empty();
        Ok(Sight::new(
            understood,
            (
                features(&calendar),
                magnitude(found.occurrences.len()),
                magnitude(busy_spans.len()),
                found
                    .incomplete
                    .first()
                    .map(|first| discriminant(&first.why)),
                found.unshown.len(),
            ),
        ))
    }
}

impl Ics {
    /// What is stored of an event is read again as it was, and a look for the range finds every
    /// series that has something in it.
    fn stored(&self, calendar: &Calendar, timer: &mut Timer) -> Result<(), String> {
        let host = Host {
            zone: &self.zone,
            addresses: &[],
        };
        // What the search for a last occurrence takes is another matter than reading.
        for series in calendar.series.iter().take(20) {
            let timing = Timing::of(&series.master, None);
            let again = Timing::from_json(&timing.to_json(), &self.zones);
            holds(again.as_ref() == Ok(&timing), || {
                format!("stored {timing:?}, read {again:?}")
            })?;
            let Extent { from, to } = timer.of(|| extent(series));
            let alone = Calendar {
                series: vec![series.clone()],
                ..Calendar::default()
            };
            let found = occurrences(&alone, &host, self.range, &mut Budget::new(EVENT_STEPS));
            for occurrence in &found.occurrences {
                let inside = from.is_none_or(|from| from <= occurrence.from)
                    && to.is_none_or(|to| occurrence.to <= to);
                holds(inside, || {
                    format!("{occurrence:?} outside of {from:?} to {to:?}")
                })?;
            }
        }
        Ok(())
    }
}

/// What kinds of thing a calendar holds.
fn features(calendar: &Calendar) -> impl std::hash::Hash + use<> {
    let problems = |problems: &[Problem]| -> BTreeSet<String> {
        problems
            .iter()
            .map(|problem| {
                let word = problem.what.to_string();
                // Not the words of the file.
                word.split(':').next().unwrap_or_default().to_owned()
            })
            .collect()
    };
    let event = |event: &Event| {
        (
            kind(&event.start),
            discriminant(&event.length),
            matches!(&event.length, Length::End(end) if end.wall() < event.start.wall()),
            event
                .rrule
                .as_deref()
                .and_then(|rule| rule.get(..12))
                .map(str::to_owned),
            magnitude(event.exdates.len()),
            magnitude(event.rdates.len()),
            magnitude(event.attendees.len()),
            problems(&event.problems),
            event.is_busy(&[]),
        )
    };
    (
        magnitude(calendar.series.len()),
        magnitude(calendar.unreadable.len()),
        problems(&calendar.problems),
        calendar.series.first().map(|series| event(&series.master)),
        calendar
            .series
            .iter()
            .find_map(|series| series.overrides.first())
            .map(|change| {
                (
                    event(&change.event),
                    kind(&change.original),
                    change.and_future,
                )
            }),
        calendar
            .unreadable
            .first()
            .map(|event| problems(&event.problems)),
    )
}

fn kind(moment: &Moment) -> u8 {
    match moment {
        Moment::Date(_) => 0,
        Moment::Time { clock, .. } => match clock.name() {
            None => 1,
            Some(name) if name.contains('/') => 2,
            Some(_) => 3,
        },
    }
}
