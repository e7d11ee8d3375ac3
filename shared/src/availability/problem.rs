//! What a text says that cannot be read as availability.

use serde::{Deserialize, Serialize};

/// A piece of a text that was not understood, and why.
///
/// [`Problem::message`] says it in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub code: ProblemCode,
    /// The piece as it was typed: `text[start..end]`.
    pub quote: String,
    /// Where the piece starts, in bytes.
    pub start: usize,
    /// Where the piece ends, in bytes.
    pub end: usize,
    /// Texts that could stand in its place. For [`ProblemCode::Overnight`] they are two parts that
    /// belong together: one for the day and one for the day after. Otherwise each is one reading.
    pub suggestions: Vec<String>,
}

impl Problem {
    /// A problem with the piece `text[start..end]`, without suggestions.
    pub(super) fn new(text: &str, code: ProblemCode, start: usize, end: usize) -> Self {
        let quote = text.get(start..end).unwrap_or_default().to_owned();
        Self {
            code,
            quote,
            start,
            end,
            suggestions: vec![],
        }
    }
}

/// The kinds of problem. The names are stable and are sent in snake_case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// The text is longer than [`MAX_BYTES`](super::MAX_BYTES) and was not read. The piece is the
    /// text just past the limit.
    TooLong,
    /// A word or sign that the grammar does not know.
    NotUnderstood,
    /// A word or sign that the grammar knows, in a place where it means nothing.
    Misplaced,
    /// A range with no day before it.
    NoDay,
    /// Days at the end of the text with no range after them.
    NoHours,
    /// Two days side by side, with neither a list word nor a dash between them.
    DaysNotJoined,
    /// "between" with two days: a range of days or two days.
    BetweenDays,
    /// Digits that do not make a clock, such as "0900", "9:5" or "12th".
    NotATime,
    /// An hour above 24.
    HourOutOfRange,
    /// An hour that is not 1 to 12, with am or pm.
    MeridiemHourOutOfRange,
    /// Hour 24 in another form than 24:00, or at the start of a range.
    #[serde(rename = "hour_24")]
    Hour24,
    /// A minute above 59.
    MinuteOutOfRange,
    /// A clock that is not part of a range.
    HalfRange,
    /// A range that ends at or before its start.
    EndNotAfterStart,
    /// A range that can only mean to run past midnight.
    Overnight,
}

impl ProblemCode {
    /// Every code.
    pub const ALL: [Self; 15] = [
        Self::TooLong,
        Self::NotUnderstood,
        Self::Misplaced,
        Self::NoDay,
        Self::NoHours,
        Self::DaysNotJoined,
        Self::BetweenDays,
        Self::NotATime,
        Self::HourOutOfRange,
        Self::MeridiemHourOutOfRange,
        Self::Hour24,
        Self::MinuteOutOfRange,
        Self::HalfRange,
        Self::EndNotAfterStart,
        Self::Overnight,
    ];
}
