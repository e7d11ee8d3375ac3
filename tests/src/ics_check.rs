//! A line-level checker of the invitations that Holdfast writes.
//!
//! It knows RFC 5545 only as far as an invitation goes and shares no code with the writer. What it
//! asks: UTF-8, CRLF, lines of at most 75 octets that are each valid UTF-8, no control characters,
//! the grammar of content lines, RFC 6868 in parameters, escapes in TEXT, one calendar with one
//! METHOD and one event, each property as often as it must stand and no others, UTC times (or a
//! zone that the file defines), an end after the start, a SEQUENCE that is a number, a STATUS that
//! fits the METHOD, addresses that are `mailto:` URIs, each once, parameters that belong there with
//! the RFC's words, and no more than one chair.

use std::collections::{BTreeMap, HashSet};

/// A content line, unfolded.
struct Line<'a> {
    name: &'a str,
    params: Vec<(&'a str, &'a str)>,
    value: &'a str,
}

/// What stands exactly once in the event.
const ONCE: [&str; 10] = [
    "UID",
    "SEQUENCE",
    "DTSTAMP",
    "DTSTART",
    "DTEND",
    "ORGANIZER",
    "SUMMARY",
    "DESCRIPTION",
    "STATUS",
    "TRANSP",
];

/// Every fault of the stream, in words; none for a good one.
#[must_use]
pub fn check(stream: &[u8]) -> Vec<String> {
    let mut faults = Vec::new();
    check_physical_lines(stream, &mut faults);
    let Ok(text) = std::str::from_utf8(stream) else {
        faults.push("the stream is not UTF-8".to_owned());
        return faults;
    };
    let unfolded = text.replace("\r\n ", "").replace("\r\n\t", "");
    let mut lines = Vec::new();
    for line in unfolded.split_terminator("\r\n") {
        match parse(line) {
            Ok(parsed) => lines.push(parsed),
            Err(fault) => faults.push(format!("{fault}: {line}")),
        }
    }
    let (calendar, event) = check_components(&lines, &mut faults);
    check_calendar(&calendar, &event, &mut faults);
    check_counts(&event, &mut faults);
    check_times(&lines, &event, &mut faults);
    check_addresses(&event, &mut faults);
    let chairs = event
        .iter()
        .filter(|line| line.params.contains(&("ROLE", "CHAIR")));
    if chairs.count() > 1 {
        faults.push("more than one chair".to_owned());
    }
    for line in calendar.iter().chain(&event) {
        check_text(line, &mut faults);
    }
    faults
}

/// RFC 5545, section 3.1.
fn check_physical_lines(stream: &[u8], faults: &mut Vec<String>) {
    if !stream.ends_with(b"\r\n") {
        faults.push("the stream does not end with CRLF".to_owned());
    }
    if !stream.starts_with(b"BEGIN:VCALENDAR\r\n") {
        faults.push("the stream does not start with BEGIN:VCALENDAR".to_owned());
    }
    let body = stream.strip_suffix(b"\r\n").unwrap_or(stream);
    for line in body.split(|octet| *octet == b'\n') {
        // The last line's CRLF is off already.
        let is_last = std::ptr::eq(line.as_ptr_range().end, body.as_ptr_range().end);
        let line = match line.strip_suffix(b"\r") {
            Some(line) if !is_last => line,
            _ => {
                if !is_last {
                    faults.push("LF without CR".to_owned());
                }
                line
            }
        };
        if line.contains(&b'\r') {
            faults.push("CR without LF".to_owned());
        }
        if line.is_empty() {
            faults.push("an empty line".to_owned());
        }
        if line.len() > 75 {
            faults.push(format!("a line of {} octets", line.len()));
        }
        match std::str::from_utf8(line) {
            Err(_) => faults.push("a fold inside of a character".to_owned()),
            Ok(line) => {
                let bad = |c: char| {
                    (c.is_control() && c != '\t' && c != '\r')
                        || matches!(c, '\u{2028}' | '\u{2029}')
                };
                if line.chars().any(bad) {
                    faults.push("a control character".to_owned());
                }
            }
        }
    }
}

/// `name *(";" param) ":" value`, where a parameter's value is quoted or holds none of `";:,`.
fn parse(line: &str) -> Result<Line<'_>, &'static str> {
    let name_end = line.find([';', ':']).ok_or("no colon")?;
    let (name, mut rest) = line.split_at(name_end);
    if !is_token(name) {
        return Err("not a property's name");
    }
    let mut params = Vec::new();
    while let Some(param) = rest.strip_prefix(';') {
        let (key, value) = param.split_once('=').ok_or("a parameter without a value")?;
        if !is_token(key) {
            return Err("not a parameter's name");
        }
        let end = if let Some(quoted) = value.strip_prefix('"') {
            quoted.find('"').ok_or("a quote that is not closed")? + 2
        } else {
            let end = value.find([';', ':']).ok_or("no colon")?;
            if value[..end].contains([',', '"']) {
                return Err("a parameter that needs quotes");
            }
            end
        };
        let carets_are_encoded = value[..end]
            .replace("^^", "")
            .split('^')
            .skip(1)
            .all(|after| after.starts_with(['n', '\'']));
        if !carets_are_encoded {
            return Err("a caret outside of RFC 6868");
        }
        params.push((key, value[..end].trim_matches('"')));
        rest = &value[end..];
    }
    let value = rest.strip_prefix(':').ok_or("no colon after a parameter")?;
    Ok(Line {
        name,
        params,
        value,
    })
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// The lines of the calendar itself and of its one event; time zones may stand beside it.
fn check_components<'a, 'b>(
    lines: &'b [Line<'a>],
    faults: &mut Vec<String>,
) -> (Vec<&'b Line<'a>>, Vec<&'b Line<'a>>) {
    let mut open: Vec<&str> = Vec::new();
    let mut events = 0;
    let (mut calendar, mut event) = (Vec::new(), Vec::new());
    for line in lines {
        match (line.name, line.value) {
            ("BEGIN", component) => {
                let fits = match component {
                    "VCALENDAR" => open.is_empty(),
                    "VEVENT" | "VTIMEZONE" => open == ["VCALENDAR"],
                    "STANDARD" | "DAYLIGHT" => open == ["VCALENDAR", "VTIMEZONE"],
                    _ => false,
                };
                if !fits {
                    faults.push(format!("a {component} within {open:?}"));
                }
                events += usize::from(component == "VEVENT");
                open.push(component);
            }
            ("END", component) => {
                if open.pop() != Some(component) {
                    faults.push(format!("END:{component} closes nothing"));
                }
            }
            _ => match open.last() {
                Some(&"VCALENDAR") => calendar.push(line),
                Some(&"VEVENT") => event.push(line),
                Some(_) => {}
                None => faults.push("a line outside of the calendar".to_owned()),
            },
        }
    }
    if !open.is_empty() {
        faults.push(format!("{open:?} not closed"));
    }
    if events != 1 {
        faults.push(format!("{events} events"));
    }
    let calendars = lines.iter().filter(|line| line.value == "VCALENDAR");
    if calendars.count() != 2 {
        faults.push("not one calendar".to_owned());
    }
    (calendar, event)
}

/// RFC 5545, section 3.6, and RFC 5546, section 3.2.
fn check_calendar(calendar: &[&Line<'_>], event: &[&Line<'_>], faults: &mut Vec<String>) {
    for name in ["VERSION", "PRODID", "METHOD"] {
        let count = calendar.iter().filter(|line| line.name == name).count();
        if count != 1 {
            faults.push(format!("{name} stands {count} times in the calendar"));
        }
    }
    let value = |lines: &[&Line<'_>], name: &str| {
        let line = lines.iter().find(|line| line.name == name);
        line.map(|line| line.value.to_owned()).unwrap_or_default()
    };
    if value(calendar, "VERSION") != "2.0" {
        faults.push("not version 2.0".to_owned());
    }
    let method = value(calendar, "METHOD");
    let status = value(event, "STATUS");
    let fits = matches!(
        (method.as_str(), status.as_str()),
        ("REQUEST", "CONFIRMED") | ("CANCEL", "CANCELLED")
    );
    if !fits {
        faults.push(format!("METHOD:{method} with STATUS:{status}"));
    }
    if !["OPAQUE", "TRANSPARENT"].contains(&value(event, "TRANSP").as_str()) {
        faults.push("TRANSP is neither of its words".to_owned());
    }
    if value(event, "SEQUENCE").parse::<u32>().is_err() {
        faults.push("SEQUENCE is no number".to_owned());
    }
}

fn check_counts(event: &[&Line<'_>], faults: &mut Vec<String>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in event {
        *counts.entry(line.name).or_default() += 1;
    }
    for name in ONCE {
        let count = counts.remove(name).unwrap_or_default();
        if count != 1 {
            faults.push(format!("{name} stands {count} times"));
        }
    }
    if counts.remove("ATTENDEE").is_none() {
        faults.push("nobody attends".to_owned());
    }
    if counts.remove("LOCATION").is_some_and(|count| count > 1) {
        faults.push("LOCATION stands twice".to_owned());
    }
    for name in counts.keys() {
        faults.push(format!("{name} has no place in an invitation"));
    }
}

/// UTC, or a zone that the stream defines; never floating. DTSTAMP is always UTC.
fn check_times(lines: &[Line<'_>], event: &[&Line<'_>], faults: &mut Vec<String>) {
    let zones: Vec<&str> = lines
        .iter()
        .filter(|line| line.name == "TZID")
        .map(|line| line.value)
        .collect();
    let mut times = BTreeMap::new();
    for line in event {
        if !["DTSTAMP", "DTSTART", "DTEND"].contains(&line.name) {
            continue;
        }
        let zone = line.params.iter().find(|(key, _)| *key == "TZID");
        let format = match zone {
            Some((_, zone)) if line.name != "DTSTAMP" && zones.contains(zone) => "%Y%m%dT%H%M%S",
            Some(_) => {
                faults.push(format!("{} in a zone that is not defined", line.name));
                continue;
            }
            None => "%Y%m%dT%H%M%SZ",
        };
        match jiff::civil::DateTime::strptime(format, line.value) {
            Ok(time) if time.strftime(format).to_string() == line.value => {
                times.insert(line.name, time);
            }
            _ => faults.push(format!("{} is no time in UTC: {}", line.name, line.value)),
        }
    }
    if let (Some(start), Some(end)) = (times.get("DTSTART"), times.get("DTEND"))
        && end <= start
    {
        faults.push("the end is not after the start".to_owned());
    }
}

fn check_addresses(event: &[&Line<'_>], faults: &mut Vec<String>) {
    let mut attendees = HashSet::new();
    for line in event {
        if !["ATTENDEE", "ORGANIZER"].contains(&line.name) {
            continue;
        }
        let sent_by = line.params.iter().filter(|(key, _)| *key == "SENT-BY");
        for uri in sent_by.map(|(_, uri)| *uri).chain([line.value]) {
            let address = uri.strip_prefix("mailto:").unwrap_or_default();
            let good = address.matches('@').count() == 1
                && !address.starts_with('@')
                && !address.ends_with('@')
                && address.bytes().all(|b| b.is_ascii_graphic() && b != b'"');
            if !good {
                faults.push(format!("{} is no mailto: URI: {uri}", line.name));
            }
        }
        check_params(line, faults);
        let mut keys = HashSet::new();
        if !line.params.iter().all(|(key, _)| keys.insert(*key)) {
            faults.push(format!("{} has a parameter twice", line.name));
        }
        if line.name == "ATTENDEE" && !attendees.insert(line.value.to_lowercase()) {
            faults.push(format!("{} attends twice", line.value));
        }
    }
}

/// Everybody has a name; who organizes has nothing but that and a sender, who attends has a part in
/// words of the RFC.
fn check_params(line: &Line<'_>, faults: &mut Vec<String>) {
    for (key, value) in &line.params {
        let good = match (line.name, *key) {
            (_, "CN") => !value.is_empty(),
            ("ORGANIZER", "SENT-BY") => true,
            ("ATTENDEE", "ROLE") => ["CHAIR", "REQ-PARTICIPANT"].contains(value),
            ("ATTENDEE", "PARTSTAT") => ["ACCEPTED", "NEEDS-ACTION"].contains(value),
            ("ATTENDEE", "RSVP") => *value == "FALSE",
            _ => false,
        };
        if !good {
            faults.push(format!("{} with {key}={value}", line.name));
        }
    }
    let needed: &[&str] = match line.name {
        "ATTENDEE" => &["CN", "ROLE", "PARTSTAT"],
        _ => &["CN"],
    };
    for name in needed {
        if !line.params.iter().any(|(key, _)| key == name) {
            faults.push(format!("{} without {name}", line.name));
        }
    }
}

/// TEXT (RFC 5545, section 3.3.11): a backslash stands only before `\`, `;`, `,`, `n` and `N`, and
/// semicolon and comma only after one.
fn check_text(line: &Line<'_>, faults: &mut Vec<String>) {
    if !["UID", "SUMMARY", "DESCRIPTION", "LOCATION", "PRODID"].contains(&line.name) {
        return;
    }
    let mut chars = line.value.chars();
    while let Some(c) = chars.next() {
        let good = match c {
            '\\' => matches!(chars.next(), Some('\\' | ';' | ',' | 'n' | 'N')),
            ';' | ',' => false,
            _ => true,
        };
        if !good {
            faults.push(format!("{} is not escaped: {}", line.name, line.value));
            return;
        }
    }
}

#[cfg(test)]
mod tests;
