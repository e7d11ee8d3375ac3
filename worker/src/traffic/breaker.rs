//! The circuit breaker: while the mail server fails everybody, no mail's attempts are burnt on it.
//!
//! Pure: outcomes and instants come in, leave to send goes out.

use jiff::SignedDuration;
use shared::instant::Instant;

/// So many failures in a row open it, if they are over at least two parties.
const FAILURES: u32 = 3;
/// The first wait before a probe; each failed probe doubles it.
const FIRST_WAIT_S: i64 = 10;
/// The longest wait before a probe.
const LONGEST_WAIT_S: i64 = 300;

/// Who shares a failure. Failures of one party never open the breaker, however many they are: one
/// bad address cannot stall all mail. After silence once the recipient was named the party is the
/// recipient's domain: a server that waits for that domain is silent about all its addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Party(pub(super) u64);

/// What a send says about the mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// It took the mail.
    Took,
    /// It answered about the recipient or the recipient's domain, so it works that far.
    Answered,
    /// It failed, or our settings do.
    Failed(Party),
    /// Nothing: the mail did not get as far as to ask it.
    None,
}

/// What an outcome did to the breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Opened { wait_s: i64 },
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Closed,
    /// Nothing is sent until then. Before `since` only a clock that was set back can be.
    Open {
        since: Instant,
        until: Instant,
    },
    /// One mail is on its way to see how the server is.
    Probing,
}

/// The breaker of a process.
#[derive(Debug)]
pub(super) struct Breaker {
    state: State,
    failures: u32,
    /// The party of the failures in a row, while it is one.
    party: Option<Party>,
    several: bool,
    /// How often in a row it opened without the server taking a mail between.
    openings: u32,
}

/// Leave to ask the mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// Go.
    Go,
    /// Go, as the one probe: its end must be told.
    Probe,
    /// Not yet.
    Wait,
}

impl Default for Breaker {
    fn default() -> Self {
        Self {
            state: State::Closed,
            failures: 0,
            party: None,
            several: false,
            openings: 0,
        }
    }
}

impl Breaker {
    /// How long nothing may be sent at `now`, in milliseconds; `None` if something may. While a
    /// probe is on its way nobody knows: the answer is a second.
    pub(super) fn wait_ms(&self, now: Instant) -> Option<i64> {
        match self.state {
            State::Closed => None,
            State::Open { since, until } if since <= now && now < until => {
                Some(i64::try_from(until.since(now).as_millis()).map_or(1, |ms| ms.max(1)))
            }
            State::Open { .. } => None,
            State::Probing => Some(1_000),
        }
    }

    /// Asks for leave to send at `now`.
    pub(super) fn ask(&mut self, now: Instant) -> Leave {
        if self.wait_ms(now).is_some() {
            return Leave::Wait;
        }
        match self.state {
            State::Closed => Leave::Go,
            State::Open { .. } | State::Probing => {
                self.state = State::Probing;
                Leave::Probe
            }
        }
    }

    /// Takes note of how a send ended.
    pub(super) fn note(&mut self, sign: Sign, was_probe: bool, now: Instant) -> Option<Change> {
        match (sign, self.state) {
            (Sign::Took, state) => {
                self.forget_failures();
                self.openings = 0;
                self.state = State::Closed;
                (state != State::Closed).then_some(Change::Closed)
            }
            // It works that far: whether it takes mail again, the next ones show. Until one is
            // taken the waits go on growing.
            (Sign::Answered, State::Probing) if was_probe => {
                self.forget_failures();
                self.state = State::Closed;
                Some(Change::Closed)
            }
            (Sign::Failed(_), State::Probing) if was_probe => Some(self.open(now)),
            (Sign::None, State::Probing) if was_probe => {
                // As if it had not been asked: the next mail is the probe.
                self.state = State::Open {
                    since: now,
                    until: now,
                };
                None
            }
            (Sign::Failed(party), State::Closed) => self.failed(party, now),
            // Begun before it opened, or no sign of the server.
            (Sign::Failed(_) | Sign::Answered | Sign::None, _) => None,
        }
    }

    /// For a gauge: 0 closed, 1 half-open, 2 open.
    pub(super) fn figure(&self, now: Instant) -> f64 {
        match self.state {
            State::Closed => 0.0,
            State::Open { .. } if self.wait_ms(now).is_some() => 2.0,
            State::Open { .. } | State::Probing => 1.0,
        }
    }

    fn failed(&mut self, party: Party, now: Instant) -> Option<Change> {
        self.failures += 1;
        self.several |= self.party.is_some_and(|first| first != party);
        self.party.get_or_insert(party);
        (self.failures >= FAILURES && self.several).then(|| self.open(now))
    }

    fn open(&mut self, now: Instant) -> Change {
        let doublings = self.openings.min(5);
        let wait_s = (FIRST_WAIT_S << doublings).min(LONGEST_WAIT_S);
        self.openings = self.openings.saturating_add(1);
        self.forget_failures();
        self.state = State::Open {
            since: now,
            until: now.plus(SignedDuration::from_secs(wait_s)),
        };
        Change::Opened { wait_s }
    }

    fn forget_failures(&mut self) {
        (self.failures, self.party, self.several) = (0, None, false);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn at(second: i64) -> Instant {
        Instant::from_second(1_780_000_000 + second).unwrap()
    }

    const ANA: Sign = Sign::Failed(Party(1));
    const SAM: Sign = Sign::Failed(Party(2));

    fn noted(breaker: &mut Breaker, signs: &[Sign]) -> Vec<bool> {
        signs
            .iter()
            .map(|sign| {
                matches!(
                    breaker.note(*sign, false, at(0)),
                    Some(Change::Opened { .. })
                )
            })
            .collect()
    }

    #[test]
    fn three_failures_in_a_row_over_two_parties_open_it() {
        for (signs, opened) in [
            (&[ANA, SAM, ANA][..], &[false, false, true][..]),
            (&[ANA, ANA, SAM], &[false, false, true]),
            (&[ANA, ANA, ANA, SAM], &[false, false, false, true]),
            // An answer about an address is no success.
            (
                &[ANA, Sign::Answered, SAM, Sign::None, SAM],
                &[false, false, false, false, true],
            ),
            (&[ANA, SAM, Sign::Took, ANA, SAM], &[false; 5]),
        ] {
            assert_eq!(noted(&mut Breaker::default(), signs), opened, "{signs:?}");
        }
    }

    /// Red without `several`.
    #[test]
    fn one_party_alone_never_opens_it() {
        let mut breaker = Breaker::default();
        assert_eq!(noted(&mut breaker, &[ANA; 1_000]), [false; 1_000]);
        assert_eq!(breaker.ask(at(0)), Leave::Go);
    }

    #[test]
    fn open_it_lets_nothing_through_and_then_one_probe_at_a_time() {
        let mut breaker = Breaker::default();
        noted(&mut breaker, &[ANA, SAM, SAM]);
        assert_eq!(breaker.ask(at(0)), Leave::Wait);
        assert_eq!(breaker.wait_ms(at(9)), Some(1_000));
        assert_eq!(breaker.ask(at(9)), Leave::Wait);
        assert_eq!(breaker.ask(at(10)), Leave::Probe);
        assert_eq!(breaker.ask(at(10)), Leave::Wait, "one at a time");
        assert_eq!(breaker.ask(at(1_000)), Leave::Wait);
        assert_eq!(breaker.note(Sign::Took, true, at(11)), Some(Change::Closed));
        assert_eq!(breaker.ask(at(11)), Leave::Go);
    }

    #[test]
    fn each_failed_probe_doubles_the_wait_to_five_minutes() {
        let mut breaker = Breaker::default();
        noted(&mut breaker, &[ANA, SAM]);
        let mut now = 0;
        let mut waits = Vec::new();
        let mut change = breaker.note(ANA, false, at(0));
        for _ in 0..8 {
            let Some(Change::Opened { wait_s }) = change else {
                unreachable!("{change:?}");
            };
            waits.push(wait_s);
            now += wait_s;
            assert_eq!(breaker.ask(at(now - 1)), Leave::Wait);
            assert_eq!(breaker.ask(at(now)), Leave::Probe);
            change = breaker.note(ANA, true, at(now));
        }
        assert_eq!(waits, [10, 20, 40, 80, 160, 300, 300, 300]);
        // Answers about addresses let mail through again; until one is taken the waits go on.
        assert_eq!(breaker.ask(at(now + 300)), Leave::Probe);
        assert_eq!(
            breaker.note(Sign::Answered, true, at(now + 300)),
            Some(Change::Closed)
        );
        noted(&mut breaker, &[ANA, SAM]);
        assert_eq!(
            breaker.note(ANA, false, at(now + 300)),
            Some(Change::Opened { wait_s: 300 })
        );
        breaker.note(Sign::Took, false, at(now + 300));
        noted(&mut breaker, &[ANA, SAM]);
        assert_eq!(
            breaker.note(ANA, false, at(now + 300)),
            Some(Change::Opened { wait_s: 10 })
        );
    }

    #[test]
    fn what_began_before_it_opened_changes_it_only_by_success() {
        let mut breaker = Breaker::default();
        noted(&mut breaker, &[ANA, SAM, ANA]);
        for sign in [ANA, SAM, Sign::Answered, Sign::None] {
            assert_eq!(breaker.note(sign, false, at(1)), None, "{sign:?}");
            assert_eq!(breaker.ask(at(1)), Leave::Wait);
        }
        assert_eq!(breaker.ask(at(10)), Leave::Probe);
        assert_eq!(breaker.note(SAM, false, at(10)), None, "not the probe's");
        assert_eq!(breaker.ask(at(10)), Leave::Wait);
        assert_eq!(
            breaker.note(Sign::Took, false, at(10)),
            Some(Change::Closed)
        );
    }

    /// A probe that asked nothing leaves its place to the next mail, and a clock that is set back
    /// does not keep mail for longer.
    #[test]
    fn nothing_keeps_it_open_for_ever() {
        let mut breaker = Breaker::default();
        noted(&mut breaker, &[ANA, SAM, ANA]);
        assert_eq!(breaker.ask(at(10)), Leave::Probe);
        assert_eq!(breaker.note(Sign::None, true, at(10)), None);
        assert_eq!(breaker.ask(at(10)), Leave::Probe);
        breaker.note(ANA, true, at(10));
        assert_eq!(breaker.wait_ms(at(-3_600)), None);
        assert_eq!(breaker.ask(at(-3_600)), Leave::Probe);
    }

    #[test]
    fn the_gauge_tells_closed_half_open_and_open_apart() {
        let mut breaker = Breaker::default();
        assert_eq!(breaker.figure(at(0)), 0.0);
        noted(&mut breaker, &[ANA, SAM, ANA]);
        assert_eq!(breaker.figure(at(0)), 2.0);
        assert_eq!(breaker.figure(at(10)), 1.0);
        breaker.ask(at(10));
        assert_eq!(breaker.figure(at(10)), 1.0);
    }
}
