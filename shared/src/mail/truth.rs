//! Whether a mail is still true when its turn comes: kind by state, pure.

use super::kind::MailKind;
use crate::{
    booking::{Standing, State},
    instant::Instant,
};

/// What a mail row claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claimed {
    pub kind: MailKind,
    /// The revision of the transition that owed it.
    pub revision: i32,
    pub offset_min: i32,
    pub remind_at: Option<Instant>,
    /// Whether it is for a host who gave the booking to another.
    pub departed: bool,
}

/// Whether to send it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is true.
    Send,
    /// It is no longer true, and a later mail says what is.
    Skip,
}

/// Judges a row against the booking as it is now.
#[must_use]
pub fn judge(mail: &Claimed, booking: &Standing, ever_confirmed: bool, now: Instant) -> Verdict {
    if mail.departed {
        // Their calendar holds an invitation that nothing else takes out. Everything else is the
        // new host's to hear.
        return if mail.kind == MailKind::Cancelled && ever_confirmed {
            Verdict::Send
        } else {
            Verdict::Skip
        };
    }
    let state = booking.state_at(now);
    let stands = state == State::Confirmed && now < booking.span.from;
    let is_true = match mail.kind {
        MailKind::Hold => state == State::Held,
        // A booking that moved owes a `rescheduled`, which says all of it.
        MailKind::Confirmed | MailKind::Rescheduled => stands && mail.revision == booking.revision,
        MailKind::Reminder => {
            let time = booking.span.from.plus_minutes(-i64::from(mail.offset_min));
            stands && mail.remind_at == Some(time)
        }
        MailKind::Cancelled => state == State::Cancelled && ever_confirmed,
    };
    if is_true {
        Verdict::Send
    } else {
        Verdict::Skip
    }
}

#[cfg(test)]
mod table;

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::instant::Span;

    fn at(minutes: i64) -> Instant {
        "2026-06-01T12:00:00Z"
            .parse::<Instant>()
            .unwrap()
            .plus_minutes(minutes)
    }

    fn booking(state: State) -> Standing {
        Standing {
            state,
            revision: 2,
            span: Span::new(at(60), at(90)).unwrap(),
            hold_expires_at: Some(at(30)),
            booker_reschedules: 0,
        }
    }

    fn mail(kind: MailKind) -> Claimed {
        let reminder = kind == MailKind::Reminder;
        Claimed {
            kind,
            revision: 2,
            offset_min: if reminder { 45 } else { 0 },
            remind_at: reminder.then(|| at(15)),
            departed: false,
        }
    }

    #[test]
    fn each_kind_is_true_in_its_state_alone() {
        use MailKind::{Cancelled, Confirmed, Hold, Reminder, Rescheduled};
        for (state, kinds) in [
            (State::Held, &[Hold][..]),
            (State::Confirmed, &[Confirmed, Rescheduled, Reminder][..]),
            (State::Cancelled, &[Cancelled][..]),
            (State::Expired, &[][..]),
            (State::Completed, &[][..]),
            (State::NoShow, &[][..]),
        ] {
            for kind in MailKind::ALL {
                let want = if kinds.contains(&kind) {
                    Verdict::Send
                } else {
                    Verdict::Skip
                };
                assert_eq!(
                    judge(&mail(kind), &booking(state), true, at(0)),
                    want,
                    "{kind:?} in {state:?}"
                );
            }
        }
    }

    /// A host who gave the booking away hears of that, whatever became of it since, and of nothing
    /// else.
    #[test]
    fn a_departed_host_is_told_of_the_end_alone() {
        for state in [State::Confirmed, State::Cancelled, State::Completed] {
            for kind in MailKind::ALL {
                let departed = Claimed {
                    departed: true,
                    ..mail(kind)
                };
                let told = judge(&departed, &booking(state), true, at(0)) == Verdict::Send;
                assert_eq!(told, kind == MailKind::Cancelled, "{kind:?} in {state:?}");
            }
        }
    }

    /// Case rem-05: a worker that was down sends nothing about a meeting that has begun.
    #[test]
    fn nothing_is_said_of_a_meeting_that_has_begun() {
        for kind in [
            MailKind::Confirmed,
            MailKind::Rescheduled,
            MailKind::Reminder,
        ] {
            assert_eq!(
                judge(&mail(kind), &booking(State::Confirmed), true, at(60)),
                Verdict::Skip,
                "{kind:?}"
            );
        }
        assert_eq!(
            judge(
                &mail(MailKind::Cancelled),
                &booking(State::Cancelled),
                true,
                at(600)
            ),
            Verdict::Send
        );
    }

    #[test]
    fn an_older_revision_and_an_earlier_time_are_skipped() {
        let older = Claimed {
            revision: 1,
            ..mail(MailKind::Confirmed)
        };
        assert_eq!(
            judge(&older, &booking(State::Confirmed), true, at(0)),
            Verdict::Skip
        );
        let earlier = Claimed {
            remind_at: Some(at(14)),
            ..mail(MailKind::Reminder)
        };
        assert_eq!(
            judge(&earlier, &booking(State::Confirmed), true, at(0)),
            Verdict::Skip
        );
    }

    #[test]
    fn a_lapsed_hold_and_a_cancelled_hold_are_not_mailed_about() {
        assert_eq!(
            judge(&mail(MailKind::Hold), &booking(State::Held), false, at(30)),
            Verdict::Skip
        );
        assert_eq!(
            judge(
                &mail(MailKind::Cancelled),
                &booking(State::Cancelled),
                false,
                at(0)
            ),
            Verdict::Skip
        );
    }
}
