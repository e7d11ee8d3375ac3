//! Lists of dates: EXDATE and RDATE (RFC 5545, sections 3.8.5.1 and 3.8.5.2).

use jiff::SignedDuration;

use super::{line::ContentLine, value, vtimezone::FileZones};
use crate::{
    calendar::{
        event::{Length, Moment, Rdate},
        event_clock::Clock,
        problem::{Fault, excerpt},
    },
    zone::Zone,
};

/// The most dates of one property of one event.
pub(super) const MAX_DATES: usize = 10_000;

/// One date or time of a property, on the clock that its TZID names.
pub(super) fn moment(
    text: &str,
    property: &'static str,
    line: &ContentLine<'_>,
    zones: &mut FileZones<'_>,
    calendar: usize,
) -> Result<Moment, Fault> {
    let unreadable = || Fault::Value {
        property,
        value: excerpt(text),
    };
    let mut read = value::moment(text, Clock::Floating).ok_or_else(unreadable)?;
    // A time that calls itself a date means its day: taken for a time it might be of no length.
    if let Some(kind) = line.parameter("VALUE")
        && kind.eq_ignore_ascii_case("DATE")
    {
        read = Moment::Date(read.wall().date());
    }
    match (read, line.parameter("TZID")) {
        (
            Moment::Time {
                wall,
                clock: Clock::Floating,
            },
            Some(name),
        ) if !name.is_empty() => Ok(Moment::Time {
            wall,
            clock: zones.clock(calendar, name)?,
        }),
        // A date has no zone and UTC needs none, whatever the parameter says.
        (read, _) => Ok(read),
    }
}

/// Adds an EXDATE's dates.
pub(super) fn exdates(
    line: &ContentLine<'_>,
    zones: &mut FileZones<'_>,
    calendar: usize,
    out: &mut Vec<Moment>,
) -> Result<(), Fault> {
    for text in texts(line) {
        room(out.len(), "EXDATE")?;
        out.push(moment(text, "EXDATE", line, zones, calendar)?);
    }
    Ok(())
}

/// Adds an RDATE's dates and periods.
pub(super) fn rdates(
    line: &ContentLine<'_>,
    zones: &mut FileZones<'_>,
    calendar: usize,
    out: &mut Vec<Rdate>,
) -> Result<(), Fault> {
    for text in texts(line) {
        room(out.len(), "RDATE")?;
        let (start, end) = match text.split_once('/') {
            Some((start, end)) => (start, Some(end)),
            None => (text, None),
        };
        let start = moment(start, "RDATE", line, zones, calendar)?;
        let length = match end {
            None => None,
            Some(end) if end.trim_start().starts_with(['P', 'p', '+']) => {
                Some(value::duration(end).ok_or_else(|| Fault::Value {
                    property: "RDATE",
                    value: excerpt(text),
                })?)
            }
            Some(end) => {
                let end = moment(end, "RDATE", line, zones, calendar)?;
                Some(between(&start, &end).ok_or(Fault::End)?)
            }
        };
        out.push(Rdate { start, length });
    }
    Ok(())
}

fn texts<'a>(line: &ContentLine<'a>) -> impl Iterator<Item = &'a str> {
    line.value
        .split(',')
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

fn room(taken: usize, property: &'static str) -> Result<(), Fault> {
    if taken == MAX_DATES {
        return Err(Fault::TooManyDates {
            property,
            limit: MAX_DATES,
        });
    }
    Ok(())
}

/// A PERIOD's length (section 3.3.9), in civil days and what is left of one.
fn between(start: &Moment, end: &Moment) -> Option<Length> {
    follows(start, end).then_some(())?;
    let (Moment::Time { clock: a, .. }, Moment::Time { clock: b, .. }) = (start, end) else {
        return None;
    };
    let passed = if a == b {
        end.wall().duration_since(start.wall())
    } else {
        let utc = Zone::utc();
        let (from, to) = (a.place(start.wall(), &utc)?, b.place(end.wall(), &utc)?);
        to.at.since(from.at)
    };
    let days = passed.as_hours() / 24;
    Some(Length::Duration {
        days,
        exact: passed - SignedDuration::from_hours(days * 24),
    })
}

/// An end as it is meant: without a zone of its own it is on the start's clock (section 3.8.2.2
/// asks for the same form).
pub(super) fn end_beside(start: &Moment, end: Moment) -> Moment {
    match (start, end) {
        (
            Moment::Time { clock, .. },
            Moment::Time {
                wall,
                clock: Clock::Floating,
            },
        ) => Moment::Time {
            wall,
            clock: clock.clone(),
        },
        (_, end) => end,
    }
}

/// Whether an end may follow a start: both dates or both times, and not before it.
pub(super) fn follows(start: &Moment, end: &Moment) -> bool {
    match (start, end) {
        (Moment::Date(start), Moment::Date(end)) => start <= end,
        (
            Moment::Time { wall: a, clock },
            Moment::Time {
                wall: b,
                clock: other,
            },
        ) => {
            if clock == other {
                return a <= b;
            }
            // Which zone a floating time is in only the host knows: it says nothing beside one that
            // has a zone.
            let utc = Zone::utc();
            let floats = *clock == Clock::Floating || *other == Clock::Floating;
            match (clock.place(*a, &utc), other.place(*b, &utc)) {
                (Some(start), Some(end)) => !floats && start.at <= end.at,
                _ => false,
            }
        }
        _ => false,
    }
}
