//! Limits: how many bookings a day, a week and a month hold.

use jiff::civil;

use crate::instant::Instant;

use super::{
    civil_day::{self, DAY},
    offsets::Offsets,
    reason::Period,
    rule::Limits,
};

/// The bookings counted against each limit of a rule, for the days of one question.
#[derive(Debug, Default)]
pub(super) struct Quotas {
    tallies: Vec<Tally>,
}

/// One limit, with the count of each of its periods.
#[derive(Debug)]
struct Tally {
    period: Period,
    limit: u32,
    /// First days of months, only for months.
    months: Vec<i64>,
    /// The number of the period that `counts` begins with.
    first: i64,
    counts: Vec<u32>,
}

/// How many days before and after a question bookings may count: the rest of a week or a month,
/// and two days for offsets.
pub(super) const fn margin_days(limits: Limits) -> i64 {
    match limits {
        Limits {
            per_day: None,
            per_week: None,
            per_month: None,
        } => 0,
        Limits {
            per_week: None,
            per_month: None,
            ..
        } => 2,
        Limits {
            per_month: None, ..
        } => 8,
        Limits { .. } => 33,
    }
}

impl Quotas {
    /// Counts `starts`, which are in order, for the days from `first` to `last`.
    ///
    /// `offsets` must cover those days and [`margin_days`] around them.
    pub(super) fn count(
        limits: Limits,
        starts: &[Instant],
        offsets: &Offsets,
        (first, last): (i64, i64),
    ) -> Self {
        let wanted = [
            (Period::Day, limits.per_day),
            (Period::Week, limits.per_week),
            (Period::Month, limits.per_month),
        ];
        let mut tallies: Vec<Tally> = wanted
            .into_iter()
            .filter_map(|(period, limit)| Some(Tally::new(period, limit?, first, last)))
            .collect();
        if tallies.is_empty() {
            return Self { tallies };
        }
        let margin = margin_days(limits) * DAY;
        let from = (first * DAY).saturating_sub(margin);
        let to = (last * DAY).saturating_add(margin);
        let skip = starts.partition_point(|start| start.as_microsecond() < from);
        let mut cursor = 0;
        for start in &starts[skip..] {
            let start = start.as_microsecond();
            if start > to {
                break;
            }
            let day = civil_day::of_wall(start + offsets.at(start, &mut cursor).offset);
            for tally in &mut tallies {
                tally.add(day);
            }
        }
        Self { tallies }
    }

    /// Whether nothing is limited.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// The limits that a day has reached: which, and how many bookings there are.
    pub(super) fn reached(&self, day: i64) -> impl Iterator<Item = (Period, u32, u32)> {
        self.tallies.iter().filter_map(move |tally| {
            let booked = tally.booked(day);
            (booked >= tally.limit).then_some((tally.period, tally.limit, booked))
        })
    }
}

impl Tally {
    fn new(period: Period, limit: u32, first: i64, last: i64) -> Self {
        let mut tally = Self {
            period,
            limit,
            months: Vec::new(),
            first: 0,
            counts: Vec::new(),
        };
        if period == Period::Month {
            tally.months = months(first, last);
        }
        tally.first = tally.number(first);
        let periods = tally.number(last) - tally.first + 1;
        tally.counts = vec![0; usize::try_from(periods).unwrap_or(0)];
        tally
    }

    /// The number of the period that a day is in.
    fn number(&self, day: i64) -> i64 {
        match self.period {
            Period::Day => day,
            // Day 0 was a Thursday; weeks begin on Monday.
            Period::Week => (day + 3).div_euclid(7),
            Period::Month => {
                let begun = self.months.partition_point(|&first| first <= day);
                i64::try_from(begun).unwrap_or(i64::MAX)
            }
        }
    }

    fn slot_of(&self, day: i64) -> Option<usize> {
        usize::try_from(self.number(day) - self.first).ok()
    }

    fn add(&mut self, day: i64) {
        if let Some(at) = self.slot_of(day)
            && let Some(count) = self.counts.get_mut(at)
        {
            *count = count.saturating_add(1);
        }
    }

    fn booked(&self, day: i64) -> u32 {
        self.slot_of(day)
            .and_then(|at| self.counts.get(at))
            .copied()
            .unwrap_or(0)
    }
}

/// The first days of the months from that of `first` to the one after that of `last`, so that the
/// days around fall into months of their own.
fn months(first: i64, last: i64) -> Vec<i64> {
    let mut months = Vec::new();
    let mut month = civil_day::date(first).first_of_month();
    loop {
        let day = civil_day::number(month);
        months.push(day);
        let next: Result<civil::Date, _> = month.last_of_month().tomorrow();
        match next {
            Ok(next) if day <= last => month = next,
            _ => return months,
        }
    }
}
