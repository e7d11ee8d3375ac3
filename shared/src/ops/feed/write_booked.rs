//! Booked events in full.

use sqlx::PgConnection;
use uuid::Uuid;

use super::chunks::{Sink, Stop};
use crate::{
    calendar::{
        event::{Event, Kind, Length, Moment, Status, Transparency},
        event_clock::Clock,
        ics_out::{Publisher, Stamped, UsedZones, write_event},
    },
    instant::Instant,
    ops::Context,
    seal::Place,
    store::exports::{self, ExportedBookingRow},
};

/// Events that are read at once.
const BATCH: i64 = 500;

/// Writes the bookings on a calendar that take place, took place, or wait for their confirmation,
/// each under its own UID, as in its invitation.
pub(super) async fn write_booked(
    context: &Context,
    conn: &mut PgConnection,
    calendar: Uuid,
    publisher: &Publisher,
    now: Instant,
    sink: &mut Sink,
) -> Result<(), Stop> {
    let zones = UsedZones::default();
    let mut after = Uuid::nil();
    loop {
        let rows = exports::booked(conn, calendar, None, now, after, BATCH).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = last.id;
        for row in &rows {
            let stamped = Stamped {
                event: &event(context, row)?,
                replaces: None,
                uid: &format!("{}@{}", row.booking_id, context.instance),
                stamp: row.updated_at,
                problem: None,
            };
            write_event(&mut sink.ics, &zones, &stamped, publisher);
            sink.pass().await?;
        }
    }
}

fn event(context: &Context, row: &ExportedBookingRow) -> Result<Event, Stop> {
    let open = |column, sealed: Option<&[u8]>| match sealed {
        Some(sealed) => {
            let place = Place::new("events", column, row.id);
            context.keys.seal.open_text(place, sealed)
        }
        None => Ok(String::new()),
    };
    let utc = |at: Instant| Moment::Time {
        wall: Clock::Utc.wall(at, &crate::zone::Zone::utc()),
        clock: Clock::Utc,
    };
    Ok(Event {
        uid: None,
        line: 0,
        sequence: u32::try_from(row.revision).unwrap_or_default(),
        title: open("title", Some(&row.title_sealed))?,
        notes: open("notes", row.notes_sealed.as_deref())?,
        location: open("location", row.location_sealed.as_deref())?,
        kind: Kind::Meeting,
        transparency: Transparency::Opaque,
        status: if row.is_held {
            Status::Tentative
        } else {
            Status::Confirmed
        },
        start: utc(row.start_at),
        length: Length::End(utc(row.end_at)),
        rrule: None,
        exdates: Vec::new(),
        rdates: Vec::new(),
        attendees: Vec::new(),
        problems: Vec::new(),
        verbatim: None,
    })
}
