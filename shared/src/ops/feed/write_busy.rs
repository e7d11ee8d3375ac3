//! A feed of busy time.

use sqlx::{Postgres, Transaction};
use uuid::Uuid;

use super::{
    chunks::{Sink, Stop},
    sheet::Sheet,
};
use crate::{
    calendar::{
        ics_out::{Head, Publishing, write_busy as write_event, write_head},
        opaque_uid,
    },
    instant::{Instant, Span},
    locale::Locale,
    ops::Context,
    store::exports,
};

/// Bookings that are read at once.
const BATCH: i64 = 500;
const DAY_MIN: i64 = 24 * 60;
/// How far back a feed of busy time goes, and how far ahead.
const DAYS: (i64, i64) = (31, 366);

/// What such a feed tells of: whole days of UTC around now, so that it is the same all day.
pub(super) fn window(now: Instant) -> Option<Span> {
    const DAY_US: i64 = DAY_MIN * 60_000_000;
    let today = now
        .as_microsecond()
        .div_euclid(DAY_US)
        .checked_mul(DAY_US)?;
    let today = Instant::from_microsecond(today)?;
    Span::new(
        today.plus_minutes(-DAYS.0 * DAY_MIN),
        today.plus_minutes(DAYS.1 * DAY_MIN),
    )
}

/// Writes busy time as it counts for the host's own pages, merged, and each booking without its
/// buffers. Every event looks like every other; the feed goes by the host's public name.
pub(super) async fn write_busy(
    context: &Context,
    mut tx: Transaction<'static, Postgres>,
    sheet: &Sheet,
    busy: &[Span],
    window: Span,
    now: Instant,
    mut sink: Sink,
) -> Result<Sink, Stop> {
    let key = &context.keys.fingerprint;
    let title = match sheet.locale {
        Locale::En => "Busy",
        Locale::ZhCn => "忙碌",
    };
    let stamp = window.from;
    let head = Head {
        publishing: Publishing::Feed,
        name: &sheet.host_name,
    };
    write_head(&mut sink.ics, head);
    for span in busy {
        // What is kept expanded may reach further.
        let (from, to) = (span.from.max(window.from), span.to.min(window.to));
        let Some(span) = Span::new(from, to) else {
            continue;
        };
        let uid = opaque_uid::of_span(key, sheet.seen.id, span);
        write_event(&mut sink.ics, &uid, span, stamp, title);
        sink.pass().await?;
    }
    let mut after = Uuid::nil();
    loop {
        let calendar = sheet.seen.id;
        let rows = exports::booked(&mut tx, calendar, Some(window), now, after, BATCH).await?;
        let Some(last) = rows.last() else {
            break;
        };
        after = last.id;
        for row in &rows {
            let uid = opaque_uid::of_booking(key, row.booking_id);
            let span = Span {
                from: row.start_at,
                to: row.end_at,
            };
            write_event(&mut sink.ics, &uid, span, stamp, title);
            sink.pass().await?;
        }
    }
    sink.ics.end("VCALENDAR");
    Ok(sink)
}
