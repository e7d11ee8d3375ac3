//! Expanding calendars over 60 days: what busy time costs when it is not cached, beside the crate
//! `rrule` alone and beside libical, where there is one.
//!
//! All three are given the same calendars in UTC, parsed before the clock runs. Ours reads the rule
//! anew each time and makes the strict answer, merged and cut; the crate gives its dates by
//! `after` and `before`; libical gives its spans (`tests/python/bench_libical.py`). One row has a
//! zone, in ours and in the crate.

use std::{fs, process::Command, time::Instant as Stopwatch};

use jiff::civil;
use rrule::RRuleSet;
use serde_json::Value;
use shared::{
    calendar::{
        event::Calendar,
        ics_read,
        recurrence::{Budget, Host, busy, occurrences},
    },
    instant::{Instant, Span},
    zone::{Zone, Zones},
};

use super::report::{Limit, Report, median, say};
use crate::python;

const ROUNDS: usize = 300;
const WARM_UP: usize = 20;
/// Enough for every calendar here.
const STEPS: u64 = 1_000_000;
/// More than any of the crate's answers.
const MOST: u16 = 10_000;

/// A calendar with its name.
struct Case {
    name: &'static str,
    /// The file's components.
    events: Vec<Vec<String>>,
}

/// Runs the section.
pub fn run(report: &mut Report) {
    let zones = Zones::bundled();
    let at = |text: &str| -> Instant { text.parse().expect("an instant") };
    let window = Span {
        from: at("2026-09-01T00:00:00Z"),
        to: at("2026-10-31T00:00:00Z"),
    };
    let cases = cases();
    let libical = libical(&cases, window);
    if libical.is_none() {
        say("recurrence: no libical on this machine (Debian: libical3); its figures are left out");
    }
    let mut ours_of = Vec::new();
    for case in &cases {
        let file = case.file();
        let calendar = ics_read::read(file.as_bytes(), &zones).expect("a calendar");
        let (ours, found) = ours(&calendar, window);
        let (theirs, dates) = crate_alone(case, window);
        assert_eq!(found, dates, "{}: the crate gives as many", case.name);
        report.tell(format!("recurrence.{}", case.name), ours, "us");
        report.tell(
            format!("recurrence.{}.of_rrule_alone", case.name),
            ours / theirs,
            "",
        );
        if let Some(libical) = &libical
            && let Some((us, spans)) = libical.get(case.name).and_then(read)
        {
            assert_eq!(found, spans, "{}: libical gives as many", case.name);
            report.tell(
                format!("recurrence.{}.of_libical", case.name),
                ours / us,
                "",
            );
        }
        ours_of.push((case.name, ours));
    }
    let us = |name: &str| {
        let found = ours_of.iter().find(|(known, _)| *known == name);
        found.expect("a case").1
    };
    report.must(
        "recurrence.daily_1700_of_daily_2015",
        us("daily_1700") / us("daily_2015"),
        "",
        Limit::AtMost(1.5),
    );
    report.must(
        "recurrence.daily_1700_count_of_daily_2015",
        us("daily_1700_count") / us("daily_2015"),
        "",
        Limit::AtMost(1.5),
    );
    hostile(report, &zones);
}

fn read(figure: &Value) -> Option<(f64, usize)> {
    let spans = usize::try_from(figure["occurrences"].as_u64()?).ok()?;
    Some((figure["ns"].as_f64()? / 1e3, spans))
}

impl Case {
    fn of(name: &'static str, start: &str, rule: &str) -> Self {
        Self {
            name,
            events: vec![vec![
                format!("DTSTART{start}"),
                "DURATION:PT30M".to_owned(),
                format!("RRULE:{rule}"),
            ]],
        }
    }

    fn file(&self) -> String {
        let mut file = String::from("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n");
        for (n, lines) in self.events.iter().enumerate() {
            file.push_str(&format!(
                "BEGIN:VEVENT\r\nUID:{n}@bench.test\r\nDTSTAMP:20260101T000000Z\r\n{}\r\nEND:VEVENT\r\n",
                lines.join("\r\n")
            ));
        }
        file + "END:VCALENDAR\r\n"
    }
}

fn cases() -> Vec<Case> {
    vec![
        Case::of("daily_2015", ":20150105T090000Z", "FREQ=DAILY"),
        Case::of("daily_1700", ":17000105T090000Z", "FREQ=DAILY"),
        Case::of(
            "daily_1700_count",
            ":17000105T090000Z",
            "FREQ=DAILY;COUNT=1000000",
        ),
        Case::of(
            "weekly_byday_2015",
            ":20150105T090000Z",
            "FREQ=WEEKLY;BYDAY=MO,WE,FR",
        ),
        Case::of(
            "monthly_last_workday_2015",
            ":20150130T090000Z",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
        ),
        Case::of(
            "daily_2015_dublin",
            ";TZID=Europe/Dublin:20150105T090000",
            "FREQ=DAILY",
        ),
        thousand(),
    ]
}

/// A thousand events: 700 that take place once, from 2024 on, and 300 series.
fn thousand() -> Case {
    let mut events = Vec::new();
    let first = civil::date(2024, 1, 1);
    for n in 0..1_000_i64 {
        let day = first
            .checked_add(jiff::Span::new().days(n))
            .expect("a date of this century");
        let start = format!(
            "DTSTART:{}T{:02}{:02}00Z",
            day.strftime("%Y%m%d"),
            8 + n % 10,
            (n % 4) * 15
        );
        let mut lines = vec![start, "DURATION:PT30M".to_owned()];
        match n % 10 {
            0 => lines.push("RRULE:FREQ=WEEKLY;BYDAY=MO,TH".to_owned()),
            3 => lines.push("RRULE:FREQ=WEEKLY;INTERVAL=2".to_owned()),
            6 => lines.push("RRULE:FREQ=MONTHLY;BYDAY=1TU,3TU".to_owned()),
            _ => {}
        }
        events.push(lines);
    }
    Case {
        name: "thousand_events",
        events,
    }
}

/// Microseconds of the strict answer, and how many occurrences there are.
fn ours(calendar: &Calendar, window: Span) -> (f64, usize) {
    let zone = Zone::utc();
    let host = Host {
        zone: &zone,
        addresses: &[],
    };
    let found = occurrences(calendar, &host, window, &mut Budget::new(STEPS));
    assert!(found.incomplete.is_empty(), "{:?}", found.incomplete);
    let us = timed(|| {
        let spans = busy(calendar, &host, window, &mut Budget::new(STEPS));
        spans.expect("exact").len()
    });
    (us, found.occurrences.len())
}

/// The crate's dates that lie in the window, of all events together.
fn crate_alone(case: &Case, window: Span) -> (f64, usize) {
    let utc = |at: Instant| {
        chrono::DateTime::from_timestamp(at.timestamp().as_second(), 0)
            .expect("a time of this century")
            .with_timezone(&rrule::Tz::UTC)
    };
    // `after` and `before` take their bounds in; what ends within the window begins in it here.
    let (from, to) = (utc(window.from), utc(window.to));
    let sets: Vec<RRuleSet> = case
        .events
        .iter()
        .map(|lines| {
            let lines: Vec<&str> = lines
                .iter()
                .map(String::as_str)
                .filter(|line| !line.starts_with("DURATION"))
                .collect();
            // The crate wants a rule: what takes place once has one of one.
            let once = if lines.len() == 1 {
                "\nRRULE:FREQ=DAILY;COUNT=1"
            } else {
                ""
            };
            let text = format!("{}{once}", lines.join("\n"));
            let set: RRuleSet = text.parse().expect("a rule that the crate reads");
            set.after(from).before(to)
        })
        .collect();
    let mut dates = 0;
    let us = timed(|| {
        dates = sets
            .iter()
            .map(|set| set.clone().all(MOST).dates.len())
            .sum();
        dates
    });
    (us, dates)
}

/// libical's figures by the cases' names.
fn libical(cases: &[Case], window: Span) -> Option<Value> {
    let folder = std::env::temp_dir().join(format!("holdfast-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    for case in cases.iter().filter(|case| !case.name.ends_with("dublin")) {
        fs::write(folder.join(format!("{}.ics", case.name)), case.file()).expect("a file");
    }
    let output = Command::new("python3")
        .arg("-B")
        .arg(python::root().join("tests/python/bench_libical.py"))
        .arg(&folder)
        .args([window.from, window.to].map(|at| at.timestamp().as_second().to_string()))
        .output();
    fs::remove_dir_all(&folder).expect("the folder can go");
    let output = output.ok().filter(|output| output.status.success())?;
    serde_json::from_slice(&output.stdout).ok()
}

/// The slowest rules that are known, each within the steps of one event.
fn hostile(report: &mut Report, zones: &Zones) {
    let window = |from: &str, to: &str| Span {
        from: from.parse().expect("an instant"),
        to: to.parse().expect("an instant"),
    };
    let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
    let every: Vec<String> = (1..=53)
        .flat_map(|n| weekdays.map(|day| format!("{n}{day}")))
        .collect();
    let numbered = format!(
        "FREQ=YEARLY;BYDAY={};BYYEARDAY=366;BYMONTHDAY=1",
        every.join(",")
    );
    for (name, rule) in [
        ("never_yearly", numbered.as_str()),
        (
            "never_monthly",
            "FREQ=MONTHLY;BYDAY=1MO,1TU,1WE,1TH,1FR,1SA,1SU;BYMONTHDAY=31",
        ),
        ("never_daily", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"),
        ("never_hourly", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30"),
        (
            "counted",
            "FREQ=DAILY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11;COUNT=100000",
        ),
    ] {
        let case = Case::of("hostile", ":00010101T090000Z", rule);
        let calendar = ics_read::read(case.file().as_bytes(), zones).expect("a calendar");
        let zone = Zone::utc();
        let host = Host {
            zone: &zone,
            addresses: &[],
        };
        let range = window("2026-09-01T00:00:00Z", "2026-10-31T00:00:00Z");
        let mut times: Vec<f64> = (0..5)
            .map(|_| {
                let watch = Stopwatch::now();
                let refused = busy(&calendar, &host, range, &mut Budget::new(STEPS));
                assert!(refused.is_err(), "{name} has no exact answer");
                watch.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        report.must(
            format!("recurrence.hostile.{name}"),
            median(&mut times),
            "ms",
            Limit::AtMost(100.0),
        );
    }
}

/// The median of many runs, in microseconds.
fn timed(mut run: impl FnMut() -> usize) -> f64 {
    let first = run();
    let mut times = Vec::with_capacity(ROUNDS);
    for round in 0..WARM_UP + ROUNDS {
        let watch = Stopwatch::now();
        let found = run();
        let took = watch.elapsed();
        assert_eq!(found, first, "two runs give the same");
        if round >= WARM_UP {
            times.push(took.as_secs_f64() * 1e6);
        }
        // What takes long is not run for minutes.
        if round > 10 && times.len() > 10 && took.as_millis() > 50 {
            break;
        }
    }
    median(&mut times)
}
