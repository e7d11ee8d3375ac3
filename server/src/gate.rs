//! The gate on public routes: a token bucket by client.
//!
//! A client is an IP fingerprint (IPv6 by its /64). At most [`MAX_KEYS`] clients are held; idle
//! ones leave after five minutes, and while it is full a new client is refused.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use shared::{fingerprint::Fingerprint, instant::Instant};

/// The most clients held at once.
pub const MAX_KEYS: usize = 10_000;
/// A client that asked nothing for so long is forgotten.
const IDLE_MINUTES: i64 = 5;

/// A set of token buckets with one rate: `per_minute` tokens a minute, as many at most.
pub struct Gate {
    per_minute: u32,
    buckets: Mutex<Buckets>,
}

struct Buckets {
    by_client: HashMap<Fingerprint, Bucket>,
    swept_at: Option<Instant>,
}

#[derive(Clone, Copy)]
struct Bucket {
    /// Microseconds of waiting that are still owed: 0 is a full bucket.
    debt_us: i64,
    at: Instant,
}

/// The client must wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed {
    /// Whole seconds until the next request is let through.
    pub retry_after_s: u32,
}

impl Gate {
    /// A gate that lets `per_minute` requests a minute through for each client.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        let buckets = Buckets {
            by_client: HashMap::new(),
            swept_at: None,
        };
        Self {
            per_minute: per_minute.max(1),
            buckets: Mutex::new(buckets),
        }
    }

    /// Takes a token of this client.
    ///
    /// # Errors
    /// [`Closed`], with the time until there is one.
    pub fn pass(&self, client: &Fingerprint, now: Instant) -> Result<(), Closed> {
        const MINUTE_US: i64 = 60_000_000;
        let cost_us = (MINUTE_US / i64::from(self.per_minute)).max(1);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.sweep(now);
        if !buckets.by_client.contains_key(client) && buckets.by_client.len() >= MAX_KEYS {
            return Err(Closed { retry_after_s: 60 });
        }
        let bucket = buckets.by_client.entry(*client).or_insert(Bucket {
            debt_us: 0,
            at: now,
        });
        let waited_us = now.since(bucket.at).as_micros();
        let waited_us = i64::try_from(waited_us).unwrap_or(i64::MAX).max(0);
        let debt_us = bucket.debt_us.saturating_sub(waited_us).max(0);
        let room_us = MINUTE_US - debt_us;
        *bucket = Bucket { debt_us, at: now };
        if room_us < cost_us {
            let wait_us = cost_us - room_us;
            let seconds = wait_us.div_euclid(1_000_000) + 1;
            return Err(Closed {
                retry_after_s: u32::try_from(seconds).unwrap_or(60),
            });
        }
        bucket.debt_us = debt_us + cost_us;
        Ok(())
    }

    /// How many clients are held.
    #[must_use]
    pub fn clients(&self) -> usize {
        self.buckets
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .by_client
            .len()
    }
}

impl Buckets {
    /// Forgets idle clients; looks at them all at most once a minute, or when it is full once a
    /// second.
    fn sweep(&mut self, now: Instant) {
        let pause_s = if self.by_client.len() >= MAX_KEYS {
            1
        } else {
            60
        };
        if self
            .swept_at
            .is_some_and(|at| now.since(at).as_secs() < pause_s)
        {
            return;
        }
        self.swept_at = Some(now);
        self.by_client
            .retain(|_, bucket| now.since(bucket.at).as_secs() < IDLE_MINUTES * 60);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn at(second: i64) -> Instant {
        Instant::from_second(1_800_000_000 + second).unwrap()
    }

    fn client(number: u32) -> Fingerprint {
        let mut key = [0; 32];
        key[..4].copy_from_slice(&number.to_be_bytes());
        key
    }

    #[test]
    fn the_61st_request_in_a_minute_is_refused_and_told_a_true_wait() {
        let gate = Gate::new(60);
        for _ in 0..60 {
            assert_eq!(gate.pass(&client(1), at(0)), Ok(()));
        }
        let closed = gate.pass(&client(1), at(0)).unwrap_err();
        assert_eq!(closed.retry_after_s, 2);
        assert_eq!(
            gate.pass(&client(2), at(0)),
            Ok(()),
            "another client has its own bucket"
        );
        assert_eq!(
            gate.pass(&client(1), at(i64::from(closed.retry_after_s))),
            Ok(())
        );
    }

    #[test]
    fn a_refused_request_costs_nothing() {
        let gate = Gate::new(60);
        for _ in 0..200 {
            let _ = gate.pass(&client(1), at(0));
        }
        assert_eq!(gate.pass(&client(1), at(2)), Ok(()));
    }

    #[test]
    fn keys_are_bounded_and_idle_ones_leave() {
        let gate = Gate::new(60);
        let refused = (0..20_000)
            .filter(|n| gate.pass(&client(*n), at(0)).is_err())
            .count();
        assert_eq!(refused, 10_000);
        assert_eq!(gate.clients(), MAX_KEYS);
        assert_eq!(gate.pass(&client(19_999), at(301)), Ok(()));
        assert_eq!(gate.clients(), 1);
    }
}
