//! What is in a host's way over a span of time. One round trip, whatever the number of calendars.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::instant::{Instant, Local, Span};

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum BusyKind {
    /// The blocked span of an active booking of this host.
    Booking,
    /// An opaque event of a calendar that counts.
    Event,
    /// A blocked exception.
    Blocked,
    /// An available exception: not busy, but more time.
    Available,
}

/// One stretch of time.
#[derive(Debug)]
pub struct BusyRow {
    pub kind: BusyKind,
    pub span: Span,
    /// The booking, if it is one.
    pub booking_id: Option<Uuid>,
    /// The booking's event type: limits count bookings of one type.
    pub event_type_id: Option<Uuid>,
    /// The meeting's start, without its buffer.
    pub start_at: Option<Instant>,
    /// Until when a hold keeps the time; `None` once it is confirmed.
    pub hold_expires_at: Option<Instant>,
    /// For an all-day event, its first and its last date plus one, as written.
    pub all_day: Option<bool>,
    pub start_local: Option<Local>,
    pub end_local: Option<Local>,
}

/// A blocked span is at most 480 minutes and two buffers of 120 long.
const LONGEST_BLOCKED_MIN: i64 = 480 + 2 * 120;

/// Everything in the way of `host` over `busy`, and the bookings of it over the wider `counted`
/// that limits count.
///
/// Lapsed holds come along with their expiry: the caller knows the instant to judge them at. An
/// all-day event is written in dates of its own and may lie up to a day off in UTC; it is read over
/// a span that allows for that.
///
/// # Errors
/// The database's.
pub async fn load(
    conn: &mut PgConnection,
    host: Uuid,
    busy: Span,
    counted: Span,
) -> Result<Vec<BusyRow>, sqlx::Error> {
    let earliest = counted
        .from
        .min(busy.from)
        .plus_minutes(-LONGEST_BLOCKED_MIN);
    let latest = counted.to.max(busy.to);
    sqlx::query_as!(
        BusyRow,
        r#"SELECT 'booking' AS "kind!: BusyKind", bh.blocked AS "span!", bh.booking_id AS "booking_id?",
                  b.event_type_id AS "event_type_id?", b.start_at AS "start_at?",
                  CASE WHEN b.state = 'held' THEN b.hold_expires_at END AS hold_expires_at,
                  NULL::boolean AS all_day, NULL::timestamp AS start_local, NULL::timestamp AS end_local
             FROM booking_hosts bh JOIN bookings b ON b.id = bh.booking_id
            WHERE bh.host_id = $1 AND bh.active AND lower(bh.blocked) >= $4 AND lower(bh.blocked) < $5
           UNION ALL
           SELECT 'event', tstzrange(e.start_utc, e.end_utc, '[)'), NULL, NULL, NULL, NULL, e.all_day, e.start_local, e.end_local
             FROM calendars c JOIN events e ON e.calendar_id = c.id
            WHERE c.owner_host_id = $1 AND c.counts_as_busy
              AND e.booking_id IS NULL AND e.deleted_at IS NULL AND e.status <> 'cancelled'
              AND e.transparency = 'opaque' AND e.kind <> 'note'
              AND e.end_utc > e.start_utc
              AND tstzrange(e.start_utc, e.end_utc, '[)') && tstzrange($2::timestamptz - interval '1 day', $3::timestamptz + interval '1 day', '[)')
           UNION ALL
           SELECT x.kind, x.span, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM host_exceptions x
            WHERE x.host_id = $1 AND x.span && tstzrange($2, $3, '[)')"#,
        host,
        busy.from as Instant,
        busy.to as Instant,
        earliest as Instant,
        latest as Instant,
    )
    .fetch_all(conn)
    .await
}
