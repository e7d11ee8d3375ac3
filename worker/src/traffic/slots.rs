//! Who has the sending slots of the lanes.
//!
//! A domain whose mail server does not answer keeps every send to it for as long as a send may take.
//! With mail enough it would have all slots, and mail to everybody else would wait behind it. So the
//! last slot of a lane is never given to a domain that has all the others, nor to a slow one while
//! slow ones have all the others.
//!
//! Pure: instants of the monotonic clock come in.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use shared::{mail::domain::MailDomain, store::mail_queue::Lane};
use tokio::time::Instant as Stopwatch;

/// A send that takes longer makes its domain slow.
const SLOW: Duration = Duration::from_secs(2);
/// A domain is slow for so long after the last slow send to it, unless a quick one shows that it is
/// well again.
const REMEMBERED: Duration = Duration::from_secs(600);
/// More slow domains are not remembered.
const MOST: usize = 10_000;

/// The slots of both lanes.
#[derive(Debug)]
pub(super) struct Slots {
    /// In each lane.
    total: usize,
    taken: HashMap<u64, Taken>,
    next: u64,
    slow_until: HashMap<MailDomain, Stopwatch>,
}

#[derive(Clone, Copy, Debug)]
struct Taken {
    lane: Lane,
    domain: MailDomain,
    since: Stopwatch,
}

/// A slot that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u64);

/// Why none was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crowded {
    /// The domain is quick: one will be free in a moment.
    Quick,
    /// The domain is slow.
    Slow,
}

impl Slots {
    pub(super) fn new(total: usize) -> Self {
        Self {
            total: total.max(1),
            taken: HashMap::new(),
            next: 0,
            slow_until: HashMap::new(),
        }
    }

    /// Takes a slot of a lane for a domain.
    pub(super) fn take(
        &mut self,
        lane: Lane,
        domain: MailDomain,
        now: Stopwatch,
    ) -> Result<Slot, Crowded> {
        if let Some(crowded) = self.crowded(lane, domain, now) {
            return Err(crowded);
        }
        let slot = Slot(self.next);
        self.next = self.next.wrapping_add(1);
        let taken = Taken {
            lane,
            domain,
            since: now,
        };
        self.taken.insert(slot.0, taken);
        Ok(slot)
    }

    /// Gives it back. With `answered` the domain's server said something in the end.
    pub(super) fn give_back(&mut self, slot: Slot, answered: bool, now: Stopwatch) {
        let Some(taken) = self.taken.remove(&slot.0) else {
            return;
        };
        if answered && now.duration_since(taken.since) <= SLOW {
            self.slow_until.remove(&taken.domain);
        } else if now.duration_since(taken.since) > SLOW {
            self.slow_until.retain(|_, until| now < *until);
            if self.slow_until.len() < MOST {
                self.slow_until.insert(taken.domain, now + REMEMBERED);
            }
        }
    }

    /// The domains for which there is no slot in a lane at this moment.
    pub(super) fn crowded_domains(&self, lane: Lane, now: Stopwatch) -> Vec<MailDomain> {
        let with_slots = self.taken.values().map(|taken| taken.domain);
        let known: HashSet<MailDomain> =
            with_slots.chain(self.slow_until.keys().copied()).collect();
        let crowded = |domain: &MailDomain| self.crowded(lane, *domain, now).is_some();
        known.into_iter().filter(crowded).collect()
    }

    fn crowded(&self, lane: Lane, domain: MailDomain, now: Stopwatch) -> Option<Crowded> {
        let most = (self.total - 1).max(1);
        let of_lane = || self.taken.values().filter(|taken| taken.lane == lane);
        let slow = self.is_slow(domain, now);
        let own = of_lane().filter(|taken| taken.domain == domain).count();
        let all_slow = of_lane()
            .filter(|taken| self.is_slow(taken.domain, now))
            .count();
        if slow && all_slow >= most {
            Some(Crowded::Slow)
        } else if own >= most {
            Some(Crowded::Quick)
        } else {
            None
        }
    }

    fn is_slow(&self, domain: MailDomain, now: Stopwatch) -> bool {
        let remembered = self
            .slow_until
            .get(&domain)
            .is_some_and(|until| now < *until);
        remembered
            || self
                .taken
                .values()
                .any(|taken| taken.domain == domain && now.duration_since(taken.since) > SLOW)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    const A: MailDomain = MailDomain(1);
    const B: MailDomain = MailDomain(2);
    const C: MailDomain = MailDomain(3);
    const PROMPT: Lane = Lane::Prompt;

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    /// Red if a domain may have all slots.
    #[test]
    fn the_last_slot_is_never_the_domains_that_has_all_the_others() {
        for total in 2..9 {
            let began = Stopwatch::now();
            let mut slots = Slots::new(total);
            for _ in 0..total - 1 {
                slots.take(PROMPT, A, began).unwrap();
            }
            assert_eq!(slots.take(PROMPT, A, began), Err(Crowded::Quick), "{total}");
            assert_eq!(slots.crowded_domains(PROMPT, began), [A]);
            slots.take(PROMPT, B, began).unwrap();
            slots.take(Lane::Reminder, A, began).unwrap();
        }
    }

    #[test]
    fn a_lane_with_one_slot_gives_it_to_whoever_comes() {
        let now = Stopwatch::now();
        let mut slots = Slots::new(1);
        let slot = slots.take(PROMPT, A, now).unwrap();
        assert!(slots.take(PROMPT, A, now).is_err());
        slots.give_back(slot, true, now);
        slots.take(PROMPT, B, now).unwrap();
    }

    /// Several domains that hang leave a slot to those that do not.
    #[test]
    fn slow_domains_together_leave_the_last_slot() {
        let began = Stopwatch::now();
        let mut slots = Slots::new(3);
        slots.take(PROMPT, A, began).unwrap();
        slots.take(PROMPT, B, began).unwrap();
        let later = began + seconds(3);
        assert_eq!(slots.take(PROMPT, A, later), Err(Crowded::Slow));
        assert_eq!(slots.take(PROMPT, B, later), Err(Crowded::Slow));
        let mut crowded = slots.crowded_domains(PROMPT, later);
        crowded.sort();
        assert_eq!(crowded, [A, B]);
        slots.take(PROMPT, C, later).unwrap();
    }

    #[test]
    fn a_slow_domain_is_remembered_until_a_quick_send_or_ten_minutes() {
        let began = Stopwatch::now();
        for (answered, quick_again) in [(true, true), (false, false)] {
            let mut slots = Slots::new(2);
            let slot = slots.take(PROMPT, A, began).unwrap();
            slots.give_back(slot, false, began + seconds(15));
            let later = began + seconds(16);
            let slot = slots.take(PROMPT, A, later).unwrap();
            assert_eq!(slots.take(PROMPT, A, later), Err(Crowded::Slow));
            slots.give_back(slot, answered, later + seconds(1));
            let slot = slots.take(PROMPT, A, later + seconds(1)).unwrap();
            let again = slots.take(PROMPT, A, later + seconds(1));
            assert_eq!(
                again,
                Err(if quick_again {
                    Crowded::Quick
                } else {
                    Crowded::Slow
                })
            );
            slots.give_back(slot, false, later + seconds(1));
            assert!(!slots.is_slow(A, began + seconds(616)));
        }
    }
}
