//! What confirm, cancel, reschedule and finish have in common: who may ask, the locks, and the
//! answer when somebody else moved first.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Context, failure::Failure, show_booking};
use crate::{
    booking::{Actor, Page, PublicBooking, Refusal},
    random::NoRandomness,
    seal::Place,
    store::{
        bookings::{self, BookingKey, BookingRow},
        locks::{self, Locked},
        retry::DatabaseFault,
    },
    token,
};

/// Which booking, and by what authority.
#[derive(Clone, Copy, Debug)]
pub enum Authority<'a> {
    /// The booker's: a manage token as it was presented.
    Token(&'a str),
    /// The host's own, or a coordinator's, who proved it elsewhere.
    Host {
        booking: Uuid,
        /// Only a booking of this host is found.
        host: Uuid,
    },
}

impl Authority<'_> {
    /// Who acts.
    pub(super) const fn actor(self) -> Actor {
        match self {
            Self::Token(_) => Actor::Booker,
            Self::Host { .. } => Actor::Host,
        }
    }

    pub(super) fn owned(self) -> Owned {
        match self {
            Self::Token(presented) => Owned {
                key: BookingKey::Token(token::hash(presented)),
                host: None,
            },
            Self::Host { booking, host } => Owned {
                key: BookingKey::Id(booking),
                host: Some(host),
            },
        }
    }
}

/// An authority that a task of its own can hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owned {
    key: BookingKey,
    host: Option<Uuid>,
}

/// Why a booking was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    #[error("no such booking")]
    NotFound,
    /// It may not do that; here is what it is now.
    #[error("{0}")]
    Refused(Refusal, Box<PublicBooking>),
    /// It changed hosts between the look and the locks.
    #[error("the booking keeps changing hosts")]
    HostsChanged(Box<PublicBooking>),
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for ChangeError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<NoRandomness> for ChangeError {
    fn from(error: NoRandomness) -> Self {
        Self::Failure(error.into())
    }
}

impl DatabaseFault for ChangeError {
    fn database_fault(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Failure(failure) => failure.database_fault(),
            _ => None,
        }
    }

    fn hosts_changed(&self) -> bool {
        matches!(self, Self::HostsChanged(_))
    }
}

/// A booking read under its locks.
pub(super) struct Held {
    pub(super) locked: Locked,
    pub(super) booking: PublicBooking,
    /// What is not for its booker's eyes.
    pub(super) row: RowFacts,
}

/// What a transition needs of the row beside what may be shown.
#[derive(Clone, Debug)]
pub(super) struct RowFacts {
    pub(super) event_type: Uuid,
    pub(super) host: BookedHost,
    pub(super) host_is_active: bool,
    pub(super) duration_min: i32,
    pub(super) before_buffer_min: i32,
    pub(super) after_buffer_min: i32,
    pub(super) audience: crate::mail::owed::Audience,
    pub(super) reminders: Vec<crate::mail::owed::ReminderRule>,
}

/// Whose time a booking takes.
#[derive(Clone, Debug)]
pub(super) struct BookedHost {
    pub(super) id: Uuid,
    pub(super) email_sealed: Vec<u8>,
}

impl BookedHost {
    /// Puts the host in the place of the page's own, for what takes their time.
    ///
    /// # Errors
    /// [`Failure`], if the stored address cannot be used.
    pub(super) fn take_over(&self, context: &Context, page: &mut Page) -> Result<(), Failure> {
        if page.host.id == self.id {
            return Ok(());
        }
        let place = Place::new("hosts", "contact_email", self.id);
        let email = context.keys.seal.open_text(place, &self.email_sealed)?;
        page.host.id = self.id;
        page.host.email = email.parse().map_err(|_| Failure::Stored("address"))?;
        Ok(())
    }
}

impl RowFacts {
    pub(super) fn of(row: &BookingRow) -> Self {
        Self {
            event_type: row.event_type_id,
            host: BookedHost {
                id: row.host_id,
                email_sealed: row.host_email_sealed.clone(),
            },
            host_is_active: row.host_is_active,
            duration_min: row.duration_min,
            before_buffer_min: row.before_buffer_min,
            after_buffer_min: row.after_buffer_min,
            audience: crate::mail::owed::Audience {
                hosts: if row.host_verified {
                    vec![row.host_id]
                } else {
                    Vec::new()
                },
                guests: row.guests.0.iter().map(|guest| guest.id).collect(),
            },
            reminders: row.reminders.0.clone(),
        }
    }
}

/// Finds the booking without locks, takes the locks of its host and calendar, and reads it again
/// under them.
pub(super) async fn hold(
    context: &Context,
    conn: &mut PgConnection,
    authority: Owned,
) -> Result<Held, ChangeError> {
    let seen = find(conn, authority).await?;
    let locked = locks::lock_host(conn, seen.host_id, &[], context.clock.pinned())
        .await?
        .ok_or(Failure::Stored("calendar"))?;
    let row = find(conn, authority).await?;
    if row.host_id != seen.host_id {
        let booking = show_booking::open(context, row)?;
        return Err(ChangeError::HostsChanged(Box::new(booking)));
    }
    let facts = RowFacts::of(&row);
    Ok(Held {
        locked,
        booking: show_booking::open(context, row)?,
        row: facts,
    })
}

/// Finds the booking, for the cheap look before the locks.
pub(super) async fn find(
    conn: &mut PgConnection,
    authority: Owned,
) -> Result<BookingRow, ChangeError> {
    let row = bookings::find(conn, authority.key)
        .await?
        .ok_or(ChangeError::NotFound)?;
    match authority.host {
        Some(host) if host != row.host_id => Err(ChangeError::NotFound),
        _ => Ok(row),
    }
}

/// The booking as it is now, for an answer.
pub(super) async fn read(
    context: &Context,
    conn: &mut PgConnection,
    booking: Uuid,
) -> Result<PublicBooking, ChangeError> {
    let row = bookings::find(conn, BookingKey::Id(booking))
        .await?
        .ok_or(ChangeError::NotFound)?;
    Ok(show_booking::open(context, row)?)
}
