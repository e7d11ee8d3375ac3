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
pub struct Clock {
    /// Stands still until it is set.
    fixed: Option<Arc<RwLock<Instant>>>,
    /// What the machine's clock is wrong by.
    wrong_by: SignedDuration,
}

impl Clock {
    /// The machine's clock for what is only displayed or pre-checked, the database's where
    /// instants decide.
    #[must_use]
    pub const fn system() -> Self {
        Self::wrong_by(SignedDuration::ZERO)
    }

    /// The clock of a machine that is wrong by so much, for tests of several machines. Where instants
    /// decide it is the database's clock all the same.
    #[must_use]
    pub const fn wrong_by(wrong_by: SignedDuration) -> Self {
        Self {
            fixed: None,
            wrong_by,
        }
    }

    /// A clock that stands still until it is set.
    #[must_use]
    pub fn fixed(at: Instant) -> Self {
        Self {
            fixed: Some(Arc::new(RwLock::new(at))),
            wrong_by: SignedDuration::ZERO,
        }
    }

    /// What to bind as `$fixed` in a statement that takes a lock or a claim: `None` lets the
    /// database's own clock decide.
    #[must_use]
    pub fn pinned(&self) -> Option<Instant> {
        let held = self.fixed.as_ref()?;
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
            .unwrap_or_else(|| Instant::new(jiff::Timestamp::now()).plus(self.wrong_by))
    }

    /// Sets a fixed clock; the system's clock stays what it is.
    pub fn set(&self, at: Instant) {
        if let Some(held) = &self.fixed {
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
