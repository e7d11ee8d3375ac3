//! One start, judged for a booking.

use std::ops::ControlFlow;

use crate::instant::Instant;

use super::{
    busy::{Busy, Cursor},
    candidates::{Candidate, Visit, days, offsets_for, walk},
    compute::Slot,
    judge::{Judge, Refusal},
    prepare::PreparedRule,
    quotas::Quotas,
};

/// What a start is to somebody who asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// A slot, and free.
    Free(Slot),
    /// The rule offers it, but busy time, a booking, a buffer or a limit is in the way.
    Taken,
    /// The rule does not offer it: off the grid, outside the hours, notice, horizon or dates.
    NotOffered,
}

/// Judges one start: [`Offered::Free`] exactly if [`compute_slots`](super::compute_slots) lists it
/// in every range that holds it.
#[must_use]
pub fn offered(rule: &PreparedRule, busy: &Busy, now: Instant, start: Instant) -> Offered {
    let (lo, hi) = (start.as_microsecond(), start.as_microsecond() + 1);
    let offsets = offsets_for(rule, lo, hi);
    let days = days(rule, &offsets, lo, hi);
    let quotas = Quotas::count(rule.limits, busy.starts(), &offsets, days);
    let mut verdict = Verdict {
        judge: Judge::new(rule, now, quotas, busy.cursor()),
        offered: Offered::NotOffered,
    };
    walk(rule, &offsets, lo, hi, &mut verdict);
    verdict.offered
}

struct Verdict<'a> {
    judge: Judge<'a, Cursor<'a>>,
    offered: Offered,
}

impl Visit for Verdict<'_> {
    fn candidate(&mut self, candidate: Candidate) {
        let Some(slot) = candidate.slot() else { return };
        let mut one = Offered::Free(slot);
        let ends = self.judge.judge(&candidate, |refusal| match refusal {
            Refusal::LimitReached(..) | Refusal::Occupied(()) => {
                one = Offered::Taken;
                ControlFlow::Continue(())
            }
            Refusal::BeforeNotice(_)
            | Refusal::BeyondHorizon(_)
            | Refusal::OutsideBookableDates => ControlFlow::Break(()),
        });
        // A window and an exception may both give the start, each with a date of its own to be
        // bookable on; about what is busy and booked they agree.
        if ends.is_continue() {
            self.offered = one;
        }
    }
}
