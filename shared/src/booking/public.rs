//! What a booker may see of their booking. Public surfaces take this type and never a row.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    answer::Answer,
    policy::{LocationKind, UnknownWord},
    state::{Actor, Standing, State},
};
use crate::{
    address::{EmailAddress, InvalidAddress},
    instant::{Instant, Span},
    locale::Locale,
    seal::{CannotOpen, Place, SealKeys},
    store::bookings::BookingRow,
    zone::{UnknownZone, Zone, Zones},
};

/// Where a meeting takes place, as it was booked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    pub kind: LocationKind,
    /// The address, link or phone number.
    pub text: Option<String>,
}

/// A guest as the booker named them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicGuest {
    pub id: Uuid,
    pub email: EmailAddress,
    pub name: Option<String>,
}

/// The booking as its booker sees it: its snapshot, its times and state, its host's public name,
/// and the booker's own details. Nothing that the host wrote since.
#[derive(Clone)]
pub struct PublicBooking {
    pub id: Uuid,
    pub standing: Standing,
    /// When this revision was made.
    pub revised_at: Instant,
    pub cancelled_by: Option<Actor>,
    pub title: String,
    pub description: String,
    pub location: Location,
    pub name: String,
    pub email: EmailAddress,
    pub note: Option<String>,
    pub answers: Vec<Answer>,
    pub guests: Vec<PublicGuest>,
    pub zone: Zone,
    pub locale: Locale,
    /// The host's current public name.
    pub host_name: String,
    /// The host's address, if it is verified. Only for where the meeting exists for the booker.
    pub host_email: Option<EmailAddress>,
    pub host_zone: Zone,
    /// Where it was booked: handle and code.
    pub page: (String, String),
    /// Whether that page is still there for everybody.
    pub page_is_public: bool,
}

/// A stored booking that cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum BrokenBooking {
    #[error("a sealed value {0}")]
    Sealed(#[from] CannotOpen),
    #[error(transparent)]
    Word(#[from] UnknownWord),
    #[error("the zone cannot be used: {0}")]
    Zone(#[from] UnknownZone),
    #[error("an address cannot be used")]
    Address(#[from] InvalidAddress),
    #[error("a stored list cannot be read")]
    List(#[from] serde_json::Error),
    #[error("the stored span is empty")]
    Span,
}

impl std::fmt::Debug for PublicBooking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PublicBooking({} {:?})", self.id, self.standing)
    }
}

impl PublicBooking {
    /// Opens a row.
    ///
    /// # Errors
    /// [`BrokenBooking`].
    pub fn open(row: BookingRow, keys: &SealKeys, zones: &Zones) -> Result<Self, BrokenBooking> {
        let id = row.id;
        let open =
            |column, sealed: &[u8]| keys.open_text(Place::new("bookings", column, id), sealed);
        let maybe =
            |column, sealed: Option<&[u8]>| sealed.map(|sealed| open(column, sealed)).transpose();
        let of_host = |column, sealed: &[u8]| {
            keys.open_text(Place::new("hosts", column, row.host_id), sealed)
        };
        let answers = maybe("answers", row.answers_sealed.as_deref())?;
        let location = maybe("location", row.location_sealed.as_deref())?;
        let host_email = if row.host_verified {
            Some(of_host("contact_email", &row.host_email_sealed)?.parse()?)
        } else {
            None
        };
        let mut guests = Vec::with_capacity(row.guests.0.len());
        for guest in &row.guests.0 {
            let open = |column, hex: &str| -> Result<String, BrokenBooking> {
                let sealed = crate::token::unhex(hex).ok_or(CannotOpen::Malformed)?;
                Ok(keys.open_text(Place::new("booking_guests", column, guest.id), &sealed)?)
            };
            let name = guest
                .name
                .as_deref()
                .map(|hex| open("name", hex))
                .transpose()?;
            guests.push(PublicGuest {
                id: guest.id,
                email: open("email", &guest.email)?.parse()?,
                name,
            });
        }
        let zone = zones.get(&row.booker_zone)?;
        // A host's zone that the table does not have keeps times from being offered, but not a
        // booking from being seen: it is then told in the booker's zone alone.
        let host_zone = row.schedule_zone.as_deref().unwrap_or(&row.host_zone);
        let host_zone = zones.get(host_zone).unwrap_or_else(|_| zone.clone());
        Ok(Self {
            id,
            standing: Standing {
                state: row.state.parse()?,
                revision: row.revision,
                span: Span::new(row.start_at, row.end_at).ok_or(BrokenBooking::Span)?,
                hold_expires_at: row.hold_expires_at,
                booker_reschedules: row.booker_reschedules,
            },
            revised_at: row.revised_at,
            cancelled_by: row.cancelled_by.as_deref().map(str::parse).transpose()?,
            title: open("title", &row.title_sealed)?,
            description: open("description", &row.description_sealed)?,
            location: match location {
                Some(json) => serde_json::from_str(&json)?,
                None => Location {
                    kind: LocationKind::None,
                    text: None,
                },
            },
            name: open("booker_name", &row.booker_name_sealed)?,
            email: open("booker_email", &row.booker_email_sealed)?.parse()?,
            note: maybe("note", row.note_sealed.as_deref())?,
            answers: answers
                .map(|json| serde_json::from_str(&json))
                .transpose()?
                .unwrap_or_default(),
            guests,
            zone,
            locale: Locale::from_tag(&row.booker_locale),
            host_name: of_host("display_name", &row.host_name_sealed)?,
            host_email,
            host_zone,
            page_is_public: row.page_is_public,
            page: (row.handle, row.code),
        })
    }

    /// The state as people see it at an instant.
    #[must_use]
    pub fn state_at(&self, now: Instant) -> State {
        self.standing.state_at(now)
    }
}
