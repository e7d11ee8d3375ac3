//! A weekly window, and how windows are joined.

use serde::{Deserialize, Serialize};

/// The minute that ends a day, written 24:00.
pub const MINUTES_PER_DAY: u16 = 1440;

/// A stretch of wall-clock time on one weekday, half-open: the start belongs to it, the end does
/// not.
///
/// Windows that come from [`parse`](super::parse) or [`from_entry`](super::from_entry) have
/// `weekday <= 6` and `start_min < end_min <= 1440`.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// The day of the week: 0 is Sunday, 6 is Saturday.
    #[schema(minimum = 0, maximum = 6)]
    pub weekday: u8,
    /// The first minute, counted from 0:00 on the wall.
    #[schema(minimum = 0, maximum = 1439)]
    pub start_min: u16,
    /// The minute after the last one, counted from 0:00 on the wall; 1440 is 24:00.
    #[schema(minimum = 1, maximum = 1440)]
    pub end_min: u16,
}

/// The same time in as few windows as possible: sorted by weekday and start, with overlapping and
/// touching windows of a day joined. Windows of different days are never joined, not even at
/// midnight.
#[must_use]
pub fn merge(mut windows: Vec<Window>) -> Vec<Window> {
    windows.sort_unstable();
    let mut merged: Vec<Window> = Vec::with_capacity(windows.len());
    for window in windows {
        match merged.last_mut() {
            Some(last) if last.weekday == window.weekday && window.start_min <= last.end_min => {
                last.end_min = last.end_min.max(window.end_min);
            }
            _ => merged.push(window),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used, reason = "a test stops at what it did not expect")]

    use super::{Window, merge};

    const fn window(weekday: u8, start_min: u16, end_min: u16) -> Window {
        Window {
            weekday,
            start_min,
            end_min,
        }
    }

    #[test]
    fn windows_are_sorted_by_weekday_and_start() {
        let given = vec![window(6, 60, 120), window(0, 600, 660), window(0, 60, 120)];
        let want = vec![window(0, 60, 120), window(0, 600, 660), window(6, 60, 120)];
        assert_eq!(merge(given), want);
    }

    #[test]
    fn overlapping_touching_and_contained_windows_become_one() {
        let given = vec![window(1, 60, 120), window(1, 120, 180), window(1, 170, 240)];
        assert_eq!(merge(given), vec![window(1, 60, 240)]);
        let given = vec![window(1, 60, 600), window(1, 100, 200), window(1, 599, 601)];
        assert_eq!(merge(given), vec![window(1, 60, 601)]);
    }

    #[test]
    fn a_gap_of_one_minute_and_the_next_day_keep_windows_apart() {
        let apart = vec![window(1, 60, 120), window(1, 121, 180)];
        assert_eq!(merge(apart.clone()), apart);
        let midnight = vec![window(1, 1380, 1440), window(2, 0, 60)];
        assert_eq!(merge(midnight.clone()), midnight);
    }

    #[test]
    fn a_window_reads_back_from_json_and_refuses_unknown_fields() {
        let json = r#"{"weekday":1,"start_min":540,"end_min":1020}"#;
        let read: Window = serde_json::from_str(json).expect("a window");
        assert_eq!(read, window(1, 540, 1020));
        assert_eq!(serde_json::to_string(&read).expect("json"), json);
        let extra = r#"{"weekday":1,"start_min":540,"end_min":1020,"zone":"UTC"}"#;
        assert!(serde_json::from_str::<Window>(extra).is_err());
    }
}
