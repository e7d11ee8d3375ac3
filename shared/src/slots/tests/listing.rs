//! Plain lists: windows, grid, busy time, buffers, overrides, exceptions, notice and horizon.
use super::ask::*;
use crate::slots::{Busy, Rule};

/// Pinned: Monday 12:00-15:00, 60 minutes; 2026-06-01 is a Monday.
#[test]
fn a_before_buffer_reaches_a_block_that_ends_just_before_the_window() {
    let mut rule = rule("Europe/London", on(1, &["12:00-15:00"]));
    assert_eq!(
        clocks(&walls(&rule, &free(), "2026-06-01", "2026-06-07")),
        ["12:00", "13:00", "14:00"]
    );
    rule.before_buffer_min = 10;
    let block = busy(&[span("2026-06-01T10:00:00Z", "2026-06-01T10:55:00Z")]);
    assert_eq!(
        clocks(&walls(&rule, &block, "2026-06-01", "2026-06-07")),
        ["13:00", "14:00"]
    );
}

/// Pinned: a booking 10:00-10:30 with buffers 5 and 10 blocks 09:55-10:40; with the new booking's
/// own buffers, 10:30 goes and the next start is 11:00.
#[test]
fn buffers_of_both_bookings_add_up() {
    let mut rule = every(rule("UTC", daily(&["09:00-12:00"])), 30, 30);
    (rule.before_buffer_min, rule.after_buffer_min) = (5, 10);
    let booked = Busy::new(
        Vec::new(),
        vec![span("2026-06-01T09:55:00Z", "2026-06-01T10:40:00Z")],
        Vec::new(),
    );
    assert_eq!(
        clocks(&walls(&rule, &booked, "2026-06-01", "2026-06-01")),
        ["09:00", "11:00", "11:30"]
    );
}

/// Pinned: of two adjacent slots whose buffers meet, one can be booked.
#[test]
fn adjacent_slots_whose_buffers_meet_exclude_each_other() {
    let mut rule = every(rule("UTC", daily(&["10:00-11:00"])), 30, 30);
    assert_eq!(walls(&rule, &free(), "2026-06-01", "2026-06-01").len(), 2);
    rule.after_buffer_min = 10;
    let first = Busy::new(
        Vec::new(),
        vec![span("2026-06-01T10:00:00Z", "2026-06-01T10:40:00Z")],
        Vec::new(),
    );
    assert!(walls(&rule, &first, "2026-06-01", "2026-06-01").is_empty());
}

#[test]
fn what_only_touches_a_slot_or_its_buffer_is_not_in_its_way() {
    let mut rule = rule("UTC", daily(&["10:00-11:00"]));
    (rule.before_buffer_min, rule.after_buffer_min) = (15, 20);
    let around = [
        span("2026-06-01T09:00:00Z", "2026-06-01T09:45:00Z"),
        span("2026-06-01T11:20:00Z", "2026-06-01T12:00:00Z"),
    ];
    assert_eq!(
        walls(&rule, &busy(&around), "2026-06-01", "2026-06-01").len(),
        1
    );
    for (from, to) in [
        ("2026-06-01T09:00:00Z", "2026-06-01T09:45:00.000001Z"),
        ("2026-06-01T11:19:59.999999Z", "2026-06-01T12:00:00Z"),
        ("2026-06-01T10:30:00Z", "2026-06-01T10:30:00.000001Z"),
        ("2026-05-01T00:00:00Z", "2026-07-01T00:00:00Z"),
    ] {
        let taken = busy(&[span(from, to)]);
        assert!(
            walls(&rule, &taken, "2026-06-01", "2026-06-01").is_empty(),
            "{from} {to}"
        );
    }
}

/// Pinned: busy time before `from`, or behind a midnight of UTC, still reaches in.
#[test]
fn busy_time_outside_the_range_reaches_in() {
    let mut rule = every(rule("UTC", daily(&["00:00-02:00"])), 30, 30);
    rule.before_buffer_min = 30;
    let evening = busy(&[span("2026-05-31T22:00:00Z", "2026-05-31T23:45:00Z")]);
    assert_eq!(
        walls(&rule, &evening, "2026-06-01", "2026-06-01"),
        ["06-01T00:30", "06-01T01:00", "06-01T01:30"]
    );
}

/// Unsorted, overlapping, nested, empty: the same answer as the tidy list.
#[test]
fn busy_spans_in_any_shape_give_one_answer() {
    let rule = every(rule("UTC", daily(&["08:00-18:00"])), 30, 30);
    let day = |from: &str, to: &str| {
        span(
            &format!("2026-06-01T{from}:00Z"),
            &format!("2026-06-01T{to}:00Z"),
        )
    };
    let untidy = busy(&[
        day("15:00", "15:30"),
        day("09:00", "12:00"),
        day("10:00", "10:15"),
        day("12:00", "12:30"),
        day("17:00", "17:00"),
        day("16:30", "16:00"),
        day("11:30", "12:10"),
    ]);
    let tidy = busy(&[day("09:00", "12:30"), day("15:00", "15:30")]);
    let listed = walls(&rule, &untidy, "2026-06-01", "2026-06-01");
    assert_eq!(listed, walls(&rule, &tidy, "2026-06-01", "2026-06-01"));
    assert_eq!(listed.len(), 20 - 7 - 1);
}

/// An event without length takes nothing, even alone and in the middle of a slot.
#[test]
fn an_empty_span_takes_nothing() {
    let rule = rule("UTC", daily(&["09:00-10:00"]));
    let instant = busy(&[span("2026-06-01T09:30:00Z", "2026-06-01T09:30:00Z")]);
    assert_eq!(walls(&rule, &instant, "2026-06-01", "2026-06-01").len(), 1);
}

#[test]
fn overlapping_and_touching_windows_are_one_with_one_grid() {
    let apart = every(
        rule("UTC", daily(&["09:00-10:30", "10:00-12:00", "12:00-13:10"])),
        50,
        50,
    );
    let whole = every(rule("UTC", daily(&["09:00-13:10"])), 50, 50);
    let listed = walls(&apart, &free(), "2026-06-01", "2026-06-01");
    assert_eq!(listed, walls(&whole, &free(), "2026-06-01", "2026-06-01"));
    assert_eq!(
        clocks(&listed),
        ["09:00", "09:50", "10:40", "11:30", "12:20"]
    );
}

/// Pinned: a day off; other hours; two ranges.
#[test]
fn an_override_replaces_the_windows_of_its_date() {
    let weekly = rule("Asia/Tokyo", daily(&["09:00-11:00"]));
    let rule = with_override(weekly, "2026-06-02", &[]);
    let rule = with_override(rule, "2026-06-03", &["14:00-15:00"]);
    let rule = with_override(rule, "2026-06-04", &["20:30-21:30", "07:15-08:15"]);
    assert_eq!(
        walls(&rule, &free(), "2026-06-01", "2026-06-05"),
        [
            "06-01T09:00",
            "06-01T10:00",
            "06-03T14:00",
            "06-04T07:15",
            "06-04T20:30",
            "06-05T09:00",
            "06-05T10:00",
        ]
    );
}

#[test]
fn ranges_of_an_override_are_merged_like_windows() {
    let rule = every(rule("UTC", Vec::new()), 45, 45);
    let rule = with_override(rule, "2026-06-01", &["10:00-11:00", "09:00-10:00"]);
    assert_eq!(
        clocks(&walls(&rule, &free(), "2026-06-01", "2026-06-01")),
        ["09:00", "09:45"]
    );
}

#[test]
fn an_available_exception_has_its_own_grid_and_joins_no_window() {
    let mut rule = every(rule("UTC", daily(&["09:00-10:00"])), 30, 30);
    // It touches the window: a slot half in each is none.
    rule.available = vec![span("2026-06-01T10:00:00Z", "2026-06-01T11:10:00Z")];
    assert_eq!(
        clocks(&walls(&rule, &free(), "2026-06-01", "2026-06-01")),
        ["09:00", "09:30", "10:00", "10:30"]
    );
    rule.available = vec![span("2026-06-01T09:50:00Z", "2026-06-01T10:20:00Z")];
    assert_eq!(
        clocks(&walls(&rule, &free(), "2026-06-01", "2026-06-01")),
        ["09:00", "09:30", "09:50"]
    );
}

#[test]
fn starts_offered_twice_are_one_slot_and_the_list_is_in_order() {
    let mut rule = every(rule("UTC", daily(&["09:00-11:00"])), 30, 30);
    rule.available = vec![
        span("2026-06-01T20:00:00Z", "2026-06-01T21:00:00Z"),
        span("2026-06-01T09:30:00Z", "2026-06-01T10:45:00Z"),
        span("2026-06-01T09:30:00Z", "2026-06-01T10:00:00Z"),
        span("2026-06-01T06:00:00Z", "2026-06-01T06:30:00Z"),
    ];
    assert_eq!(
        clocks(&walls(&rule, &free(), "2026-06-01", "2026-06-01")),
        [
            "06:00", "09:00", "09:30", "10:00", "10:30", "20:00", "20:30"
        ]
    );
}

/// An available exception is stronger than an override and than midnight, and weaker than busy time.
#[test]
fn an_available_exception_opens_a_day_off_and_runs_over_midnight() {
    let rule = rule("America/New_York", daily(&["09:00-17:00"]));
    let rule = with_override(rule, "2026-06-01", &[]);
    let rule = Rule {
        available: vec![span("2026-06-02T03:30:00Z", "2026-06-02T05:30:00Z")],
        ..with_override(rule, "2026-06-02", &[])
    };
    assert_eq!(
        walls(&rule, &free(), "2026-06-01", "2026-06-02"),
        ["06-01T23:30", "06-02T00:30"]
    );
    let taken = busy(&[span("2026-06-02T04:00:00Z", "2026-06-02T04:10:00Z")]);
    assert_eq!(
        walls(&rule, &taken, "2026-06-01", "2026-06-02"),
        ["06-02T00:30"]
    );
}

/// An exception that began long before the range keeps its grid.
#[test]
fn a_long_exception_keeps_its_grid_in_every_range() {
    let mut rule = every(rule("UTC", Vec::new()), 50, 50);
    rule.available = vec![span("2020-01-01T00:07:00Z", "2030-01-01T00:00:00Z")];
    let listed = starts(&rule, &free(), "2026-06-01", "2026-06-01");
    let anchor = at("2020-01-01T00:07:00Z");
    assert_eq!(listed.len(), 29);
    for start in listed {
        assert_eq!(start.since(anchor).as_mins() % 50, 0, "{start}");
    }
}

/// Pinned: equality is bookable, at both ends.
#[test]
fn notice_and_horizon_allow_equality() {
    let mut rule = rule("America/New_York", daily(&["09:00-17:00"]));
    rule.notice_min = 120;
    rule.horizon_days = 1;
    let (from, to) = (at("2026-06-01T00:00:00Z"), at("2026-06-04T00:00:00Z"));
    let ask = |now: &str| list(&rule, &free(), at(now), from, to).unwrap();
    // 11:00 in New York: from 13:00 today; the last slot ends at 11:00 tomorrow.
    let listed = ask("2026-06-01T15:00:00Z");
    assert_eq!(listed.first(), Some(&at("2026-06-01T17:00:00Z")));
    assert_eq!(listed.last(), Some(&at("2026-06-02T14:00:00Z")));
    // A microsecond later 13:00 is too soon, a microsecond earlier 10:00-11:00 too far.
    assert_eq!(
        ask("2026-06-01T15:00:00.000001Z").first(),
        Some(&at("2026-06-01T18:00:00Z"))
    );
    assert_eq!(
        ask("2026-06-01T14:59:59.999999Z").last(),
        Some(&at("2026-06-02T13:00:00Z"))
    );
}

#[test]
fn to_bounds_the_start_and_not_the_end() {
    let rule = rule("UTC", daily(&["09:00-12:00"]));
    let now = at("2026-06-01T00:00:00Z");
    let ask = |from: &str, to: &str| list(&rule, &free(), now, at(from), at(to)).unwrap();
    assert_eq!(
        ask("2026-06-01T09:00:00Z", "2026-06-01T10:00:00.000001Z"),
        [at("2026-06-01T09:00:00Z"), at("2026-06-01T10:00:00Z")]
    );
    assert_eq!(
        ask("2026-06-01T09:00:00.000001Z", "2026-06-01T11:00:00Z"),
        [at("2026-06-01T10:00:00Z")]
    );
}

/// Pinned: a plain weekday in three zones.
#[test]
fn a_plain_weekday() {
    for (zone, first) in [
        ("America/Los_Angeles", "2026-06-01T16:00:00Z"),
        ("America/New_York", "2026-06-01T13:00:00Z"),
        ("Asia/Tokyo", "2026-06-01T00:00:00Z"),
        ("Asia/Kolkata", "2026-06-01T03:30:00Z"),
        ("Asia/Kathmandu", "2026-06-01T03:15:00Z"),
    ] {
        let rule = rule(zone, on(1, &["09:00-12:00"]));
        let listed = starts(&rule, &free(), "2026-06-01", "2026-06-01");
        let first = at(first);
        assert_eq!(
            listed,
            [first, first.plus_minutes(60), first.plus_minutes(120)],
            "{zone}"
        );
    }
}
