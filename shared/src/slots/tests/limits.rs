//! Limits by the host's day, week and month.
use super::ask::*;
use crate::{
    instant::Instant,
    slots::{Busy, Limits, Rule},
};

fn booked(starts: &[&str]) -> Busy {
    let starts: Vec<Instant> = starts.iter().map(|text| at(text)).collect();
    Busy::new(Vec::new(), Vec::new(), starts)
}

fn limited(zone: &str, limits: Limits) -> Rule {
    Rule {
        limits,
        ..rule(zone, daily(&["00:00-01:00", "23:00-24:00"]))
    }
}

/// The days of the month that still have slots.
fn days(rule: &Rule, busy: &Busy, first: &str, last: &str) -> Vec<String> {
    let mut days: Vec<String> = walls(rule, busy, first, last)
        .iter()
        .map(|wall| wall[..5].to_owned())
        .collect();
    days.dedup();
    days
}

/// 2026-06-02T12:30Z is 00:30 on the 3rd in Auckland.
#[test]
fn a_day_is_the_hosts() {
    let rule = limited(
        "Pacific/Auckland",
        Limits {
            per_day: Some(2),
            ..Limits::default()
        },
    );
    let one = booked(&["2026-06-02T12:30:00Z"]);
    let two = booked(&["2026-06-03T11:59:59Z", "2026-06-02T12:00:00Z"]);
    assert_eq!(
        days(&rule, &one, "2026-06-02", "2026-06-04"),
        ["06-02", "06-03", "06-04"]
    );
    assert_eq!(
        days(&rule, &two, "2026-06-02", "2026-06-04"),
        ["06-02", "06-04"]
    );
}

/// A week is Monday 2026-06-01 to Sunday 2026-06-07 in New York.
#[test]
fn a_week_begins_on_the_hosts_monday() {
    let rule = limited(
        "America/New_York",
        Limits {
            per_week: Some(1),
            ..Limits::default()
        },
    );
    // Sunday 23:59 and Monday 00:00 of the next week, both Monday in UTC.
    let sunday = booked(&["2026-06-08T03:59:00Z"]);
    let monday = booked(&["2026-06-08T04:00:00Z"]);
    let ask = |busy: &Busy| days(&rule, busy, "2026-05-31", "2026-06-09");
    assert_eq!(ask(&sunday), ["05-31", "06-08", "06-09"]);
    assert_eq!(ask(&monday).len(), 8);
    assert!(
        ask(&monday).iter().all(|day| day.as_str() <= "06-07"),
        "{:?}",
        ask(&monday)
    );
}

/// Bookings of the month outside the range count.
#[test]
fn a_month_is_the_hosts_whole_month() {
    let rule = limited(
        "Asia/Tokyo",
        Limits {
            per_month: Some(2),
            ..Limits::default()
        },
    );
    // 00:00 on 1 June and 23:59 on 30 June in Tokyo.
    let june = booked(&["2026-05-31T15:00:00Z", "2026-06-30T14:59:00Z"]);
    assert_eq!(days(&rule, &june, "2026-06-14", "2026-06-16"), [""; 0]);
    assert_eq!(days(&rule, &june, "2026-05-31", "2026-06-01"), ["05-31"]);
    assert_eq!(days(&rule, &june, "2026-06-30", "2026-07-01"), ["07-01"]);
    // One of them a minute outside.
    let mostly = booked(&["2026-05-31T14:59:00Z", "2026-06-30T14:59:00Z"]);
    assert_eq!(days(&rule, &mostly, "2026-06-14", "2026-06-14"), ["06-14"]);
}

#[test]
fn every_limit_holds_for_itself_and_nothing_unlimited_is_counted() {
    let all = Limits {
        per_day: Some(1),
        per_week: Some(3),
        per_month: Some(4),
    };
    let rule = limited("UTC", all);
    let three = booked(&[
        "2026-06-01T09:00:00Z",
        "2026-06-02T09:00:00Z",
        "2026-06-03T09:00:00Z",
    ]);
    assert_eq!(
        days(&rule, &three, "2026-06-01", "2026-06-09"),
        ["06-08", "06-09"]
    );
    let four = booked(&[
        "2026-06-01T09:00:00Z",
        "2026-06-02T09:00:00Z",
        "2026-06-03T09:00:00Z",
        "2026-06-30T09:00:00Z",
    ]);
    assert_eq!(days(&rule, &four, "2026-06-25", "2026-07-01"), ["07-01"]);
    let free = limited("UTC", Limits::default());
    assert_eq!(days(&free, &four, "2026-06-01", "2026-06-03").len(), 3);
}

/// After midnight a slot belongs to the evening's date, and is counted on its own: bookings have
/// nothing but their start.
#[test]
fn a_slot_after_midnight_counts_on_the_date_of_its_start() {
    let windows = [on(2, &["22:00-24:00"]), on(3, &["00:00-02:00"])].concat();
    let rule = Rule {
        cross_midnight: true,
        limits: Limits {
            per_day: Some(1),
            ..Limits::default()
        },
        ..rule("UTC", windows)
    };
    let evening = booked(&["2026-06-02T09:00:00Z"]);
    assert_eq!(
        walls(&rule, &evening, "2026-06-02", "2026-06-03"),
        ["06-03T00:00", "06-03T01:00"]
    );
    let morning = booked(&["2026-06-03T09:00:00Z"]);
    assert_eq!(
        walls(&rule, &morning, "2026-06-02", "2026-06-03"),
        ["06-02T22:00", "06-02T23:00"]
    );
}

/// What must be loaded is what decides: the span covers each booking that matters.
#[test]
fn the_spans_to_load_reach_far_enough() {
    let mut rule = limited(
        "Pacific/Kiritimati",
        Limits {
            per_month: Some(1),
            ..Limits::default()
        },
    );
    (rule.before_buffer_min, rule.after_buffer_min) = (10, 90);
    let prepared = rule.prepare().unwrap();
    let (from, to) = (at("2026-07-01T00:00:00Z"), at("2026-07-02T00:00:00Z"));
    let counted = prepared.limits_span(from, to).unwrap();
    assert!(counted.from <= rule.zone.day_start(date("2026-07-01")).unwrap());
    assert!(counted.to >= rule.zone.day_start(date("2026-08-01")).unwrap());
    let busy = prepared.busy_span(from, to);
    assert_eq!(
        (busy.from, busy.to),
        (at("2026-06-29T22:30:00Z"), at("2026-07-03T01:30:00Z"))
    );
    let unlimited = Rule {
        limits: Limits::default(),
        ..rule
    };
    assert_eq!(unlimited.prepare().unwrap().limits_span(from, to), None);
}
