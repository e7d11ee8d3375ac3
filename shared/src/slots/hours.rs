//! The windows of one date.
//!
//! A date has its override's ranges, or its weekday's windows. With `cross_midnight`:
//!
//! - A weekly window that touches midnight and the next weekday's window from 00:00 are one window,
//!   and it belongs to the date on which it begins. An override of that date replaces all of it,
//!   the part after midnight too. An override of the next date, a day off included, leaves that
//!   part alone.
//! - A range from 00:00 of an override joins what reaches midnight on the date before, whether
//!   that is an override or a weekly window, and runs to the later of the two ends.
//! - A whole day, 00:00 to 24:00, is nobody's tail, or a schedule that is open day and night would
//!   begin nowhere, and a day off could not close it. It begins a window of its own, for overrides
//!   and dates. A slot may run into it and out of it, and its grid continues that of the window it
//!   touches, up to seven days back; open for longer, each day's grid begins at its own 00:00.

use super::{
    civil_day,
    prepare::{DAY_MIN, Hours, PreparedRule},
};

const DAY: i64 = DAY_MIN as i64;
/// How many days a grid is followed back through whole days.
const MAX_CHAIN_DAYS: i64 = 7;

/// A window of a date, in minutes after the date's 00:00; numbers of 1440 and more are the next
/// day's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Open {
    /// Where the window begins.
    pub opens: i64,
    /// The first start of its grid that the date owns.
    pub first: i64,
    /// Starts are before here.
    pub starts_until: i64,
    /// Slots end by here.
    pub ends: i64,
}

impl PreparedRule {
    /// The windows that begin on a day.
    #[inline]
    pub(super) fn open(&self, day: i64) -> impl Iterator<Item = Open> {
        let mut own = self.own(day);
        if self.cross_midnight && self.continues_the_day_before(day) {
            own = own.get(1..).unwrap_or_default();
        }
        own.iter().map(move |&hours| {
            if self.cross_midnight && hours.end == DAY_MIN {
                self.across_midnight(day, hours)
            } else {
                Open::plain(hours)
            }
        })
    }

    /// Whether a date is a day off by an override.
    pub(super) fn is_day_off(&self, day: i64) -> bool {
        self.override_of(day).is_some_and(<[Hours]>::is_empty)
    }

    fn override_of(&self, day: i64) -> Option<&[Hours]> {
        let at = self
            .overrides
            .binary_search_by_key(&day, |held| held.0)
            .ok()?;
        self.overrides.get(at).map(|held| held.1.as_slice())
    }

    /// A date's own hours, without what the night before leaves in it.
    fn own(&self, day: i64) -> &[Hours] {
        self.override_of(day)
            .unwrap_or_else(|| &self.week[civil_day::weekday(day)].hours)
    }

    fn reaches_midnight(&self, day: i64) -> Option<Hours> {
        self.own(day)
            .last()
            .copied()
            .filter(|last| last.end == DAY_MIN)
    }

    /// Whether the date's first hours belong to the window of the date before.
    fn continues_the_day_before(&self, day: i64) -> bool {
        let first = self.own(day).first();
        first.is_some_and(|first| first.start == 0 && !first.is_whole_day())
            && self.reaches_midnight(day - 1).is_some()
    }

    /// A window that reaches midnight, with what it joins there.
    fn across_midnight(&self, day: i64, hours: Hours) -> Open {
        let opens = i64::from(hours.start);
        let tail = match self.override_of(day) {
            Some(_) => 0,
            None => i64::from(self.week[civil_day::weekday(day)].tail),
        };
        let (starts_until, ends) = match self.own(day + 1).first() {
            Some(next) if next.is_whole_day() => (DAY, 2 * DAY),
            Some(next) if next.start == 0 => {
                let ends = DAY + tail.max(i64::from(next.end));
                (ends, ends)
            }
            _ => (DAY + tail, DAY + tail),
        };
        let first = if hours.is_whole_day() {
            let step = self.step / civil_day::MINUTE;
            (self.grid_start(day)).rem_euclid(step)
        } else {
            opens
        };
        Open {
            opens,
            first,
            starts_until,
            ends,
        }
    }

    /// Where the grid of a whole day begins, in minutes after its 00:00: not after it.
    fn grid_start(&self, day: i64) -> i64 {
        for back in 1..=MAX_CHAIN_DAYS {
            match self.reaches_midnight(day - back) {
                Some(hours) if hours.is_whole_day() => {}
                Some(hours) => return i64::from(hours.start) - back * DAY,
                None => return (1 - back) * DAY,
            }
        }
        0
    }
}

impl Open {
    fn plain(hours: Hours) -> Self {
        let (opens, ends) = (i64::from(hours.start), i64::from(hours.end));
        Self {
            opens,
            first: opens,
            starts_until: ends,
            ends,
        }
    }
}
