//! How many dates the periods of a rule have: what bounds its work, and lets COUNT be reckoned.

use jiff::civil;
use rrule::{Frequency, NWeekday};

use super::rule_text::{Parts, RuleProblem};

/// The most dates that one period (a year, a month, …) of a rule may have.
const MAX_PER_PERIOD: usize = 10_000;
/// Looks at an entry of a list, for a day, that make one step of a period.
const LOOKS_PER_STEP: usize = 1_000;

/// What is known of every period of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Density {
    /// The most dates that a period has.
    pub most: u64,
    /// How many every whole period has, if that is the same for all.
    pub each: Option<u64>,
    /// The steps that looking at a period takes, whether it has dates or not.
    pub steps: u64,
}

/// Looks at the parts, which must say all that the expanding crate is told. `start` is the date of
/// DTSTART.
///
/// # Errors
/// A rule whose single period would fill the memory.
pub(super) fn of(parts: &Parts, start: civil::Date) -> Result<Density, RuleProblem> {
    let days = match parts.frequency {
        Frequency::Yearly => 366,
        Frequency::Monthly => 31,
        Frequency::Weekly => 7,
        _ => 1,
    };
    let times = times(parts);
    if days * times > MAX_PER_PERIOD {
        return Err(RuleProblem::TooOften);
    }
    // Every day of a period is looked up in every list.
    let entries = parts.by_day.len()
        + parts.by_month.len()
        + parts.by_month_day.len()
        + parts.by_year_day.len();
    let looks = days * entries + parts.by_set_pos.len() * parts.by_set_pos.len() / 2;
    let wide = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    Ok(Density {
        most: wide(days * times),
        each: each(parts, start).map(|dates| wide(dates * times)),
        steps: 1 + wide(looks / LOOKS_PER_STEP),
    })
}

/// Times of day, or of an hour.
fn times(parts: &Parts) -> usize {
    let hours = match parts.frequency {
        Frequency::Hourly => 1,
        _ => parts.by_hour.len().max(1),
    };
    hours * parts.by_minute.len().max(1) * parts.by_second.len().max(1)
}

/// The days of every whole period, if they are as many in all.
fn each(parts: &Parts, start: civil::Date) -> Option<usize> {
    if !parts.by_set_pos.is_empty() {
        return each_chosen(parts);
    }
    let months = parts.by_month.len();
    let only_days = parts.by_month_day.is_empty()
        && parts.by_year_day.is_empty()
        && parts.by_week_no.is_empty();
    match parts.frequency {
        Frequency::Weekly if months == 0 => Some(parts.by_day.len().max(1)),
        Frequency::Daily if months == 0 && parts.by_day.is_empty() && only_days => Some(1),
        Frequency::Hourly
            if months == 0 && parts.by_day.is_empty() && parts.by_hour.is_empty() && only_days =>
        {
            Some(1)
        }
        Frequency::Monthly if months == 0 => each_month(parts, start, 4),
        Frequency::Yearly if !parts.by_week_no.is_empty() => each_week(parts),
        Frequency::Yearly if !parts.by_year_day.is_empty() => {
            let alone = months == 0 && parts.by_day.is_empty() && parts.by_month_day.is_empty();
            alone.then(|| of_one_end(parts.by_year_day.iter().copied().map(i32::from), 365))?
        }
        Frequency::Yearly if months > 0 => Some(months * each_month(parts, start, 4)?),
        Frequency::Yearly if parts.by_month_day.is_empty() => {
            // Of the year as a whole: the 52nd Monday is always there.
            each_month(parts, start, 52)
        }
        Frequency::Yearly => Some(12 * each_month(parts, start, 4)?),
        _ => None,
    }
}

/// The days of every month, or of every year by weekdays that are there so many times.
fn each_month(parts: &Parts, start: civil::Date, weeks: i32) -> Option<usize> {
    if !parts.by_year_day.is_empty() {
        return None;
    }
    match (parts.by_day.is_empty(), parts.by_month_day.is_empty()) {
        (true, true) => (start.day() <= 28).then_some(1),
        (true, false) => of_one_end(parts.by_month_day.iter().copied().map(i32::from), 28),
        (false, true) => {
            let numbers = parts.by_day.iter().map(|day| match day {
                NWeekday::Nth(n, _) => Some(i32::from(*n)),
                NWeekday::Every(_) => None,
            });
            of_one_end(numbers.collect::<Option<Vec<i32>>>()?.into_iter(), weeks)
        }
        (false, false) => None,
    }
}

/// How many numbers, if all count from one end and none is beyond `most`: two that count from both
/// ends may be one day.
fn of_one_end(numbers: impl Iterator<Item = i32> + Clone, most: i32) -> Option<usize> {
    let mut all = numbers.clone();
    let forward = all.all(|n| (1..=most).contains(&n));
    let mut all = numbers.clone();
    let back = all.all(|n| (-most..=-1).contains(&n));
    (forward || back).then(|| numbers.count())
}

/// Weeks that never reach into another year, by plain weekdays.
fn each_week(parts: &Parts) -> Option<usize> {
    let inner = parts.by_week_no.iter().all(|week| (2..=51).contains(week));
    let plain = plain_days(parts)?;
    (inner
        && parts.by_month.is_empty()
        && parts.by_month_day.is_empty()
        && parts.by_year_day.is_empty())
    .then(|| parts.by_week_no.len() * plain)
}

fn plain_days(parts: &Parts) -> Option<usize> {
    let plain = parts
        .by_day
        .iter()
        .all(|day| matches!(day, NWeekday::Every(_)));
    (plain && !parts.by_day.is_empty()).then_some(parts.by_day.len())
}

/// BYSETPOS among plain weekdays of a month, such as its last working day: four of each are in
/// every month. It chooses among times, so what it gives is a number of them.
fn each_chosen(parts: &Parts) -> Option<usize> {
    let simple = parts.frequency == Frequency::Monthly
        && parts.by_month.is_empty()
        && parts.by_month_day.is_empty()
        && times(parts) == 1;
    let plain = i32::try_from(plain_days(parts)?).ok()?;
    simple.then(|| of_one_end(parts.by_set_pos.iter().copied(), 4 * plain))?
}
