//! A date and time as the pages' centrepiece: a calendar leaf, the day, the times, the zone.

use shared::{instant::Instant, locale::Locale, zone::Zone};

use crate::pages::dates;

/// What the macro `when` shows.
#[derive(Debug)]
pub(super) struct When {
    pub(super) leaf_month: &'static str,
    pub(super) leaf_day: String,
    pub(super) date: String,
    pub(super) times: String,
    pub(super) zone: String,
    /// The start for machines, RFC 3339 in UTC.
    pub(super) machine: String,
}

impl When {
    pub(super) fn new(locale: Locale, zone: &Zone, start: Instant, end: Instant) -> Self {
        let date = zone.date(start);
        Self {
            leaf_month: dates::month_short(locale, date),
            leaf_day: date.day().to_string(),
            date: dates::date_long(locale, date),
            times: dates::time_range(locale, zone, start, end),
            zone: dates::zone_label(locale, zone, start),
            machine: start.to_string(),
        }
    }
}

/// One instant in a sentence: the hour first, for it is what matters.
#[derive(Debug)]
pub(super) struct Until {
    pub(super) time: String,
    pub(super) date: String,
    pub(super) zone: String,
    pub(super) machine: String,
}

impl Until {
    pub(super) fn new(locale: Locale, zone: &Zone, at: Instant) -> Self {
        let wall = zone.wall(at);
        Self {
            time: dates::time(wall),
            date: dates::date_near(locale, wall.date()),
            zone: dates::zone_label(locale, zone, at),
            machine: at.to_string(),
        }
    }
}
