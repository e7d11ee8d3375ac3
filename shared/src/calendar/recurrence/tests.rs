#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod cases;
mod hostile;
mod model;
mod pinned;
mod properties;
mod standard;
mod steps;

use super::{Budget, Host, IncompleteBusy, RuleProblem, Why, busy, occurrences};
use crate::{
    calendar::{event::Calendar, ics_read},
    instant::{Instant, Span},
    zone::{Zone, Zones},
};

fn at(text: &str) -> Instant {
    text.parse().expect(text)
}

fn span(from: &str, to: &str) -> Span {
    Span::new(at(from), at(to)).expect("a range")
}

fn zone(name: &str) -> Zone {
    Zones::bundled().get(name).unwrap()
}

/// A calendar around the lines of its components.
fn calendar(lines: &[&str]) -> Calendar {
    let text = format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{}\r\nEND:VCALENDAR\r\n",
        lines.join("\r\n")
    );
    ics_read::read(text.as_bytes(), &Zones::bundled()).unwrap()
}

/// A calendar of one event.
fn event(lines: &[&str]) -> Calendar {
    let mut all = vec!["BEGIN:VEVENT", "UID:a1@example.test"];
    all.extend(lines);
    all.push("END:VEVENT");
    calendar(&all)
}

fn busy_in(
    calendar: &Calendar,
    host_zone: &str,
    range: Span,
) -> Result<Vec<(String, String)>, IncompleteBusy> {
    let zone = zone(host_zone);
    let host = Host {
        zone: &zone,
        addresses: &["host@example.test".to_owned()],
    };
    let spans = busy(calendar, &host, range, &mut Budget::new(1_000_000))?;
    Ok(spans
        .iter()
        .map(|span| (span.from.to_string(), span.to.to_string()))
        .collect())
}

/// The starts that a view shows, and why it may lack some.
fn starts(calendar: &Calendar, host_zone: &str, range: Span) -> (Vec<String>, Vec<String>) {
    let zone = zone(host_zone);
    let host = Host {
        zone: &zone,
        addresses: &[],
    };
    let found = occurrences(calendar, &host, range, &mut Budget::new(1_000_000));
    let starts = found.occurrences.iter().map(|o| o.from.to_string());
    let why = found.incomplete.iter().map(ToString::to_string);
    (starts.collect(), why.collect())
}

fn pairs(spans: &[(&str, &str)]) -> Vec<(String, String)> {
    spans
        .iter()
        .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()))
        .collect()
}
