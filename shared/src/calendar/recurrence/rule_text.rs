//! The text of a recurrence rule (RFC 5545, section 3.3.10), read into its parts.
//!
//! The crate that expands has a reader of its own. It takes UNTIL without `Z` for the machine's
//! local time, refuses UNTIL as a date, and lets unknown parts pass, so the text is read here.

use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

use chrono::Weekday;
use rrule::{Frequency, NWeekday};

use super::until::Until;
use crate::calendar::problem::excerpt;

/// The longest rule that is read, in bytes.
const MAX_BYTES: usize = 4_096;

/// The most weeks that any year has a part of.
const MAX_WEEKS: i8 = 53;

/// Why a rule cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleProblem {
    /// Longer than any rule needs to be.
    #[error("it is longer than {MAX_BYTES} bytes")]
    TooLong,
    /// A part without `=`.
    #[error("{0} is not NAME=VALUE")]
    NotAPart(String),
    /// A part that RFC 5545 does not define.
    #[error("{0} is not a part of a rule")]
    Unknown(String),
    /// A part that stands twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A value that the part cannot have.
    #[error("{part} cannot be {value}")]
    Value {
        /// The part.
        part: &'static str,
        /// The value.
        value: String,
    },
    /// No FREQ.
    #[error("FREQ is missing")]
    NoFrequency,
    /// SECONDLY or MINUTELY, or many times a day.
    #[error("it recurs too often to be a calendar's")]
    TooOften,
    /// Numbered weekdays outside months and years, or beside BYWEEKNO.
    #[error("BYDAY has numbers, which FREQ or BYWEEKNO rule out")]
    NumberedDays,
    /// A part that the standard rules out for the frequency.
    #[error("{part} does not go with FREQ={frequency}")]
    NotWith {
        /// The part.
        part: &'static str,
        /// The frequency.
        frequency: Frequency,
    },
    /// HOURLY for whole days.
    #[error("FREQ=HOURLY does not go with a date")]
    HourlyDates,
    /// What the expanding crate finds wrong.
    #[error("{0}")]
    Refused(String),
}

/// A rule's parts, each as it was written.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub frequency: Frequency,
    pub interval: u16,
    pub count: Option<u64>,
    pub until: Option<Until>,
    pub week_start: Weekday,
    pub by_second: Vec<u8>,
    pub by_minute: Vec<u8>,
    pub by_hour: Vec<u8>,
    pub by_day: Vec<NWeekday>,
    pub by_month_day: Vec<i8>,
    pub by_year_day: Vec<i16>,
    pub by_week_no: Vec<i8>,
    pub by_month: Vec<u8>,
    pub by_set_pos: Vec<i32>,
}

/// The names of the parts, in upper case.
const NAMES: [&str; 15] = [
    "FREQ",
    "INTERVAL",
    "COUNT",
    "UNTIL",
    "WKST",
    "BYSECOND",
    "BYMINUTE",
    "BYHOUR",
    "BYDAY",
    "BYMONTHDAY",
    "BYYEARDAY",
    "BYWEEKNO",
    "BYMONTH",
    "BYSETPOS",
    // RFC 7529, whose default is what RFC 5545 means.
    "RSCALE",
];

/// Reads the text.
pub(super) fn read(text: &str) -> Result<Parts, RuleProblem> {
    if text.len() > MAX_BYTES {
        return Err(RuleProblem::TooLong);
    }
    let mut values: [Option<&str>; NAMES.len()] = [None; NAMES.len()];
    for part in text
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let Some((name, value)) = part.split_once('=') else {
            return Err(RuleProblem::NotAPart(excerpt(part)));
        };
        let name = name.trim();
        let known = NAMES
            .iter()
            .zip(&mut values)
            .find(|(known, _)| name.eq_ignore_ascii_case(known));
        let Some((known, slot)) = known else {
            return Err(RuleProblem::Unknown(excerpt(name)));
        };
        if slot.replace(value.trim()).is_some() {
            return Err(RuleProblem::Twice(known));
        }
    }
    let [
        frequency,
        interval,
        count,
        until,
        week_start,
        seconds,
        minutes,
        hours,
        days,
        month_days,
        year_days,
        weeks,
        months,
        positions,
        scale,
    ] = values;
    if let Some(scale) = scale.filter(|scale| !scale.eq_ignore_ascii_case("GREGORIAN")) {
        return Err(refused("RSCALE", scale));
    }
    let parts = Parts {
        frequency: frequency_of(frequency.ok_or(RuleProblem::NoFrequency)?)?,
        interval: one("INTERVAL", interval)?
            .map_or(Ok(1), |n: u16| positive("INTERVAL", n, interval))?,
        count: one("COUNT", count)?
            .map(|n: u64| positive("COUNT", n, count))
            .transpose()?,
        until: until
            .map(|text| Until::read(text).ok_or_else(|| refused("UNTIL", text)))
            .transpose()?,
        week_start: week_start.map_or(Ok(Weekday::Mon), |text| {
            weekday(text).ok_or_else(|| refused("WKST", text))
        })?,
        by_second: seconds_of(list("BYSECOND", seconds, 0..=60)?),
        by_minute: list("BYMINUTE", minutes, 0..=59)?,
        by_hour: list("BYHOUR", hours, 0..=23)?,
        by_day: day_list(days)?,
        by_month_day: signed("BYMONTHDAY", month_days, -31..=31)?,
        by_year_day: signed("BYYEARDAY", year_days, -366..=366)?,
        by_week_no: signed("BYWEEKNO", weeks, -MAX_WEEKS..=MAX_WEEKS)?,
        by_month: list("BYMONTH", months, 1..=12)?,
        by_set_pos: signed("BYSETPOS", positions, -366..=366)?,
    };
    fits(&parts)?;
    Ok(parts)
}

fn refused(part: &'static str, value: &str) -> RuleProblem {
    RuleProblem::Value {
        part,
        value: excerpt(value),
    }
}

fn frequency_of(text: &str) -> Result<Frequency, RuleProblem> {
    Ok(match text.to_ascii_uppercase().as_str() {
        "YEARLY" => Frequency::Yearly,
        "MONTHLY" => Frequency::Monthly,
        "WEEKLY" => Frequency::Weekly,
        "DAILY" => Frequency::Daily,
        "HOURLY" => Frequency::Hourly,
        "MINUTELY" | "SECONDLY" => return Err(RuleProblem::TooOften),
        _ => return Err(refused("FREQ", text)),
    })
}

fn one<N: FromStr>(part: &'static str, text: Option<&str>) -> Result<Option<N>, RuleProblem> {
    text.map(|text| text.parse().map_err(|_| refused(part, text)))
        .transpose()
}

fn positive<N: PartialOrd + From<u8>>(
    part: &'static str,
    number: N,
    text: Option<&str>,
) -> Result<N, RuleProblem> {
    if number < N::from(1) {
        return Err(refused(part, text.unwrap_or_default()));
    }
    Ok(number)
}

/// Numbers of a range, each once.
fn list<N: FromStr + Ord>(
    part: &'static str,
    text: Option<&str>,
    range: RangeInclusive<N>,
) -> Result<Vec<N>, RuleProblem> {
    let Some(text) = text else {
        return Ok(Vec::new());
    };
    let mut numbers = text
        .split(',')
        .map(|number| {
            let number = number.trim();
            let read = number.parse().ok().filter(|read| range.contains(read));
            read.ok_or_else(|| refused(part, number))
        })
        .collect::<Result<Vec<N>, _>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// Numbers that count from the beginning, or, below zero, from the end. There is no zeroth.
fn signed<N: FromStr + Ord + From<i8> + Display>(
    part: &'static str,
    text: Option<&str>,
    range: RangeInclusive<N>,
) -> Result<Vec<N>, RuleProblem> {
    let numbers = list(part, text, range)?;
    if let Some(zero) = numbers.iter().find(|n| **n == N::from(0)) {
        return Err(refused(part, &zero.to_string()));
    }
    Ok(numbers)
}

/// What the standard rules out beside a frequency. The expanding crate lets some of it pass.
fn fits(parts: &Parts) -> Result<(), RuleProblem> {
    use Frequency::{Daily, Monthly, Weekly, Yearly};
    let frequency = parts.frequency;
    let not_with = |part| Err(RuleProblem::NotWith { part, frequency });
    if !parts.by_month_day.is_empty() && frequency == Weekly {
        return not_with("BYMONTHDAY");
    }
    if !parts.by_year_day.is_empty() && matches!(frequency, Daily | Weekly | Monthly) {
        return not_with("BYYEARDAY");
    }
    if !parts.by_week_no.is_empty() && frequency != Yearly {
        return not_with("BYWEEKNO");
    }
    Ok(())
}

/// A leap second is read as the one before it, as in a time.
fn seconds_of(mut seconds: Vec<u8>) -> Vec<u8> {
    for second in &mut seconds {
        if *second == 60 {
            *second = 59;
        }
    }
    seconds.dedup();
    seconds
}

fn day_list(text: Option<&str>) -> Result<Vec<NWeekday>, RuleProblem> {
    let mut days = Vec::new();
    for day in text.into_iter().flat_map(|text| text.split(',')) {
        let day = day.trim();
        let named = day
            .split_at_checked(day.len().saturating_sub(2))
            .and_then(|(number, name)| Some((number, weekday(name)?)));
        let day = match named {
            Some(("", weekday)) => NWeekday::Every(weekday),
            Some((number, weekday)) => match number.parse::<i16>() {
                Ok(n) if n != 0 && n.unsigned_abs() <= u16::from(MAX_WEEKS.unsigned_abs()) => {
                    NWeekday::Nth(n, weekday)
                }
                _ => return Err(refused("BYDAY", day)),
            },
            None => return Err(refused("BYDAY", day)),
        };
        if !days.contains(&day) {
            days.push(day);
        }
    }
    Ok(days)
}

fn weekday(text: &str) -> Option<Weekday> {
    Some(match text.to_ascii_uppercase().as_str() {
        "MO" => Weekday::Mon,
        "TU" => Weekday::Tue,
        "WE" => Weekday::Wed,
        "TH" => Weekday::Thu,
        "FR" => Weekday::Fri,
        "SA" => Weekday::Sat,
        "SU" => Weekday::Sun,
        _ => return None,
    })
}
