//! A booking's life: what it may become, when, and why not.
//!
//! `held` -> `confirmed` -> `cancelled | completed | no_show`; `held` -> `expired`. Terminal states
//! do not move again. Every transition takes the instant it is judged at; the conditional UPDATE
//! that writes it names the same state and revision again.

use super::policy::words;
use crate::instant::{Instant, Span};

words! {
    /// Where a booking stands.
    State {
        /// The time is kept until it is confirmed or lapses.
        Held = "held",
        /// It will take place.
        Confirmed = "confirmed",
        /// It will not.
        Cancelled = "cancelled",
        /// It was never confirmed.
        Expired = "expired",
        /// It took place.
        Completed = "completed",
        /// It did not: the booker stayed away.
        NoShow = "no_show",
    }
}

words! {
    /// Who acts.
    Actor {
        /// Who booked, by a manage token.
        Booker = "booker",
        /// Who is booked.
        Host = "host",
        /// Somebody who manages meetings for others.
        Coordinator = "coordinator",
    }
}

/// A booking's standing: all that decides whether it may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Where it stands.
    pub state: State,
    /// Its counter, +1 on every transition.
    pub revision: i32,
    /// The meeting.
    pub span: Span,
    /// Until when a hold keeps the time.
    pub hold_expires_at: Option<Instant>,
    /// How often its booker moved it.
    pub booker_reschedules: i32,
}

/// Why a booking may not do what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The hold lapsed or was released.
    #[error("the hold has expired")]
    HoldExpired,
    /// It is held, not confirmed.
    #[error("the booking is not confirmed")]
    NotConfirmed,
    /// It is cancelled.
    #[error("the booking is cancelled")]
    Cancelled,
    /// It took place, or its booker stayed away.
    #[error("the meeting is over")]
    Finished,
    /// The meeting has begun.
    #[error("the meeting has started")]
    AlreadyStarted,
    /// The meeting has not begun.
    #[error("the meeting has not started")]
    NotStarted,
    /// The revision named is not the current one.
    #[error("the booking has changed")]
    RevisionConflict,
    /// Its booker may not move it again.
    #[error("the booking cannot be moved again by its booker")]
    RescheduleLimit,
    /// It is at this time already.
    #[error("the booking is at this time already")]
    Unchanged,
}

/// What a verb does to a booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It moves on.
    Go,
    /// The end state holds already: answer 200 with the unchanged booking.
    Already,
}

impl Standing {
    /// The state as people see it: a hold that lapsed is expired even before a sweep reaches it.
    #[must_use]
    pub fn state_at(&self, now: Instant) -> State {
        if self.state == State::Held && self.lapsed(now) {
            State::Expired
        } else {
            self.state
        }
    }

    fn lapsed(&self, now: Instant) -> bool {
        self.span.from <= now || self.hold_expires_at.is_none_or(|expires| expires <= now)
    }

    /// May it be confirmed? Needs `now < hold_expires_at` and `now < start`.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn confirm(&self, now: Instant, expected: Option<i32>) -> Result<Step, Refusal> {
        match self.state_at(now) {
            State::Held => self.expect(expected).map(|()| Step::Go),
            State::Confirmed => Ok(Step::Already),
            State::Cancelled => Err(Refusal::Cancelled),
            State::Expired => Err(Refusal::HoldExpired),
            State::Completed | State::NoShow => Err(Refusal::Finished),
        }
    }

    /// May it be cancelled by that actor? A hold is released; a booker cannot cancel what has
    /// begun.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn cancel(
        &self,
        now: Instant,
        by: Actor,
        cancelled_by: Option<Actor>,
        expected: Option<i32>,
    ) -> Result<Step, Refusal> {
        match self.state_at(now) {
            State::Held => self.expect(expected).map(|()| Step::Go),
            State::Confirmed if by == Actor::Booker && self.span.from <= now => {
                Err(Refusal::AlreadyStarted)
            }
            State::Confirmed => self.expect(expected).map(|()| Step::Go),
            State::Cancelled if cancelled_by == Some(by) => Ok(Step::Already),
            State::Cancelled => Err(Refusal::Cancelled),
            State::Expired => Err(Refusal::HoldExpired),
            State::Completed | State::NoShow => Err(Refusal::Finished),
        }
    }

    /// May it move to `start`? The revision must be named.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn reschedule(
        &self,
        now: Instant,
        by: Actor,
        expected: i32,
        start: Instant,
        booker_limit: u32,
    ) -> Result<(), Refusal> {
        match self.state_at(now) {
            State::Confirmed => {}
            State::Held => return Err(Refusal::NotConfirmed),
            State::Cancelled => return Err(Refusal::Cancelled),
            State::Expired => return Err(Refusal::HoldExpired),
            State::Completed | State::NoShow => return Err(Refusal::Finished),
        }
        self.expect(Some(expected))?;
        if self.span.from <= now {
            return Err(Refusal::AlreadyStarted);
        }
        if by == Actor::Booker && self.reschedules_left(booker_limit) == 0 {
            return Err(Refusal::RescheduleLimit);
        }
        if start == self.span.from {
            return Err(Refusal::Unchanged);
        }
        Ok(())
    }

    /// May it be marked completed or a no-show? Only once it has begun.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn finish(&self, now: Instant, to: State, expected: Option<i32>) -> Result<Step, Refusal> {
        match self.state_at(now) {
            State::Confirmed => {}
            state if state == to => return Ok(Step::Already),
            State::Held => return Err(Refusal::NotConfirmed),
            State::Cancelled => return Err(Refusal::Cancelled),
            State::Expired => return Err(Refusal::HoldExpired),
            State::Completed | State::NoShow => return Err(Refusal::Finished),
        }
        self.expect(expected)?;
        if self.span.from > now {
            Err(Refusal::NotStarted)
        } else {
            Ok(Step::Go)
        }
    }

    /// How often its booker may still move it.
    #[must_use]
    pub fn reschedules_left(&self, booker_limit: u32) -> u32 {
        booker_limit.saturating_sub(u32::try_from(self.booker_reschedules).unwrap_or(0))
    }

    fn expect(&self, expected: Option<i32>) -> Result<(), Refusal> {
        match expected {
            Some(revision) if revision != self.revision => Err(Refusal::RevisionConflict),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
