#![expect(clippy::unwrap_used, reason = "tests")]
use super::*;

const NOON: &str = "2026-06-01T12:00:00Z";

fn at(minutes: i64) -> Instant {
    NOON.parse::<Instant>().unwrap().plus_minutes(minutes)
}

/// Starts an hour after noon; a hold of it lapses after 30 minutes.
fn standing(state: State) -> Standing {
    Standing {
        state,
        revision: 3,
        span: Span::new(at(60), at(90)).unwrap(),
        hold_expires_at: Some(at(30)),
        booker_reschedules: 0,
    }
}

const ALL: [State; 6] = [
    State::Held,
    State::Confirmed,
    State::Cancelled,
    State::Expired,
    State::Completed,
    State::NoShow,
];

#[test]
fn a_hold_is_confirmed_only_before_it_lapses_and_before_the_start() {
    let held = standing(State::Held);
    assert_eq!(held.confirm(at(0), None), Ok(Step::Go));
    assert_eq!(
        held.confirm(at(30), None),
        Err(Refusal::HoldExpired),
        "exactly at the expiry is too late"
    );
    let late = Standing {
        hold_expires_at: Some(at(120)),
        ..held
    };
    assert_eq!(
        late.confirm(at(60), None),
        Err(Refusal::HoldExpired),
        "exactly at the start is too late"
    );
    assert_eq!(
        late.confirm(at(60).plus(jiff::SignedDuration::from_micros(-1)), None),
        Ok(Step::Go)
    );
    assert_eq!(held.confirm(at(0), Some(2)), Err(Refusal::RevisionConflict));
}

#[test]
fn every_state_answers_each_verb_exactly() {
    use Refusal::{Cancelled, Finished, HoldExpired, NotConfirmed};
    let confirm = [
        Ok(Step::Go),
        Ok(Step::Already),
        Err(Cancelled),
        Err(HoldExpired),
        Err(Finished),
        Err(Finished),
    ];
    let cancel = [
        Ok(Step::Go),
        Ok(Step::Go),
        Err(Cancelled),
        Err(HoldExpired),
        Err(Finished),
        Err(Finished),
    ];
    let moves = [
        Err(NotConfirmed),
        Ok(()),
        Err(Cancelled),
        Err(HoldExpired),
        Err(Finished),
        Err(Finished),
    ];
    let complete = [
        Err(NotConfirmed),
        Err(Refusal::NotStarted),
        Err(Cancelled),
        Err(HoldExpired),
        Ok(Step::Already),
        Err(Finished),
    ];
    for (position, state) in ALL.into_iter().enumerate() {
        let booking = standing(state);
        assert_eq!(booking.confirm(at(0), None), confirm[position], "{state:?}");
        assert_eq!(
            booking.cancel(at(0), Actor::Booker, Some(Actor::Host), None),
            cancel[position],
            "{state:?}"
        );
        assert_eq!(
            booking.reschedule(at(0), Actor::Booker, 3, at(120), 5),
            moves[position],
            "{state:?}"
        );
        assert_eq!(
            booking.finish(at(0), State::Completed, None),
            complete[position],
            "{state:?}"
        );
    }
}

#[test]
fn a_second_cancel_by_the_same_kind_of_actor_changes_nothing() {
    let cancelled = standing(State::Cancelled);
    assert_eq!(
        cancelled.cancel(at(0), Actor::Booker, Some(Actor::Booker), Some(0)),
        Ok(Step::Already)
    );
    assert_eq!(
        cancelled.cancel(at(0), Actor::Booker, Some(Actor::Host), None),
        Err(Refusal::Cancelled)
    );
}

#[test]
fn what_has_begun_is_neither_moved_nor_cancelled_by_its_booker() {
    let booking = standing(State::Confirmed);
    assert_eq!(
        booking.cancel(at(60), Actor::Booker, None, None),
        Err(Refusal::AlreadyStarted)
    );
    assert_eq!(
        booking.cancel(at(60), Actor::Host, None, None),
        Ok(Step::Go)
    );
    for actor in [Actor::Booker, Actor::Host] {
        assert_eq!(
            booking.reschedule(at(60), actor, 3, at(120), 5),
            Err(Refusal::AlreadyStarted)
        );
    }
    assert_eq!(booking.finish(at(60), State::NoShow, None), Ok(Step::Go));
}

#[test]
fn a_move_names_the_revision_another_time_and_stays_below_the_limit() {
    let booking = standing(State::Confirmed);
    assert_eq!(
        booking.reschedule(at(0), Actor::Booker, 2, at(120), 5),
        Err(Refusal::RevisionConflict)
    );
    assert_eq!(
        booking.reschedule(at(0), Actor::Booker, 3, at(60), 5),
        Err(Refusal::Unchanged)
    );
    let moved = Standing {
        booker_reschedules: 5,
        ..booking
    };
    assert_eq!(
        moved.reschedule(at(0), Actor::Booker, 3, at(120), 5),
        Err(Refusal::RescheduleLimit)
    );
    assert_eq!(moved.reschedule(at(0), Actor::Host, 3, at(120), 5), Ok(()));
    assert_eq!(
        booking.reschedule(at(0), Actor::Booker, 3, at(120), 0),
        Err(Refusal::RescheduleLimit),
        "0 switches moving off"
    );
    assert_eq!(moved.reschedules_left(5), 0);
}

#[test]
fn a_lapsed_hold_is_seen_as_expired_before_any_sweep() {
    assert_eq!(standing(State::Held).state_at(at(29)), State::Held);
    assert_eq!(standing(State::Held).state_at(at(30)), State::Expired);
    assert_eq!(
        standing(State::Confirmed).state_at(at(500)),
        State::Confirmed
    );
}
