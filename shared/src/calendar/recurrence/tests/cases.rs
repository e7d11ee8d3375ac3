//! Faults that people reported of software of this kind, with the right results.
//!
//! `tests/data/calendar-cases.json` holds them. `decided` marks what could be read otherwise, and
//! says how it is read here.

use serde::Deserialize;

use super::*;
use crate::calendar::recurrence::{Rule, Steps, budget::EVENT_STEPS};

const FILE: &str = include_str!("../../../../../tests/data/calendar-cases.json");

#[derive(Deserialize)]
struct Cases {
    calendars: Vec<Case>,
    /// Name, DTSTART, rule, dates.
    rules: Vec<(String, String, String, Vec<String>)>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    zone: String,
    lines: Vec<String>,
    #[serde(default)]
    addresses: Vec<String>,
    query: Option<(Instant, Instant)>,
    busy: Option<Vec<(Instant, Instant)>>,
    starts: Option<Vec<Instant>>,
}

#[test]
fn every_calendar_case_is_answered_rightly() {
    let cases: Cases = serde_json::from_str(FILE).unwrap();
    assert_eq!(cases.calendars.len(), 42, "the cases of the file");
    for case in &cases.calendars {
        let id = &case.id;
        assert!(case.busy.is_some() || case.starts.is_some(), "{id}");
        let lines: Vec<&str> = case.lines.iter().map(String::as_str).collect();
        let calendar = calendar(&lines);
        let zone = zone(&case.zone);
        let host = Host {
            zone: &zone,
            addresses: &case.addresses,
        };
        let (from, to) = case
            .query
            .unwrap_or((at("2000-01-01T00:00:00Z"), at("2030-01-01T00:00:00Z")));
        let range = Span::new(from, to).unwrap();
        let found = occurrences(&calendar, &host, range, &mut Budget::new(1_000_000));
        assert_eq!(found.incomplete, [], "{id}");
        if let Some(starts) = &case.starts {
            let shown: Vec<Instant> = found.occurrences.iter().map(|o| o.from).collect();
            assert_eq!(&shown, starts, "{id}");
        }
        if let Some(expected) = &case.busy {
            let shown: Vec<_> = found
                .occurrences
                .iter()
                .filter(|o| o.busy && o.from < o.to)
                .map(|o| (o.from.max(from), o.to.min(to)))
                .collect();
            assert_eq!(&shown, expected, "{id}");
            let mut merged: Vec<Span> = Vec::new();
            for (from, to) in expected {
                match merged.last_mut() {
                    Some(last) if last.to == *from => last.to = *to,
                    _ => merged.push(Span::new(*from, *to).unwrap()),
                }
            }
            let strict = busy(&calendar, &host, range, &mut Budget::new(1_000_000));
            assert_eq!(strict.as_ref(), Ok(&merged), "{id}");
        }
    }
}

#[test]
fn every_rule_case_has_its_dates() {
    let cases: Cases = serde_json::from_str(FILE).unwrap();
    assert_eq!(cases.rules.len(), 4, "the rules of the file");
    for (id, start, rule, expected) in &cases.rules {
        let wall =
            |text: &String| jiff::civil::DateTime::strptime("%Y%m%dT%H%M%S", text).expect(text);
        let start = wall(start);
        let rule = Rule::read(rule, start, false).unwrap();
        let mut dates = Vec::new();
        let end = start.saturating_add(jiff::Span::new().years(5));
        rule.dates(start, end, &mut Steps::new(EVENT_STEPS), &mut dates)
            .unwrap();
        let expected: Vec<_> = expected.iter().map(wall).collect();
        assert_eq!(dates, expected, "{id}");
    }
}

/// Case rec-25: thirty days of 02:22:10 over a gap neither stop the process nor lose their last.
#[test]
fn rec_25_an_occurrence_in_the_missing_hour_is_moved() {
    let daily = event(&[
        "DTSTART;TZID=America/Vancouver:20210301T022210",
        "DURATION:PT30M",
        "RRULE:FREQ=DAILY;COUNT=30",
    ]);
    let march = span("2021-03-01T00:00:00Z", "2021-05-01T00:00:00Z");
    let (found, why) = starts(&daily, "UTC", march);
    assert_eq!(found.len(), 30);
    assert_eq!(found.get(13).unwrap(), "2021-03-14T10:22:10Z");
    assert_eq!(found.last().unwrap(), "2021-03-30T09:22:10Z");
    assert!(why.is_empty());
}
