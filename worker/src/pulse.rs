//! When each loop last ran: what `/readyz` says of the worker half.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use shared::instant::Instant;

/// The loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    Mail,
    Reminders,
    Sweeps,
    Calendars,
}

impl Loop {
    /// Every loop.
    pub const ALL: [Self; 4] = [Self::Mail, Self::Reminders, Self::Sweeps, Self::Calendars];

    /// Its name in answers and figures.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Reminders => "reminders",
            Self::Sweeps => "sweeps",
            Self::Calendars => "calendars",
        }
    }
}

/// A loop that did not run for so long is not alive.
const ALIVE_S: i64 = 120;

/// Shared by the loops and whoever asks.
#[derive(Clone, Debug, Default)]
pub struct Pulse(Arc<[AtomicI64; 4]>);

impl Pulse {
    /// A loop ran.
    pub fn beat(&self, of: Loop, now: Instant) {
        self.0[of as usize].store(now.timestamp().as_second(), Ordering::Relaxed);
    }

    /// When a loop last ran; `None` before its first run.
    #[must_use]
    pub fn last(&self, of: Loop) -> Option<Instant> {
        match self.0[of as usize].load(Ordering::Relaxed) {
            0 => None,
            second => Instant::from_second(second),
        }
    }

    /// Whether every loop ran lately.
    #[must_use]
    pub fn is_alive(&self, now: Instant) -> bool {
        Loop::ALL.iter().all(|of| {
            self.last(*of)
                .is_some_and(|last| now.since(last).as_secs() < ALIVE_S)
        })
    }
}
