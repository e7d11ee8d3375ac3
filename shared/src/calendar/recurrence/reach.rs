//! From the start of an occurrence to its end.

use jiff::{SignedDuration, ToSpan as _, civil};

use super::readers::Host;
use crate::{
    calendar::{
        event::{Event, Length, Moment},
        event_clock::Clock,
    },
    instant::Instant,
};

/// A start of an occurrence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// On the clock of the event's DTSTART.
    pub wall: civil::DateTime,
    /// The instant; of a date, the beginning of the host's day.
    pub at: Instant,
    /// Whether a gap moved it, or it is the second instant of its wall time.
    pub shifted: bool,
}

/// The instants of a start. `None` outside the years that can be reckoned with.
pub(super) fn place(start: &Moment, host: &Host<'_>) -> Option<Start> {
    match start {
        Moment::Date(date) => on_date(*date, host),
        Moment::Time { wall, clock } => on_clock(*wall, clock, host),
    }
}

pub(super) fn on_date(date: civil::Date, host: &Host<'_>) -> Option<Start> {
    Some(Start {
        wall: date.at(0, 0, 0, 0),
        at: host.zone.day_start(date).ok()?,
        shifted: false,
    })
}

pub(super) fn on_clock(wall: civil::DateTime, clock: &Clock, host: &Host<'_>) -> Option<Start> {
    let placed = clock.place(wall, host.zone)?;
    Some(Start {
        wall,
        at: placed.at,
        shifted: placed.moved,
    })
}

/// The end of an occurrence: the day span is a difference of civil dates. `first` is the event's
/// own start.
pub(super) fn end(
    first: &Moment,
    length: &Length,
    start: Start,
    host: &Host<'_>,
) -> Option<Instant> {
    let Moment::Time { clock, .. } = first else {
        let last = start
            .wall
            .date()
            .checked_add(whole_days(first, length).days())
            .ok()?;
        return host.zone.day_start(last).ok();
    };
    let (end_clock, civil, exact) = match length {
        Length::Unsaid => return Some(start.at),
        Length::Duration { days, exact } => {
            let span = jiff::Span::new().try_days(*days).ok()?;
            (clock, start.wall.checked_add(span).ok()?, *exact)
        }
        Length::End(Moment::Time { wall, clock }) => {
            let passed = start.wall.duration_since(first.wall());
            (clock, wall.checked_add(passed).ok()?, SignedDuration::ZERO)
        }
        // The reader refuses a date as the end of a time.
        Length::End(Moment::Date(_)) => return None,
    };
    let civil_days = match length {
        Length::Duration { days: 0, .. } => start.at,
        _ => end_clock.place(civil, host.zone)?.at,
    };
    let end: Instant = civil_days.timestamp().checked_add(exact).ok()?.into();
    let mut least = start.at;
    if end_clock != clock {
        // Two clocks may come nearer to each other, or pass, when one of them changes: the first
        // occurrence's elapsed time is the least then.
        let elapsed = elapsed(first, length, host)?;
        least = least.timestamp().checked_add(elapsed).ok()?.into();
    } else if start.shifted {
        // What a gap moved is not shortened by it: it would be bookable while it takes place.
        let nominal = reach(first, length);
        least = least.timestamp().checked_add(nominal).ok()?.into();
    }
    Some(end.max(least))
}

/// The elapsed time of the first occurrence, if it has an end.
fn elapsed(first: &Moment, length: &Length, host: &Host<'_>) -> Option<SignedDuration> {
    let Length::End(end) = length else {
        return Some(SignedDuration::ZERO);
    };
    let (from, to) = (place(first, host)?, place(end, host)?);
    Some(to.at.since(from.at).max(SignedDuration::ZERO))
}

/// How many days an event of dates has: at least one.
pub(super) fn whole_days(first: &Moment, length: &Length) -> i64 {
    let days = match length {
        Length::Unsaid => 1,
        Length::End(end) => reach_days(end.wall().duration_since(first.wall())),
        Length::Duration { days, exact } => days.saturating_add(reach_days(*exact)),
    };
    days.max(1)
}

fn reach_days(duration: SignedDuration) -> i64 {
    let whole = duration.as_hours() / 24;
    let rest = duration > SignedDuration::from_hours(whole.saturating_mul(24));
    whole + i64::from(rest)
}

/// The length on the wall clock, a civil day as 24 hours.
pub(super) fn reach(first: &Moment, length: &Length) -> SignedDuration {
    match (first, length) {
        (Moment::Date(_), _) => {
            SignedDuration::from_hours(whole_days(first, length).saturating_mul(24))
        }
        (_, Length::Unsaid) => SignedDuration::ZERO,
        (_, Length::End(end)) => end.wall().duration_since(first.wall()),
        (_, Length::Duration { days, exact }) => {
            SignedDuration::from_hours(days.saturating_mul(24)).saturating_add(*exact)
        }
    }
}

/// The longest that one occurrence of the event reaches.
pub(super) fn longest(event: &Event) -> SignedDuration {
    let own = reach(&event.start, &event.length);
    event
        .rdates
        .iter()
        .filter_map(|rdate| Some(reach(&rdate.start, rdate.length.as_ref()?)))
        .fold(own, SignedDuration::max)
}
