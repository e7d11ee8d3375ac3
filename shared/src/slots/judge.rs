//! The one place that refuses a candidate. Listing, booking and explaining all ask here.

use std::ops::ControlFlow;

use crate::instant::Instant;

use super::{
    candidates::Candidate, civil_day, prepare::PreparedRule, quotas::Quotas, reason::Period,
};

/// Time that is taken, in some form that can be asked.
pub(super) trait Occupied {
    /// What is known of a span that was found.
    type Found;
    /// Reports spans that overlap `[from, to)`, instants in microseconds, until told to stop.
    fn overlaps(
        &mut self,
        from: i64,
        to: i64,
        found: impl FnMut(Self::Found) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
}

/// Why a candidate is no slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal<Found> {
    /// It starts before the notice is over; the first allowed start.
    BeforeNotice(i64),
    /// It ends beyond the horizon; the last allowed end.
    BeyondHorizon(i64),
    /// Its date is not bookable.
    OutsideBookableDates,
    /// A limit is reached: of what, how many are allowed, how many there are.
    LimitReached(Period, u32, u32),
    /// It, or a buffer of it, overlaps busy time.
    Occupied(Found),
}

/// Everything that decides about a candidate but its place on a grid.
pub(super) struct Judge<'a, O> {
    rule: &'a PreparedRule,
    earliest: i64,
    latest: i64,
    quotas: Quotas,
    occupied: O,
}

impl<'a, O: Occupied> Judge<'a, O> {
    pub(super) fn new(rule: &'a PreparedRule, now: Instant, quotas: Quotas, occupied: O) -> Self {
        Self {
            rule,
            earliest: rule.earliest(now),
            latest: rule.latest(now),
            quotas,
            occupied,
        }
    }

    /// Names what speaks against a candidate, until told to stop. Silence is consent.
    #[inline]
    pub(super) fn judge(
        &mut self,
        candidate: &Candidate,
        mut refuse: impl FnMut(Refusal<O::Found>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if candidate.start < self.earliest {
            refuse(Refusal::BeforeNotice(self.earliest))?;
        }
        if candidate.end > self.latest {
            refuse(Refusal::BeyondHorizon(self.latest))?;
        }
        let (first, last) = self.rule.bookable;
        if candidate.owner < first || candidate.owner > last {
            refuse(Refusal::OutsideBookableDates)?;
        }
        if !self.quotas.is_empty() {
            for (period, limit, booked) in self.quotas.reached(civil_day::of_wall(candidate.wall)) {
                refuse(Refusal::LimitReached(period, limit, booked))?;
            }
        }
        let from = candidate.start - self.rule.before;
        let to = candidate.end + self.rule.after;
        self.occupied
            .overlaps(from, to, |found| refuse(Refusal::Occupied(found)))
    }

    /// Whether nothing speaks against a candidate.
    #[inline]
    pub(super) fn admits(&mut self, candidate: &Candidate) -> bool {
        self.judge(candidate, |_| ControlFlow::Break(()))
            .is_continue()
    }
}
