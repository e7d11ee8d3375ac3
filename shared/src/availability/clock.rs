//! One clock as it was typed, and what is wrong with it before anything is inferred.

use super::problem::ProblemCode;
use super::window::MINUTES_PER_DAY;

/// Minutes from 0:00 to noon.
pub(super) const NOON: u16 = 720;

/// Half of a day: before or after noon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Am,
    Pm,
}

/// What stands on a clock without its am or pm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    Noon,
    Midnight,
    /// Digits. `padded` is a two-digit hour with a leading zero.
    Written {
        hour: u8,
        minute: Option<u8>,
        padded: bool,
    },
    /// Digits in no form of a clock.
    Malformed,
}

impl Face {
    /// Reads `H`, `HH`, `Hh`, and either with two digits of minutes after `:`, `.` or `h`. Numbers
    /// are not checked here.
    pub(super) fn written(digits: &str) -> Self {
        let mut parts = digits.split([':', '.', 'h', 'H']);
        let hour = parts.next().filter(|hour| matches!(hour.len(), 1 | 2));
        let minute = match parts.next() {
            None | Some("") => Some(None),
            Some(minute) if minute.len() == 2 => minute.parse().ok().map(Some),
            Some(_) => None,
        };
        let padded = hour.is_some_and(|hour| hour.len() == 2 && hour.starts_with('0'));
        match (
            hour.and_then(|hour| hour.parse().ok()),
            minute,
            parts.next(),
        ) {
            (Some(hour), Some(minute), None) => Self::Written {
                hour,
                minute,
                padded,
            },
            _ => Self::Malformed,
        }
    }
}

/// The end of a range that a clock stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    End,
}

/// A clock with its am or pm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) face: Face,
    pub(super) half: Option<Half>,
}

impl Clock {
    /// Everything that is wrong with the clock itself, as it was typed.
    pub(super) fn faults(&self, place: Place) -> Vec<ProblemCode> {
        let (hour, minute) = match self.face {
            Face::Noon | Face::Midnight => return vec![],
            Face::Malformed => return vec![ProblemCode::NotATime],
            Face::Written { hour, minute, .. } => (hour, minute),
        };
        let mut faults = Vec::new();
        match (self.half, hour) {
            (Some(_), 1..=12) | (None, 0..=23) => {}
            (Some(_), _) => faults.push(ProblemCode::MeridiemHourOutOfRange),
            (None, 24) if place == Place::End && minute == Some(0) => {}
            (None, 24) => faults.push(ProblemCode::Hour24),
            (None, _) => faults.push(ProblemCode::HourOutOfRange),
        }
        if minute.is_some_and(|minute| minute > 59) {
            faults.push(ProblemCode::MinuteOutOfRange);
        }
        faults
    }

    /// Whether the clock could be before or after noon: digits from 1 to 12 with no am or pm.
    pub(super) fn is_open(&self) -> bool {
        self.half.is_none() && matches!(self.face, Face::Written { hour: 1..=12, .. })
    }

    /// Whether the clock can only be meant on a 24-hour dial: "07", "07:00" or 13 to 24.
    pub(super) fn is_24_hour(&self) -> bool {
        self.half.is_none()
            && matches!(
                self.face,
                Face::Written { padded: true, .. } | Face::Written { hour: 13.., .. }
            )
    }

    /// Whether the clock is 0:00 in digits.
    pub(super) fn is_zero(&self) -> bool {
        self.half.is_none()
            && matches!(
                self.face,
                Face::Written {
                    hour: 0,
                    minute: None | Some(0),
                    ..
                }
            )
    }

    /// The half that an open clock means on its own: 1 to 7 is the afternoon, 8 to 12 is as
    /// written.
    pub(super) fn working_half(&self) -> Option<Half> {
        match self.face {
            Face::Written { hour: 1..=7, .. } if self.half.is_none() => Some(Half::Pm),
            _ => self.half,
        }
    }

    /// Minutes from 0:00 if the clock is read with `half`; `None` is as written. Midnight and 12am
    /// are 0 at a start and 1440 at an end.
    pub(super) fn minutes(&self, half: Option<Half>, place: Place) -> u16 {
        let midnight = if place == Place::End {
            MINUTES_PER_DAY
        } else {
            0
        };
        let (hour, minute) = match self.face {
            Face::Noon => return NOON,
            Face::Midnight | Face::Malformed => return midnight,
            Face::Written { hour, minute, .. } => (u16::from(hour), u16::from(minute.unwrap_or(0))),
        };
        match half {
            None => hour * 60 + minute,
            Some(Half::Am) if hour == 12 && minute == 0 => midnight,
            Some(Half::Am) => hour % 12 * 60 + minute,
            Some(Half::Pm) => hour % 12 * 60 + minute + NOON,
        }
    }

    /// The clock written out with `half`, in a form that reads back as the same time.
    pub(super) fn with(&self, half: Option<Half>) -> String {
        let (hour, minute) = match self.face {
            Face::Noon => return "noon".to_owned(),
            Face::Midnight | Face::Malformed => return "midnight".to_owned(),
            Face::Written { hour, minute, .. } => (hour, minute),
        };
        let mark = match half {
            None => return format!("{hour:02}:{:02}", minute.unwrap_or(0)),
            Some(Half::Am) => "am",
            Some(Half::Pm) => "pm",
        };
        minute.map_or_else(
            || format!("{hour}{mark}"),
            |minute| format!("{hour}:{minute:02}{mark}"),
        )
    }
}

/// Minutes from 0:00 as `HH:MM`.
pub(super) fn hh_mm(minutes: u16) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}
