//! What a file says of events that a booking owns: what the booking says, or nothing.

use super::ImportError;
use crate::{
    calendar::{
        event::{Event, Length, Moment, Status, Transparency},
        event_clock::Clock,
    },
    instant::Instant,
    ops::stored_event,
    store::imports::BookedRow,
    zone::Zone,
};

/// Holds a file's event against the booked one.
///
/// # Errors
/// [`ImportError::Locked`] with the first field that differs.
pub(super) fn check(
    event: &Event,
    is_override: bool,
    booked: &BookedRow,
    zone: &Zone,
) -> Result<(), ImportError> {
    let locked = |field| ImportError::Locked {
        booking: booked.booking_id,
        field,
        line: event.line,
    };
    if is_override {
        return Err(locked("recurrence_id"));
    }
    let (start, clock) = match &event.start {
        Moment::Date(_) => return Err(locked("all_day")),
        Moment::Time { clock, .. } => (place(&event.start, zone), clock),
    };
    if start != Some(booked.start_at) {
        return Err(locked("start"));
    }
    if end(event, zone) != Some(booked.end_at) {
        return Err(locked("end"));
    }
    // An invitation says it in UTC; whoever names a zone names the event's own.
    let same_zone = match clock {
        Clock::Utc => true,
        Clock::Zone(zone) => zone.name() == booked.tz,
        Clock::Custom(_) | Clock::Floating => false,
    };
    if !same_zone {
        return Err(locked("tz"));
    }
    if event.rrule.is_some() {
        return Err(locked("rrule"));
    }
    if !event.exdates.is_empty() {
        return Err(locked("exdates"));
    }
    if !event.rdates.is_empty() {
        return Err(locked("rdates"));
    }
    if event.transparency != Transparency::Opaque {
        return Err(locked("transparency"));
    }
    let status = stored_event::status(&booked.status).unwrap_or(Status::Confirmed);
    if event.status != status {
        return Err(locked("status"));
    }
    Ok(())
}

fn place(moment: &Moment, zone: &Zone) -> Option<Instant> {
    match moment {
        Moment::Date(_) => None,
        Moment::Time { wall, clock } => clock.place(*wall, zone).map(|placed| placed.at),
    }
}

fn end(event: &Event, zone: &Zone) -> Option<Instant> {
    match &event.length {
        Length::Unsaid => place(&event.start, zone),
        Length::End(end) => place(end, zone),
        Length::Duration { days: 0, exact } => Some(place(&event.start, zone)?.plus(*exact)),
        Length::Duration { days, exact } => {
            let Moment::Time { wall, clock } = &event.start else {
                return None;
            };
            let span = jiff::Span::new().try_days(*days).ok()?;
            let later = wall.checked_add(span).ok()?;
            Some(clock.place(later, zone)?.at.plus(*exact))
        }
    }
}
