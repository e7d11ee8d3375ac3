//! Windows that touch at midnight. 2026-06-01 is a Monday.
use super::ask::*;
use crate::{availability::Window, slots::Rule};

fn crossing(windows: Vec<Window>, duration_min: u32, step_min: u32) -> Rule {
    Rule {
        cross_midnight: true,
        ..every(rule("Europe/Paris", windows), duration_min, step_min)
    }
}

fn nights(weekdays: &[u8]) -> Vec<Window> {
    let night = |&day: &u8| {
        [
            on(day, &["22:00-24:00"]),
            on((day + 1) % 7, &["00:00-02:00"]),
        ]
        .concat()
    };
    weekdays.iter().flat_map(night).collect()
}

fn week(rule: &Rule) -> Vec<String> {
    walls(rule, &free(), "2026-06-01", "2026-06-07")
}

#[test]
fn windows_that_touch_at_midnight_are_one_only_if_the_schedule_says_so() {
    let joined = crossing(nights(&[2]), 90, 45);
    assert_eq!(
        week(&joined),
        ["06-02T22:00", "06-02T22:45", "06-02T23:30", "06-03T00:15"]
    );
    let apart = Rule {
        cross_midnight: false,
        ..joined
    };
    assert_eq!(week(&apart), ["06-02T22:00", "06-03T00:00"]);
}

/// Saturday night, where the week of `weekday` numbers ends and begins.
#[test]
fn saturday_night_runs_into_sunday() {
    let rule = crossing(nights(&[6]), 60, 60);
    assert_eq!(
        walls(&rule, &free(), "2026-06-06", "2026-06-07"),
        ["06-06T22:00", "06-06T23:00", "06-07T00:00", "06-07T01:00"]
    );
}

/// The slot after midnight is found when the range begins after midnight, and its grid is the same.
#[test]
fn a_range_that_begins_after_midnight_has_the_grid_of_the_night_before() {
    let rule = crossing(nights(&[2]), 30, 50);
    let from = rule.zone.day_start(date("2026-06-03")).unwrap();
    let listed = list(&rule, &free(), from, from, from.plus_minutes(600)).unwrap();
    let walls: Vec<_> = listed
        .iter()
        .map(|&start| rule.zone.wall(start).to_string())
        .collect();
    assert_eq!(walls, ["2026-06-03T00:30:00", "2026-06-03T01:20:00"]);
}

/// Pinned: an override takes the tail of its date along; a day off does not cut the tail of the
/// night before.
#[test]
fn an_override_takes_its_dates_tail_along_and_leaves_the_night_before() {
    let weekly = crossing(nights(&[1, 2, 3]), 60, 60);
    let day_off = with_override(weekly.clone(), "2026-06-02", &[]);
    assert_eq!(
        week(&day_off),
        [
            "06-01T22:00",
            "06-01T23:00",
            "06-02T00:00",
            "06-02T01:00",
            "06-03T22:00",
            "06-03T23:00",
            "06-04T00:00",
            "06-04T01:00",
        ]
    );
    let morning = with_override(weekly.clone(), "2026-06-02", &["09:00-10:00"]);
    let listed = week(&morning);
    assert!(listed.contains(&"06-02T01:00".to_owned()), "{listed:?}");
    assert!(listed.contains(&"06-02T09:00".to_owned()), "{listed:?}");
    assert!(!listed.contains(&"06-03T00:00".to_owned()), "{listed:?}");
    // Also if the override itself is open until midnight: it replaces the whole window.
    let evening = with_override(weekly, "2026-06-02", &["20:00-24:00"]);
    let listed = week(&evening);
    assert!(listed.contains(&"06-02T23:00".to_owned()), "{listed:?}");
    assert!(!listed.contains(&"06-03T00:00".to_owned()), "{listed:?}");
}

/// The next day's override from 00:00 joins what reaches midnight, and never shortens the tail.
#[test]
fn an_override_from_midnight_joins_the_night_before() {
    let weekly = crossing(nights(&[1]), 60, 60);
    let longer = with_override(weekly.clone(), "2026-06-02", &["00:00-03:30"]);
    assert_eq!(
        week(&longer),
        [
            "06-01T22:00",
            "06-01T23:00",
            "06-02T00:00",
            "06-02T01:00",
            "06-02T02:00"
        ]
    );
    let shorter = with_override(
        weekly.clone(),
        "2026-06-02",
        &["00:00-01:00", "05:00-06:00"],
    );
    assert_eq!(
        week(&shorter),
        [
            "06-01T22:00",
            "06-01T23:00",
            "06-02T00:00",
            "06-02T01:00",
            "06-02T05:00"
        ]
    );
    // Two overrides that touch are one window, on the first one's grid.
    let both = with_override(weekly, "2026-06-01", &["21:30-24:00"]);
    let both = with_override(both, "2026-06-02", &["00:00-01:30"]);
    assert_eq!(
        week(&both),
        ["06-01T21:30", "06-01T22:30", "06-01T23:30", "06-02T00:30"]
    );
}

/// An override that begins inside the tail has a grid of its own; the list stays in order.
#[test]
fn an_override_inside_the_tail_keeps_its_own_grid() {
    let rule = with_override(
        crossing(nights(&[1]), 30, 60),
        "2026-06-02",
        &["00:30-03:00"],
    );
    assert_eq!(
        week(&rule),
        [
            "06-01T22:00",
            "06-01T23:00",
            "06-02T00:00",
            "06-02T00:30",
            "06-02T01:00",
            "06-02T01:30",
            "06-02T02:30",
        ]
    );
}

/// A whole day begins a window of its own for overrides, while slots and the grid run on.
#[test]
fn a_whole_day_keeps_the_grid_and_belongs_to_itself() {
    let windows = [
        on(5, &["22:00-24:00"]),
        on(6, &["00:00-24:00"]),
        on(0, &["00:00-02:30"]),
    ]
    .concat();
    let rule = crossing(windows, 90, 90);
    let listed = walls(&rule, &free(), "2026-06-05", "2026-06-07");
    assert_eq!(listed[..3], ["06-05T22:00", "06-05T23:30", "06-06T01:00"]);
    assert_eq!(listed[listed.len() - 2..], ["06-06T23:30", "06-07T01:00"]);
    assert_eq!(listed.len(), 19);
    let closed = with_override(rule.clone(), "2026-06-06", &[]);
    assert_eq!(
        walls(&closed, &free(), "2026-06-05", "2026-06-07"),
        ["06-05T22:00"]
    );
    let no_friday = with_override(rule, "2026-06-05", &[]);
    let listed = walls(&no_friday, &free(), "2026-06-05", "2026-06-07");
    assert_eq!(listed[..2], ["06-06T00:00", "06-06T01:30"]);
    assert_eq!(listed.last().unwrap(), "06-07T00:00");
}

/// Open day and night: every day's grid begins at its midnight, and slots run over it.
#[test]
fn a_schedule_without_a_beginning_has_a_grid() {
    let rule = crossing(daily(&["00:00-24:00"]), 50, 50);
    let one_day = clocks(&walls(&rule, &free(), "2026-06-02", "2026-06-02")).join(" ");
    assert!(
        one_day.starts_with("00:00 00:50") && one_day.ends_with("22:30 23:20"),
        "{one_day}"
    );
    assert_eq!(
        clocks(&walls(&rule, &free(), "2027-01-31", "2027-01-31")).join(" "),
        one_day,
        "the grid does not depend on the range"
    );
}

/// A grid goes on through whole days: from where the first of them begins, or from the evening
/// before it, for seven days.
#[test]
fn a_grid_goes_on_through_whole_days_for_a_week() {
    let weekend = [on(6, &["00:00-24:00"]), on(0, &["00:00-24:00"])].concat();
    let first = |rule: &Rule, day: &str| clocks(&walls(rule, &free(), day, day))[0].to_owned();
    let rule = crossing(weekend, 50, 50);
    assert_eq!(first(&rule, "2026-06-06"), "00:00");
    assert_eq!(
        first(&rule, "2026-06-07"),
        "00:10",
        "1440 is 28 steps and 40 minutes"
    );
    let always = with_override(
        crossing(daily(&["00:00-24:00"]), 50, 50),
        "2026-06-01",
        &["22:30-24:00"],
    );
    assert_eq!(first(&always, "2026-06-02"), "00:10");
    // Seven days back: 6 * 1440 + 90 minutes after 22:30, which is 20 short of a step.
    assert_eq!(first(&always, "2026-06-08"), "00:20");
    assert_eq!(
        first(&always, "2026-06-09"),
        "00:00",
        "open for longer than a week"
    );
}

/// 00:00 of a whole day is that day's, not the evening's.
#[test]
fn a_whole_day_is_not_bookable_with_the_evening_before() {
    let windows = [on(5, &["22:00-24:00"]), on(6, &["00:00-24:00"])].concat();
    let mut rule = crossing(windows, 90, 60);
    rule.bookable_until = Some(date("2026-06-05"));
    assert_eq!(
        walls(&rule, &free(), "2026-06-05", "2026-06-06"),
        ["06-05T22:00", "06-05T23:00"]
    );
}

/// The slot after midnight belongs to the evening's date, also for the bookable dates.
#[test]
fn the_tail_is_bookable_with_the_date_of_its_evening() {
    let mut rule = crossing(nights(&[1, 2, 3]), 60, 60);
    rule.bookable_from = Some(date("2026-06-02"));
    rule.bookable_until = Some(date("2026-06-02"));
    assert_eq!(
        week(&rule),
        ["06-02T22:00", "06-02T23:00", "06-03T00:00", "06-03T01:00"]
    );
}

/// A night in which the clocks change: the gap is in the tail.
#[test]
fn a_tail_across_a_change_of_the_clock() {
    let windows = [on(6, &["23:00-24:00"]), on(0, &["00:00-05:00"])].concat();
    let rule = crossing(windows, 60, 60);
    assert_eq!(
        walls(&rule, &free(), "2026-03-28", "2026-03-29"),
        ["03-28T23:00", "03-29T00:00", "03-29T03:00", "03-29T04:00"],
        "01:00 would end at a 02:00 that is skipped"
    );
}
