//! What the expanding crate reads otherwise than RFC 5545, put in words that it reads rightly.

use rrule::{Frequency, NWeekday};

use super::rule_text::{Parts, RuleProblem};

/// Changes the parts. `start_day` is the weekday of DTSTART.
///
/// # Errors
/// Numbered weekdays where they mean nothing.
pub(super) fn correct(parts: &mut Parts, start_day: chrono::Weekday) -> Result<(), RuleProblem> {
    days_of_weeks(parts);
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
            let all = parts.by_day.clone();
            let plain = |day| all.contains(&NWeekday::Every(day));
            parts.by_day = all
                .iter()
                .filter(|day| !matches!(day, NWeekday::Nth(_, day) if plain(*day)))
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

/// Weekdays of every day are those of every week, and weeks all have as many.
fn days_of_weeks(parts: &mut Parts) {
    let same = parts.frequency == Frequency::Daily
        && parts.interval == 1
        && !parts.by_day.is_empty()
        && parts.by_month_day.is_empty()
        && parts.by_year_day.is_empty()
        && parts.by_set_pos.is_empty();
    if same {
        parts.frequency = Frequency::Weekly;
    }
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
