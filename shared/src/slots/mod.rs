//! The slot engine: which times a page offers, and why the others are not.
//!
//! Everything here is a function of its arguments: no clock, no database, no global. A [`Rule`] is
//! prepared once ([`Rule::prepare`]), busy time is gathered in a [`Busy`], and then
//! [`compute_slots`] lists, [`offered`] judges one start for a booking, and [`explain_slot`] says
//! why. All three walk the same candidates and ask the same judge.
mod busy;
mod candidates;
mod civil_day;
mod compute;
mod dst;
mod error;
mod explain;
mod group;
mod hours;
mod judge;
mod needs;
mod offered;
mod offsets;
mod prepare;
mod quotas;
mod reason;
mod rule;
mod vector;

pub use busy::{Busy, LabelledBusy, LabelledSpan, Source};
pub use compute::{Slot, compute_slots};
pub use error::SlotError;
pub use explain::explain_slot;
pub use group::{day_span, group_by_date};
pub use offered::{Offered, offered};
pub use prepare::PreparedRule;
pub use reason::{Edge, Period, Reason};
pub use rule::{DstPolicy, Limits, Rule};
pub use vector::{Answer, Explained, Vector, VectorError, VectorRule, Vectors, answer, explained};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod zone_transitions_tests;
