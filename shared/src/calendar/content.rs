//! What an event says, as bytes: equal for events that say the same, whatever the order, the line
//! or the hour in which their file was written.

use serde_json::{Value, json};

use super::{
    event::{Event, Moment, Series, Unreadable},
    problem::Problem,
    timing::Timing,
};

/// A series with its overrides.
#[must_use]
pub fn of_series(series: &Series) -> Vec<u8> {
    let mut overrides: Vec<String> = series
        .overrides
        .iter()
        .map(|change| {
            let replaces = (change.original.clone(), change.and_future);
            event(&change.event, Some(replaces)).to_string()
        })
        .collect();
    overrides.sort_unstable();
    json!(["series", event(&series.master, None), overrides])
        .to_string()
        .into_bytes()
}

/// What is left of an event that cannot be read.
#[must_use]
pub fn of_unreadable(event: &Unreadable) -> Vec<u8> {
    json!([
        "unreadable",
        event.uid,
        event.title,
        event.busy,
        problems(&event.problems),
        unstamped(&event.verbatim),
    ])
    .to_string()
    .into_bytes()
}

/// What an event without a UID is known by when a host decided about it: its own text, and why it
/// could not be read. For a fault of the file that is all there is.
#[must_use]
pub fn of_text<'a>(verbatim: &str, problems: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let problems: Vec<&str> = problems.into_iter().collect();
    json!(["text", unstamped(verbatim), problems])
        .to_string()
        .into_bytes()
}

fn event(event: &Event, replaces: Option<(Moment, bool)>) -> Value {
    let attendees: Vec<Value> = event
        .attendees
        .iter()
        .map(|one| json!([one.address, one.name, format!("{:?}", one.answer)]))
        .collect();
    let kinds = (event.kind, event.transparency, event.status);
    json!([
        event.uid,
        event.sequence,
        [&event.title, &event.notes, &event.location],
        format!("{kinds:?}"),
        Timing::of(event, replaces).to_json(),
        attendees,
        problems(&event.problems),
        event.verbatim.as_deref().map(unstamped),
    ])
}

fn problems(problems: &[Problem]) -> Vec<Value> {
    problems
        .iter()
        .map(|problem| json!([problem.line, problem.what.to_string(), problem.blocking]))
        .collect()
}

/// The text without its DTSTAMP, which some servers set to the time of the request.
fn unstamped(verbatim: &str) -> String {
    verbatim
        .lines()
        .filter(|line| {
            line.get(..7)
                .is_none_or(|name| !name.eq_ignore_ascii_case("DTSTAMP"))
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::{calendar::ics_read, zone::Zones};

    const SERIES: &str = "BEGIN:VEVENT\nUID:1\nDTSTAMP:20260101T000000Z\nSUMMARY:Stand-up\nDTSTART;TZID=Europe/Berlin:20260601T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY\nATTENDEE;PARTSTAT=DECLINED:mailto:ana@example.test\nEND:VEVENT\n\
        BEGIN:VEVENT\nUID:1\nRECURRENCE-ID;TZID=Europe/Berlin:20260602T100000\nDTSTART:20260602T090000Z\nEND:VEVENT\n\
        BEGIN:VEVENT\nUID:1\nRECURRENCE-ID;TZID=Europe/Berlin:20260603T100000\nDTSTART:20260603T090000Z\nEND:VEVENT\n";

    fn of(lines: &str) -> Vec<u8> {
        let file = format!("BEGIN:VCALENDAR\n{lines}END:VCALENDAR\n");
        let read = ics_read::read(file.as_bytes(), &Zones::bundled()).unwrap();
        match read.unreadable.first() {
            Some(unreadable) => of_unreadable(unreadable),
            None => of_series(&read.series[0]),
        }
    }

    #[test]
    fn the_order_of_overrides_and_the_stamp_do_not_matter() {
        let parts: Vec<&str> = SERIES.split_inclusive("END:VEVENT\n").collect();
        let turned = [parts[2], parts[0], parts[1]].concat();
        assert_eq!(of(&turned), of(SERIES));
        let later = SERIES.replace("DTSTAMP:20260101", "DTSTAMP:20260909");
        assert_eq!(of(&later), of(SERIES));
        let broken = "BEGIN:VEVENT\nDTSTAMP:20260101T000000Z\nDTSTART:someday\nEND:VEVENT\n";
        assert_eq!(of(&broken.replace("20260101", "20260909")), of(broken));
    }

    #[test]
    fn everything_else_does() {
        for (from, to) in [
            ("Stand-up", "Stand up"),
            ("20260601T100000", "20260601T101500"),
            ("PT1H", "PT2H"),
            ("FREQ=DAILY", "FREQ=DAILY;COUNT=9"),
            ("DECLINED", "ACCEPTED"),
            ("mailto:ana", "mailto:bo"),
            ("20260603T090000Z", "20260603T093000Z"),
            ("UID:1\nDTSTAMP", "UID:1\nSEQUENCE:2\nDTSTAMP"),
            ("UID:1\nDTSTAMP", "UID:1\nTRANSP:TRANSPARENT\nDTSTAMP"),
            ("UID:1\nDTSTAMP", "UID:1\nSTATUS:CANCELLED\nDTSTAMP"),
            ("UID:1\nDTSTAMP", "UID:1\nEXDATE:soon\nDTSTAMP"),
        ] {
            assert!(SERIES.contains(from), "{from}");
            assert_ne!(of(&SERIES.replace(from, to)), of(SERIES), "{from} to {to}");
        }
    }
}
