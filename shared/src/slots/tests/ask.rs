//! How the tests put a question.
use std::{collections::BTreeMap, sync::LazyLock};

use jiff::civil;

use crate::{
    availability::Window,
    instant::{Instant, Span},
    slots::{Busy, DstPolicy, Limits, PreparedRule, Rule, SlotError, compute_slots},
    zone::{Zone, Zones},
};

pub(super) fn at(text: &str) -> Instant {
    text.parse().unwrap_or_else(|_| panic!("{text}"))
}

pub(super) fn span(from: &str, to: &str) -> Span {
    Span {
        from: at(from),
        to: at(to),
    }
}

pub(super) fn date(text: &str) -> civil::Date {
    text.parse().unwrap()
}

/// Opened once: reading the table takes longer than most tests.
pub(super) static ZONES: LazyLock<Zones> = LazyLock::new(Zones::bundled);

pub(super) fn zone(name: &str) -> Zone {
    ZONES
        .get(name)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A minute of the day from `HH:MM`.
pub(super) fn minute(clock: &str) -> u16 {
    let (hour, minute) = clock.split_once(':').unwrap_or_else(|| panic!("{clock}"));
    hour.parse::<u16>().unwrap() * 60 + minute.parse::<u16>().unwrap()
}

/// Minutes from `HH:MM-HH:MM`.
pub(super) fn range(text: &str) -> (u16, u16) {
    let (start, end) = text.split_once('-').unwrap_or_else(|| panic!("{text}"));
    (minute(start), minute(end))
}

/// The same windows on every day of the week.
pub(super) fn daily(ranges: &[&str]) -> Vec<Window> {
    (0..7).flat_map(|weekday| on(weekday, ranges)).collect()
}

/// Windows of one weekday; 0 is Sunday.
pub(super) fn on(weekday: u8, ranges: &[&str]) -> Vec<Window> {
    let window = |text: &&str| {
        let (start_min, end_min) = range(text);
        Window {
            weekday,
            start_min,
            end_min,
        }
    };
    ranges.iter().map(window).collect()
}

/// A rule with 60-minute slots, no buffers, no notice and a horizon of 400 days.
pub(super) fn rule(zone_name: &str, windows: Vec<Window>) -> Rule {
    Rule {
        zone: zone(zone_name),
        windows,
        overrides: BTreeMap::new(),
        available: Vec::new(),
        cross_midnight: false,
        duration_min: 60,
        step_min: 60,
        before_buffer_min: 0,
        after_buffer_min: 0,
        notice_min: 0,
        horizon_days: 400,
        bookable_from: None,
        bookable_until: None,
        dst_policy: DstPolicy::Strict,
        limits: Limits::default(),
    }
}

/// Length and step in minutes.
pub(super) fn every(rule: Rule, duration_min: u32, step_min: u32) -> Rule {
    Rule {
        duration_min,
        step_min,
        ..rule
    }
}

pub(super) fn with_override(mut rule: Rule, on: &str, ranges: &[&str]) -> Rule {
    rule.overrides
        .insert(date(on), ranges.iter().map(|text| range(text)).collect());
    rule
}

/// The wall times of the starts on the dates from `first` to `last` in the rule's zone, asked the
/// day before. `MM-DDTHH:MM`.
pub(super) fn walls(rule: &Rule, busy: &Busy, first: &str, last: &str) -> Vec<String> {
    starts(rule, busy, first, last)
        .into_iter()
        .map(|start| rule.zone.wall(start).strftime("%m-%dT%H:%M").to_string())
        .collect()
}

/// The starts on the dates from `first` to `last`.
pub(super) fn starts(rule: &Rule, busy: &Busy, first: &str, last: &str) -> Vec<Instant> {
    let from = rule.zone.day_start(date(first)).unwrap();
    let to = rule.zone.day_start(date(last).tomorrow().unwrap()).unwrap();
    list(rule, busy, from.plus_minutes(-1440), from, to).unwrap()
}

pub(super) fn list(
    rule: &Rule,
    busy: &Busy,
    now: Instant,
    from: Instant,
    to: Instant,
) -> Result<Vec<Instant>, SlotError> {
    let rule: PreparedRule = rule.prepare()?;
    let slots = compute_slots(&rule, busy, now, from, to)?;
    Ok(slots.into_iter().map(|slot| slot.start).collect())
}

/// Only the clock of each `MM-DDTHH:MM`.
pub(super) fn clocks(walls: &[String]) -> Vec<&str> {
    walls.iter().map(|wall| &wall[6..]).collect()
}

pub(super) fn busy(spans: &[Span]) -> Busy {
    Busy::new(spans.to_vec(), Vec::new(), Vec::new())
}

pub(super) fn free() -> Busy {
    Busy::default()
}
