//! A booking as its host sees it, as JSON.

use serde::Serialize;
use shared::{
    address::EmailAddress,
    booking::{Actor, Answer, AnswerValue, PublicBooking, QuestionKind, State},
    instant::{Instant, Span},
    ops::{HistoryEntry, HostBooking},
    store::host_bookings::MailRow,
};
use utoipa::ToSchema;
use uuid::Uuid;

use super::booking_view::{LocationView, location};

/// A booking as its host sees it.
#[derive(Serialize, ToSchema)]
pub struct HostBookingView {
    /// Its id; also the first part of the UID of its invitations.
    pub id: Uuid,
    /// Where it stands. A hold that lapsed is `expired`.
    pub state: State,
    /// +1 on every transition; the SEQUENCE of its invitations. Name it when you change the
    /// booking.
    #[schema(example = 0)]
    pub revision: i32,
    /// The code of the page that it was booked on.
    #[schema(example = "k3x9q2ab")]
    pub code: String,
    /// The title as it was when it was booked.
    #[schema(example = "Introduction")]
    pub title: String,
    /// The description as it was when it was booked.
    pub description: String,
    /// The start of the meeting.
    pub start: Instant,
    /// The end of the meeting.
    pub end: Instant,
    /// The booker's zone.
    #[schema(example = "Europe/Paris")]
    pub zone: String,
    /// The booker's language.
    #[schema(example = "en")]
    pub locale: String,
    /// Where it takes place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<LocationView>,
    /// The booker's name.
    #[schema(example = "Sam Lee")]
    pub name: String,
    /// The booker's address.
    #[schema(example = "sam@example.com")]
    pub email: String,
    /// The booker's note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The guests that the booker named.
    pub guests: Vec<HostGuestView>,
    /// The questions that were answered.
    pub answers: Vec<AnswerView>,
    /// Until when a hold keeps the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_expires_at: Option<Instant>,
    /// Who cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled_by: Option<Actor>,
    /// What its host may do now.
    pub actions: Vec<HostAction>,
}

/// A guest.
#[derive(Serialize, ToSchema)]
pub struct HostGuestView {
    /// Names the guest in `mails`.
    pub id: Uuid,
    /// The address.
    #[schema(example = "kim@example.com")]
    pub email: String,
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A question and its answer, as they were when it was booked.
#[derive(Serialize, ToSchema)]
pub struct AnswerView {
    /// The question's id.
    pub question: Uuid,
    /// The question's words.
    #[schema(example = "What is it about?")]
    pub label: String,
    /// What an answer looks like.
    pub kind: QuestionKind,
    /// A text, `true` or `false`, or a list of options.
    pub value: AnswerValue,
}

/// What a host may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HostAction {
    /// Move it.
    Reschedule,
    /// Cancel it, or let the hold go.
    Cancel,
    /// Say that it took place.
    Complete,
    /// Say that the booker stayed away.
    NoShow,
}

/// A booking with what became of it and of its mail.
#[derive(Serialize, ToSchema)]
pub struct HostBookingDetail {
    /// The booking.
    #[serde(flatten)]
    pub booking: HostBookingView,
    /// The event type that it was booked by.
    pub event_type_id: Uuid,
    /// Why it was cancelled, in the words of whoever did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancel_reason: Option<String>,
    /// Each mail that is or was owed for it, in the order in which it was.
    pub mails: Vec<MailView>,
    /// Each transition, the first one first.
    pub history: Vec<HistoryView>,
}

/// A mail, and what became of it.
#[derive(Serialize, ToSchema)]
pub struct MailView {
    /// What it says.
    #[schema(example = "confirmed")]
    pub kind: String,
    /// Whom it is to: `host`, `booker` or `guest`.
    #[schema(example = "booker")]
    pub recipient: String,
    /// Which guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guest_id: Option<Uuid>,
    /// The booking's revision that it tells of.
    #[schema(example = 0)]
    pub revision: i32,
    /// Of a reminder: so many minutes before the start. Else 0.
    #[schema(example = 0)]
    pub offset_min: i32,
    /// When it may be sent next; of one that has an outcome, when it was due.
    pub due_at: Instant,
    /// How often it was tried.
    #[schema(example = 1)]
    pub attempts: i16,
    /// How many of the tries may have arrived although nobody said so: at worst so many copies
    /// more than one are in the mailbox.
    #[schema(example = 0)]
    pub uncertain: i16,
    /// `sent`, `rejected` (the mailbox refuses it for good), `suppressed`, `skipped` (it was no
    /// longer true) or `exhausted` (given up). Missing while it is owed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "sent")]
    pub outcome: Option<String>,
    /// When that was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_at: Option<Instant>,
    /// Why it was suppressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppression_reason: Option<String>,
    /// What kind of fault the last try met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_class: Option<String>,
    /// At which command of SMTP (RFC 5321) the last try failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smtp_stage: Option<String>,
    /// The mail server's reply code (RFC 5321).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 250)]
    pub smtp_code: Option<i16>,
    /// The mail server's enhanced status code (RFC 3463).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "5.1.1")]
    pub smtp_status: Option<String>,
}

/// A transition.
#[derive(Serialize, ToSchema)]
pub struct HistoryView {
    /// The revision that it made.
    #[schema(example = 0)]
    pub revision: i32,
    /// When it was.
    pub at: Instant,
    /// Who did it: `booker`, `host`, `coordinator`, `agent`, `api` or `system`.
    #[schema(example = "booker")]
    pub actor: String,
    /// What was done: `hold`, `book`, `confirm`, `expire`, `release`, `reschedule`, `cancel`,
    /// `complete` or `no_show`.
    #[schema(example = "book")]
    pub action: String,
    /// The state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_state: Option<State>,
    /// The state after.
    pub to_state: State,
    /// The meeting before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<SpanView>,
    /// The meeting after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<SpanView>,
}

/// From when to when.
#[derive(Serialize, ToSchema)]
pub struct SpanView {
    /// The start.
    pub start: Instant,
    /// The end.
    pub end: Instant,
}

impl HostBookingView {
    /// The booking for its host.
    #[must_use]
    pub fn of(booking: &PublicBooking, now: Instant) -> Self {
        let state = booking.state_at(now);
        Self {
            id: booking.id,
            state,
            revision: booking.standing.revision,
            code: booking.page.1.clone(),
            title: booking.title.clone(),
            description: booking.description.clone(),
            start: booking.standing.span.from,
            end: booking.standing.span.to,
            zone: booking.zone.name().to_owned(),
            locale: booking.locale.tag().to_owned(),
            location: location(&booking.location),
            name: booking.name.clone(),
            email: booking.email.as_str().to_owned(),
            note: booking.note.clone(),
            guests: booking
                .guests
                .iter()
                .map(|guest| HostGuestView {
                    id: guest.id,
                    email: EmailAddress::as_str(&guest.email).to_owned(),
                    name: guest.name.clone(),
                })
                .collect(),
            answers: booking.answers.iter().map(AnswerView::of).collect(),
            hold_expires_at: booking
                .standing
                .hold_expires_at
                .filter(|_| state == State::Held),
            cancelled_by: booking.cancelled_by,
            actions: actions(booking, now),
        }
    }
}

/// What its host may do with a booking at an instant.
fn actions(booking: &PublicBooking, now: Instant) -> Vec<HostAction> {
    match booking.state_at(now) {
        State::Held => vec![HostAction::Cancel],
        State::Confirmed if now < booking.standing.span.from => {
            vec![HostAction::Reschedule, HostAction::Cancel]
        }
        State::Confirmed => vec![HostAction::Cancel, HostAction::Complete, HostAction::NoShow],
        State::Cancelled | State::Expired | State::Completed | State::NoShow => Vec::new(),
    }
}

impl HostBookingDetail {
    /// The booking for its host, with everything.
    #[must_use]
    pub fn of(found: HostBooking, now: Instant) -> Self {
        Self {
            booking: HostBookingView::of(&found.booking, now),
            event_type_id: found.event_type,
            cancel_reason: found.cancel_reason,
            mails: found.mails.into_iter().map(MailView::of).collect(),
            history: found.history.into_iter().map(HistoryView::of).collect(),
        }
    }
}

impl AnswerView {
    fn of(answer: &Answer) -> Self {
        Self {
            question: answer.question,
            label: answer.label.clone(),
            kind: answer.kind,
            value: answer.value.clone(),
        }
    }
}

impl MailView {
    fn of(row: MailRow) -> Self {
        Self {
            guest_id: row.recipient_id.filter(|_| row.recipient == "guest"),
            kind: row.kind,
            recipient: row.recipient,
            revision: row.revision,
            offset_min: row.offset_min,
            due_at: row.due_at,
            attempts: row.attempts,
            uncertain: row.uncertain,
            outcome: row.outcome,
            outcome_at: row.outcome_at,
            suppression_reason: row.suppression_reason,
            error_class: row.error_class,
            smtp_stage: row.smtp_stage,
            smtp_code: row.smtp_code,
            smtp_status: row.smtp_status,
        }
    }
}

impl HistoryView {
    fn of(entry: HistoryEntry) -> Self {
        let span = |span: Span| SpanView {
            start: span.from,
            end: span.to,
        };
        Self {
            revision: entry.revision,
            at: entry.at,
            actor: entry.actor,
            action: entry.action,
            from_state: entry.from,
            to_state: entry.to,
            old: entry.old.map(span),
            new: entry.new.map(span),
        }
    }
}
