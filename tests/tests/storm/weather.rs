//! A mail server that fails at random, in every way that it can.

use std::time::{Duration, Instant};

use holdfast_tests::smtp_sink::{At, Behaviour};

use crate::dice::Dice;

/// Now and then the whole server is away.
const OUTAGE_EVERY: Duration = Duration::from_secs(20);
const OUTAGE: Duration = Duration::from_secs(2);

/// A failure and how often it comes, in a thousand.
type Failure = (u64, fn(At) -> Behaviour);

const CUT: fn(At) -> Behaviour = Behaviour::DropAt;
const HANG: fn(At) -> Behaviour = Behaviour::StallAt;

/// What comes at a point.
const fn failures(point: At) -> &'static [Failure] {
    match point {
        At::Greeting => &[
            (5, CUT),
            (3, HANG),
            (5, |at| Behaviour::reply(at, "421 4.3.2 not now")),
            (5, |at| Behaviour::reply(at, "554 5.3.2 no")),
        ],
        At::Ehlo => &[(3, CUT), (3, HANG)],
        At::Mail => &[
            (3, CUT),
            (5, |at| Behaviour::reply(at, "451 4.3.0 busy")),
            (3, |at| Behaviour::reply(at, "421 4.7.0 too much")),
            (3, |at| Behaviour::reply(at, "550 5.7.1 not you")),
        ],
        At::Rcpt => &[
            (3, CUT),
            (3, HANG),
            (15, |at| Behaviour::reply(at, "450 4.2.0 greylisted")),
            (5, |at| Behaviour::reply(at, "452 4.2.2 mailbox full")),
            (5, |at| Behaviour::reply(at, "421 4.7.0 too many for you")),
            (4, |at| Behaviour::reply(at, "550 5.1.1 nobody")),
        ],
        At::Data => &[
            (3, CUT),
            (5, |at| Behaviour::reply(at, "451 4.3.0 busy")),
            (3, |at| Behaviour::reply(at, "554 5.6.0 no")),
        ],
        // Cut before the final dot.
        At::Body => &[(10, CUT), (3, HANG)],
        // Cut after it, with the message lost or kept.
        At::Dot => &[
            (5, CUT),
            (20, |_| Behaviour::LoseAck),
            (4, HANG),
            (10, |at| Behaviour::reply(at, "451 4.3.0 try again")),
            (3, |at| Behaviour::reply(at, "554 5.6.0 no")),
        ],
        At::Tls | At::Auth | At::Reset | At::Quit => &[],
    }
}

/// The mood of a sink from now on. The order of dialogues is not the seed's to decide; what comes
/// of the n-th decision is.
pub fn storm(seed: u64) -> impl FnMut(At, Option<&str>) -> Option<Behaviour> + Send {
    let (dice, began) = (Dice::of(seed, u64::MAX), Instant::now());
    move |point, _| {
        let into = Duration::from_millis(
            u64::try_from(began.elapsed().as_millis() % OUTAGE_EVERY.as_millis()).unwrap(),
        );
        let away = into >= OUTAGE_EVERY.saturating_sub(OUTAGE);
        match point {
            At::Greeting | At::Mail if away => return Some(Behaviour::DropAt(point)),
            _ => {}
        }
        let mut draw = dice.below(1_000);
        for (often, failure) in failures(point) {
            match draw.checked_sub(*often) {
                None => return Some(failure(point)),
                Some(rest) => draw = rest,
            }
        }
        None
    }
}
