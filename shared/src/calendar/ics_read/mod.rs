//! Reads iCalendar files (RFC 5545) as people send them: with broken folds, names of zones that
//! Windows made up, and parts missing.
//!
//! Nothing is dropped in silence: what cannot be understood stays verbatim in the result with its
//! problem, and the strict reader of busy time fails on it.

mod block;
mod dates;
mod line;
mod unfold;
pub(super) mod value;
mod vevent;
mod vtimezone;
mod windows;

use std::collections::HashMap;

use crate::{
    calendar::{
        event::{Calendar, Override, Series},
        problem::{Fault, Problem},
    },
    zone::Zones,
};
use block::File;
use vevent::Read;
use vtimezone::FileZones;
pub(super) use vtimezone::YEARS as ZONE_YEARS;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 5 * 1_024 * 1_024;
/// The most content lines.
pub(super) const MAX_LINES: usize = 200_000;
/// The most events, overrides counted.
pub(super) const MAX_EVENTS: usize = 10_000;

/// The bytes are no calendar at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotACalendar {
    /// More than [`MAX_BYTES`].
    #[error("a calendar file of more than {} MiB is not read", MAX_BYTES / (1_024 * 1_024))]
    TooLarge,
    /// No `BEGIN:VCALENDAR`.
    #[error("not a calendar file: BEGIN:VCALENDAR is missing")]
    NoCalendar,
}

/// Reads a file.
///
/// # Errors
/// [`NotACalendar`], only if nothing can be made of it as a whole.
pub fn read(bytes: &[u8], zones: &Zones) -> Result<Calendar, NotACalendar> {
    if bytes.len() > MAX_BYTES {
        return Err(NotACalendar::TooLarge);
    }
    let lines = unfold::lines(bytes);
    let File {
        blocks,
        problems,
        found,
    } = block::split(&lines);
    if !found {
        return Err(NotACalendar::NoCalendar);
    }
    let mut file_zones = FileZones::new(zones, &blocks);
    let mut calendar = Calendar {
        problems,
        ..Calendar::default()
    };
    let mut masters: HashMap<String, Vec<usize>> = HashMap::new();
    let mut overrides = Vec::new();
    for block in blocks.iter().filter(|block| block.name == "VEVENT") {
        match vevent::read(block, &lines, &mut file_zones) {
            Read::Master(event) => {
                let same = event.uid.clone().map(|uid| masters.entry(uid).or_default());
                // A newer revision of the same event replaces it; the same UID twice at one
                // revision are two events of a careless writer.
                let known = same.as_ref().and_then(|same| same.last().copied());
                if let Some(at) = known
                    && let Some(held) = calendar.series.get_mut(at)
                    && held.master.sequence != event.sequence
                {
                    if held.master.sequence < event.sequence {
                        held.master = *event;
                    }
                    continue;
                }
                if let Some(same) = same {
                    same.push(calendar.series.len());
                }
                calendar.series.push(Series {
                    master: *event,
                    overrides: Vec::new(),
                });
            }
            Read::Override(change) => overrides.push(*change),
            Read::Unreadable(event) => calendar.unreadable.push(*event),
        }
    }
    attach(&mut calendar, &masters, overrides);
    Ok(calendar)
}

/// Gives each override to its series. One without a series is an event by itself.
fn attach(
    calendar: &mut Calendar,
    masters: &HashMap<String, Vec<usize>>,
    overrides: Vec<Override>,
) {
    let mut places: HashMap<(String, jiff::civil::DateTime, String, bool), usize> = HashMap::new();
    for mut change in overrides {
        if change.event.rrule.is_some() {
            change.event.problems.push(Problem {
                line: change.event.line,
                what: Fault::RuleInOverride,
                blocking: true,
            });
        }
        let series = change
            .event
            .uid
            .as_ref()
            .and_then(|uid| masters.get(uid)?.first().copied())
            .and_then(|at| calendar.series.get_mut(at));
        let Some(series) = series else {
            let replaces = (change.original, change.and_future);
            calendar.strays.push((calendar.series.len(), replaces));
            calendar.series.push(Series {
                master: change.event,
                overrides: Vec::new(),
            });
            continue;
        };
        let place = (
            change.event.uid.clone().unwrap_or_default(),
            change.original.wall(),
            format!("{:?}", change.original),
            change.and_future,
        );
        match places
            .get(&place)
            .and_then(|at| series.overrides.get_mut(*at))
        {
            // The later line wins among equals.
            Some(held) if held.event.sequence <= change.event.sequence => *held = change,
            Some(_) => {}
            None => {
                places.insert(place, series.overrides.len());
                series.overrides.push(change);
            }
        }
    }
}

#[cfg(test)]
mod tests;
