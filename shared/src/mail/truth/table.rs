//! The whole table of what may be sent, combination by combination.
#![expect(clippy::unwrap_used, reason = "tests")]
use super::*;
use crate::instant::Span;

/// Minutes after noon: the hold lapses at 30, a reminder of 45 minutes is due at 15, and the meeting
/// is from 60 to 90.
fn at(minutes: i64) -> Instant {
    "2026-06-01T12:00:00Z"
        .parse::<Instant>()
        .unwrap()
        .plus_minutes(minutes)
}

const REVISION: i32 = 2;

fn booking(state: State) -> Standing {
    Standing {
        state,
        revision: REVISION,
        span: Span::new(at(60), at(90)).unwrap(),
        hold_expires_at: Some(at(30)),
        booker_reschedules: 0,
    }
}

fn mail(kind: MailKind) -> Claimed {
    let reminder = kind == MailKind::Reminder;
    Claimed {
        kind,
        revision: REVISION,
        offset_min: if reminder { 45 } else { 0 },
        remind_at: reminder.then(|| at(15)),
        departed: false,
    }
}

const STATES: [State; 6] = [
    State::Held,
    State::Confirmed,
    State::Cancelled,
    State::Expired,
    State::Completed,
    State::NoShow,
];
/// Noon; as the hold lapses; before the start; at the start; during; after.
const TIMES: [i64; 6] = [0, 30, 59, 60, 75, 600];

/// One line of what may be sent. What no line allows is not.
struct Allowed {
    kind: MailKind,
    departed: bool,
    states: &'static [State],
    /// Revisions before the booking's are `older`; its own is `current`.
    older: bool,
    times: &'static [i64],
    only_if_ever_confirmed: bool,
}

/// The table of the design, a line for each kind. The current revision is always among those
/// allowed.
const TABLE: [Allowed; 6] = [
    Allowed {
        kind: MailKind::Hold,
        departed: false,
        states: &[State::Held],
        older: true,
        times: &[0],
        only_if_ever_confirmed: false,
    },
    Allowed {
        kind: MailKind::Confirmed,
        departed: false,
        states: &[State::Confirmed],
        older: false,
        times: &[0, 30, 59],
        only_if_ever_confirmed: false,
    },
    Allowed {
        kind: MailKind::Rescheduled,
        departed: false,
        states: &[State::Confirmed],
        older: false,
        times: &[0, 30, 59],
        only_if_ever_confirmed: false,
    },
    Allowed {
        kind: MailKind::Reminder,
        departed: false,
        states: &[State::Confirmed],
        older: true,
        times: &[0, 30, 59],
        only_if_ever_confirmed: false,
    },
    Allowed {
        kind: MailKind::Cancelled,
        departed: false,
        states: &[State::Cancelled],
        older: true,
        times: &TIMES,
        only_if_ever_confirmed: true,
    },
    Allowed {
        kind: MailKind::Cancelled,
        departed: true,
        states: &STATES,
        older: true,
        times: &TIMES,
        only_if_ever_confirmed: true,
    },
];

/// Every kind, in every state, of both revisions, at every time, to members and to a host who gave
/// the booking away, of a booking that was ever confirmed or not.
#[test]
fn a_mail_is_sent_exactly_where_the_table_says() {
    let (mut sent, mut judged) = (0, 0);
    for kind in MailKind::ALL {
        for state in STATES {
            for revision in [REVISION - 1, REVISION] {
                for minutes in TIMES {
                    for (departed, confirmed) in
                        [(false, false), (false, true), (true, false), (true, true)]
                    {
                        let mail = Claimed {
                            revision,
                            departed,
                            ..mail(kind)
                        };
                        let allowed = TABLE.iter().any(|line| {
                            line.kind == kind
                                && line.departed == departed
                                && line.states.contains(&state)
                                && (revision == REVISION || line.older)
                                && line.times.contains(&minutes)
                                && (confirmed || !line.only_if_ever_confirmed)
                        });
                        let verdict = judge(&mail, &booking(state), confirmed, at(minutes));
                        assert_eq!(
                            verdict == Verdict::Send,
                            allowed,
                            "{mail:?} in {state:?} at {minutes}, confirmed: {confirmed}"
                        );
                        judged += 1;
                        sent += u32::from(allowed);
                    }
                }
            }
        }
    }
    assert_eq!(judged, 1_440);
    // Counted by hand, a line of the table each.
    assert_eq!(sent, 4 + 6 + 6 + 12 + 12 + 72);
}

/// A reminder is of a time: one of another time is not true, whatever its revision.
#[test]
fn a_reminder_of_another_time_is_skipped() {
    for (offset_min, remind_at, verdict) in [
        (45, Some(at(15)), Verdict::Send),
        (45, Some(at(14)), Verdict::Skip),
        (44, Some(at(15)), Verdict::Skip),
        (44, Some(at(16)), Verdict::Send),
        (45, None, Verdict::Skip),
    ] {
        let mail = Claimed {
            offset_min,
            remind_at,
            ..mail(MailKind::Reminder)
        };
        assert_eq!(
            judge(&mail, &booking(State::Confirmed), true, at(20)),
            verdict,
            "{mail:?}"
        );
    }
}
