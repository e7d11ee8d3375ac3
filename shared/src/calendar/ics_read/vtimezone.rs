//! The zones of a file: by the table, by Windows' names, or by the file's own rules (RFC 5545,
//! section 3.6.5).

use std::{collections::HashMap, sync::Arc};

use jiff::{civil, tz::Offset};

use super::{block::Block, dates, value, windows};
use crate::{
    calendar::{
        event::Moment,
        event_clock::{Clock, CustomZone},
        problem::{Fault, excerpt},
        recurrence::{Rule, Steps},
    },
    instant::Instant,
    zone::Zones,
};

/// The changes of a zone are worked out between these years.
pub(in crate::calendar) const YEARS: (i16, i16) = (1900, 2200);
/// The furthest that a clock is from UTC, in seconds. The furthest of the table, Manila's before
/// 1845, is four minutes less; looking for occurrences relies on a bound.
const MAX_OFFSET_SECS: i32 = 16 * 3_600;
/// The steps that all zones of a file may take together.
const STEPS: u64 = 100_000;

/// The zones that a file may name.
pub(super) struct FileZones<'a> {
    table: &'a Zones,
    /// VTIMEZONE by calendar and TZID: the component, then its observances.
    defined: HashMap<(usize, &'a str), Vec<&'a Block<'a>>>,
    known: HashMap<(usize, String), Result<Clock, Fault>>,
    steps: Steps,
}

impl<'a> FileZones<'a> {
    pub fn new(table: &'a Zones, blocks: &'a [Block<'a>]) -> Self {
        let mut defined: HashMap<_, Vec<&Block<'_>>> = HashMap::new();
        let mut current = None;
        for block in blocks {
            match block.name {
                "VTIMEZONE" => {
                    let name = property(block, "TZID").map(str::trim);
                    current = name.map(|name| (block.calendar, name));
                    if let Some(key) = current {
                        defined.insert(key, vec![block]);
                    }
                }
                "VEVENT" => current = None,
                _ => {
                    if let Some(parts) = current.and_then(|key| defined.get_mut(&key)) {
                        parts.push(block);
                    }
                }
            }
        }
        Self {
            table,
            defined,
            known: HashMap::new(),
            steps: Steps::new(STEPS),
        }
    }

    /// The clock that a TZID of a calendar of the file means.
    pub fn clock(&mut self, calendar: usize, name: &str) -> Result<Clock, Fault> {
        let name = name.trim();
        let key = (calendar, name.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let clock = self.find(calendar, name);
        self.known.insert(key, clock.clone());
        clock
    }

    fn find(&mut self, calendar: usize, name: &str) -> Result<Clock, Fault> {
        let defined = self.defined.get(&(calendar, name)).cloned();
        // `EST` or `GMT` say no place; if the file says what it means by them, that counts.
        let by_name = if name.contains('/') || defined.is_none() {
            self.named(name)
        } else {
            windows::zone(name).and_then(|zone| self.named(zone))
        };
        if let Some(clock) = by_name {
            return Ok(clock);
        }
        let Some(parts) = defined else {
            return self
                .named(name)
                .ok_or_else(|| Fault::UnknownZone(excerpt(name)));
        };
        let place = parts
            .first()
            .and_then(|zone| property(zone, "X-LIC-LOCATION"));
        if let Some(clock) = place.and_then(|place| self.named(place.trim())) {
            return Ok(clock);
        }
        custom(name, &parts, &mut self.steps)
            .map(|zone| Clock::Custom(Arc::new(zone)))
            .ok_or_else(|| Fault::ZoneRules(excerpt(name)))
    }

    /// A name of the table or of Windows, also behind a registry's prefix (section 3.8.3.1):
    /// `/mozilla.org/20050126_1/Europe/Berlin`.
    fn named(&self, name: &str) -> Option<Clock> {
        let name = windows::zone(name).unwrap_or(name);
        if let Ok(zone) = self.table.get(name) {
            return Some(Clock::Zone(zone));
        }
        let global = name.strip_prefix('/')?;
        let mut tails = global
            .match_indices('/')
            .filter_map(|(at, _)| global.get(at + 1..));
        let whole = std::iter::once(global);
        whole
            .chain(&mut tails)
            .filter(|tail| tail.contains('/'))
            .find_map(|tail| self.table.get(tail).ok())
            .map(Clock::Zone)
    }
}

fn property<'a>(block: &Block<'a>, name: &str) -> Option<&'a str> {
    block
        .lines
        .iter()
        .find(|line| line.name == name)
        .map(|line| line.value)
}

/// A zone by the observances of its VTIMEZONE. `None` if they cannot be followed exactly.
fn custom(name: &str, parts: &[&Block<'_>], steps: &mut Steps) -> Option<CustomZone> {
    let year = |year| civil::Date::new(year, 1, 1).ok();
    let (first, last) = (year(YEARS.0)?, year(YEARS.1)?);
    let (zone, observances) = parts.split_first()?;
    if observances.is_empty() || !zone.problems.is_empty() {
        return None;
    }
    let mut changes: Vec<(Instant, Offset)> = Vec::new();
    let mut earliest: Option<(Instant, Offset)> = None;
    for observance in observances {
        if !observance.problems.is_empty() {
            return None;
        }
        let offset = |name| {
            value::offset(property(observance, name)?)
                .filter(|offset| offset.seconds().abs() <= MAX_OFFSET_SECS)
        };
        let (before, after) = (offset("TZOFFSETFROM")?, offset("TZOFFSETTO")?);
        let start = match value::moment(property(observance, "DTSTART")?, Clock::Floating)? {
            Moment::Time { wall, .. } => wall,
            Moment::Date(date) => date.at(0, 0, 0, 0),
        };
        let onset = |wall| before.to_timestamp(wall).ok().map(Instant::new);
        let begins = onset(start)?;
        if earliest.is_none_or(|known| begins < known.0) {
            earliest = Some((begins, before));
        }
        changes.push((begins, after));
        for line in &observance.lines {
            match line.name.as_str() {
                "RRULE" => {
                    let rule = Rule::read(line.value, start, false).ok()?;
                    let mut walls = Vec::new();
                    rule.dates(first.at(0, 0, 0, 0), last.at(0, 0, 0, 0), steps, &mut walls)
                        .ok()?;
                    for wall in walls {
                        let at = onset(wall)?;
                        if rule.allows(wall, at) {
                            changes.push((at, after));
                        }
                    }
                }
                "RDATE" => {
                    let texts = line.value.split(',');
                    for text in texts {
                        steps.take(1).then_some(())?;
                        let moment = value::moment(text, Clock::Floating)?;
                        changes.push((onset(moment.wall())?, after));
                    }
                }
                _ => {}
            }
        }
        let allowed = changes.len() <= 4 * dates::MAX_DATES;
        (allowed && steps.take(1)).then_some(())?;
    }
    let known_to = Offset::UTC.to_timestamp(last.at(0, 0, 0, 0)).ok()?;
    Some(CustomZone::new(
        name.to_owned(),
        earliest?.1,
        changes,
        known_to.into(),
    ))
}
