//! Civil days as numbers, and wall time in the unit that the engine counts in.
//!
//! The engine works in microseconds: instants since 1970-01-01T00:00 UTC, wall times since
//! 1970-01-01T00:00 on the wall. Every instant of jiff's range fits, with room for offsets.

use jiff::{SignedDuration, Timestamp, civil, tz::Offset};

use crate::instant::Instant;

/// A minute, in microseconds.
pub(super) const MINUTE: i64 = 60_000_000;
/// A civil day of 24 hours on the wall, in microseconds.
pub(super) const DAY: i64 = 24 * 60 * MINUTE;

const EPOCH: civil::Date = civil::date(1970, 1, 1);

/// Days from 1970-01-01 to a date.
pub(super) fn number(date: civil::Date) -> i64 {
    date.duration_since(EPOCH).as_hours() / 24
}

/// The date so many days after 1970-01-01, held at the ends of jiff's calendar.
pub(super) fn date(number: i64) -> civil::Date {
    EPOCH.saturating_add(SignedDuration::from_hours(number.saturating_mul(24)))
}

/// The day that a wall time lies on.
pub(super) const fn of_wall(wall: i64) -> i64 {
    wall.div_euclid(DAY)
}

/// The weekday of a day, 0 is Sunday. 1970-01-01 was a Thursday.
pub(super) fn weekday(number: i64) -> usize {
    usize::try_from((number + 4).rem_euclid(7)).unwrap_or(0)
}

/// A wall time as jiff writes it, held at the ends of its calendar.
pub(super) fn datetime(wall: i64) -> civil::DateTime {
    Offset::UTC.to_datetime(instant(wall).timestamp())
}

/// The instant so many microseconds after 1970, held at the ends of jiff's range.
pub(super) fn instant(us: i64) -> Instant {
    let end = if us < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    Instant::from_microsecond(us).unwrap_or_else(|| Instant::new(end))
}
