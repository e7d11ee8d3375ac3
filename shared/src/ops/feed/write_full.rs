//! A calendar in full.

use sqlx::{Postgres, Transaction};
use uuid::Uuid;

use super::{
    chunks::{Sink, Stop},
    gather::{Gathered, deciding, gather},
    sheet::Sheet,
    write_booked::write_booked,
};
use crate::{
    calendar::{
        event::{Event, Transparency},
        ics_out::{
            Head, Publisher, Publishing, Stamped, UsedZones, has_readable_rule, write_event,
            write_head, write_kept, write_problem,
        },
        timing::Timing,
    },
    instant::Instant,
    ops::{Context, Failure, stored_event},
    seal::Place,
    store::exports::{self, ExportedEventRow},
};

/// Events that are read at once.
const BATCH: i64 = 500;

/// Writes everything that is on a calendar and not deleted.
pub(super) async fn write_full(
    context: &Context,
    mut tx: Transaction<'static, Postgres>,
    sheet: &Sheet,
    publishing: Publishing,
    now: Instant,
    mut sink: Sink,
) -> Result<Sink, Stop> {
    let publisher = Publisher {
        publishing,
        name: sheet.host_name.clone(),
        address: sheet.host_address.clone(),
    };
    let head = Head {
        publishing,
        name: &sheet.name,
    };
    let calendar = sheet.seen.id;
    write_head(&mut sink.ics, head);
    let Gathered {
        mut zones,
        missing,
        unnamed,
    } = gather(context, &mut tx, calendar, publishing).await?;
    for words in &missing {
        write_problem(&mut sink.ics, words);
    }
    if unnamed > 0 {
        write_problem(
            &mut sink.ics,
            &format!("{unnamed} more events are not here"),
        );
    }
    zones.write(&mut sink.ics);
    let mut after = Uuid::nil();
    loop {
        let rows = exports::events(&mut tx, calendar, after, BATCH).await?;
        let Some(last) = rows.last() else {
            break;
        };
        after = last.id;
        for row in &rows {
            write_row(context, row, &zones, &publisher, &mut sink)?;
            sink.pass().await?;
        }
    }
    write_booked(context, &mut tx, calendar, &publisher, now, &mut sink).await?;
    sink.ics.end("VCALENDAR");
    Ok(sink)
}

/// What could not be understood of an event decides when it is: a file has it as it came, to be
/// read back so; a feed, which other programs read, has what is certain, and names the rest.
fn write_row(
    context: &Context,
    row: &ExportedEventRow,
    zones: &UsedZones,
    publisher: &Publisher,
    sink: &mut Sink,
) -> Result<(), Stop> {
    let keys = &context.keys;
    let open = |column, sealed: Option<&[u8]>| match sealed {
        Some(sealed) => keys
            .seal
            .open_text(Place::new("events", column, row.id), sealed),
        None => Ok(String::new()),
    };
    let timing = row
        .timing
        .as_ref()
        .and_then(|timing| Timing::from_json(&timing.0, &context.zones).ok());
    let undecided = timing.is_none() || (row.blocks && !row.marked_free);
    if undecided && publisher.publishing == Publishing::File {
        let verbatim = open("verbatim", row.verbatim_sealed.as_deref())?;
        if write_kept(&mut sink.ics, &verbatim) {
            return Ok(());
        }
    }
    let mut problem = undecided
        .then(|| deciding(keys, row.id, row.problems_sealed.as_deref()))
        .transpose()?;
    let Some(timing) = timing else {
        // It is named at the beginning.
        return Ok(());
    };
    let stored = Failure::Stored("event");
    let (Some(kind), Some(transparency), Some(status)) = (
        stored_event::kind(&row.kind),
        stored_event::transparency(&row.transparency),
        stored_event::status(&row.status),
    ) else {
        return Err(stored.into());
    };
    let mut event = Event {
        uid: None,
        line: 0,
        sequence: u32::try_from(row.sequence).unwrap_or_default(),
        title: open("title", Some(&row.title_sealed))?,
        notes: open("notes", row.notes_sealed.as_deref())?,
        location: open("location", row.location_sealed.as_deref())?,
        kind,
        transparency: if row.marked_free {
            Transparency::Transparent
        } else {
            transparency
        },
        status,
        start: timing.start,
        length: timing.length,
        rrule: timing.rrule,
        exdates: timing.exdates,
        rdates: timing.rdates,
        attendees: stored_event::open_attendees(keys, row.id, row.attendees_sealed.as_deref())?,
        problems: Vec::new(),
        verbatim: None,
    };
    if publisher.publishing == Publishing::Feed && !has_readable_rule(&event) {
        event.rrule = None;
        problem = Some("its recurrence rule cannot be followed; this is its first time".to_owned());
    }
    let uid = match &row.uid_sealed {
        Some(uid) => open("uid", Some(uid))?,
        None => format!("event-{}@{}", row.id, context.instance),
    };
    let stamped = Stamped {
        event: &event,
        replaces: timing.replaces.as_ref(),
        uid: &uid,
        stamp: row.updated_at,
        problem: problem.as_deref(),
    };
    write_event(&mut sink.ics, zones, &stamped, publisher);
    Ok(())
}
