//! Availability in words: read, said back, read again.

use std::time::Duration;

use shared::{
    availability::{describe, parse},
    locale::Locale,
};

use super::{Sight, Target, holds, magnitude};
use crate::fuzz::{limit::Limit, timer::Timer};

/// The target.
pub struct Availability;

const WORDS: &[&str] = &[
    "mon",
    "tuesdays",
    "wed.",
    "thurs",
    "fri",
    "sat",
    "sunday",
    "weekdays",
    "weekends",
    "every day",
    "daily",
    "all week",
    "every ",
    " and ",
    ", ",
    "; ",
    "\n",
    "-",
    "\u{2013}",
    "\u{2014}",
    " to ",
    " until ",
    " till ",
    "between ",
    " & ",
    "+",
    "/",
    "9",
    "09:30",
    "9.30",
    "9h30",
    "12",
    "24:00",
    "noon",
    "midnight",
    "am",
    "pm",
    "a.m.",
    "p",
    "12am",
    "12pm",
    ":",
    "5-7",
    "12\u{2013}3",
    "20:00-24:00",
    "from ",
    "closed",
    "except ",
];

impl Target for Availability {
    fn seeds(&self) -> Vec<Vec<u8>> {
        [
            "mondays between 12\u{2013}3, tuesdays 12\u{2013}2, 5-7",
            "mon-wed 9-5",
            "weekdays 9-12, 1-5",
            "weekdays 10am to 4pm",
            "every day 8\u{2013}6",
            "saturday 10:30\u{2013}13:00; sunday 14-16",
            "fri-mon 20:00-24:00",
            "mon, wed and fri 9-5",
            "mon 9-12 and tue 2-5",
            "Mon: 9-5",
            "mon 8h30-12h",
            "mon 22:00-02:00",
            "between mon and wed 9-5",
            "mon 9am-12\ntue noon-midnight",
            "",
            "9-5",
            "every monday",
        ]
        .map(|text| text.as_bytes().to_vec())
        .to_vec()
    }

    fn words(&self) -> &'static [&'static str] {
        WORDS
    }

    fn limit(&self) -> Limit {
        Limit {
            time: Duration::from_millis(100),
            bytes: 4 * 1_024 * 1_024,
            bytes_per_byte: 200,
        }
    }

    fn read(&self, input: &[u8], timer: &mut Timer) -> Result<Sight, String> {
        let text = String::from_utf8_lossy(input);
        let parsed = timer.of(|| parse(&text));
        for problem in &parsed.problems {
            holds(
                text.get(problem.start..problem.end) == Some(&problem.quote),
                || format!("{problem:?} is not what stands there"),
            )?;
            for locale in [Locale::En, Locale::ZhCn] {
                holds(!problem.message(locale).is_empty(), || {
                    format!("{problem:?} says nothing")
                })?;
            }
        }
        // The windows in words are a text that means them.
        let said = describe(&parsed.windows, Locale::En);
        let again = timer.of(|| parse(&said));
        holds(
            again.windows == parsed.windows && again.problems.is_empty(),
            || format!("{:?} became {said:?} became {:?}", parsed.windows, again),
        )?;
        let codes: std::collections::BTreeSet<String> = parsed
            .problems
            .iter()
            .map(|problem| format!("{:?}", problem.code))
            .collect();
        Ok(Sight::new(
            !parsed.windows.is_empty(),
            (
                codes,
                magnitude(parsed.problems.len()),
                magnitude(parsed.windows.len()),
                parsed
                    .windows
                    .first()
                    .map(|w| (w.weekday, w.start_min / 240, w.end_min / 240)),
            ),
        ))
    }
}
