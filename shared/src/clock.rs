//! The clock, as an argument.
//!
//! Rules take the instant they are judged at. An operation takes a [`Clock`]; where instants
//! decide, the statement that takes the lock or the claim answers
//! `coalesce($fixed, clock_timestamp())`, so that all processes share the database's clock and a
//! test can fix it.

use std::sync::{Arc, RwLock};

use jiff::SignedDuration;

use crate::instant::Instant;

/// The database's clock in production, a settable one in tests.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<RwLock<Instant>>>);

impl Clock {
    /// The machine's clock for what is only displayed or pre-checked, the database's where
    /// instants decide.
    #[must_use]
    pub const fn system() -> Self {
        Self(None)
    }

    /// A clock that stands still until it is set.
    #[must_use]
    pub fn fixed(at: Instant) -> Self {
        Self(Some(Arc::new(RwLock::new(at))))
    }

    /// What to bind as `$fixed` in a statement that takes a lock or a claim: `None` lets the
    /// database's own clock decide.
    #[must_use]
    pub fn pinned(&self) -> Option<Instant> {
        let held = self.0.as_ref()?;
        Some(
            *held
                .read()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        )
    }

    /// The instant now, by this process's clock, for what no lock protects.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the machine's clock"
    )]
    pub fn now(&self) -> Instant {
        self.pinned()
            .unwrap_or_else(|| Instant::new(jiff::Timestamp::now()))
    }

    /// Sets a fixed clock; the system's clock stays what it is.
    pub fn set(&self, at: Instant) {
        if let Some(held) = &self.0 {
            *held
                .write()
                .unwrap_or_else(std::sync::PoisonError::into_inner) = at;
        }
    }

    /// Moves a fixed clock forward.
    pub fn advance(&self, by: SignedDuration) {
        if let Some(now) = self.pinned() {
            self.set(now.plus(by));
        }
    }
}
