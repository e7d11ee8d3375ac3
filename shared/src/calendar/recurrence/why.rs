//! Why busy time is not known.

use std::fmt;

use super::rule_text::RuleProblem;
use crate::calendar::{event::Event, problem::Problem};

/// Why an expansion is not exact.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// Something that may decide when the host is busy could not be understood.
    #[error("{0}")]
    Problem(Problem),
    /// The rule cannot be read or is not one of RFC 5545.
    #[error("the rule cannot be followed: {0}")]
    Rule(#[from] RuleProblem),
    /// The rule gave no further date in a hundred thousand of its periods, or in 400 years.
    #[error("the rule gives no further date")]
    NeverMatches,
    /// The steps that the caller allows were used up.
    #[error("the series takes too many steps to expand")]
    Steps,
    /// A time outside the years that its clock knows.
    #[error("a time lies outside the years that can be reckoned with")]
    OutOfRange,
}

/// Busy time is not known exactly, so none is told: whoever asked must not offer anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncompleteBusy {
    /// Which event; none if it is the calendar as a whole.
    pub event: Option<EventRef>,
    /// Why.
    pub why: Why,
}

impl fmt::Display for IncompleteBusy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.event {
            Some(event) => write!(f, "{event}: {}", self.why),
            None => self.why.fmt(f),
        }
    }
}

impl std::error::Error for IncompleteBusy {}

/// Enough to find an event again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRef {
    /// Its UID, if it has one.
    pub uid: Option<String>,
    /// The line of the file at which it begins.
    pub line: u32,
}

impl From<&Event> for EventRef {
    fn from(event: &Event) -> Self {
        Self {
            uid: event.uid.clone(),
            line: event.line,
        }
    }
}

impl fmt::Display for EventRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.uid {
            Some(uid) => write!(f, "event {uid} (line {})", self.line),
            None => write!(f, "event without UID (line {})", self.line),
        }
    }
}
