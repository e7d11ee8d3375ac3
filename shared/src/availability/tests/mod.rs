//! Tests of the whole room: text in, windows and problems out.

mod cases;
mod clocks;
mod days;
mod grammar;
mod half_day;
mod problems;
mod properties;

use super::{ProblemCode, Window, merge, parse};

const MON: u8 = 1;
const TUE: u8 = 2;
const WED: u8 = 3;
const THU: u8 = 4;
const FRI: u8 = 5;
const SAT: u8 = 6;
const SUN: u8 = 0;

const MON_TO_FRI: [u8; 5] = [MON, TUE, WED, THU, FRI];
const ALL_DAYS: [u8; 7] = [SUN, MON, TUE, WED, THU, FRI, SAT];

/// Windows on days, each given as hours and minutes written `HHMM`: `(900, 1730)`.
fn on(days: &[u8], hours: &[(u16, u16)]) -> Vec<Window> {
    let minutes = |hhmm: u16| hhmm / 100 * 60 + hhmm % 100;
    let window = |weekday: u8, (start, end): (u16, u16)| Window {
        weekday,
        start_min: minutes(start),
        end_min: minutes(end),
    };
    days.iter()
        .flat_map(|day| hours.iter().map(move |pair| window(*day, *pair)))
        .collect()
}

/// The text is understood wholly and means these windows.
#[track_caller]
fn reads(text: &str, windows: &[Vec<Window>]) {
    let parsed = parse(text);
    assert_eq!(parsed.problems, [], "{text:?}");
    assert_eq!(parsed.windows, merge(windows.concat()), "{text:?}");
}

/// The text has exactly these problems, each with its quote, in order.
#[track_caller]
fn refuses(text: &str, problems: &[(ProblemCode, &str)]) {
    let parsed = parse(text);
    let got: Vec<_> = parsed
        .problems
        .iter()
        .map(|problem| (problem.code, problem.quote.as_str()))
        .collect();
    assert_eq!(got, problems, "{text:?}");
    for problem in &parsed.problems {
        assert_eq!(
            text.get(problem.start..problem.end),
            Some(problem.quote.as_str()),
            "{text:?}"
        );
    }
}
