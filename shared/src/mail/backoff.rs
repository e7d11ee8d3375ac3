//! When a mail that failed is tried again: a minute, doubling to an hour.

use jiff::SignedDuration;

/// One first attempt and twelve retries, about seven hours in all; then the row is exhausted.
pub const MAX_ATTEMPTS: i16 = 13;

/// How long to wait after that many attempts; `None` once they are used up.
#[must_use]
pub fn wait_after(attempts: i16) -> Option<SignedDuration> {
    if attempts >= MAX_ATTEMPTS {
        return None;
    }
    let doublings = u32::try_from(attempts.saturating_sub(1))
        .unwrap_or(0)
        .min(6);
    Some(SignedDuration::from_mins((1_i64 << doublings).min(60)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_retries_take_about_seven_hours() {
        let minutes: Vec<i64> = (1..MAX_ATTEMPTS)
            .filter_map(wait_after)
            .map(|wait| wait.as_mins())
            .collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60]);
        assert_eq!(minutes.iter().sum::<i64>(), 423);
        assert_eq!(wait_after(MAX_ATTEMPTS), None);
    }
}
