//! UNTIL (RFC 5545, section 3.3.10): as an instant, on the wall, or as a date.

use jiff::civil;

use crate::{
    calendar::{event::Moment, event_clock::Clock, ics_read::value},
    instant::Instant,
    zone::Zone,
};

/// The last moment at which a series may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// In UTC.
    Instant(Instant),
    /// On the series' own clock.
    Wall(civil::DateTime),
    /// Through that day.
    Date(civil::Date),
}

impl Until {
    pub(super) fn read(text: &str) -> Option<Self> {
        Some(match value::moment(text, Clock::Floating)? {
            Moment::Date(date) => Self::Date(date),
            Moment::Time {
                wall,
                clock: Clock::Utc,
            } => Self::Instant(Clock::Utc.place(wall, &Zone::utc())?.at),
            Moment::Time { wall, .. } => Self::Wall(wall),
        })
    }

    /// Whether a start is allowed: its wall time on the series' clock and its instant.
    pub(super) fn allows(self, wall: civil::DateTime, at: Instant) -> bool {
        match self {
            Self::Instant(until) => at <= until,
            Self::Wall(until) => wall <= until,
            Self::Date(until) => wall.date() <= until,
        }
    }

    /// Whether a date of a series of dates is allowed; `at` is the beginning of the host's day.
    ///
    /// Of a time in UTC, where RFC 5545 asks for a date, both readings hold: its date as it is
    /// written, and the day that begins then. Some writers give the last day's midnight at home,
    /// which east of Greenwich is on the day before; no day of theirs is left out.
    pub(super) fn allows_date(self, date: civil::Date, at: Instant) -> bool {
        match self {
            Self::Instant(until) => {
                date <= Clock::Utc.wall(until, &Zone::utc()).date() || at <= until
            }
            Self::Wall(until) => date <= until.date(),
            Self::Date(until) => date <= until,
        }
    }

    /// A wall time after which nothing is allowed, on any clock.
    pub(super) fn bound(self) -> civil::DateTime {
        let last = match self {
            Self::Instant(until) => Clock::Utc.wall(until, &Zone::utc()),
            Self::Wall(until) => until,
            Self::Date(until) => until.at(0, 0, 0, 0),
        };
        last.saturating_add(jiff::Span::new().days(2))
    }
}
