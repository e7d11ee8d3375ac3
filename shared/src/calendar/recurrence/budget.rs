//! How much work an expansion may be.

/// The steps that one event may take.
pub const EVENT_STEPS: u64 = 100_000;

/// The steps left to a query. A step is an occurrence, or a period of a rule that had none: some
/// 30 nanoseconds to two microseconds. The caller bounds the time of a query by its steps, for
/// what expands reads no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// So many steps, for all events of a query together.
    #[must_use]
    pub const fn new(steps: u64) -> Self {
        Self { left: steps }
    }

    /// How many are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// What the next event may take.
    pub(super) fn for_event(&self) -> Steps {
        Steps {
            left: self.left.min(EVENT_STEPS),
            spent: 0,
        }
    }

    /// Books what an event took.
    pub(super) fn book(&mut self, steps: Steps) {
        self.left = self.left.saturating_sub(steps.spent);
    }
}

/// The steps of one event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    left: u64,
    spent: u64,
}

impl Steps {
    pub(crate) const fn new(left: u64) -> Self {
        Self { left, spent: 0 }
    }

    /// Takes all that are left.
    pub(crate) fn exhaust(&mut self) {
        self.take(self.left);
    }

    pub(crate) const fn are_left(self) -> bool {
        self.left > 0
    }

    /// Takes so many; false if there were fewer.
    pub(crate) fn take(&mut self, steps: u64) -> bool {
        let enough = steps <= self.left;
        self.left = self.left.saturating_sub(steps);
        self.spent = self.spent.saturating_add(steps);
        enough
    }
}
