//! The two readers of a calendar: tolerant for views, strict for busy time. Both answer from the
//! same expansion.

use jiff::civil;

use super::{
    budget::Budget,
    series,
    why::{EventRef, IncompleteBusy, Why},
};
use crate::{
    calendar::event::{Calendar, Event},
    instant::{Instant, Span},
    zone::Zone,
};

/// Whose time it is.
#[derive(Clone, Debug)]
pub struct Host<'a> {
    /// Where floating times and dates take place.
    pub zone: &'a Zone,
    /// The host's addresses, in lower case: what they declined is free.
    pub addresses: &'a [String],
}

/// An event taking place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence<'a> {
    /// What the event says, the override's words where one applies.
    pub event: &'a Event,
    /// Its start.
    pub from: Instant,
    /// Its end: not before the start; the same for an event without a length.
    pub to: Instant,
    /// First day and the day after the last, if it is an event of dates.
    pub dates: Option<(civil::Date, civil::Date)>,
    /// Whether it takes the host's time.
    pub busy: bool,
}

/// What a view shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found<'a> {
    /// In order of their starts.
    pub occurrences: Vec<Occurrence<'a>>,
    /// Why busy time is not known.
    pub incomplete: Vec<IncompleteBusy>,
    /// Why free events may lack occurrences.
    pub unshown: Vec<IncompleteBusy>,
}

/// Every occurrence that overlaps the range, or that has no length and lies in it.
///
/// Tolerant: of a rule that cannot be followed it shows the first occurrence, and says why.
#[must_use]
pub fn occurrences<'a>(
    calendar: &'a Calendar,
    host: &Host<'_>,
    range: Span,
    budget: &mut Budget,
) -> Found<'a> {
    let mut found = Found {
        occurrences: Vec::new(),
        incomplete: unread(calendar).collect(),
        unshown: Vec::new(),
    };
    for series in &calendar.series {
        let expanded = series::expand(series, host, range, budget);
        found.incomplete.extend(expanded.incomplete);
        found.unshown.extend(expanded.unshown);
        found.occurrences.extend(expanded.occurrences);
    }
    found
        .occurrences
        .sort_by_key(|occurrence| (occurrence.from, occurrence.to, occurrence.event.line));
    found
}

/// When the host is busy in the range: in order, merged, cut to the range.
///
/// # Errors
/// [`IncompleteBusy`] if anything that may be busy, in the range or not, could not be understood
/// or expanded exactly.
pub fn busy(
    calendar: &Calendar,
    host: &Host<'_>,
    range: Span,
    budget: &mut Budget,
) -> Result<Vec<Span>, IncompleteBusy> {
    if let Some(incomplete) = unread(calendar).next() {
        return Err(incomplete);
    }
    let mut spans = Vec::new();
    for series in &calendar.series {
        let expanded = series::expand(series, host, range, budget);
        if let Some(incomplete) = expanded.incomplete.into_iter().next() {
            return Err(incomplete);
        }
        spans.extend(
            expanded
                .occurrences
                .iter()
                .filter(|occurrence| occurrence.busy)
                .filter_map(|occurrence| {
                    Span::new(occurrence.from.max(range.from), occurrence.to.min(range.to))
                }),
        );
    }
    spans.sort_unstable();
    spans.dedup_by(|next, held| {
        let joined = next.from <= held.to;
        if joined {
            held.to = held.to.max(next.to);
        }
        joined
    });
    Ok(spans)
}

/// What no series can tell: events without a readable time, and faults of the file itself.
fn unread(calendar: &Calendar) -> impl Iterator<Item = IncompleteBusy> {
    let file = calendar
        .problems
        .iter()
        .filter(|problem| problem.blocking)
        .map(|problem| IncompleteBusy {
            event: None,
            why: Why::Problem(problem.clone()),
        });
    let events = calendar
        .unreadable
        .iter()
        .filter(|event| event.busy)
        .filter_map(|event| {
            Some(IncompleteBusy {
                event: Some(EventRef {
                    uid: event.uid.clone(),
                    line: event.line,
                }),
                why: Why::Problem(event.problems.first()?.clone()),
            })
        });
    file.chain(events)
}
