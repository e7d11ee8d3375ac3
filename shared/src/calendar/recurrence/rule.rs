//! A rule and its dates, in civil time.
//!
//! The crate `rrule` does the expansion. It is fed wall times dressed as UTC, so that no zone of
//! its own (chrono-tz, an older table) has a part in it. COUNT and UNTIL are kept from it: it
//! would stop at its own limits without a word, and so an end of its dates before the asked one
//! always means that.
//!
//! It looks for a next date up to the year 10000, which takes long if there is none. The calendar
//! comes round every 400 years, weekdays included, so it is asked some cycles later than meant.

use chrono::{DateTime, Datelike as _, NaiveDate, TimeZone as _, Timelike as _};
use jiff::civil;
use rrule::{Frequency, RRule, RRuleSet, Tz, Validated};

use super::{
    budget::Steps,
    correction::correct,
    density::{self, Density},
    period::Period,
    rule_text::{self, RuleProblem},
    until::Until,
    why::Why,
};
use crate::instant::Instant;

/// The years after which the Gregorian calendar comes round.
const CYCLE_YEARS: i16 = 400;
/// The last year of which the crate tells all dates.
const LAST_YEAR: i16 = 9_999;

/// A rule with the start it belongs to.
pub(crate) struct Rule {
    start: civil::DateTime,
    rule: RRule<Validated>,
    period: Period,
    count: Option<u64>,
    until: Option<Until>,
    /// Whether DTSTART is a date.
    dates_only: bool,
    density: Density,
}

impl Rule {
    /// Reads a rule. `start` is DTSTART on its own clock; `dates` says that it is a date.
    pub(crate) fn read(
        text: &str,
        start: civil::DateTime,
        dates: bool,
    ) -> Result<Self, RuleProblem> {
        let mut parts = rule_text::read(text)?;
        if dates {
            if parts.frequency == Frequency::Hourly {
                return Err(RuleProblem::HourlyDates);
            }
            // RFC 5545, section 3.3.10: ignored with a date.
            parts.by_hour.clear();
            parts.by_minute.clear();
            parts.by_second.clear();
        }
        let start_day = dress(start, 0).map_or(chrono::Weekday::Mon, |start| start.weekday());
        correct(&mut parts, start_day)?;
        let density = density::of(&parts, start.date())?;
        let months: Vec<chrono::Month> = parts
            .by_month
            .iter()
            .map(|month| {
                chrono::Month::try_from(*month).map_err(|_| RuleProblem::Value {
                    part: "BYMONTH",
                    value: month.to_string(),
                })
            })
            .collect::<Result<_, _>>()?;
        let unchecked = RRule::new(parts.frequency)
            .interval(parts.interval)
            .week_start(parts.week_start)
            .by_second(parts.by_second)
            .by_minute(parts.by_minute)
            .by_hour(parts.by_hour)
            .by_weekday(parts.by_day)
            .by_month_day(parts.by_month_day)
            .by_year_day(parts.by_year_day)
            .by_week_no(parts.by_week_no)
            .by_month(&months)
            .by_set_pos(parts.by_set_pos);
        let dressed = dress(start, 0).ok_or_else(|| RuleProblem::Refused("DTSTART".to_owned()))?;
        // Checked with the true start, which fills in what the rule leaves to it: a start that is
        // moved later cannot change that.
        let rule = unchecked
            .validate(dressed)
            .map_err(|error| RuleProblem::Refused(error.to_string()))?;
        Ok(Self {
            start,
            period: Period {
                frequency: parts.frequency,
                interval: i64::from(parts.interval),
                week_start: parts.week_start,
            },
            rule,
            count: parts.count,
            until: parts.until,
            dates_only: dates,
            density,
        })
    }

    /// Whether UNTIL lets a date stand: its wall time and its instant.
    pub(crate) fn allows(&self, wall: civil::DateTime, at: Instant) -> bool {
        match self.until {
            None => true,
            Some(until) if self.dates_only => until.allows_date(wall.date(), at),
            Some(until) => until.allows(wall, at),
        }
    }

    /// Adds the rule's dates in `[from, to)`, in order. COUNT is respected, UNTIL only roughly
    /// (its instant is for the caller, who knows the clock).
    ///
    /// Whole periods before `from` are skipped by arithmetic. With COUNT that needs a rule whose
    /// periods all have the same number of dates; else they are counted one by one.
    pub(crate) fn dates(
        &self,
        from: civil::DateTime,
        to: civil::DateTime,
        steps: &mut Steps,
        out: &mut Vec<civil::DateTime>,
    ) -> Result<(), Why> {
        let from = from.max(self.start);
        let to = self.until.map_or(to, |until| to.min(until.bound()));
        if from >= to {
            return Ok(());
        }
        let first = self.period.start_of(self.start).ok_or(Why::OutOfRange)?;
        let mut skipped = self.period.whole_between(first, from);
        let mut left = self.count_before(first, to);
        if let Some(count) = left
            && skipped > 0
        {
            if let Some(each) = self.density.each {
                let second = self.period.after(first, 1).ok_or(Why::OutOfRange)?;
                let mut in_first = Vec::new();
                self.walk(first, (self.start, second), None, steps, &mut in_first)?;
                let in_first = u64::try_from(in_first.len()).unwrap_or(u64::MAX);
                let whole = u64::try_from(skipped - 1).unwrap_or_default();
                let used = in_first.saturating_add(whole.saturating_mul(each));
                if used >= count {
                    return Ok(());
                }
                left = Some(count - used);
            } else {
                skipped = 0;
            }
        }
        let begin = self.period.after(first, skipped).ok_or(Why::OutOfRange)?;
        self.walk(begin, (from, to), left, steps, out)
    }

    /// COUNT, unless the periods up to `to` cannot have so many dates.
    fn count_before(&self, first: civil::DateTime, to: civil::DateTime) -> Option<u64> {
        let periods = u64::try_from(self.period.whole_between(first, to)).unwrap_or(u64::MAX);
        let most = periods.saturating_add(1).saturating_mul(self.density.most);
        self.count.filter(|count| *count < most)
    }

    /// Walks from the beginning of a period and keeps what lies in the window. Dates before
    /// DTSTART are none of the rule's.
    fn walk(
        &self,
        begin: civil::DateTime,
        (from, to): (civil::DateTime, civil::DateTime),
        mut left: Option<u64>,
        steps: &mut Steps,
        out: &mut Vec<civil::DateTime>,
    ) -> Result<(), Why> {
        let later = self.later(to);
        let dressed = dress(begin, later).ok_or(Why::OutOfRange)?;
        // Limited, so that one `next` looks at no more than 100,000 empty periods.
        let set = RRuleSet::new(dressed).rrule(self.rule.clone()).limit();
        let mut last = begin;
        let mut dates = (&set).into_iter();
        while left != Some(0) {
            if !steps.are_left() {
                return Err(Why::Steps);
            }
            let Some(date) = dates.next() else {
                steps.exhaust();
                return Err(Why::NeverMatches);
            };
            let Some(date) = undress(&date, later) else {
                // After the year 9999, so after `to`.
                return Ok(());
            };
            let passed = u64::try_from(self.period.whole_between(last, date)).unwrap_or_default();
            if !steps.take(passed.saturating_mul(self.density.steps).max(1)) {
                return Err(Why::Steps);
            }
            last = date;
            if date >= to {
                return Ok(());
            }
            if date < self.start {
                continue;
            }
            if let Some(left) = &mut left {
                *left -= 1;
            }
            if date >= from {
                out.push(date);
            }
        }
        Ok(())
    }

    /// How many years later the crate is asked, so that it looks for no more than two cycles
    /// beyond `to`. Not at all for periods so long that it could then miss the next.
    fn later(&self, to: civil::DateTime) -> i16 {
        if self.period.is_long() {
            return 0;
        }
        let cycles = (LAST_YEAR - CYCLE_YEARS - to.year()).max(0) / CYCLE_YEARS;
        cycles * CYCLE_YEARS
    }
}

/// A wall time, so many years later, as the crate's UTC.
fn dress(wall: civil::DateTime, later: i16) -> Option<DateTime<Tz>> {
    let date = NaiveDate::from_ymd_opt(
        i32::from(wall.year()) + i32::from(later),
        wall.month().unsigned_abs().into(),
        wall.day().unsigned_abs().into(),
    )?;
    let time = date.and_hms_opt(
        wall.hour().unsigned_abs().into(),
        wall.minute().unsigned_abs().into(),
        wall.second().unsigned_abs().into(),
    )?;
    Some(Tz::UTC.from_utc_datetime(&time))
}

fn undress(date: &DateTime<Tz>, later: i16) -> Option<civil::DateTime> {
    let date = date.naive_utc();
    civil::DateTime::new(
        i16::try_from(date.year() - i32::from(later)).ok()?,
        i8::try_from(date.month()).ok()?,
        i8::try_from(date.day()).ok()?,
        i8::try_from(date.hour()).ok()?,
        i8::try_from(date.minute()).ok()?,
        i8::try_from(date.second()).ok()?,
        0,
    )
    .ok()
}
