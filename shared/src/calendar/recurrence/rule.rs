//! A rule and its dates, in civil time.
//!
//! The crate `rrule` does the expansion. It is fed wall times dressed as UTC, so that no zone of
//! its own (chrono-tz, an older table) has a part in it. COUNT and UNTIL are kept from it: it
//! would stop at its own limits without a word, and so an end of its dates before the asked one
//! always means that.

use chrono::{DateTime, Datelike as _, NaiveDate, TimeZone as _, Timelike as _};
use jiff::civil;
use rrule::{Frequency, NWeekday, RRule, RRuleSet, Tz, Validated};

use super::{
    budget::Steps,
    period::Period,
    rule_text::{self, Parts, RuleProblem},
    until::Until,
    why::Why,
};
use crate::instant::Instant;

/// The most dates that one period (a year, a month, …) of a rule may have.
const MAX_PER_PERIOD: usize = 10_000;

/// A rule with the start it belongs to.
pub(crate) struct Rule {
    start: civil::DateTime,
    rule: RRule<Validated>,
    period: Period,
    count: Option<u64>,
    until: Option<Until>,
    /// Whether DTSTART is a date.
    dates_only: bool,
    /// How many dates every whole period has, if that is the same for all.
    per_period: Option<u64>,
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
        check_size(&parts)?;
        let start_day = dress(start).map_or(chrono::Weekday::Mon, |start| start.weekday());
        correct(&mut parts, start_day)?;
        let per_period = dates_per_period(&parts);
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
        let dressed = dress(start).ok_or_else(|| RuleProblem::Refused("DTSTART".to_owned()))?;
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
            per_period,
        })
    }

    /// Whether UNTIL lets a date stand: its wall time and its instant.
    pub(crate) fn allows(&self, wall: civil::DateTime, at: Instant) -> bool {
        match self.until {
            None => true,
            Some(until) if self.dates_only => until.allows_date(wall.date()),
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
        let mut left = self.count;
        if let Some(count) = self.count
            && skipped > 0
        {
            if let Some(each) = self.per_period {
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
        let dressed = dress(begin).ok_or(Why::OutOfRange)?;
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
            let Some(date) = undress(&date) else {
                // After the year 9999, so after `to`.
                return Ok(());
            };
            let passed = self.period.whole_between(last, date).max(1);
            if !steps.take(u64::try_from(passed).unwrap_or_default()) {
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
}

/// A rule whose single period would fill the memory is not expanded.
fn check_size(parts: &Parts) -> Result<(), RuleProblem> {
    let days = match parts.frequency {
        Frequency::Yearly => 366,
        Frequency::Monthly => 31,
        Frequency::Weekly => 7,
        _ => 1,
    };
    let hours = match parts.frequency {
        Frequency::Hourly => 1,
        _ => parts.by_hour.len().max(1),
    };
    let times = hours * parts.by_minute.len().max(1) * parts.by_second.len().max(1);
    if days * times > MAX_PER_PERIOD {
        return Err(RuleProblem::TooOften);
    }
    Ok(())
}

/// What the crate reads otherwise than RFC 5545 is put in words that it reads rightly.
fn correct(parts: &mut Parts, start_day: chrono::Weekday) -> Result<(), RuleProblem> {
    last_but(parts);
    let numbered = |day: &NWeekday| matches!(day, NWeekday::Nth(..));
    if parts.by_day.iter().any(numbered) {
        let weeks = match parts.frequency {
            Frequency::Yearly if parts.by_week_no.is_empty() => {
                if parts.by_month.is_empty() {
                    53
                } else {
                    5
                }
            }
            Frequency::Monthly => 5,
            _ => return Err(RuleProblem::NumberedDays),
        };
        // The crate takes MO,2TU as "a Monday that is a second Tuesday"; it is either.
        if !parts.by_day.iter().all(numbered) {
            parts.by_day = parts
                .by_day
                .iter()
                .flat_map(|day| match *day {
                    NWeekday::Every(day) => (1..=weeks).map(|n| NWeekday::Nth(n, day)).collect(),
                    nth @ NWeekday::Nth(..) => vec![nth],
                })
                .collect();
        }
    }
    // The crate takes all seven days of the week; the day is DTSTART's, as all that the rule does
    // not say.
    let says_no_day =
        parts.by_day.is_empty() && parts.by_month_day.is_empty() && parts.by_year_day.is_empty();
    if !parts.by_week_no.is_empty() && says_no_day {
        parts.by_day.push(NWeekday::Every(start_day));
    }
    Ok(())
}

/// The crate refuses the fifth day from a month's end and the 53rd from a year's. Where nothing
/// else names days, that is such a weekday among the first days, counted from the end.
fn last_but(parts: &mut Parts) {
    let last = match parts.frequency {
        Frequency::Monthly => -5,
        Frequency::Yearly if parts.by_month.is_empty() => -53,
        _ => return,
    };
    let all = parts
        .by_day
        .iter()
        .all(|day| matches!(day, NWeekday::Nth(n, _) if *n == last));
    let alone = parts.by_month_day.is_empty()
        && parts.by_year_day.is_empty()
        && parts.by_week_no.is_empty();
    if parts.by_day.is_empty() || !all || !alone {
        return;
    }
    for day in &mut parts.by_day {
        if let NWeekday::Nth(_, weekday) = *day {
            *day = NWeekday::Every(weekday);
        }
    }
    if last == -5 {
        parts.by_month_day.extend([-31, -30, -29]);
    } else {
        parts.by_year_day.extend([-366, -365]);
    }
}

fn dates_per_period(parts: &Parts) -> Option<u64> {
    let limited = !parts.by_month.is_empty()
        || !parts.by_month_day.is_empty()
        || !parts.by_year_day.is_empty()
        || !parts.by_set_pos.is_empty();
    let days = match parts.frequency {
        _ if limited => return None,
        Frequency::Weekly => parts.by_day.len().max(1),
        Frequency::Daily if parts.by_day.is_empty() => 1,
        Frequency::Hourly if parts.by_day.is_empty() && parts.by_hour.is_empty() => 1,
        _ => return None,
    };
    let times =
        parts.by_hour.len().max(1) * parts.by_minute.len().max(1) * parts.by_second.len().max(1);
    u64::try_from(days * times).ok()
}

/// A wall time as the crate's UTC.
fn dress(wall: civil::DateTime) -> Option<DateTime<Tz>> {
    let date = NaiveDate::from_ymd_opt(
        wall.year().into(),
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

fn undress(date: &DateTime<Tz>) -> Option<civil::DateTime> {
    let date = date.naive_utc();
    civil::DateTime::new(
        i16::try_from(date.year()).ok()?,
        i8::try_from(date.month()).ok()?,
        i8::try_from(date.day()).ok()?,
        i8::try_from(date.hour()).ok()?,
        i8::try_from(date.minute()).ok()?,
        i8::try_from(date.second()).ok()?,
        0,
    )
    .ok()
}
