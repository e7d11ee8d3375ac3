//! Domains that asked to be left alone for a while.
//!
//! Pure: instants come in.

use std::collections::HashMap;

use jiff::SignedDuration;
use shared::{instant::Instant, mail::domain::MailDomain};

/// A domain that limits us is left alone for so long.
const PAUSE_MIN: i64 = 10;
/// More are not remembered: what is forgotten is asked once more.
const MOST: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Pauses(HashMap<MailDomain, Pause>);

#[derive(Clone, Copy, Debug)]
struct Pause {
    since: Instant,
    until: Instant,
}

impl Pause {
    /// Before `since` only a clock that was set back can be: the pause is then over.
    fn holds(&self, now: Instant) -> bool {
        self.since <= now && now < self.until
    }
}

impl Pauses {
    /// Pauses a domain from `now` on. True if it was not paused.
    pub(super) fn begin(&mut self, domain: MailDomain, now: Instant) -> bool {
        self.0.retain(|_, pause| pause.holds(now));
        let pause = Pause {
            since: now,
            until: now.plus(SignedDuration::from_mins(PAUSE_MIN)),
        };
        let known = self.0.contains_key(&domain);
        if known || self.0.len() < MOST {
            self.0.insert(domain, pause);
        }
        !known
    }

    /// For how many more seconds a domain is paused, rounded up.
    pub(super) fn left_s(&self, domain: MailDomain, now: Instant) -> Option<i32> {
        let pause = self.0.get(&domain).filter(|pause| pause.holds(now))?;
        let left_ms = pause.until.since(now).as_millis();
        Some(i32::try_from((left_ms + 999) / 1_000).unwrap_or(i32::MAX))
    }

    /// How many domains are paused.
    pub(super) fn count(&self, now: Instant) -> usize {
        self.0.values().filter(|pause| pause.holds(now)).count()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn at(second: i64) -> Instant {
        Instant::from_second(1_780_000_000 + second).unwrap()
    }

    #[test]
    fn a_pause_is_ten_minutes_of_its_own_domain() {
        let (slow, other) = (MailDomain(1), MailDomain(2));
        let mut pauses = Pauses::default();
        assert!(pauses.begin(slow, at(0)));
        assert_eq!(pauses.left_s(slow, at(0)), Some(600));
        assert_eq!(pauses.left_s(slow, at(599)), Some(1));
        assert_eq!(pauses.left_s(slow, at(600)), None);
        assert_eq!(pauses.left_s(other, at(0)), None);
        assert!(
            !pauses.begin(slow, at(300)),
            "it was paused; it is longer now"
        );
        assert_eq!(pauses.left_s(slow, at(899)), Some(1));
        assert_eq!(pauses.left_s(slow, at(-1)), None, "the clock was set back");
        assert_eq!((pauses.count(at(899)), pauses.count(at(900))), (1, 0));
    }

    #[test]
    fn so_many_are_remembered_and_no_more() {
        let mut pauses = Pauses::default();
        for number in 0..20_000 {
            pauses.begin(MailDomain(number), at(0));
        }
        assert_eq!(pauses.0.len(), MOST);
        pauses.begin(MailDomain(-1), at(600));
        assert_eq!(pauses.0.len(), 1, "what is over is forgotten");
    }
}
