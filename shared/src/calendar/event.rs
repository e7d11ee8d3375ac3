//! Events as plain values: what a calendar says, before anything is expanded.

use jiff::{SignedDuration, civil};

use super::{event_clock::Clock, problem::Problem};

/// What an event is for the person whose calendar holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// With other people.
    Meeting,
    /// The host's own.
    Commitment,
    /// Away from work.
    OutOfOffice,
    /// Takes no time, whatever else it says.
    Note,
}

/// Whether an event takes time (RFC 5545, section 3.8.2.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transparency {
    /// It does.
    Opaque,
    /// It does not.
    Transparent,
}

/// RFC 5545, section 3.8.1.11. What is tentative is busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// May still change.
    Tentative,
    /// Settled; also what an event without a status is.
    Confirmed,
    /// Takes place no more.
    Cancelled,
}

/// A point in a calendar as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A date: the whole day, wherever the host is.
    Date(civil::Date),
    /// A wall time on its clock.
    Time {
        /// What the clock shows.
        wall: civil::DateTime,
        /// The clock.
        clock: Clock,
    },
}

impl Moment {
    /// The wall time; a date's midnight.
    #[must_use]
    pub fn wall(&self) -> civil::DateTime {
        match self {
            Self::Date(date) => date.at(0, 0, 0, 0),
            Self::Time { wall, .. } => *wall,
        }
    }
}

/// How far an occurrence reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// No DTEND and no DURATION: one day for a date, nothing for a time (section 3.6.1).
    Unsaid,
    /// DTEND of the first occurrence. Later ones end at the same wall time so many civil days on.
    End(Moment),
    /// DURATION (section 3.3.6): civil days first, then elapsed time.
    Duration {
        /// Whole civil days.
        days: i64,
        /// Elapsed time after them.
        exact: SignedDuration,
    },
}

/// An additional start (section 3.8.5.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rdate {
    /// When it starts.
    pub start: Moment,
    /// Its own length, if it is a PERIOD.
    pub length: Option<Length>,
}

/// PARTSTAT (section 3.2.12), as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// None yet.
    NeedsAction,
    /// Yes.
    Accepted,
    /// No.
    Declined,
    /// Perhaps.
    Tentative,
    /// Somebody else comes.
    Delegated,
}

/// Somebody who is invited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attendee {
    /// The calendar address without `mailto:`, in lower case.
    pub address: String,
    /// CN, if given.
    pub name: Option<String>,
    /// The answer.
    pub answer: Answer,
}

/// An event, the master of a series, or what an override says instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// UID; none if the file gives none.
    pub uid: Option<String>,
    /// The line of the file at which it begins.
    pub line: u32,
    /// SEQUENCE: the revision.
    pub sequence: u32,
    /// SUMMARY.
    pub title: String,
    /// DESCRIPTION.
    pub notes: String,
    /// LOCATION.
    pub location: String,
    /// What it is.
    pub kind: Kind,
    /// Whether it takes time.
    pub transparency: Transparency,
    /// How settled it is.
    pub status: Status,
    /// DTSTART.
    pub start: Moment,
    /// DTEND or DURATION.
    pub length: Length,
    /// RRULE exactly as it was written.
    pub rrule: Option<String>,
    /// EXDATE.
    pub exdates: Vec<Moment>,
    /// RDATE.
    pub rdates: Vec<Rdate>,
    /// ATTENDEE.
    pub attendees: Vec<Attendee>,
    /// What could not be understood.
    pub problems: Vec<Problem>,
    /// The component as it was written, kept if there are problems.
    pub verbatim: Option<String>,
}

impl Event {
    /// Whether it takes the time of the host with these addresses (in lower case, without
    /// `mailto:`): opaque, no note, not cancelled, and not declined by the host.
    #[must_use]
    pub fn is_busy(&self, addresses: &[String]) -> bool {
        self.transparency == Transparency::Opaque
            && self.kind != Kind::Note
            && self.status != Status::Cancelled
            && !self.declined_by(addresses)
    }

    fn declined_by(&self, addresses: &[String]) -> bool {
        let mut own = self
            .attendees
            .iter()
            .filter(|attendee| addresses.contains(&attendee.address))
            .peekable();
        // Invited twice, under two addresses, the host is busy unless both decline.
        own.peek().is_some() && own.all(|attendee| attendee.answer == Answer::Declined)
    }

    /// The first problem that may decide when the host is busy.
    #[must_use]
    pub fn blocking_problem(&self) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.blocking)
    }
}

/// What replaces one occurrence of a series, or all from one on (section 3.8.4.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// RECURRENCE-ID: the original start.
    pub original: Moment,
    /// RANGE=THISANDFUTURE.
    pub and_future: bool,
    /// What takes its place.
    pub event: Event,
}

/// An event with its overrides. A single event is a series of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The event with the rule.
    pub master: Event,
    /// Its overrides, one for each original start and range.
    pub overrides: Vec<Override>,
}

/// An event whose time could not be read at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// UID, if there is one.
    pub uid: Option<String>,
    /// The line of the file at which it begins.
    pub line: u32,
    /// SUMMARY.
    pub title: String,
    /// Whether it says that it takes time, as far as that could be read.
    pub busy: bool,
    /// The component as it was written.
    pub verbatim: String,
    /// Why it could not be read.
    pub problems: Vec<Problem>,
}

/// What a calendar file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calendar {
    /// What could be read.
    pub series: Vec<Series>,
    /// What could not.
    pub unreadable: Vec<Unreadable>,
    /// What is wrong with the file outside its events.
    pub problems: Vec<Problem>,
    /// Series, by their place, that are an override without its series, with what it replaces.
    pub strays: Vec<(usize, (Moment, bool))>,
}
