//! What mails and invitations are filled from: the booking as its booker may see it, and what only
//! the sender knows beside it.

use serde::Deserialize;
use uuid::Uuid;

use super::{
    clean::one_line,
    kind::MailKind,
    owed::Recipient,
    view::{
        Answer, AnswerValue, BookerView, Canceller, InvitationView, MailView, ManageLinks, Notice,
        Party, Place, Reader,
    },
};
use crate::{
    address::EmailAddress,
    booking::{self, Actor, LocationKind, PublicBooking, public::BrokenBooking},
    config::Mailbox,
    instant::{Instant, Span},
    locale::Locale,
    seal::{Place as SealPlace, SealKeys},
    store::{
        bookings::{BookingRow, PastRow},
        hosts::FoundHost,
    },
    zone::{Zone, Zones},
};

/// A booking with what is not for its booker's eyes.
#[derive(Clone)]
pub struct MailFacts {
    pub booking: PublicBooking,
    pub host: Uuid,
    /// The host's own; UTC if the table does not have it.
    pub host_zone: Zone,
    pub host_locale: Locale,
    /// The host's name on the day it was booked.
    pub host_name_then: String,
    /// Pinned by the transition that confirmed it.
    pub organizer: Option<Party>,
    pub ever_confirmed: bool,
    pub cancel_reason: Option<String>,
    /// A host who gave the booking to another, for the mail that tells them so.
    pub departed: Option<DepartedHost>,
}

/// A host who had the booking before.
#[derive(Clone)]
pub struct DepartedHost {
    pub id: Uuid,
    pub party: Party,
    pub zone: Zone,
    pub locale: Locale,
}

#[derive(Deserialize)]
struct StoredOrganizer {
    name: String,
    address: String,
}

impl MailFacts {
    /// Opens a row.
    ///
    /// # Errors
    /// [`BrokenBooking`].
    pub fn open(row: BookingRow, keys: &SealKeys, zones: &Zones) -> Result<Self, BrokenBooking> {
        let open = |column, sealed: &[u8]| {
            keys.open_text(SealPlace::new("bookings", column, row.id), sealed)
        };
        let organizer = row
            .organizer_sealed
            .as_deref()
            .map(|sealed| open("organizer", sealed))
            .transpose()?;
        let organizer = organizer
            .map(|json| -> Result<Party, BrokenBooking> {
                let stored: StoredOrganizer = serde_json::from_str(&json)?;
                Ok(Party {
                    name: Some(stored.name),
                    address: stored.address.parse()?,
                })
            })
            .transpose()?;
        Ok(Self {
            host: row.host_id,
            host_zone: zones.get(&row.host_zone).unwrap_or_else(|_| Zone::utc()),
            host_locale: Locale::from_tag(&row.host_locale),
            host_name_then: open("host_name", &row.host_snapshot_sealed)?,
            organizer,
            ever_confirmed: row.confirmed_at.is_some(),
            departed: None,
            cancel_reason: row
                .cancel_reason_sealed
                .as_deref()
                .map(|sealed| open("cancel_reason", sealed))
                .transpose()?,
            booking: PublicBooking::open(row, keys, zones)?,
        })
    }

    /// Adds a host who had the booking before, and puts the booking back to the revision at which
    /// they lost it: what became of it since is not theirs to know. One whose address is not
    /// verified stays unknown.
    ///
    /// # Errors
    /// [`BrokenBooking`].
    pub fn depart(
        &mut self,
        id: Uuid,
        row: FoundHost,
        (revision, then): (i32, &PastRow),
        keys: &SealKeys,
        zones: &Zones,
    ) -> Result<(), BrokenBooking> {
        if !row.contact_verified {
            return Ok(());
        }
        let open =
            |column, sealed: &[u8]| keys.open_text(SealPlace::new("hosts", column, id), sealed);
        let name = open("display_name", &row.display_name_sealed)?;
        let name = if one_line(&name).is_empty() {
            row.handle
        } else {
            name
        };
        self.booking.standing.revision = revision;
        self.booking.revised_at = then.at;
        if let Some(span) = Span::new(then.from, then.to) {
            self.booking.standing.span = span;
        }
        self.departed = Some(DepartedHost {
            id,
            party: Party {
                name: Some(name),
                address: open("contact_email", &row.contact_email_sealed)?.parse()?,
            },
            zone: zones.get(&row.zone).unwrap_or_else(|_| Zone::utc()),
            locale: Locale::from_tag(&row.locale),
        });
        Ok(())
    }

    /// The invitation's own facts; `None` before the booking was ever confirmed, and without a
    /// verified host.
    #[must_use]
    pub fn invitation(&self) -> Option<InvitationView> {
        let host = self.booking.host_email.clone()?;
        Some(InvitationView {
            revision: u32::try_from(self.booking.standing.revision).ok()?,
            revised_at: self.booking.revised_at,
            organizer: self.organizer.clone()?,
            hosts: vec![Party {
                name: Some(self.host_name_then.clone()),
                address: host,
            }],
            booker: self.booker(),
        })
    }

    /// The booker.
    #[must_use]
    pub fn booker(&self) -> Party {
        Party {
            name: Some(self.booking.name.clone()),
            address: self.booking.email.clone(),
        }
    }

    /// The address of a recipient; `None` for a host without a verified one, and for somebody who is
    /// none of the booking's.
    #[must_use]
    pub fn address_of(&self, recipient: Recipient) -> Option<&EmailAddress> {
        match recipient {
            Recipient::Booker => Some(&self.booking.email),
            Recipient::Host(id) if id == self.host => self.booking.host_email.as_ref(),
            Recipient::Host(id) => {
                let departed = self.departed.as_ref().filter(|host| host.id == id)?;
                Some(&departed.party.address)
            }
            Recipient::Guest(id) => {
                let guest = self.booking.guests.iter().find(|guest| guest.id == id)?;
                Some(&guest.email)
            }
        }
    }

    /// Where the meeting is.
    #[must_use]
    pub fn place(&self) -> Place {
        let location = &self.booking.location;
        match (location.kind, location.text.clone()) {
            (LocationKind::Text, Some(text)) => Place::Text(text),
            (LocationKind::Link, Some(link)) => Place::Link(link),
            (LocationKind::BookerPhone, phone) => Place::CallsBooker { phone },
            (LocationKind::HostPhone, Some(phone)) => Place::CallsHost { phone },
            (
                LocationKind::None
                | LocationKind::Text
                | LocationKind::Link
                | LocationKind::HostPhone,
                _,
            ) => Place::None,
        }
    }
}

/// One mail to fill.
#[derive(Clone)]
pub struct Filling<'a> {
    pub mail: Uuid,
    pub instance: Uuid,
    pub recipient: Recipient,
    pub kind: MailKind,
    pub public_url: &'a str,
    pub from: &'a Mailbox,
    pub sent_at: Instant,
    /// For the booker: links with this mail's own token.
    pub links: Option<ManageLinks>,
    /// For a move: when it was before.
    pub previous: Option<Span>,
}

/// Fills a mail; `None` when its recipient is none of the booking's, or when there is no verified
/// host, who then gets nothing and is not named.
#[must_use]
pub fn fill(facts: &MailFacts, filling: Filling<'_>) -> Option<MailView> {
    let booking = &facts.booking;
    let host_address = booking.host_email.clone()?;
    let host_name = host_name(booking);
    let host = Party {
        name: Some(host_name.clone()),
        address: host_address,
    };
    let (to, reply_to, locale, zone, reader) = match filling.recipient {
        Recipient::Booker => {
            let reader = Reader::Booker {
                links: filling.links?,
            };
            (
                facts.booker(),
                host,
                booking.locale,
                booking.zone.clone(),
                reader,
            )
        }
        Recipient::Host(id) if id == facts.host => {
            let reader = Reader::Host {
                booker: Box::new(booker_view(booking)),
                dashboard_url: None,
            };
            (
                host,
                facts.booker(),
                facts.host_locale,
                facts.host_zone.clone(),
                reader,
            )
        }
        Recipient::Guest(id) => {
            let guest = booking.guests.iter().find(|guest| guest.id == id)?;
            let to = Party {
                name: guest.name.clone(),
                address: guest.email.clone(),
            };
            let reader = Reader::Guest {
                booker_name: booking.name.clone(),
            };
            (to, host, booking.locale, booking.zone.clone(), reader)
        }
        Recipient::Host(id) => {
            let departed = facts.departed.as_ref().filter(|host| host.id == id)?;
            let reader = Reader::Host {
                booker: Box::new(booker_view(booking)),
                dashboard_url: None,
            };
            (
                departed.party.clone(),
                facts.booker(),
                departed.locale,
                departed.zone.clone(),
                reader,
            )
        }
    };
    let leaves = matches!(filling.recipient, Recipient::Host(id) if id != facts.host);
    let notice = match filling.kind {
        MailKind::Hold => Notice::Hold {
            expires_at: booking.standing.hold_expires_at?,
        },
        MailKind::Confirmed => Notice::Confirmed,
        MailKind::Rescheduled => Notice::Rescheduled {
            previous: filling.previous?,
        },
        MailKind::Cancelled if leaves => Notice::Cancelled {
            by: Canceller::Handover,
            reason: None,
        },
        MailKind::Cancelled => Notice::Cancelled {
            by: canceller(booking.cancelled_by?),
            reason: facts.cancel_reason.clone(),
        },
        MailKind::Reminder => Notice::Reminder,
    };
    Some(MailView {
        mail_id: filling.mail,
        instance_id: filling.instance,
        booking_id: booking.id,
        sent_at: filling.sent_at,
        public_url: filling.public_url.to_owned(),
        from: Party {
            name: filling.from.name.clone(),
            address: filling.from.address.clone(),
        },
        to,
        reply_to: Some(reply_to),
        locale,
        zone,
        notice,
        reader,
        title: booking.title.clone(),
        description: booking.description.clone(),
        place: facts.place(),
        span: booking.standing.span,
        host_names: vec![host_name],
        invitation: facts.invitation(),
    })
}

/// The host's current name; the handle where nothing of a name is left to show.
fn host_name(booking: &PublicBooking) -> String {
    if one_line(&booking.host_name).is_empty() {
        booking.page.0.clone()
    } else {
        booking.host_name.clone()
    }
}

fn canceller(actor: Actor) -> Canceller {
    match actor {
        Actor::Booker => Canceller::Booker,
        Actor::Host => Canceller::Host,
        Actor::Coordinator => Canceller::Coordinator,
    }
}

fn booker_view(booking: &PublicBooking) -> BookerView {
    BookerView {
        name: booking.name.clone(),
        address: booking.email.clone(),
        zone: booking.zone.clone(),
        note: booking.note.clone(),
        answers: booking
            .answers
            .iter()
            .map(|answer| Answer {
                label: answer.label.clone(),
                value: match &answer.value {
                    booking::AnswerValue::Text(text) => AnswerValue::Text(text.clone()),
                    booking::AnswerValue::Options(options) => AnswerValue::Options(options.clone()),
                    booking::AnswerValue::YesNo(yes) => AnswerValue::YesNo(*yes),
                },
            })
            .collect(),
        guests: booking
            .guests
            .iter()
            .map(|guest| Party {
                name: guest.name.clone(),
                address: guest.email.clone(),
            })
            .collect(),
    }
}
