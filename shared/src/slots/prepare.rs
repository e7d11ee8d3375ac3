//! A rule, checked, with its weekly table built and its dates turned into numbers.

use jiff::civil;

use crate::{
    instant::{Instant, Span},
    zone::Zone,
};

use super::{
    civil_day::{self, MINUTE},
    error::SlotError,
    rule::{DstPolicy, Limits, Rule},
};

const MAX_SLOT_MIN: u32 = 480;
const MAX_BUFFER_MIN: u32 = 1440;
/// Minutes of a civil day on the wall.
pub(super) const DAY_MIN: u16 = 1440;

/// Wall minutes of one date, `[start, end)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hours {
    pub start: u16,
    pub end: u16,
}

/// A weekday's windows.
#[derive(Clone, Debug, Default)]
pub(super) struct Weekday {
    /// The windows that begin on it, merged, in order.
    pub hours: Vec<Hours>,
    /// How far its last window runs into the next day, minutes; only where it may cross midnight.
    pub tail: u16,
}

/// A rule that [`compute_slots`](super::compute_slots) can run: checked once, used many times.
#[derive(Clone, Debug)]
pub struct PreparedRule {
    pub(super) zone: Zone,
    pub(super) week: [Weekday; 7],
    /// By day number, in order.
    pub(super) overrides: Vec<(i64, Vec<Hours>)>,
    /// Instants in microseconds, by start.
    pub(super) available: Vec<(i64, i64)>,
    pub(super) cross_midnight: bool,
    pub(super) duration: i64,
    pub(super) step: i64,
    pub(super) before: i64,
    pub(super) after: i64,
    pub(super) notice: i64,
    pub(super) horizon_days: u32,
    /// The first and the last day that is offered.
    pub(super) bookable: (i64, i64),
    pub(super) policy: DstPolicy,
    pub(super) limits: Limits,
}

impl Rule {
    /// Checks the rule and builds what the engine needs.
    ///
    /// # Errors
    /// The first [`SlotError`] among duration, step, buffers, windows, overrides, exceptions and
    /// bookable dates.
    pub fn prepare(&self) -> Result<PreparedRule, SlotError> {
        let duration_min = self.duration_min;
        if !(1..=MAX_SLOT_MIN).contains(&duration_min) {
            return Err(SlotError::DurationOutOfRange {
                minutes: duration_min,
            });
        }
        if !(1..=MAX_SLOT_MIN).contains(&self.step_min) {
            return Err(SlotError::StepOutOfRange {
                minutes: self.step_min,
            });
        }
        for minutes in [self.before_buffer_min, self.after_buffer_min] {
            if minutes > MAX_BUFFER_MIN {
                return Err(SlotError::BufferOutOfRange { minutes });
            }
        }
        Ok(PreparedRule {
            zone: self.zone.clone(),
            week: self.week()?,
            overrides: self.override_days()?,
            available: self.available_spans()?,
            cross_midnight: self.cross_midnight,
            duration: i64::from(duration_min) * MINUTE,
            step: i64::from(self.step_min) * MINUTE,
            before: i64::from(self.before_buffer_min) * MINUTE,
            after: i64::from(self.after_buffer_min) * MINUTE,
            notice: i64::from(self.notice_min) * MINUTE,
            horizon_days: self.horizon_days,
            bookable: bookable(self.bookable_from, self.bookable_until)?,
            policy: self.dst_policy,
            limits: self.limits,
        })
    }

    /// The last date of a reader's zone on which a slot may start, by the horizon and the bookable
    /// dates: a calendar need not show later ones. Nothing need be free on it.
    #[must_use]
    pub fn last_date(&self, now: Instant, reader: &Zone) -> civil::Date {
        let length = i64::from(self.duration_min);
        let by_horizon = latest(&self.zone, self.horizon_days, now).plus_minutes(-length);
        // The last date's windows may run into the next one, where they may cross midnight.
        let days = if self.cross_midnight { 2 } else { 1 };
        let by_dates = self.bookable_until.and_then(|until| {
            let after = until.checked_add(jiff::Span::new().days(days)).ok()?;
            Some(self.zone.day_start(after).ok()?.plus_minutes(-1))
        });
        reader.date(by_dates.map_or(by_horizon, |by_dates| by_horizon.min(by_dates)))
    }

    fn week(&self) -> Result<[Weekday; 7], SlotError> {
        let mut week: [Weekday; 7] = Default::default();
        for window in &self.windows {
            let (weekday, start, end) = (window.weekday, window.start_min, window.end_min);
            let day = week
                .get_mut(usize::from(weekday))
                .ok_or(SlotError::WeekdayOutOfRange { weekday })?;
            let hours = Hours::new(start, end).ok_or(SlotError::WindowInverted {
                weekday,
                start_min: start,
                end_min: end,
            })?;
            day.hours.push(hours);
        }
        for day in &mut week {
            merge(&mut day.hours);
        }
        if self.cross_midnight {
            give_tails(&mut week);
        }
        Ok(week)
    }

    fn override_days(&self) -> Result<Vec<(i64, Vec<Hours>)>, SlotError> {
        let day = |(&date, ranges): (&civil::Date, &Vec<(u16, u16)>)| {
            let read = |&(start_min, end_min): &(u16, u16)| {
                Hours::new(start_min, end_min).ok_or(SlotError::OverrideInverted {
                    date,
                    start_min,
                    end_min,
                })
            };
            let mut hours = ranges.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            merge(&mut hours);
            Ok((civil_day::number(date), hours))
        };
        self.overrides.iter().map(day).collect()
    }

    fn available_spans(&self) -> Result<Vec<(i64, i64)>, SlotError> {
        let read = |&Span { from, to }: &Span| {
            if from < to {
                Ok((from.as_microsecond(), to.as_microsecond()))
            } else {
                Err(SlotError::SpanInverted { from, to })
            }
        };
        let mut spans = self
            .available
            .iter()
            .map(read)
            .collect::<Result<Vec<_>, _>>()?;
        spans.sort_unstable();
        Ok(spans)
    }
}

impl PreparedRule {
    /// The zone that the rule is read in.
    #[must_use]
    pub const fn zone(&self) -> &Zone {
        &self.zone
    }

    /// The earliest start that the notice allows, in microseconds.
    pub(super) fn earliest(&self, now: Instant) -> i64 {
        now.as_microsecond().saturating_add(self.notice)
    }

    /// The latest end that the horizon allows, in microseconds.
    pub(super) fn latest(&self, now: Instant) -> i64 {
        latest(&self.zone, self.horizon_days, now).as_microsecond()
    }
}

/// The latest end that a horizon allows: the same wall time so many calendar days ahead, moved
/// forward out of a gap, the earlier of a fold. The end of jiff's time if the horizon lies beyond
/// it.
fn latest(zone: &Zone, horizon_days: u32, now: Instant) -> Instant {
    let ahead = jiff::SignedDuration::from_hours(24 * i64::from(horizon_days));
    let wall = zone.wall(now).checked_add(ahead);
    wall.and_then(|wall| zone.instant(wall))
        .unwrap_or_else(|_| civil_day::instant(i64::MAX))
}

impl Hours {
    fn new(start: u16, end: u16) -> Option<Self> {
        (start < end && end <= DAY_MIN).then_some(Self { start, end })
    }

    /// Whether it is the whole civil day.
    pub(super) const fn is_whole_day(self) -> bool {
        self.start == 0 && self.end == DAY_MIN
    }
}

/// Sorts, and joins what overlaps or touches.
fn merge(hours: &mut Vec<Hours>) {
    hours.sort_unstable();
    hours.dedup_by(|next, held| {
        let joined = next.start <= held.end;
        if joined {
            held.end = held.end.max(next.end);
        }
        joined
    });
}

/// Moves a window from 00:00 to the weekday before it, if that one is open until 24:00. A whole
/// day is nobody's tail: see [`hours`](super::hours).
fn give_tails(week: &mut [Weekday; 7]) {
    let until_midnight: [bool; 7] = std::array::from_fn(|day| {
        week[day]
            .hours
            .last()
            .is_some_and(|last| last.end == DAY_MIN)
    });
    for day in 0..7 {
        let next = &mut week[(day + 1) % 7].hours;
        let tail = next
            .first()
            .copied()
            .filter(|first| first.start == 0 && !first.is_whole_day());
        if let (true, Some(tail)) = (until_midnight[day], tail) {
            next.remove(0);
            week[day].tail = tail.end;
        }
    }
}

fn bookable(
    from: Option<civil::Date>,
    until: Option<civil::Date>,
) -> Result<(i64, i64), SlotError> {
    if let (Some(from), Some(until)) = (from, until)
        && until < from
    {
        return Err(SlotError::BookableDatesInverted { from, until });
    }
    Ok((
        from.map_or(i64::MIN, civil_day::number),
        until.map_or(i64::MAX, civil_day::number),
    ))
}
