//! Windows entered as JSON instead of text.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::window::{MINUTES_PER_DAY, Window, merge};

/// One window as a caller writes it. An end before the start means the next day.
///
/// The fields are wider than the values they may hold, so that a wrong number is answered with an
/// [`EntryError`] that says which window it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WindowEntry {
    /// The day of the week that the window starts on: 0 is Sunday, 6 is Saturday.
    #[schema(minimum = 0, maximum = 6)]
    pub weekday: i64,
    /// The first minute, counted from 0:00 on the wall.
    #[schema(minimum = 0, maximum = 1439)]
    pub start_min: i64,
    /// The minute after the last one, counted from 0:00 on the wall; 1440 is 24:00. Before
    /// `start_min` it is a minute of the next day.
    #[schema(minimum = 0, maximum = 1440)]
    pub end_min: i64,
}

/// What is wrong with one entered window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("window {index}: {fault}")]
pub struct EntryError {
    /// Where the window stands in the list, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub fault: EntryFault,
}

/// The ways in which an entered window can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EntryFault {
    /// No such day.
    #[error("weekday is {0}, but must be 0 (Sunday) to 6 (Saturday)")]
    Weekday(i64),
    /// The start is not a minute of the day.
    #[error("start_min is {0}, but must be 0 to 1439")]
    Start(i64),
    /// The end is neither a minute of the day nor 24:00.
    #[error("end_min is {0}, but must be 0 to 1440")]
    End(i64),
    /// A window without length. A whole day is 0 to 1440.
    #[error("start_min and end_min are both {0}; a whole day is 0 to 1440")]
    Empty(i64),
}

impl EntryFault {
    /// The stable name of the fault, in snake_case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Weekday(_) => "weekday_out_of_range",
            Self::Start(_) => "start_out_of_range",
            Self::End(_) => "end_out_of_range",
            Self::Empty(_) => "empty_window",
        }
    }

    /// The field of [`WindowEntry`] that the fault is about.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Weekday(_) => "weekday",
            Self::Start(_) => "start_min",
            Self::End(_) | Self::Empty(_) => "end_min",
        }
    }
}

/// The windows that the entries mean, merged. An overnight entry becomes two windows, cut at
/// midnight; what follows Saturday is Sunday.
///
/// # Errors
///
/// Every fault of every entry, in the order of the entries.
pub fn from_entry(entries: &[WindowEntry]) -> Result<Vec<Window>, Vec<EntryError>> {
    let mut windows = Vec::with_capacity(entries.len());
    let mut errors = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        match read(*entry) {
            Ok((weekday, start_min, end_min)) => push(&mut windows, weekday, start_min, end_min),
            Err(faults) => {
                errors.extend(faults.into_iter().map(|fault| EntryError { index, fault }));
            }
        }
    }
    if errors.is_empty() {
        Ok(merge(windows))
    } else {
        Err(errors)
    }
}

fn read(entry: WindowEntry) -> Result<(u8, u16, u16), Vec<EntryFault>> {
    let weekday = u8::try_from(entry.weekday).ok().filter(|day| *day <= 6);
    let start = u16::try_from(entry.start_min)
        .ok()
        .filter(|min| *min < MINUTES_PER_DAY);
    let end = u16::try_from(entry.end_min)
        .ok()
        .filter(|min| *min <= MINUTES_PER_DAY);
    match (weekday, start, end) {
        (Some(_), Some(start), Some(end)) if start == end => {
            Err(vec![EntryFault::Empty(entry.start_min)])
        }
        (Some(weekday), Some(start), Some(end)) => Ok((weekday, start, end)),
        _ => Err([
            weekday
                .is_none()
                .then_some(EntryFault::Weekday(entry.weekday)),
            start
                .is_none()
                .then_some(EntryFault::Start(entry.start_min)),
            end.is_none().then_some(EntryFault::End(entry.end_min)),
        ]
        .into_iter()
        .flatten()
        .collect()),
    }
}

fn push(windows: &mut Vec<Window>, weekday: u8, start_min: u16, end_min: u16) {
    if start_min < end_min {
        windows.push(Window {
            weekday,
            start_min,
            end_min,
        });
        return;
    }
    windows.push(Window {
        weekday,
        start_min,
        end_min: MINUTES_PER_DAY,
    });
    if end_min > 0 {
        windows.push(Window {
            weekday: (weekday + 1) % 7,
            start_min: 0,
            end_min,
        });
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used, reason = "a test stops at what it did not expect")]

    use super::{EntryError, EntryFault, Window, WindowEntry, from_entry};

    const fn entry(weekday: i64, start_min: i64, end_min: i64) -> WindowEntry {
        WindowEntry {
            weekday,
            start_min,
            end_min,
        }
    }

    const fn window(weekday: u8, start_min: u16, end_min: u16) -> Window {
        Window {
            weekday,
            start_min,
            end_min,
        }
    }

    #[test]
    fn entries_are_merged_and_sorted() {
        let got = from_entry(&[entry(1, 720, 800), entry(1, 540, 720), entry(0, 0, 1440)]);
        assert_eq!(got, Ok(vec![window(0, 0, 1440), window(1, 540, 800)]));
        assert_eq!(from_entry(&[]), Ok(vec![]));
    }

    #[test]
    fn an_overnight_entry_is_cut_at_midnight_and_saturday_runs_into_sunday() {
        let got = from_entry(&[entry(5, 1320, 120)]);
        assert_eq!(got, Ok(vec![window(5, 1320, 1440), window(6, 0, 120)]));
        let got = from_entry(&[entry(6, 1320, 120), entry(0, 120, 180)]);
        assert_eq!(got, Ok(vec![window(0, 0, 180), window(6, 1320, 1440)]));
    }

    #[test]
    fn an_end_at_midnight_is_the_end_of_the_day_however_it_is_written() {
        let want = Ok(vec![window(2, 1200, 1440)]);
        assert_eq!(from_entry(&[entry(2, 1200, 1440)]), want);
        assert_eq!(from_entry(&[entry(2, 1200, 0)]), want);
    }

    #[test]
    fn every_fault_of_every_entry_is_reported_with_its_place() {
        let got = from_entry(&[
            entry(7, 1440, 1441),
            entry(1, 540, 600),
            entry(-1, -1, -1),
            entry(3, 600, 600),
            entry(i64::MAX, 0, i64::MIN),
        ]);
        let error = |index, fault| EntryError { index, fault };
        assert_eq!(
            got,
            Err(vec![
                error(0, EntryFault::Weekday(7)),
                error(0, EntryFault::Start(1440)),
                error(0, EntryFault::End(1441)),
                error(2, EntryFault::Weekday(-1)),
                error(2, EntryFault::Start(-1)),
                error(2, EntryFault::End(-1)),
                error(3, EntryFault::Empty(600)),
                error(4, EntryFault::Weekday(i64::MAX)),
                error(4, EntryFault::End(i64::MIN)),
            ])
        );
    }

    #[test]
    fn a_fault_names_its_code_its_field_and_its_value() {
        let cases = [
            (
                EntryFault::Weekday(7),
                "weekday_out_of_range",
                "weekday",
                "weekday is 7",
            ),
            (
                EntryFault::Start(1440),
                "start_out_of_range",
                "start_min",
                "start_min is 1440",
            ),
            (
                EntryFault::End(1441),
                "end_out_of_range",
                "end_min",
                "end_min is 1441",
            ),
            (
                EntryFault::Empty(9),
                "empty_window",
                "end_min",
                "start_min and end_min are both 9",
            ),
        ];
        for (fault, code, field, text) in cases {
            assert_eq!((fault.code(), fault.field()), (code, field));
            let said = EntryError { index: 4, fault }.to_string();
            assert!(said.starts_with(&format!("window 4: {text}")), "{said}");
        }
    }

    #[test]
    fn an_entry_reads_from_json_and_refuses_unknown_and_missing_fields() {
        let read = |json| serde_json::from_str::<WindowEntry>(json);
        let json = r#"{"weekday":-3,"start_min":540,"end_min":70000}"#;
        assert_eq!(read(json).expect("an entry"), entry(-3, 540, 70_000));
        assert!(read(r#"{"weekday":1,"start_min":0,"end_min":1,"x":1}"#).is_err());
        assert!(read(r#"{"weekday":1,"start_min":0}"#).is_err());
    }
}
