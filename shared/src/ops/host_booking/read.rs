//! From rows to a booking as its host may see it.

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    booking::{PublicBooking, State},
    instant::{Instant, Span},
    ops::{Context, Failure, show_booking},
    seal::Place,
    store::{
        bookings::{self, BookingRow},
        host_bookings::{self, HistoryRow, MailRow},
    },
};

/// A booking with what is not for its booker's eyes.
#[derive(Debug)]
pub struct HostBooking {
    /// What its booker sees as well.
    pub booking: PublicBooking,
    /// The event type that it was booked by.
    pub event_type: Uuid,
    /// Why it was cancelled, in the words of whoever did.
    pub cancel_reason: Option<String>,
    /// Each mail that is or was owed, in the order in which it was.
    pub mails: Vec<MailRow>,
    /// Each transition, the first one first.
    pub history: Vec<HistoryEntry>,
}

/// One transition of a booking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The revision that it made.
    pub revision: i32,
    pub at: Instant,
    /// `booker`, `host`, `coordinator`, `agent`, `api` or `system`.
    pub actor: String,
    pub action: String,
    pub from: Option<State>,
    pub to: State,
    /// The meeting before it.
    pub old: Option<Span>,
    /// The meeting after it.
    pub new: Option<Span>,
}

/// Reads the bookings with these ids, in their order: those that are that host's.
pub(super) async fn read(
    context: &Context,
    conn: &mut PgConnection,
    host: Uuid,
    ids: &[Uuid],
) -> Result<Vec<HostBooking>, Failure> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = bookings::of_ids(conn, ids).await?.into_iter();
    let mut rows: HashMap<Uuid, BookingRow> = rows
        .filter(|row| row.host_id == host)
        .map(|row| (row.id, row))
        .collect();
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut mails: HashMap<Uuid, Vec<MailRow>> = HashMap::new();
    for mail in host_bookings::mails(conn, ids).await? {
        mails.entry(mail.booking_id).or_default().push(mail);
    }
    let mut history: HashMap<Uuid, Vec<HistoryEntry>> = HashMap::new();
    for row in host_bookings::history(conn, ids).await? {
        history.entry(row.booking_id).or_default().push(entry(row)?);
    }
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let Some(row) = rows.remove(id) else { continue };
        let reason = row.cancel_reason_sealed.as_deref().map(|sealed| {
            let place = Place::new("bookings", "cancel_reason", *id);
            context.keys.seal.open_text(place, sealed)
        });
        found.push(HostBooking {
            event_type: row.event_type_id,
            cancel_reason: reason.transpose()?,
            mails: mails.remove(id).unwrap_or_default(),
            history: history.remove(id).unwrap_or_default(),
            booking: show_booking::open(context, row)?,
        });
    }
    Ok(found)
}

fn entry(row: HistoryRow) -> Result<HistoryEntry, Failure> {
    let state = |word: String| word.parse().map_err(|_| Failure::Stored("history"));
    Ok(HistoryEntry {
        revision: row.revision,
        at: row.at,
        actor: row.actor_kind,
        action: row.action,
        from: row.from_state.map(state).transpose()?,
        to: state(row.to_state)?,
        old: row.old_span,
        new: row.new_span,
    })
}
