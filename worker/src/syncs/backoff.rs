//! When a calendar is read next.

use std::time::Duration;

/// After the first failure so many minutes, and so on; the last from then on.
const WAITS_MIN: [u32; 7] = [1, 5, 15, 30, 60, 120, 240];
/// The longest wait that a server may ask for.
const LONGEST_ASKED_S: i64 = 4 * 60 * 60;

/// Seconds until the next reading of a calendar after a good one: spread by a tenth either way, so
/// that calendars made in one minute are not read in one minute for ever.
pub(super) fn after_success(poll: Duration, chance: u8) -> i64 {
    spread(i64::try_from(poll.as_secs()).unwrap_or(900), chance)
}

/// Seconds until the next one after so many failed claims, or as many as the server asked for if
/// that is longer.
pub(super) fn after_failure(attempts: i32, asked_s: Option<i64>, chance: u8) -> i64 {
    let nth = usize::try_from(attempts.saturating_sub(1)).unwrap_or(0);
    let last = WAITS_MIN.len() - 1;
    let minutes = WAITS_MIN.get(nth.min(last)).copied().unwrap_or(240);
    let wait = spread(i64::from(minutes) * 60, chance);
    wait.max(asked_s.unwrap_or(0).min(LONGEST_ASKED_S))
}

fn spread(seconds: i64, chance: u8) -> i64 {
    seconds * 9 / 10 + seconds / 5 * i64::from(chance) / 255
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_from_a_minute_to_four_hours() {
        let waits: Vec<i64> = (1..=9).map(|n| after_failure(n, None, 127)).collect();
        assert!(waits.is_sorted(), "{waits:?}");
        assert!((54..=66).contains(&waits[0]), "{waits:?}");
        assert!((12_960..=15_840).contains(&waits[8]), "{waits:?}");
        assert_eq!(waits[6], waits[8]);
    }

    #[test]
    fn chance_spreads_a_wait_by_a_tenth() {
        let poll = Duration::from_secs(900);
        assert_eq!(after_success(poll, 0), 810);
        assert_eq!(after_success(poll, 255), 990);
    }

    #[test]
    fn a_server_may_ask_for_more_but_not_for_ever() {
        assert_eq!(after_failure(1, Some(600), 0), 600);
        assert_eq!(after_failure(1, Some(1), 0), 54);
        assert_eq!(after_failure(1, Some(10_000_000), 0), LONGEST_ASKED_S);
        assert_eq!(after_failure(1, Some(-5), 0), 54);
    }
}
