//! Changes of the clock.
use super::ask::*;
use crate::slots::{DstPolicy, Rule};

fn half_hours(zone: &str, window: &str, policy: DstPolicy) -> Rule {
    Rule {
        dst_policy: policy,
        ..every(rule(zone, daily(&[window])), 30, 30)
    }
}

fn day(rule: &Rule, date: &str) -> Vec<String> {
    walls(rule, &free(), date, date)
}

/// Pinned.
#[test]
fn new_york_springs_forward() {
    let strict = half_hours("America/New_York", "01:00-04:00", DstPolicy::Strict);
    assert_eq!(
        clocks(&day(&strict, "2025-03-09")),
        ["01:00", "03:00", "03:30"]
    );
    let elapsed = half_hours("America/New_York", "01:00-04:00", DstPolicy::Elapsed);
    assert_eq!(
        clocks(&day(&elapsed, "2025-03-09")),
        ["01:00", "01:30", "03:00", "03:30"]
    );
}

/// Pinned.
#[test]
fn new_york_falls_back() {
    let strict = half_hours("America/New_York", "00:00-04:00", DstPolicy::Strict);
    assert_eq!(
        clocks(&day(&strict, "2025-11-02")),
        ["00:00", "02:00", "02:30", "03:00", "03:30"]
    );
    let elapsed = half_hours("America/New_York", "00:00-04:00", DstPolicy::Elapsed);
    assert_eq!(
        starts(&elapsed, &free(), "2025-11-02", "2025-11-02"),
        [
            "2025-11-02T04:00:00Z",
            "2025-11-02T04:30:00Z",
            // The daylight pass of 01:00 and 01:30.
            "2025-11-02T05:00:00Z",
            "2025-11-02T05:30:00Z",
            "2025-11-02T07:00:00Z",
            "2025-11-02T07:30:00Z",
            "2025-11-02T08:00:00Z",
            "2025-11-02T08:30:00Z",
        ]
        .map(at)
    );
}

/// Pinned: half an hour of daylight saving. The clocks jump from 02:00 to 02:30 and fall from 02:00
/// to 01:30.
#[test]
fn lord_howe_changes_by_half_an_hour() {
    let strict = half_hours("Australia/Lord_Howe", "01:00-03:30", DstPolicy::Strict);
    let elapsed = half_hours("Australia/Lord_Howe", "01:00-03:30", DstPolicy::Elapsed);
    assert_eq!(
        clocks(&day(&strict, "2026-10-04")),
        ["01:00", "02:30", "03:00"]
    );
    assert_eq!(
        clocks(&day(&elapsed, "2026-10-04")),
        ["01:00", "01:30", "02:30", "03:00"]
    );
    assert_eq!(
        clocks(&day(&strict, "2026-04-05")),
        ["02:00", "02:30", "03:00"]
    );
    assert_eq!(
        clocks(&day(&elapsed, "2026-04-05")),
        ["01:00", "01:30", "02:00", "02:30", "03:00"]
    );
}

/// Pinned: the gap at midnight. Santiago's 2026-09-06 and Beirut's 2026-03-29 begin at 01:00.
#[test]
fn a_day_that_begins_at_one_offers_nothing_before() {
    for (zone, date) in [
        ("America/Santiago", "2026-09-06"),
        ("Asia/Beirut", "2026-03-29"),
    ] {
        for policy in [DstPolicy::Strict, DstPolicy::Elapsed] {
            let rule = half_hours(zone, "00:00-02:00", policy);
            assert_eq!(
                clocks(&day(&rule, date)),
                ["01:00", "01:30"],
                "{zone} {policy:?}"
            );
        }
    }
}

/// 24:00 of the evening before is skipped too: strict offers no slot that would end then.
#[test]
fn the_evening_before_a_midnight_gap() {
    let strict = half_hours("America/Santiago", "22:30-24:00", DstPolicy::Strict);
    assert_eq!(clocks(&day(&strict, "2026-09-05")), ["22:30", "23:00"]);
    assert_eq!(
        clocks(&day(&strict, "2026-09-04")),
        ["22:30", "23:00", "23:30"]
    );
    // It ends as the next day begins, and does not cross midnight.
    let elapsed = half_hours("America/Santiago", "22:30-24:00", DstPolicy::Elapsed);
    assert_eq!(
        clocks(&day(&elapsed, "2026-09-05")),
        ["22:30", "23:00", "23:30"]
    );
}

/// In Nuuk the clocks jump from 23:00 to 24:00. An elapsed hour from 22:30 would end at 00:30.
#[test]
fn an_elapsed_slot_does_not_cross_midnight_either() {
    let elapsed = Rule {
        dst_policy: DstPolicy::Elapsed,
        ..every(rule("America/Nuuk", daily(&["21:00-24:00"])), 60, 30)
    };
    assert_eq!(
        clocks(&day(&elapsed, "2026-03-28")),
        ["21:00", "21:30", "22:00"]
    );
    assert_eq!(
        clocks(&day(&elapsed, "2026-03-27")),
        ["21:00", "21:30", "22:00", "22:30", "23:00"]
    );
    let crossing = Rule {
        cross_midnight: true,
        ..elapsed
    };
    assert_eq!(
        clocks(&day(&crossing, "2026-03-28")),
        ["21:00", "21:30", "22:00", "22:30"]
    );
}

/// Pinned: the day does not exist; no slots and no error, alone or in a range.
#[test]
fn the_day_that_apia_never_had() {
    let rule = rule("Pacific/Apia", daily(&["00:00-24:00"]));
    let listed = walls(&rule, &free(), "2011-12-28", "2011-12-31");
    assert_eq!(
        listed.len(),
        3 * 24 - 1,
        "23:00 on the 29th would end at a 24:00 that never was"
    );
    assert!(
        listed.iter().all(|wall| !wall.starts_with("12-30")),
        "{listed:?}"
    );
    let noon = with_override(rule, "2011-12-30", &["10:00-14:00"]);
    assert!(
        walls(&noon, &free(), "2011-12-29", "2011-12-31")
            .iter()
            .all(|wall| !wall.starts_with("12-30"))
    );
}

/// Half-hour and three-quarter zones, in quarters.
#[test]
fn kolkata_and_kathmandu_keep_the_hosts_half_and_three_quarter_hours() {
    let kolkata = half_hours("Asia/Kolkata", "09:15-10:45", DstPolicy::Strict);
    assert_eq!(
        clocks(&day(&kolkata, "2026-06-01")),
        ["09:15", "09:45", "10:15"]
    );
    assert_eq!(
        starts(&kolkata, &free(), "2026-06-01", "2026-06-01")[0],
        at("2026-06-01T03:45:00Z")
    );
    let kathmandu = half_hours("Asia/Kathmandu", "09:45-10:45", DstPolicy::Strict);
    assert_eq!(
        starts(&kathmandu, &free(), "2026-06-01", "2026-06-01"),
        ["2026-06-01T04:00:00Z", "2026-06-01T04:30:00Z"].map(at)
    );
}

/// The policy holds in an available exception too: its instants are absolute, its walls are not.
#[test]
fn an_exception_across_a_change_obeys_the_policy() {
    let mut rule = every(rule("America/New_York", Vec::new()), 30, 30);
    // 00:30 EDT to 02:30 EST: both passes of 01:00 and 01:30.
    rule.available = vec![span("2025-11-02T04:30:00Z", "2025-11-02T07:30:00Z")];
    assert_eq!(
        starts(&rule, &free(), "2025-11-02", "2025-11-02"),
        [at("2025-11-02T07:00:00Z")],
        "00:30 ends at a 01:00 that is shown twice"
    );
    rule.dst_policy = DstPolicy::Elapsed;
    assert_eq!(
        starts(&rule, &free(), "2025-11-02", "2025-11-02"),
        [
            "2025-11-02T04:30:00Z",
            "2025-11-02T05:00:00Z",
            "2025-11-02T05:30:00Z",
            "2025-11-02T07:00:00Z"
        ]
        .map(at),
        "a start that is shown twice means the earlier"
    );
    // 01:30 EST to 03:30 EDT.
    rule.available = vec![span("2025-03-09T06:30:00Z", "2025-03-09T07:30:00Z")];
    assert_eq!(
        starts(&rule, &free(), "2025-03-09", "2025-03-09"),
        [at("2025-03-09T06:30:00Z"), at("2025-03-09T07:00:00Z")]
    );
    rule.dst_policy = DstPolicy::Strict;
    assert_eq!(
        starts(&rule, &free(), "2025-03-09", "2025-03-09"),
        [at("2025-03-09T07:00:00Z")]
    );
}

/// The horizon's own wall time: moved forward out of a gap, the earlier of a fold.
#[test]
fn the_horizon_falls_into_a_gap_and_into_a_fold() {
    let mut rule = every(rule("America/New_York", daily(&["00:00-06:00"])), 30, 30);
    rule.horizon_days = 1;
    rule.dst_policy = DstPolicy::Elapsed;
    let last = |now: &str| {
        let now = at(now);
        *list(&rule, &free(), now, now, now.plus_minutes(3 * 1440))
            .unwrap()
            .last()
            .unwrap()
    };
    // 02:30 on the 8th; 02:30 on the 9th is skipped and means 03:30 EDT.
    assert_eq!(last("2025-03-08T07:30:00Z"), at("2025-03-09T07:00:00Z"));
    // 01:30 on the 1st; 01:30 on the 2nd is the daylight one.
    assert_eq!(last("2025-11-01T05:30:00Z"), at("2025-11-02T05:00:00Z"));
}

/// Days are civil dates: thirty-one of them in a month with 745 hours.
#[test]
fn a_range_is_walked_by_dates_and_not_by_24_hours() {
    let rule = rule("Europe/Berlin", daily(&["23:00-24:00"]));
    let listed = walls(&rule, &free(), "2025-10-01", "2025-10-31");
    let expected: Vec<String> = (1..=31).map(|day| format!("10-{day:02}T23:00")).collect();
    assert_eq!(listed, expected);
}
