//! The list of slots.

use serde::{Deserialize, Serialize};

use crate::instant::Instant;

use super::{
    busy::{Busy, Cursor},
    candidates::{Candidate, Visit, days, offsets_for, walk},
    civil_day::DAY,
    error::SlotError,
    judge::Judge,
    prepare::PreparedRule,
    quotas::Quotas,
};

const MAX_RANGE_DAYS: i64 = 400;

/// A time that is offered.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
pub struct Slot {
    /// When the meeting begins.
    pub start: Instant,
    /// When it ends.
    pub end: Instant,
}

/// The slots that start from `from` to before `to`, in order, each once.
///
/// A slot lies wholly inside a window or an available exception, is exactly as long as the rule
/// says in elapsed time, starts no earlier than now and the notice, ends no later than the horizon,
/// and keeps its buffers clear of everything busy. `busy` must reach over
/// [`PreparedRule::busy_span`] and its starts over [`PreparedRule::limits_span`].
///
/// # Errors
/// [`SlotError::RangeEmpty`], [`SlotError::RangeTooLong`] for more than 400 days.
pub fn compute_slots(
    rule: &PreparedRule,
    busy: &Busy,
    now: Instant,
    from: Instant,
    to: Instant,
) -> Result<Vec<Slot>, SlotError> {
    check_range(from, to)?;
    // No start outside these bounds passes the judge, so no day outside is walked.
    let lo = from.as_microsecond().max(rule.earliest(now));
    let last_start = rule.latest(now).saturating_sub(rule.duration);
    let hi = to.as_microsecond().min(last_start.saturating_add(1));
    if lo >= hi {
        return Ok(Vec::new());
    }
    let offsets = offsets_for(rule, lo, hi);
    let days = days(rule, &offsets, lo, hi);
    let quotas = Quotas::count(rule.limits, busy.starts(), &offsets, days);
    let mut list = List {
        judge: Judge::new(rule, now, quotas, busy.cursor()),
        slots: Vec::new(),
        last: i64::MIN,
        in_order: true,
    };
    walk(rule, &offsets, lo, hi, &mut list);
    if !list.in_order {
        // Exceptions come after windows; a start that both give is one slot.
        list.slots.sort();
        list.slots.dedup();
    }
    Ok(list.slots)
}

fn check_range(from: Instant, to: Instant) -> Result<(), SlotError> {
    if from >= to {
        return Err(SlotError::RangeEmpty { from, to });
    }
    if to.as_microsecond() - from.as_microsecond() > MAX_RANGE_DAYS * DAY {
        return Err(SlotError::RangeTooLong);
    }
    Ok(())
}

struct List<'a> {
    judge: Judge<'a, Cursor<'a>>,
    slots: Vec<Slot>,
    last: i64,
    in_order: bool,
}

impl Visit for List<'_> {
    #[inline]
    fn candidate(&mut self, candidate: Candidate) {
        if self.judge.admits(&candidate)
            && let Some(slot) = candidate.slot()
        {
            self.in_order &= candidate.start > self.last;
            self.last = candidate.start;
            self.slots.push(slot);
        }
    }
}
