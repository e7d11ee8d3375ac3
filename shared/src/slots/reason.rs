//! Why a time is not offered, in a form that a dashboard can put into words.

use serde::Serialize;

use crate::instant::{Day, Instant};

use super::busy::Source;

/// One thing that speaks against a start. Wall times are in the host's zone, `YYYY-MM-DDTHH:MM:SS`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Reason {
    /// An override makes the date a day off.
    DayOff {
        /// The date.
        date: Day,
    },
    /// No window and no available exception holds the start.
    OutsideHours {
        /// The wall time of the start.
        #[schema(value_type = String)]
        wall: jiff::civil::DateTime,
    },
    /// A window holds the start, but its grid does not.
    OffGrid {
        /// The wall time at which the grid begins: that of the window or the exception.
        #[schema(value_type = String)]
        first_start: jiff::civil::DateTime,
        /// Minutes between starts.
        step_min: i64,
    },
    /// The slot would run past the end of the window or the exception.
    PastWindowEnd {
        /// The wall time at which it ends.
        #[schema(value_type = String)]
        window_end: jiff::civil::DateTime,
    },
    /// The slot would run past the host's midnight, and the schedule does not allow that.
    CrossesMidnight {
        /// The midnight, on the wall.
        #[schema(value_type = String)]
        midnight: jiff::civil::DateTime,
    },
    /// The clocks skip a wall time.
    DstGap {
        /// Which end of the slot.
        edge: Edge,
        /// The wall time that is skipped.
        #[schema(value_type = String)]
        wall: jiff::civil::DateTime,
    },
    /// The clocks show a wall time twice.
    DstFold {
        /// Which end of the slot.
        edge: Edge,
        /// The wall time that is shown twice.
        #[schema(value_type = String)]
        wall: jiff::civil::DateTime,
    },
    /// The slot would not be as long in elapsed time as on the wall clock.
    DstLength {
        /// Elapsed minutes between the wall times of its ends.
        elapsed_min: i64,
    },
    /// The notice is longer than the time until the start.
    BeforeNotice {
        /// The first start that the notice allows.
        earliest: Instant,
    },
    /// The slot would end beyond the horizon.
    BeyondHorizon {
        /// The last end that the horizon allows.
        latest: Instant,
    },
    /// The date is before the first bookable date or after the last.
    OutsideBookableDates {
        /// The date that the slot belongs to.
        date: Day,
        /// The first bookable date.
        from: Option<Day>,
        /// The last bookable date.
        until: Option<Day>,
    },
    /// The meeting itself overlaps something.
    Busy {
        /// The start of what it overlaps.
        from: Instant,
        /// Its end.
        to: Instant,
        /// What it is.
        source: Source,
    },
    /// Only the buffer before the meeting overlaps something.
    BufferBefore {
        /// The start of what it overlaps.
        from: Instant,
        /// Its end.
        to: Instant,
        /// What it is.
        source: Source,
    },
    /// Only the buffer after the meeting overlaps something.
    BufferAfter {
        /// The start of what it overlaps.
        from: Instant,
        /// Its end.
        to: Instant,
        /// What it is.
        source: Source,
    },
    /// As many bookings as are allowed have been made.
    LimitReached {
        /// In the day, the week or the month of the start.
        period: Period,
        /// How many are allowed.
        limit: u32,
        /// How many there are.
        booked: u32,
    },
}

/// An end of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// Its start.
    Start,
    /// Its end.
    End,
}

/// What a limit counts over, in the host's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// A calendar day.
    Day,
    /// A week from Monday.
    Week,
    /// A calendar month.
    Month,
}
