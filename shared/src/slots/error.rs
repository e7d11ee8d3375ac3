//! Questions that the engine refuses. A refusal is never an empty list.

use jiff::civil;

use crate::{instant::Instant, zone::UnknownZone};

/// Why a rule or a question is no question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    /// A length outside 1 to 480 minutes.
    #[error("a slot lasts 1 to 480 minutes, not {minutes}")]
    DurationOutOfRange {
        /// As given.
        minutes: u32,
    },
    /// A step outside 1 to 480 minutes.
    #[error("starts are 1 to 480 minutes apart, not {minutes}")]
    StepOutOfRange {
        /// As given.
        minutes: u32,
    },
    /// A buffer of more than a day.
    #[error("a buffer lasts 0 to 1440 minutes, not {minutes}")]
    BufferOutOfRange {
        /// As given.
        minutes: u32,
    },
    /// A weekday that is none.
    #[error("a weekday is 0 (Sunday) to 6, not {weekday}")]
    WeekdayOutOfRange {
        /// As given.
        weekday: u8,
    },
    /// A window that ends at or before its start, or after 24:00.
    #[error(
        "the window of weekday {weekday} from minute {start_min} to {end_min} does not end after its start and by 1440"
    )]
    WindowInverted {
        /// 0 is Sunday.
        weekday: u8,
        /// Minutes after 00:00.
        start_min: u16,
        /// Minutes after 00:00.
        end_min: u16,
    },
    /// A range of an override that ends at or before its start, or after 24:00.
    #[error(
        "the override of {date} from minute {start_min} to {end_min} does not end after its start and by 1440"
    )]
    OverrideInverted {
        /// The date that it replaces.
        date: civil::Date,
        /// Minutes after 00:00.
        start_min: u16,
        /// Minutes after 00:00.
        end_min: u16,
    },
    /// A span that ends at or before its start.
    #[error("the span from {from} to {to} does not end after its start")]
    SpanInverted {
        /// Its start.
        from: Instant,
        /// Its end.
        to: Instant,
    },
    /// A last bookable date before the first.
    #[error("the last bookable date {until} is before the first, {from}")]
    BookableDatesInverted {
        /// The first.
        from: civil::Date,
        /// The last.
        until: civil::Date,
    },
    /// A range that holds nothing.
    #[error("the range from {from} to {to} is empty")]
    RangeEmpty {
        /// Its start.
        from: Instant,
        /// Its end.
        to: Instant,
    },
    /// A range of more than 400 days.
    #[error("a range holds at most 400 days of 24 hours")]
    RangeTooLong,
    /// A zone that the table does not have.
    #[error("the zone cannot be used")]
    Zone(#[from] UnknownZone),
}

impl SlotError {
    /// A stable word for it, for problems and logs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::DurationOutOfRange { .. } => "duration_out_of_range",
            Self::StepOutOfRange { .. } => "step_out_of_range",
            Self::BufferOutOfRange { .. } => "buffer_out_of_range",
            Self::WeekdayOutOfRange { .. } => "weekday_out_of_range",
            Self::WindowInverted { .. } => "window_inverted",
            Self::OverrideInverted { .. } => "override_inverted",
            Self::SpanInverted { .. } => "span_inverted",
            Self::BookableDatesInverted { .. } => "bookable_dates_inverted",
            Self::RangeEmpty { .. } => "range_empty",
            Self::RangeTooLong => "range_too_long",
            Self::Zone(_) => "unknown_zone",
        }
    }
}
