//! Which half of the day a clock means, and what is suggested where no reading holds.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

use super::super::ProblemCode::{EndNotAfterStart, Overnight};
use super::super::parse;
use super::{MON, on, reads};

#[track_caller]
fn all_read(ranges: &[(&str, (u16, u16))]) {
    for (range, want) in ranges {
        reads(&format!("mon {range}"), &[on(&[MON], &[*want])]);
    }
}

#[track_caller]
fn suggests(range: &str, code: super::ProblemCode, suggestions: &[&str]) {
    let parsed = parse(&format!("mon {range}"));
    assert_eq!(parsed.windows, [], "{range}");
    let [problem] = parsed.problems.as_slice() else {
        panic!("{range}: {:?}", parsed.problems)
    };
    assert_eq!((problem.code, problem.quote.as_str()), (code, range));
    assert_eq!(problem.suggestions, suggestions, "{range}");
}

#[test]
fn a_meridiem_on_one_end_holds_for_both() {
    all_read(&[
        ("7-8pm", (1900, 2000)),
        ("7pm-8", (1900, 2000)),
        ("between 7 and 8pm", (1900, 2000)),
        ("2:00 - 2:30 pm", (1400, 1430)),
        ("8-11am", (800, 1100)),
        ("6am-7", (600, 700)),
        ("12-1pm", (1200, 1300)),
        ("12-3am", (0, 300)),
        ("12am-12:30am", (0, 30)),
        ("07-09pm", (1900, 2100)),
    ]);
}

#[test]
fn unless_the_other_end_says_otherwise() {
    all_read(&[
        ("9am-5pm", (900, 1700)),
        ("9am-17", (900, 1700)),
        ("13-2pm", (1300, 1400)),
        ("0-5am", (0, 500)),
        ("8pm-24:00", (2000, 2400)),
        ("9am-noon", (900, 1200)),
        ("noon-3pm", (1200, 1500)),
        ("11pm-midnight", (2300, 2400)),
        ("midnight-6am", (0, 600)),
    ]);
}

#[test]
fn and_unless_the_end_would_then_not_be_after_the_start() {
    all_read(&[
        ("9-5pm", (900, 1700)),
        ("11-1pm", (1100, 1300)),
        ("8-12pm", (800, 1200)),
        ("11am-1", (1100, 1300)),
        ("9am-5", (900, 1700)),
        ("9am-12:30", (900, 1230)),
        ("02:00-1pm", (200, 1300)),
    ]);
}

#[test]
fn twelve_is_midnight_at_an_end_only_when_12am_was_typed() {
    all_read(&[
        ("9am-12", (900, 1200)),
        ("9am-12am", (900, 2400)),
        ("12am-12", (0, 1200)),
    ]);
}

#[test]
fn with_no_meridiem_1_to_7_is_the_afternoon_whatever_the_minutes() {
    all_read(&[
        ("5-7", (1700, 1900)),
        ("12:30-2:30", (1230, 1430)),
        ("1:15-7:59", (1315, 1959)),
        ("8-12", (800, 1200)),
        ("8-6", (800, 1800)),
        ("11 to 1", (1100, 1300)),
        ("0-6", (0, 1800)),
        ("0:00-5:00", (0, 1700)),
        ("noon-3", (1200, 1500)),
        ("10-midnight", (1000, 2400)),
    ]);
}

#[test]
fn a_leading_zero_or_13_to_24_on_either_side_is_24_hour_time() {
    all_read(&[
        ("07-9", (700, 900)),
        ("1-02", (100, 200)),
        ("07:00-9:00", (700, 900)),
        ("00:00-5:00", (0, 500)),
        ("00-6", (0, 600)),
        ("5-17", (500, 1700)),
        ("2-14", (200, 1400)),
        ("7-24:00", (700, 2400)),
        ("06:30-noon", (630, 1200)),
        ("14-16", (1400, 1600)),
    ]);
}

#[test]
fn an_end_not_after_its_start_is_refused_with_the_readings_that_hold() {
    suggests("7-9", EndNotAfterStart, &["7am-9am", "7pm-9pm"]);
    suggests(
        "7:30 - 8:15",
        EndNotAfterStart,
        &["7:30am-8:15am", "7:30pm-8:15pm"],
    );
    suggests("12-8", EndNotAfterStart, &["12am-8am", "12pm-8pm"]);
    suggests("12-12", EndNotAfterStart, &["12am-12pm", "12pm-12am"]);
    suggests("10-8", EndNotAfterStart, &["10am-8pm"]);
    suggests("9-9", EndNotAfterStart, &["9am-9pm"]);
    suggests("6-12pm", EndNotAfterStart, &["6am-12pm"]);
    suggests("2-1pm", EndNotAfterStart, &["2am-1pm"]);
    suggests("8pm-12", EndNotAfterStart, &["8pm-12am"]);
    suggests("5-noon", EndNotAfterStart, &["5am-noon"]);
    suggests("noon-9", EndNotAfterStart, &["noon-9pm"]);
    suggests("20:00-0:00", EndNotAfterStart, &["20:00-24:00"]);
    suggests("00:00-00:00", EndNotAfterStart, &["00:00-24:00"]);
    suggests("9am-9am", EndNotAfterStart, &[]);
    suggests("17:00-17:00", EndNotAfterStart, &[]);
}

#[test]
fn a_range_over_midnight_is_refused_with_its_two_parts() {
    suggests("22:00-06:00", Overnight, &["22:00-24:00", "00:00-06:00"]);
    suggests("10pm-2am", Overnight, &["22:00-24:00", "00:00-02:00"]);
    suggests("11pm-1", Overnight, &["23:00-24:00", "00:00-01:00"]);
    suggests("11-2am", Overnight, &["23:00-24:00", "00:00-02:00"]);
    suggests("8-0:30", Overnight, &["20:00-24:00", "00:00-00:30"]);
    suggests("1pm-noon", Overnight, &["13:00-24:00", "00:00-12:00"]);
    suggests("17-9", Overnight, &["17:00-24:00", "00:00-09:00"]);
}

/// Every hour in every form, against the rules written down once more, and every suggestion read
/// back.
#[test]
fn every_pair_of_hours_follows_the_rules_and_every_suggestion_reads() {
    let mut clocks = vec!["noon".to_owned(), "midnight".to_owned(), "24:00".to_owned()];
    for hour in 0..=23 {
        clocks.extend([
            format!("{hour}"),
            format!("{hour}:15"),
            format!("{hour:02}:00"),
        ]);
    }
    for hour in 1..=12 {
        clocks.extend([
            format!("{hour}am"),
            format!("{hour}pm"),
            format!("{hour}:15pm"),
        ]);
    }
    let mut refused = 0;
    for start in clocks.iter().filter(|clock| *clock != "24:00") {
        for end in &clocks {
            let text = format!("mon {start}-{end}");
            let parsed = parse(&text);
            let want = model(start, end);
            match (parsed.windows.as_slice(), parsed.problems.as_slice()) {
                ([window], []) => {
                    assert_eq!(want, Some((window.start_min, window.end_min)), "{text}");
                }
                ([], [problem]) => {
                    assert_eq!(want, None, "{text}: {problem:?}");
                    refused += 1;
                    for suggestion in &problem.suggestions {
                        let again = parse(&format!("mon {suggestion}"));
                        assert_eq!(again.problems, [], "{text}: {suggestion}");
                        assert_eq!(again.windows.len(), 1, "{text}: {suggestion}");
                    }
                }
                _ => panic!("{text}: {parsed:?}"),
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
}

/// The rules once more, as plainly as they can be put.
fn model(start: &str, end: &str) -> Option<(u16, u16)> {
    let (first, last) = (
        Typed::new(start, false).named(start),
        Typed::new(end, true).named(end),
    );
    let dial_24 = first.dial_24 || last.dial_24;
    let alone = (first.alone(dial_24), last.alone(dial_24));
    let carried = match (first.pm, last.pm) {
        (Some(pm), None) if last.open => match last.marked(pm) {
            1440 => (alone.0, 720),
            minutes => (alone.0, minutes),
        },
        (None, Some(pm)) if first.open => (first.marked(pm), alone.1),
        _ => alone,
    };
    [carried, alone].into_iter().find(|(from, to)| from < to)
}

struct Typed {
    hour: u16,
    minute: u16,
    pm: Option<bool>,
    at_end: bool,
    open: bool,
    dial_24: bool,
}

impl Typed {
    fn new(text: &str, at_end: bool) -> Self {
        let text = match text {
            "noon" => "12:00",
            "midnight" if at_end => "24:00",
            "midnight" => "0:00",
            digits => digits,
        };
        let pm = text.ends_with('m').then(|| text.ends_with("pm"));
        let digits = text.trim_end_matches(['a', 'p', 'm']);
        let (hour, minute) = digits.split_once(':').unwrap_or((digits, "0"));
        let padded = hour.len() == 2 && hour.starts_with('0');
        let (hour, minute) = (
            hour.parse().expect("an hour"),
            minute.parse().expect("minutes"),
        );
        Self {
            hour,
            minute,
            pm,
            at_end,
            open: pm.is_none() && (1..=12).contains(&hour),
            dial_24: pm.is_none() && (padded || hour > 12),
        }
    }

    /// Noon and midnight are fixed, and say nothing about the other end.
    fn named(mut self, text: &str) -> Self {
        if matches!(text, "noon" | "midnight") {
            (self.open, self.dial_24) = (false, false);
        }
        self
    }

    fn marked(&self, pm: bool) -> u16 {
        match (self.hour, self.minute, pm) {
            (12, 0, false) if self.at_end => 1440,
            (12, minute, false) => minute,
            (12, minute, true) => 720 + minute,
            (hour, minute, false) => hour * 60 + minute,
            (hour, minute, true) => 720 + hour * 60 + minute,
        }
    }

    fn alone(&self, dial_24: bool) -> u16 {
        match self.pm {
            Some(pm) => self.marked(pm),
            None if !dial_24 && (1..=7).contains(&self.hour) => self.marked(true),
            None => self.hour * 60 + self.minute,
        }
    }
}
