//! The readers of calendars against an independent one: python-dateutil and zoneinfo.
//!
//! `tests/python/recurrence_events.py` makes the events and says where the two are meant to differ.

use std::process::Command;

use holdfast_tests::python;
use serde_json::Value;
use shared::{
    calendar::{
        ics_read,
        recurrence::{Budget, EVENT_STEPS, Host, busy, occurrences},
    },
    instant::{Instant, Span},
    zone::Zones,
};

/// Events that one run compares.
const EVENTS: usize = 3_000;
/// Further seeds of the long run, each with as many.
const SOAK_SEEDS: u64 = 40;

#[derive(Debug, Default)]
struct Compared {
    occurrences: usize,
    /// Events of which the rule has no further date, so that busy time is refused.
    refused: usize,
    with_overrides: usize,
}

#[test]
fn random_events_take_place_when_dateutil_and_zoneinfo_say() {
    let compared = compare(5545);
    assert!(compared.occurrences > 20_000, "{compared:?}");
    assert!(compared.with_overrides > EVENTS / 10, "{compared:?}");
    assert!(compared.refused < EVENTS / 20, "{compared:?}");
}

#[test]
#[ignore = "long; make soak runs it"]
fn many_more_random_events_take_place_when_dateutil_and_zoneinfo_say() {
    for seed in 1..=SOAK_SEEDS {
        compare(seed);
    }
}

fn compare(seed: u64) -> Compared {
    let script = python::root().join("tests/python/recurrence_events.py");
    let output = Command::new(python::with("dateutil"))
        .arg("-B")
        .arg(&script)
        .args([seed.to_string(), EVENTS.to_string()])
        .output()
        .expect("the model starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let events: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(events.len(), EVENTS);
    let zones = Zones::bundled();
    let mut compared = Compared::default();
    for event in &events {
        compare_one(event, &zones, &mut compared);
    }
    compared
}

fn compare_one(event: &Value, zones: &Zones, compared: &mut Compared) {
    let lines: Vec<&str> = event["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    let file = format!(
        "BEGIN:VCALENDAR\r\n{}\r\nEND:VCALENDAR\r\n",
        lines.join("\r\n")
    );
    let told = || format!("{event:#}");
    let calendar = ics_read::read(file.as_bytes(), zones).unwrap();
    let zone = zones.get(event["zone"].as_str().unwrap()).unwrap();
    let host = Host {
        zone: &zone,
        addresses: &[],
    };
    let range = Span::new(instant(&event["from"]), instant(&event["to"])).unwrap();
    let expected: Vec<Span> = event["spans"]
        .as_array()
        .unwrap()
        .iter()
        .map(|span| Span {
            from: instant(&span[0]),
            to: instant(&span[1]),
        })
        .collect();

    let found = occurrences(&calendar, &host, range, &mut Budget::new(EVENT_STEPS));
    let shown: Vec<Span> = found
        .occurrences
        .iter()
        .map(|occurrence| Span {
            from: occurrence.from,
            to: occurrence.to,
        })
        .collect();
    assert_eq!(shown, expected, "{}", told());
    let strict = busy(&calendar, &host, range, &mut Budget::new(EVENT_STEPS));
    match strict {
        Ok(strict) => assert_eq!(strict, merged(&expected, range), "{}", told()),
        Err(incomplete) => {
            // Not exact is only said of a rule that has no further date: none was found up to 2040.
            assert!(event["more"] == false, "{incomplete}: {}", told());
            compared.refused += 1;
        }
    }
    compared.occurrences += expected.len();
    compared.with_overrides += usize::from(calendar.series[0].overrides.len() == 1);
}

fn instant(seconds: &Value) -> Instant {
    jiff::Timestamp::from_second(seconds.as_i64().unwrap())
        .unwrap()
        .into()
}

/// The busy time of occurrences in order.
fn merged(spans: &[Span], range: Span) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        let (from, to) = (span.from.max(range.from), span.to.min(range.to));
        match merged.last_mut() {
            Some(last) if from <= last.to => last.to = last.to.max(to),
            _ => merged.push(Span { from, to }),
        }
    }
    merged
}
