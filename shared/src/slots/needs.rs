//! What a question needs to be loaded.

use jiff::SignedDuration;

use crate::instant::{Instant, Span};

use super::{prepare::PreparedRule, quotas};

impl PreparedRule {
    /// The stretch of time over which busy spans must be known to list the starts from `from` to
    /// before `to`: a day and the longer buffer on both sides. Spans that reach in from outside
    /// count.
    #[must_use]
    pub fn busy_span(&self, from: Instant, to: Instant) -> Span {
        let margin = SignedDuration::from_hours(24)
            + SignedDuration::from_micros(self.before.max(self.after));
        widen(from, to, margin)
    }

    /// The stretch of time over which the starts of bookings must be known for the limits; `None`
    /// if nothing is limited. It covers whole weeks and months of every zone.
    #[must_use]
    pub fn limits_span(&self, from: Instant, to: Instant) -> Option<Span> {
        let days = quotas::margin_days(self.limits);
        (days > 0).then(|| widen(from, to, SignedDuration::from_hours(24 * days)))
    }
}

fn widen(from: Instant, to: Instant, margin: SignedDuration) -> Span {
    Span {
        from: from.plus(-margin),
        to: to.plus(margin),
    }
}
