//! What a calendar file says that cannot be understood.

use std::fmt;

/// Something in a calendar file that could not be used as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line of the file, counted from 1, at which the property or the component begins.
    pub line: u32,
    /// What is wrong.
    pub what: Fault,
    /// Whether it may decide when the host is busy. If so, the strict reader fails.
    pub blocking: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// What is wrong with a line or a component of a calendar file (RFC 5545).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No name, no colon, or broken parameters (section 3.1).
    #[error("not a property: a content line is NAME;PARAMETER=VALUE:VALUE")]
    NotAProperty,
    /// The line is longer than the reader takes.
    #[error("a content line of more than {0} bytes")]
    LineTooLong(usize),
    /// A value that is not of its property's type.
    #[error("{property} cannot be read: {value}")]
    Value {
        /// The property's name.
        property: &'static str,
        /// The first characters of the value.
        value: String,
    },
    /// A property that may stand once stands twice, with different values.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// An event without DTSTART (section 3.6.1).
    #[error("the event has no DTSTART")]
    NoStart,
    /// DTEND is before DTSTART, or a date beside a time.
    #[error("DTEND does not follow DTSTART")]
    End,
    /// A zone that neither the table, nor Windows' names, nor the file explains.
    #[error("the zone {0} is not known and the file does not define it")]
    UnknownZone(String),
    /// A VTIMEZONE that cannot be used (section 3.6.5).
    #[error("the VTIMEZONE {0} cannot be used")]
    ZoneRules(String),
    /// A property that RFC 5545 withdrew and whose meaning is not exact.
    #[error("{0} is no longer defined by RFC 5545 and is not followed")]
    Withdrawn(&'static str),
    /// More dates than the reader takes.
    #[error("more than {limit} dates in {property}")]
    TooManyDates {
        /// The property's name.
        property: &'static str,
        /// How many are read.
        limit: usize,
    },
    /// A component without its END, or the end of the file inside it.
    #[error("{0} is not ended")]
    NotEnded(&'static str),
    /// An END that ends nothing.
    #[error("END without its BEGIN")]
    StrayEnd,
    /// Components inside components, deeper than the reader follows.
    #[error("components are nested more than {0} deep")]
    TooDeep(usize),
    /// More events than the reader takes.
    #[error("more than {0} events")]
    TooManyEvents(usize),
    /// More lines than the reader takes.
    #[error("more than {0} content lines")]
    TooManyLines(usize),
    /// Busy time that is published without events (section 3.6.4).
    #[error("VFREEBUSY is not read")]
    FreeBusy,
    /// An override of a whole tail of a series that has a rule of its own.
    #[error("an override with RANGE=THISANDFUTURE must not have an RRULE")]
    RuleInOverride,
    /// What was found when the event was read; its words are kept beside the event, sealed.
    #[error("a part of the event could not be read")]
    Kept,
}

/// The beginning of a value, for a message.
pub(super) fn excerpt(value: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = value
        .chars()
        .filter(|c| !c.is_control())
        .take(SHOWN)
        .collect();
    if value.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}
