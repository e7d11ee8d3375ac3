//! Where a lane's next look begins.
//!
//! A claimed row leaves its old entry in the index behind until vacuum comes. Looks that always begin
//! at the oldest entry read all that the lane has sent since, and a backlog costs the more the
//! further it is worked off. So a look begins where the last claim was. Some rows lie behind that:
//! those that could not be had when their turn came, for another mail to their reader was on its
//! way, and those whose commit came late. So the whole lane is looked at once a second, and whenever
//! nothing is found.

use std::time::Duration;

use shared::instant::Instant;
use tokio::time::Instant as Stopwatch;

/// How often the whole lane is looked at while mail is found.
const WHOLE: Duration = Duration::from_secs(1);

/// The front of a lane, as one process knows it.
#[derive(Debug, Default)]
pub(super) struct Front {
    /// When the mail claimed last was due.
    last: Option<Instant>,
    whole_at: Option<Stopwatch>,
}

impl Front {
    /// Where a look at `now` begins; `None` for the whole lane.
    pub(super) fn from(&self, now: Stopwatch) -> Option<Instant> {
        let fresh = self.whole_at.is_some_and(|at| now < at + WHOLE);
        self.last.filter(|_| fresh)
    }

    /// A look from `from` at `now` found a mail that was due then, or nothing.
    pub(super) fn looked(&mut self, from: Option<Instant>, now: Stopwatch, due: Option<Instant>) {
        if from.is_none() {
            self.whole_at = Some(now);
        }
        self.last = due;
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn second(second: i64) -> Option<Instant> {
        Some(Instant::from_second(second).unwrap())
    }

    #[test]
    fn a_look_begins_at_the_last_claim_for_a_second() {
        let began = Stopwatch::now();
        let mut front = Front::default();
        assert_eq!(front.from(began), None, "nothing is known yet");
        front.looked(None, began, second(7));
        assert_eq!(front.from(began), second(7));
        let later = began + Duration::from_millis(999);
        front.looked(second(7), later, second(8));
        assert_eq!(front.from(later), second(8));
        assert_eq!(
            front.from(began + WHOLE),
            None,
            "claims from the front do not put the whole look off"
        );
    }

    #[test]
    fn after_an_empty_look_the_whole_lane_is_next() {
        let now = Stopwatch::now();
        let mut front = Front::default();
        front.looked(None, now, second(7));
        front.looked(second(7), now, None);
        assert_eq!(front.from(now), None);
    }
}
