//! Slots by the date of whoever reads them.

use jiff::civil;

use crate::{
    instant::{Instant, Span},
    zone::Zone,
};

use super::{civil_day, compute::Slot, offsets::Offsets};

/// The slots by the civil date of their start in a zone, dates in order, each once, dates without a
/// slot left out. The slots of a date keep their order.
#[must_use]
pub fn group_by_date(slots: &[Slot], zone: &Zone) -> Vec<(civil::Date, Vec<Slot>)> {
    let us = |slot: &Slot| slot.start.as_microsecond();
    let (Some(first), Some(last)) = (slots.iter().map(us).min(), slots.iter().map(us).max()) else {
        return Vec::new();
    };
    let offsets = Offsets::over(zone, first, last.saturating_add(1));
    let mut cursor = 0;
    let mut days: Vec<(i64, Vec<Slot>)> = Vec::new();
    for slot in slots {
        let start = us(slot);
        let day = civil_day::of_wall(start + offsets.at(start, &mut cursor).offset);
        match days.binary_search_by_key(&day, |held| held.0) {
            Ok(at) => days[at].1.push(*slot),
            Err(at) => days.insert(at, (day, vec![*slot])),
        }
    }
    days.into_iter()
        .map(|(day, slots)| (civil_day::date(day), slots))
        .collect()
}

/// A civil date's own 23, 24 or 25 hours in a zone; `None` for a date that never was, or that lies
/// outside jiff's range.
#[must_use]
pub fn day_span(zone: &Zone, date: civil::Date) -> Option<Span> {
    let start = |date: civil::Date| -> Option<Instant> { zone.day_start(date).ok() };
    Span::new(start(date)?, start(date.tomorrow().ok()?)?)
}
