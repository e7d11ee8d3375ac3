//! The walk over every start that windows and exceptions put on a grid.

use crate::instant::Instant;

use super::{
    civil_day::{self, DAY, MINUTE},
    compute::Slot,
    dst::{Clash, settle},
    offsets::Offsets,
    prepare::PreparedRule,
    quotas,
};

/// A place on a grid whose clocks are in order: a slot, unless the judge refuses it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The day that it belongs to: the date on which its window began, or, in an exception, the
    /// date of its start.
    pub owner: i64,
    /// The wall time of its start.
    pub wall: i64,
    /// UTC.
    pub start: i64,
    /// UTC.
    pub end: i64,
}

/// Who wants to see the candidates.
pub(super) trait Visit {
    /// A candidate, in no promised order.
    fn candidate(&mut self, candidate: Candidate);
    /// A place on a grid where the clocks allow no slot, on a day that the walk touches.
    fn clash(&mut self, _wall: i64, _why: Clash) {}
}

impl Candidate {
    /// The slot that it is; `None` outside jiff's range of time.
    #[inline]
    pub(super) fn slot(&self) -> Option<Slot> {
        Some(Slot {
            start: Instant::from_microsecond(self.start)?,
            end: Instant::from_microsecond(self.end)?,
        })
    }
}

/// Shows every candidate that starts from `lo` to before `hi`, instants in microseconds.
///
/// `offsets` are those of [`offsets_for`] the same range.
pub(super) fn walk(
    rule: &PreparedRule,
    offsets: &Offsets,
    lo: i64,
    hi: i64,
    visit: &mut impl Visit,
) {
    if lo < hi {
        walk_windows(rule, offsets, lo, hi, visit);
        walk_exceptions(rule, offsets, lo, hi, visit);
    }
}

/// The offsets that a walk from `lo` to `hi` needs. Ends of slots, neighbouring changes of the
/// clock and bookings that count for limits lie outside the range itself.
pub(super) fn offsets_for(rule: &PreparedRule, lo: i64, hi: i64) -> Offsets {
    let margin = quotas::margin_days(rule.limits).max(3) * DAY;
    Offsets::over(
        &rule.zone,
        lo.saturating_sub(margin),
        hi.saturating_add(margin),
    )
}

/// The days whose windows can hold a start from `lo` to before `hi`.
pub(super) fn days(rule: &PreparedRule, offsets: &Offsets, lo: i64, hi: i64) -> (i64, i64) {
    let (first, last) = offsets.walls(lo, hi);
    let night = i64::from(rule.cross_midnight);
    (civil_day::of_wall(first) - night, civil_day::of_wall(last))
}

fn walk_windows(rule: &PreparedRule, offsets: &Offsets, lo: i64, hi: i64, visit: &mut impl Visit) {
    let (first_day, last_day) = days(rule, offsets, lo, hi);
    let mut cursor = 0;
    for day in first_day..=last_day {
        let midnight = day * DAY;
        for open in rule.open(day) {
            let mut wall = midnight + open.first * MINUTE;
            let last = (midnight + open.ends * MINUTE - rule.duration)
                .min(midnight + open.starts_until * MINUTE - 1);
            while wall <= last {
                match start_of(rule, offsets, &mut cursor, wall, midnight + DAY) {
                    Ok(start) if start >= lo && start < hi => visit.candidate(Candidate {
                        owner: day,
                        wall,
                        start,
                        end: start + rule.duration,
                    }),
                    Ok(_) => {}
                    Err(why) => visit.clash(wall, why),
                }
                wall += rule.step;
            }
        }
    }
}

/// The instant of a place in a window's grid.
#[inline]
fn start_of(
    rule: &PreparedRule,
    offsets: &Offsets,
    cursor: &mut usize,
    wall: i64,
    midnight: i64,
) -> Result<i64, Clash> {
    let stretch = offsets.near(wall, cursor);
    // Away from a change both policies come to the same sum.
    if stretch.clear_from <= wall && wall + rule.duration < stretch.clear_to {
        return Ok(wall - stretch.offset);
    }
    let midnight = (!rule.cross_midnight).then_some(midnight);
    settle(offsets, rule.policy, wall, rule.duration, midnight)
}

fn walk_exceptions(
    rule: &PreparedRule,
    offsets: &Offsets,
    lo: i64,
    hi: i64,
    visit: &mut impl Visit,
) {
    let mut cursor = 0;
    for &(from, to) in &rule.available {
        if from >= hi {
            break;
        }
        let skipped = (lo.max(from) - from + rule.step - 1) / rule.step;
        let mut start = from + skipped * rule.step;
        while start < hi && start + rule.duration <= to {
            let wall = start + offsets.at(start, &mut cursor).offset;
            match settle(offsets, rule.policy, wall, rule.duration, None) {
                Ok(settled) if settled == start => visit.candidate(Candidate {
                    owner: civil_day::of_wall(wall),
                    wall,
                    start,
                    end: start + rule.duration,
                }),
                // The second pass of an hour that counts as its first.
                Ok(_) => visit.clash(wall, Clash::StartTwice),
                Err(why) => visit.clash(wall, why),
            }
            start += rule.step;
        }
    }
}
