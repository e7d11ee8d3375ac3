//! What the views of a booking are told of it.

use shared::{
    address::EmailAddress,
    booking::{Actor, AnswerValue, LocationKind, PublicBooking, State},
    instant::Instant,
};

use crate::pages::view::{
    self, Answered, AnsweredValue, CancelledBy, ManagePage, Notice, PageAddress, Place, Reader,
};

/// A booking with the texts that its views borrow.
pub(super) struct Facts<'a> {
    booking: &'a PublicBooking,
    token: &'a str,
    guests: Vec<String>,
    answers: Vec<Answered<'a>>,
}

impl<'a> Facts<'a> {
    pub(super) fn of(booking: &'a PublicBooking, token: &'a str) -> Self {
        let guests = booking.guests.iter();
        let answers = booking.answers.iter();
        Self {
            booking,
            token,
            guests: guests
                .map(|guest| guest.email.as_str().to_owned())
                .collect(),
            answers: answers
                .map(|answer| Answered {
                    label: &answer.label,
                    value: match &answer.value {
                        AnswerValue::YesNo(yes) => AnsweredValue::YesNo(*yes),
                        AnswerValue::Text(text) => AnsweredValue::Text(text),
                        AnswerValue::Options(options) => AnsweredValue::Options(options),
                    },
                })
                .collect(),
        }
    }

    pub(super) fn view(&self) -> view::Booking<'_> {
        let booking = self.booking;
        let (handle, code) = &booking.page;
        view::Booking {
            token: self.token,
            revision: i64::from(booking.standing.revision),
            title: &booking.title,
            description: Some(&booking.description),
            start: booking.standing.span.from,
            end: booking.standing.span.to,
            zone: &booking.zone,
            host_zone: &booking.host_zone,
            host_name: &booking.host_name,
            host_email: booking.host_email.as_ref().map(EmailAddress::as_str),
            place: place(booking),
            booker_name: &booking.name,
            booker_email: booking.email.as_str(),
            guests: &self.guests,
            answers: &self.answers,
            note: booking.note.as_deref(),
            again: booking
                .page_is_public
                .then_some(PageAddress { handle, code }),
        }
    }

    /// The booking's own page.
    pub(super) fn page(
        &self,
        reader: Reader,
        now: Instant,
        booker_limit: u32,
        notice: Option<Notice>,
    ) -> String {
        ManagePage {
            reader,
            booking: self.view(),
            state: shown_state(self.booking, now, booker_limit),
            notice,
        }
        .html()
    }
}

fn place(booking: &PublicBooking) -> Option<Place<'_>> {
    let text = booking.location.text.as_deref();
    match booking.location.kind {
        LocationKind::None => None,
        LocationKind::Text => text.map(Place::Text),
        LocationKind::Link => text.map(Place::Link),
        LocationKind::BookerPhone => Some(Place::HostCalls(text)),
        LocationKind::HostPhone => text.map(Place::CallHost),
    }
}

/// When a hold lapses, or lapsed: at the latest when the meeting would begin.
fn lapses_at(booking: &PublicBooking) -> Instant {
    let start = booking.standing.span.from;
    let expires = booking.standing.hold_expires_at;
    expires.map_or(start, |expires| expires.min(start))
}

/// Whether a hold came to its end before its time: its booker or its host let it go.
pub(super) fn was_given_up(booking: &PublicBooking) -> bool {
    booking.standing.state == State::Expired && booking.revised_at < lapses_at(booking)
}

fn shown_state(booking: &PublicBooking, now: Instant, booker_limit: u32) -> view::State {
    let standing = &booking.standing;
    match booking.state_at(now) {
        State::Held => view::State::Held {
            lapses_at: lapses_at(booking),
        },
        State::Confirmed if now < standing.span.from => view::State::Confirmed {
            moves_left: standing.reschedules_left(booker_limit),
        },
        State::Confirmed if now < standing.span.to => view::State::Started,
        // Nobody need mark a meeting as completed for it to be over.
        State::Confirmed | State::Completed | State::NoShow => view::State::Finished,
        State::Cancelled => view::State::Cancelled {
            by: match booking.cancelled_by {
                Some(Actor::Booker) => CancelledBy::Booker,
                Some(Actor::Coordinator) => CancelledBy::Coordinator,
                Some(Actor::Host) | None => CancelledBy::Host,
            },
        },
        State::Expired => view::State::Expired {
            lapsed_at: (!was_given_up(booking)).then(|| lapses_at(booking)),
        },
    }
}
