//! Everything of a booking that needs no lock: ids, snapshots, sealing, the token.

use uuid::Uuid;

use super::BookError;
use crate::{
    booking::{
        AnswerValue, Confirmation, Location, LocationKind, Page, PublicBooking, PublicGuest,
        QuestionKind, Standing, State, request::BookingRequest,
    },
    config::Mailbox,
    fingerprint::{Fingerprint, Purpose},
    id,
    instant::{Instant, Local, Span},
    mail::owed::Audience,
    ops::{Context, failure::Failure},
    seal::Place,
    store::{idempotency::Key, taking::NewBooking},
    token::ManageToken,
};

/// A hold keeps its time for so long, or until the meeting starts.
const HOLD_MIN: i64 = 30;

/// A booking ready to be written, but for what the locks decide.
pub(super) struct Prepared {
    pub(super) page: Page,
    pub(super) key: Option<Key>,
    pub(super) new: NewBooking,
    pub(super) audience: Audience,
    pub(super) public: PublicBooking,
    pub(super) token: Option<ManageToken>,
}

impl Prepared {
    /// Sets what the locks decided.
    pub(super) fn fix(&mut self, calendar: Uuid, ip: Option<Fingerprint>, now: Instant) {
        self.new.calendar_id = calendar;
        self.new.ip_fp = ip;
        self.new.now = now;
        self.public.revised_at = now;
        if !self.new.confirmed {
            let expires = now.plus_minutes(HOLD_MIN).min(self.new.span.from);
            self.new.hold_expires_at = Some(expires);
            self.public.standing.hold_expires_at = Some(expires);
        }
    }
}

/// Who organizes a confirmed meeting: the sender's address of this day with the host's name.
#[derive(serde::Serialize, serde::Deserialize)]
pub(in crate::ops) struct Organizer {
    pub name: String,
    pub address: String,
}

impl Organizer {
    /// The organizer as of now.
    pub(in crate::ops) fn now(mail_from: &Mailbox, host_name: &str) -> Self {
        Self {
            name: host_name.to_owned(),
            address: mail_from.address.as_str().to_owned(),
        }
    }

    /// Sealed for its booking.
    pub(in crate::ops) fn seal(
        &self,
        context: &Context,
        booking: Uuid,
    ) -> Result<Vec<u8>, Failure> {
        let json = serde_json::to_string(self).map_err(|_| Failure::Stored("organizer"))?;
        Ok(context.seal(Place::new("bookings", "organizer", booking), &json)?)
    }
}

pub(super) fn prepare(
    context: &Context,
    page: Page,
    request: BookingRequest,
    key: Option<Key>,
    now: Instant,
) -> Result<Prepared, BookError> {
    let random = &context.random;
    let address = context
        .keys
        .fingerprint
        .of_address(Purpose::Address, &request.email);
    let booking = id::new(now, random)?;
    let event = id::new(now, random)?;
    let seal = |column, text: &str| context.seal(Place::new("bookings", column, booking), text);
    let confirmed = page.confirmation == Confirmation::Instant;
    let zone = page.rule.zone.clone();
    let minutes = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    let end = request
        .start
        .plus_minutes(i64::from(page.rule.duration_min));
    let span = Span {
        from: request.start,
        to: end,
    };
    let blocked = Span {
        from: span
            .from
            .plus_minutes(-i64::from(page.rule.before_buffer_min)),
        to: span.to.plus_minutes(i64::from(page.rule.after_buffer_min)),
    };
    let location = location(&page, &request);
    let mut guests = Vec::with_capacity(request.guests.len());
    let mut guest_emails_sealed = Vec::new();
    let mut guest_email_fps = Vec::new();
    let mut guest_names_sealed = Vec::new();
    for guest in &request.guests {
        let guest_id = id::new(now, random)?;
        let seal =
            |column, text: &str| context.seal(Place::new("booking_guests", column, guest_id), text);
        guest_emails_sealed.push(seal("email", guest.email.as_str())?);
        guest_email_fps.push(
            context
                .keys
                .fingerprint
                .of_address(Purpose::Address, &guest.email)
                .to_vec(),
        );
        guest_names_sealed.push(
            guest
                .name
                .as_deref()
                .map(|name| seal("name", name))
                .transpose()?,
        );
        guests.push(PublicGuest {
            id: guest_id,
            email: guest.email.clone(),
            name: guest.name.clone(),
        });
    }
    let token = if confirmed {
        Some(ManageToken::mint(random)?)
    } else {
        None
    };
    let organizer = Organizer::now(&context.mail_from, &page.host.name);
    let event_title = format!("{} – {}", page.title, request.name);
    let new = NewBooking {
        id: booking,
        event_type_id: page.event_type_id,
        host_id: page.host.id,
        calendar_id: Uuid::nil(),
        event_id: event,
        confirmed,
        title_sealed: seal("title", &page.title)?,
        description_sealed: seal("description", &page.description)?,
        location_sealed: Some(seal("location", &json(&location)?)?),
        answers_sealed: if request.answers.is_empty() {
            None
        } else {
            Some(seal("answers", &json(&request.answers)?)?)
        },
        note_sealed: request
            .note
            .as_deref()
            .map(|note| seal("note", note))
            .transpose()?,
        booker_name_sealed: seal("booker_name", &request.name)?,
        booker_email_sealed: seal("booker_email", request.email.as_str())?,
        booker_email_fp: address,
        booker_zone: request.zone.name().to_owned(),
        booker_locale: request.locale.tag(),
        host_name_sealed: seal("host_name", &page.host.name)?,
        organizer_sealed: if confirmed {
            Some(organizer.seal(context, booking)?)
        } else {
            None
        },
        event_title_sealed: context.seal(Place::new("events", "title", event), &event_title)?,
        event_notes_sealed: request
            .note
            .as_deref()
            .map(|note| context.seal(Place::new("events", "notes", event), note))
            .transpose()?,
        event_zone: zone.name().to_owned(),
        start_local: Local(zone.wall(span.from)),
        end_local: Local(zone.wall(span.to)),
        duration_min: minutes(page.rule.duration_min),
        before_buffer_min: minutes(page.rule.before_buffer_min),
        after_buffer_min: minutes(page.rule.after_buffer_min),
        span,
        blocked,
        hold_expires_at: None,
        ip_fp: None,
        created_by: "booker",
        token_hash: token.as_ref().map(ManageToken::hash),
        guest_ids: guests.iter().map(|guest| guest.id).collect(),
        guest_emails_sealed,
        guest_email_fps,
        guest_names_sealed,
        now,
    };
    let public = PublicBooking {
        id: booking,
        standing: Standing {
            state: if confirmed {
                State::Confirmed
            } else {
                State::Held
            },
            revision: 0,
            span,
            hold_expires_at: None,
            booker_reschedules: 0,
        },
        revised_at: now,
        cancelled_by: None,
        title: page.title.clone(),
        description: page.description.clone(),
        location,
        name: request.name,
        email: request.email,
        note: request.note,
        answers: request.answers,
        zone: request.zone,
        locale: request.locale,
        host_name: page.host.name.clone(),
        host_email: page.host.verified.then(|| page.host.email.clone()),
        host_zone: zone,
        page: (page.host.handle.clone(), page.code.clone()),
        page_is_public: true,
        guests,
    };
    let audience = Audience {
        hosts: if page.host.verified {
            vec![page.host.id]
        } else {
            Vec::new()
        },
        guests: new.guest_ids.clone(),
    };
    Ok(Prepared {
        page,
        key,
        new,
        audience,
        public,
        token,
    })
}

fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|_| Failure::Stored("list"))
}

/// Where it takes place. A host who calls learns the number from the answer to the first question
/// for one.
fn location(page: &Page, request: &BookingRequest) -> Location {
    let text = match page.location_kind {
        LocationKind::None => None,
        LocationKind::BookerPhone => request
            .answers
            .iter()
            .find(|answer| answer.kind == QuestionKind::Phone)
            .and_then(|answer| match &answer.value {
                AnswerValue::Text(phone) => Some(phone.clone()),
                AnswerValue::YesNo(_) | AnswerValue::Options(_) => None,
            }),
        LocationKind::Text | LocationKind::HostPhone | LocationKind::Link => page.location.clone(),
    };
    Location {
        kind: page.location_kind,
        text,
    }
}
