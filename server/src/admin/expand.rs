//! `holdfast admin expand`: prints when the events of a calendar file take place, and what of it
//! could not be understood, without a database.

use std::{
    io::{self, Read as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use serde_json::{Value, json};
use shared::{
    calendar::{
        event::{Calendar, Series},
        ics_read,
        recurrence::{Budget, Found, Host, IncompleteBusy, Occurrence, Why, busy, occurrences},
    },
    instant::{Instant, Span},
    zone::Zones,
};

use super::output;

/// Enough for every event of the largest file; some seconds at the very most.
const STEPS: u64 = 5_000_000;

#[derive(Args)]
pub struct Arguments {
    /// A calendar file (iCalendar, RFC 5545); - is standard input.
    file: PathBuf,
    /// The beginning of the range, such as 2026-12-01T00:00:00Z.
    #[arg(long)]
    from: String,
    /// The end of the range.
    #[arg(long)]
    to: String,
    /// The host's zone, where all-day events and times without a zone take place.
    #[arg(long, default_value = "UTC")]
    zone: String,
    /// An address of the host: what it declined is free. May be given several times.
    #[arg(long)]
    address: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let directory = std::env::var_os("HOLDFAST_TZDIR").map(PathBuf::from);
    let zones = match Zones::open(directory.as_deref()) {
        Ok(zones) => zones,
        Err(error) => return output::finding(arguments.json, error),
    };
    match report(arguments, &zones, read(&arguments.file)) {
        Err(faults) => output::misuse(arguments.json, faults.join("\n")),
        Ok((said, problems)) => {
            output::line(&said);
            if problems == 0 {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(1)
            }
        }
    }
}

/// What to print and the number of problems in it; or every fault of the call.
fn report(
    arguments: &Arguments,
    zones: &Zones,
    bytes: io::Result<Vec<u8>>,
) -> Result<(String, usize), Vec<String>> {
    let mut faults = Vec::new();
    let file = arguments.file.display().to_string();
    let mut keep =
        |name: &str, error: &dyn std::fmt::Display| faults.push(format!("{name}: {error}"));
    let from = Instant::parse_rfc3339(&arguments.from).map_err(|error| keep("--from", &error));
    let to = Instant::parse_rfc3339(&arguments.to).map_err(|error| keep("--to", &error));
    let zone = zones
        .get_for_host(&arguments.zone)
        .map_err(|error| keep("--zone", &error));
    let mut range = None;
    if let (Ok(from), Ok(to)) = (from, to) {
        range = Span::new(from, to);
        if range.is_none() {
            keep("--to", &"must be after --from");
        }
    }
    let calendar = bytes
        .map_err(|error| keep(&file, &error))
        .and_then(|bytes| ics_read::read(&bytes, zones).map_err(|error| keep(&file, &error)));
    let (Ok(calendar), Ok(zone), Some(range)) = (calendar, zone, range) else {
        return Err(faults);
    };
    let addresses: Vec<String> = arguments
        .address
        .iter()
        .map(|address| address.trim().to_lowercase())
        .collect();
    let host = Host {
        zone: &zone,
        addresses: &addresses,
    };
    let found = occurrences(&calendar, &host, range, &mut Budget::new(STEPS));
    let taken = busy(&calendar, &host, range, &mut Budget::new(STEPS));
    let problems = problems(&calendar, &found);
    let said = if arguments.json {
        in_json(&found, &taken, &problems)
    } else {
        in_words(&found, &taken, &problems)
    };
    Ok((said, problems.len()))
}

/// Every problem once: what lines of the file say first, then what expanding met.
fn problems(calendar: &Calendar, found: &Found<'_>) -> Vec<String> {
    let of_series = |series: &Series| {
        let changed = series
            .overrides
            .iter()
            .flat_map(|o| o.event.problems.clone());
        let own = series.master.problems.clone().into_iter();
        own.chain(changed).collect::<Vec<_>>()
    };
    let mut lines = calendar.problems.clone();
    lines.extend(calendar.unreadable.iter().flat_map(|e| e.problems.clone()));
    lines.extend(calendar.series.iter().flat_map(of_series));
    lines.sort_by_key(|problem| problem.line);
    let expanding = found.incomplete.iter().chain(&found.unshown);
    let expanding = expanding.filter(|incomplete| !matches!(incomplete.why, Why::Problem(_)));
    lines
        .iter()
        .map(ToString::to_string)
        .chain(expanding.map(ToString::to_string))
        .collect()
}

fn in_words(
    found: &Found<'_>,
    taken: &Result<Vec<Span>, IncompleteBusy>,
    problems: &[String],
) -> String {
    let mut lines: Vec<String> = found
        .occurrences
        .iter()
        .map(|occurrence| {
            let word = if occurrence.busy { "busy" } else { "free" };
            let title = occurrence.event.title.lines().next().unwrap_or_default();
            let title: String = title.chars().filter(|c| !c.is_control()).collect();
            let Occurrence { from, to, .. } = occurrence;
            format!("{from} {to} {word} {title}").trim_end().to_owned()
        })
        .collect();
    lines.extend(problems.iter().map(|problem| format!("problem: {problem}")));
    if taken.is_err() {
        lines.push("busy time is not known exactly, so nothing would be offered".to_owned());
    }
    if lines.is_empty() {
        lines.push("nothing takes place in that time".to_owned());
    }
    lines.join("\n")
}

fn in_json(
    found: &Found<'_>,
    taken: &Result<Vec<Span>, IncompleteBusy>,
    problems: &[String],
) -> String {
    let span = |span: &Span| json!({ "from": span.from, "to": span.to });
    let busy = match taken {
        Ok(spans) => spans.iter().map(span).collect(),
        Err(_) => Value::Null,
    };
    let occurrences: Vec<Value> = found
        .occurrences
        .iter()
        .map(|occurrence| {
            json!({
                "uid": occurrence.event.uid,
                "line": occurrence.event.line,
                "title": occurrence.event.title,
                "from": occurrence.from,
                "to": occurrence.to,
                "all_day": occurrence.dates.is_some(),
                "busy": occurrence.busy,
            })
        })
        .collect();
    json!({ "occurrences": occurrences, "busy": busy, "problems": problems }).to_string()
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    // One more than is taken, so that the reader can say so.
    let limit = u64::try_from(ics_read::MAX_BYTES).map_or(u64::MAX, |most| most + 1);
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        let file = std::fs::File::open(file)?;
        file.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    const WEEK: [&str; 4] = [
        "--from",
        "2026-09-07T00:00:00Z",
        "--to",
        "2026-09-14T00:00:00Z",
    ];

    fn said(more: &[&str], lines: &[&str]) -> Result<(String, usize), Vec<String>> {
        let words = [&["expand", "x.ics"], &WEEK[..], more].concat();
        let line = Line::try_parse_from(words).unwrap();
        let text = format!("BEGIN:VCALENDAR\n{}\nEND:VCALENDAR\n", lines.join("\n"));
        report(&line.arguments, &Zones::bundled(), Ok(text.into_bytes()))
    }

    const SERIES: [&str; 14] = [
        "BEGIN:VEVENT",
        "UID:s",
        "SUMMARY:Stand-up",
        "DTSTART;TZID=Europe/Berlin:20260907T090000",
        "DURATION:PT15M",
        "RRULE:FREQ=WEEKLY;BYDAY=MO,WE",
        "END:VEVENT",
        "BEGIN:VEVENT",
        "SUMMARY:Fair\\nday two",
        "DTSTART;VALUE=DATE:20260908",
        "ATTENDEE;PARTSTAT=DECLINED:mailto:ana@hosts.test",
        "SEQUENCE:x",
        "TRANSP:OPAQUE",
        "END:VEVENT",
    ];

    #[test]
    fn every_occurrence_is_printed_with_its_instants() {
        let (words, problems) = said(&["--zone", "Asia/Tokyo"], &SERIES).unwrap();
        assert_eq!(
            words,
            "2026-09-07T07:00:00Z 2026-09-07T07:15:00Z busy Stand-up\n\
             2026-09-07T15:00:00Z 2026-09-08T15:00:00Z busy Fair\n\
             2026-09-09T07:00:00Z 2026-09-09T07:15:00Z busy Stand-up\n\
             problem: line 13: SEQUENCE cannot be read: x"
        );
        assert_eq!(problems, 1);
        let (words, _) = said(&["--address", "Ana@hosts.test"], &SERIES).unwrap();
        assert!(words.contains("2026-09-08T00:00:00Z 2026-09-09T00:00:00Z free Fair"));
        assert_eq!(
            said(&[], &[]).unwrap(),
            ("nothing takes place in that time".to_owned(), 0)
        );
    }

    #[test]
    fn json_tells_the_same_and_busy_time() {
        let (text, problems) = said(&["--json"], &SERIES[..7]).unwrap();
        let told: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(problems, 0);
        assert_eq!(told["occurrences"].as_array().unwrap().len(), 2);
        assert_eq!(
            told["occurrences"][0],
            json!({
                "uid": "s", "line": 2, "title": "Stand-up", "all_day": false, "busy": true,
                "from": "2026-09-07T07:00:00Z", "to": "2026-09-07T07:15:00Z",
            })
        );
        assert_eq!(
            told["busy"][1],
            json!({ "from": "2026-09-09T07:00:00Z", "to": "2026-09-09T07:15:00Z" })
        );
        assert_eq!(told["problems"], json!([]));
    }

    #[test]
    fn what_is_not_exact_is_said_once_and_leaves_busy_time_unknown() {
        let secondly = [
            "BEGIN:VEVENT",
            "DTSTART:20260909T090000Z",
            "DURATION:PT1H",
            "RRULE:FREQ=SECONDLY",
            "END:VEVENT",
        ];
        let (words, problems) = said(&[], &secondly).unwrap();
        assert_eq!(
            words,
            "2026-09-09T09:00:00Z 2026-09-09T10:00:00Z busy\n\
             problem: event without UID (line 2): the rule cannot be followed: it recurs too often to be a calendar's\n\
             busy time is not known exactly, so nothing would be offered"
        );
        assert_eq!(problems, 1);
        let unread = ["BEGIN:VEVENT", "DTSTART:soon", "END:VEVENT"];
        let (text, problems) = said(&["--json"], &unread).unwrap();
        let told: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(told["busy"], Value::Null);
        assert_eq!(
            told["problems"],
            json!(["line 3: DTSTART cannot be read: soon"])
        );
        assert_eq!(problems, 1);
        // Of a free event too, though nothing depends on it.
        let free = [&secondly[..4], &["TRANSP:TRANSPARENT", "END:VEVENT"]].concat();
        let (words, problems) = said(&[], &free).unwrap();
        assert_eq!(problems, 1);
        assert!(!words.contains("not known exactly"));
    }

    #[test]
    fn every_fault_of_the_call_is_told() {
        let words = [
            "expand", "x.ics", "--from", "2026", "--to", "then", "--zone", "EST",
        ];
        let line = Line::try_parse_from(words).unwrap();
        let faults = report(&line.arguments, &Zones::bundled(), Ok(b"hello".to_vec())).unwrap_err();
        let names: Vec<_> = faults
            .iter()
            .map(|fault| fault.split(':').next().unwrap())
            .collect();
        assert_eq!(names, ["--from", "--to", "--zone", "x.ics"]);
        let back = [&["expand", "x.ics"], &WEEK[..2], &["--to", WEEK[1]]].concat();
        let line = Line::try_parse_from(back).unwrap();
        let missing = read(Path::new("/nowhere/x.ics"));
        let faults = report(&line.arguments, &Zones::bundled(), missing).unwrap_err();
        assert_eq!(faults.len(), 2);
        assert_eq!(faults[0], "--to: must be after --from");
    }
}
