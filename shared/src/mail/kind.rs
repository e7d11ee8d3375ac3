//! The kinds of mail, and who reads them.

use std::{fmt, str::FromStr};

/// Why a mail is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MailKind {
    /// To the booker: somebody asked for this time in your name; confirm it.
    Hold,
    /// It is booked.
    Confirmed,
    /// It has moved.
    Rescheduled,
    /// It is off.
    Cancelled,
    /// It is soon.
    Reminder,
}

/// The text names no kind of mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such kind of mail")]
pub struct UnknownKind;

impl MailKind {
    /// Every kind, in the order of a booking's life.
    pub const ALL: [Self; 5] = [
        Self::Hold,
        Self::Confirmed,
        Self::Rescheduled,
        Self::Cancelled,
        Self::Reminder,
    ];

    /// What a booking that has ended makes false. A `cancelled` is not among them: what is still
    /// owed of one was owed to a host who gave the booking away before, and stays true.
    pub const ENDED_BY_THE_END: [Self; 4] = [
        Self::Hold,
        Self::Confirmed,
        Self::Rescheduled,
        Self::Reminder,
    ];

    /// The word for it in the database and in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Confirmed => "confirmed",
            Self::Rescheduled => "rescheduled",
            Self::Cancelled => "cancelled",
            Self::Reminder => "reminder",
        }
    }

    /// The method of the invitation that this kind carries (RFC 5546), if it carries one.
    #[must_use]
    pub const fn method(self) -> Option<Method> {
        match self {
            Self::Confirmed | Self::Rescheduled => Some(Method::Request),
            Self::Cancelled => Some(Method::Cancel),
            Self::Hold | Self::Reminder => None,
        }
    }
}

impl FromStr for MailKind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Self, UnknownKind> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == word)
            .ok_or(UnknownKind)
    }
}

impl fmt::Display for MailKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The part that the reader of a mail has in the booking. Hosts are told first, guests last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Who is booked.
    Host,
    /// Who booked.
    Booker,
    /// Whom the booker named.
    Guest,
}

impl Role {
    /// The order of sending within a booking: 0 before 1 before 2.
    #[must_use]
    pub const fn priority(self) -> i16 {
        match self {
            Self::Host => 0,
            Self::Booker => 1,
            Self::Guest => 2,
        }
    }
}

/// What an invitation asks a calendar to do (RFC 5546, sections 3.2.2 and 3.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Enter the meeting, or move it.
    Request,
    /// Take it out.
    Cancel,
}

impl Method {
    /// The word, the same in the body and in the MIME parameter.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "REQUEST",
            Self::Cancel => "CANCEL",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_read_back_from_its_word() {
        for kind in MailKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert_eq!("conference".parse::<MailKind>(), Err(UnknownKind));
        assert_eq!("Hold".parse::<MailKind>(), Err(UnknownKind));
    }

    #[test]
    fn hosts_come_before_the_booker_and_guests_last() {
        assert!(Role::Host.priority() < Role::Booker.priority());
        assert!(Role::Booker.priority() < Role::Guest.priority());
    }
}
