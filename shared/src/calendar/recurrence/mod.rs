//! When events take place: expansion of series, for views (tolerant) and for busy time (strict).

mod budget;
mod correction;
mod density;
mod period;
mod reach;
mod readers;
mod rule;
mod rule_text;
mod series;
mod until;
mod why;

pub use budget::{Budget, EVENT_STEPS};
pub use readers::{Found, Host, Occurrence, busy, occurrences};
pub use rule_text::RuleProblem;
pub use why::{EventRef, IncompleteBusy, Why};

pub(super) use budget::Steps;
pub(super) use rule::Rule;

#[cfg(test)]
mod tests;
