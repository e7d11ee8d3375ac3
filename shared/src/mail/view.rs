//! Everything that a mail may say, as one value.
//!
//! An allowlist: whoever sends fills it from the booking's snapshot and its current state, and no
//! template ever sees a row. Nothing in it that holds a name, a text or a token has a `Debug` that
//! shows it, so none reaches a log by accident.

use std::fmt;

use uuid::Uuid;

use super::kind::{MailKind, Role};
use crate::{
    address::EmailAddress,
    instant::{Instant, Span},
    locale::Locale,
    zone::Zone,
};

/// One mail to one reader.
#[derive(Clone)]
pub struct MailView {
    /// The mail row's id. It makes the `Message-ID`, so a retry carries the same one.
    pub mail_id: Uuid,
    /// The installation's id, independent of its address.
    pub instance_id: Uuid,
    /// The booking's id: the invitation's `UID` for its whole life.
    pub booking_id: Uuid,
    /// When this mail is made, for its `Date`.
    pub sent_at: Instant,
    /// `HOLDFAST_PUBLIC_URL`; the foot of the mail names its host.
    pub public_url: String,
    /// `HOLDFAST_MAIL_FROM`.
    pub from: Party,
    /// Whom the mail goes to, alone.
    pub to: Party,
    /// Whom an answer goes to: the host for bookers and guests, the booker for hosts. `None`
    /// leaves the header out.
    pub reply_to: Option<Party>,
    /// The reader's language.
    pub locale: Locale,
    /// The zone whose clock the reader goes by.
    pub zone: Zone,
    /// Why the mail is sent.
    pub notice: Notice,
    /// Who reads it, with what only that reader may know.
    pub reader: Reader,
    /// The title as it was booked.
    pub title: String,
    /// The description as it was booked; empty if there was none.
    pub description: String,
    /// Where the meeting is, as it was booked.
    pub place: Place,
    /// The meeting, as it is now (for a cancelled one: as it would have been).
    pub span: Span,
    /// The hosts' current names, the primary one first. Never empty for a booking with a verified
    /// host.
    pub host_names: Vec<String>,
    /// What the invitation says beyond this, for a reader who gets one. `None` for a host whose
    /// calendar has its own copy. A hold and a reminder carry none whatever stands here.
    pub invitation: Option<InvitationView>,
}

impl MailView {
    /// The kind of mail.
    #[must_use]
    pub const fn kind(&self) -> MailKind {
        match self.notice {
            Notice::Hold { .. } => MailKind::Hold,
            Notice::Confirmed => MailKind::Confirmed,
            Notice::Rescheduled { .. } => MailKind::Rescheduled,
            Notice::Cancelled { .. } => MailKind::Cancelled,
            Notice::Reminder => MailKind::Reminder,
        }
    }

    /// Whether the host is new and the time is not: a move to the time that it had.
    #[must_use]
    pub fn is_new_host(&self) -> bool {
        matches!(self.notice, Notice::Rescheduled { previous } if previous == self.span)
    }

    /// Whether the reader is a host who gave the booking to another.
    #[must_use]
    pub const fn is_handover(&self) -> bool {
        matches!(
            self.notice,
            Notice::Cancelled {
                by: Canceller::Handover,
                ..
            }
        )
    }

    /// The reader's part in the booking.
    #[must_use]
    pub const fn role(&self) -> Role {
        match self.reader {
            Reader::Booker { .. } => Role::Booker,
            Reader::Host { .. } => Role::Host,
            Reader::Guest { .. } => Role::Guest,
        }
    }
}

impl fmt::Debug for MailView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "MailView({}, {}, {:?})",
            self.mail_id,
            self.kind(),
            self.role()
        )
    }
}

/// A name and an address.
#[derive(Clone, PartialEq, Eq)]
pub struct Party {
    /// As the person gave it; cleaned wherever it is shown.
    pub name: Option<String>,
    /// The mailbox.
    pub address: EmailAddress,
}

/// Why a mail is sent, with what that kind alone says.
#[derive(Clone)]
pub enum Notice {
    /// A hold waits for its confirmation.
    Hold {
        /// When it lapses.
        expires_at: Instant,
    },
    /// The booking is confirmed.
    Confirmed,
    /// The booking has moved.
    Rescheduled {
        /// When it was before.
        previous: Span,
    },
    /// The booking is cancelled.
    Cancelled {
        /// By whom.
        by: Canceller,
        /// Why, if the canceller said so. Shown to the other side, and to guests never.
        reason: Option<String>,
    },
    /// The meeting is soon.
    Reminder,
}

/// Who cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Canceller {
    /// Who booked.
    Booker,
    /// A host.
    Host,
    /// Somebody who manages meetings for others.
    Coordinator,
    /// Nobody: it takes place, and another host has it. The mail is for the one who had it.
    Handover,
}

/// Who reads the mail, with what only that reader may know.
#[derive(Clone)]
pub enum Reader {
    /// Who booked: the only reader with manage links.
    Booker {
        /// Links with this mail's own token.
        links: ManageLinks,
    },
    /// Who is booked: the only reader of what the booker filled in.
    Host {
        /// The booker, whole.
        booker: Box<BookerView>,
        /// The booking in the dashboard.
        dashboard_url: Option<String>,
    },
    /// Whom the booker named.
    Guest {
        /// Who invited them.
        booker_name: String,
    },
}

/// Where the booker manages the booking. Opening one changes nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct ManageLinks {
    /// The page with the button that confirms.
    pub confirm: String,
    /// The page with the form that moves.
    pub reschedule: String,
    /// The page with the form that cancels.
    pub cancel: String,
}

/// The booker as hosts see them.
#[derive(Clone)]
pub struct BookerView {
    /// As typed.
    pub name: String,
    /// As typed.
    pub address: EmailAddress,
    /// The zone they booked in.
    pub zone: Zone,
    /// Their note.
    pub note: Option<String>,
    /// Their answers, in the order of the questions.
    pub answers: Vec<Answer>,
    /// Whom they named.
    pub guests: Vec<Party>,
}

/// A question and what was answered.
#[derive(Clone)]
pub struct Answer {
    /// The question, as the host wrote it.
    pub label: String,
    /// The answer.
    pub value: AnswerValue,
}

/// An answer. What a person wrote stays as written; yes and no are words of ours.
#[derive(Clone)]
pub enum AnswerValue {
    /// Text, a telephone number, or one option.
    Text(String),
    /// Several options.
    Options(Vec<String>),
    /// Yes or no.
    YesNo(bool),
}

/// Where the meeting is.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// Not said.
    None,
    /// Words: an address, a room.
    Text(String),
    /// A meeting link, fixed or made for this booking and ready.
    Link(String),
    /// The host calls the booker. Guests are not told the number.
    CallsBooker {
        /// The booker's telephone number.
        phone: Option<String>,
    },
    /// The booker calls the host.
    CallsHost {
        /// The host's telephone number.
        phone: String,
    },
}

/// What an invitation says beyond the mail around it.
#[derive(Clone)]
pub struct InvitationView {
    /// The booking's revision: the `SEQUENCE`.
    pub revision: u32,
    /// When that revision was made: the `DTSTAMP`.
    pub revised_at: Instant,
    /// The organizer as pinned when the booking was confirmed: the sender of that day, with the
    /// primary host's name of that day.
    pub organizer: Party,
    /// The hosts with the names pinned on the booking, the primary one first.
    pub hosts: Vec<Party>,
    /// The booker.
    pub booker: Party,
}
