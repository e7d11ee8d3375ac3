//! Slots by the reader's date, and the length of a day.
use super::ask::*;
use crate::slots::{Slot, day_span, group_by_date};

fn slot(start: &str) -> Slot {
    let start = at(start);
    Slot {
        start,
        end: start.plus_minutes(30),
    }
}

#[test]
fn slots_stand_under_the_date_of_the_reader() {
    let slots = [
        "2026-05-31T18:29:00Z",
        "2026-05-31T18:30:00Z",
        "2026-06-01T18:29:59Z",
        "2026-06-01T18:30:00Z",
    ]
    .map(slot);
    let groups = group_by_date(&slots, &zone("Asia/Kolkata"));
    assert_eq!(
        groups,
        [
            (date("2026-05-31"), vec![slots[0]]),
            (date("2026-06-01"), vec![slots[1], slots[2]]),
            (date("2026-06-02"), vec![slots[3]]),
        ]
    );
    assert_eq!(group_by_date(&[], &zone("UTC")), []);
    // Days before 1970 have numbers below zero.
    let old = slot("1960-06-01T00:30:00Z");
    assert_eq!(
        group_by_date(&[old], &zone("UTC")),
        [(date("1960-06-01"), vec![old])]
    );
}

/// Both passes of the repeated hour stand under one date, in order.
#[test]
fn the_hour_that_runs_twice_stays_on_its_date() {
    let slots = ["2026-10-24T20:30:00Z", "2026-10-24T21:30:00Z"].map(slot);
    // Beirut's clocks fall from 24:00 to 23:00.
    assert_eq!(
        group_by_date(&slots, &zone("Asia/Beirut")),
        [(date("2026-10-24"), slots.to_vec())]
    );
}

#[test]
fn a_day_is_as_long_as_its_zone_makes_it() {
    for (name, day, hours) in [
        ("Europe/Berlin", "2026-03-29", 23),
        ("Europe/Berlin", "2026-10-25", 25),
        ("Europe/Berlin", "2026-06-01", 24),
        ("America/Havana", "2026-03-08", 23),
    ] {
        let span = day_span(&zone(name), date(day)).unwrap();
        assert_eq!(span.to.since(span.from).as_hours(), hours, "{name} {day}");
    }
    assert_eq!(day_span(&zone("Pacific/Apia"), date("2011-12-30")), None);
    assert_eq!(day_span(&zone("UTC"), jiff::civil::Date::MAX), None);
}
