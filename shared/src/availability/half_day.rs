//! The working-day rule: which half of the day the two clocks of a range mean.

use super::clock::{Clock, Half, NOON, Place, hh_mm};
use super::problem::ProblemCode;
use super::window::MINUTES_PER_DAY;

/// Why a range of two good clocks is none, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) code: ProblemCode,
    pub(super) suggestions: Vec<String>,
}

/// The start and end of a range in minutes from 0:00. Both clocks must be without faults.
///
/// An am or pm on one end holds for both, unless the other is noon, midnight, 0 or 13 to 24, or the
/// end would then not be after the start: then the other end is read as if nothing were marked.
/// With nothing marked, 1 to 7 is the afternoon, unless one end is on a 24-hour dial.
pub(super) fn resolve(start: &Clock, end: &Clock) -> Result<(u16, u16), Refusal> {
    let alone = unmarked(start, end);
    let carried = match (start.half, end.half) {
        (Some(half), None) if end.is_open() => (alone.0, carried_to_end(end, half)),
        (None, Some(half)) if start.is_open() => (start.minutes(Some(half), Place::Start), alone.1),
        _ => alone,
    };
    match [carried, alone].into_iter().find(|(from, to)| from < to) {
        Some(minutes) => Ok(minutes),
        None => Err(refusal(start, end, alone)),
    }
}

/// The end of a range whose start is marked. Only a 12am that was typed is the end of the day:
/// "9am-12" ends at noon.
fn carried_to_end(end: &Clock, half: Half) -> u16 {
    match end.minutes(Some(half), Place::End) {
        MINUTES_PER_DAY => NOON,
        minutes => minutes,
    }
}

/// Every clock by itself: as marked, or by the rule for unmarked clocks.
fn unmarked(start: &Clock, end: &Clock) -> (u16, u16) {
    let on_24_hours = start.is_24_hour() || end.is_24_hour();
    let half = |clock: &Clock| {
        if on_24_hours {
            clock.half
        } else {
            clock.working_half()
        }
    };
    (
        start.minutes(half(start), Place::Start),
        end.minutes(half(end), Place::End),
    )
}

fn refusal(start: &Clock, end: &Clock, minutes: (u16, u16)) -> Refusal {
    if end.is_zero() {
        let suggestions = vec![format!("{}-24:00", hh_mm(minutes.0))];
        return Refusal {
            code: ProblemCode::EndNotAfterStart,
            suggestions,
        };
    }
    let suggestions = readings(start, end);
    if !suggestions.is_empty() || minutes.0 == minutes.1 {
        return Refusal {
            code: ProblemCode::EndNotAfterStart,
            suggestions,
        };
    }
    Refusal {
        code: ProblemCode::Overnight,
        suggestions: split(start, end),
    }
}

/// The ways to mark the open clocks so that the range holds: within one half of the day if there
/// are such, else over noon.
fn readings(start: &Clock, end: &Clock) -> Vec<String> {
    let mut within = Vec::new();
    let mut over_noon = Vec::new();
    for first in choices(start, end) {
        for last in choices(end, start) {
            let from = start.minutes(first, Place::Start);
            let to = end.minutes(last, Place::End);
            if from >= to {
                continue;
            }
            let list = if (from < NOON) == (to <= NOON) {
                &mut within
            } else {
                &mut over_noon
            };
            list.push(format!("{}-{}", start.with(first), end.with(last)));
        }
    }
    if within.is_empty() { over_noon } else { within }
}

fn choices(clock: &Clock, other: &Clock) -> Vec<Option<Half>> {
    if clock.is_open() && !clock.is_24_hour() && !other.is_24_hour() {
        vec![Some(Half::Am), Some(Half::Pm)]
    } else {
        vec![clock.half]
    }
}

/// The two parts of a range over midnight. An open clock is taken as late before midnight and early
/// after it.
fn split(start: &Clock, end: &Clock) -> Vec<String> {
    let halves = |clock, other, night| match choices(clock, other).as_slice() {
        [given] => *given,
        _ => Some(night),
    };
    let from = start.minutes(halves(start, end, Half::Pm), Place::Start);
    let to = end.minutes(halves(end, start, Half::Am), Place::End);
    vec![
        format!("{}-24:00", hh_mm(from)),
        format!("00:00-{}", hh_mm(to)),
    ]
}
