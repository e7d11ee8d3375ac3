//! What is in a host's way over a span of time, but for the events of calendars, which are expanded
//! from [`events`](super::events). One round trip, whatever the number of calendars.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::instant::{Instant, Span};

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum BusyKind {
    /// The blocked span of an active booking of this host.
    Booking,
    /// A meeting of another host's, without its buffers, on a calendar that counts.
    Shared,
    /// A calendar that counts. It is no stretch of time: its events are read apart.
    Calendar,
    /// A blocked exception.
    Blocked,
    /// An available exception: not busy, but more time.
    Available,
}

/// One stretch of time, or one calendar.
#[derive(Debug)]
pub struct BusyRow {
    pub kind: BusyKind,
    /// Not for a calendar.
    pub span: Option<Span>,
    /// The booking, if it is one.
    pub booking_id: Option<Uuid>,
    /// The booking's event type: limits count bookings of one type.
    pub event_type_id: Option<Uuid>,
    /// The meeting's start, without its buffer.
    pub start_at: Option<Instant>,
    /// Until when a hold keeps the time; `None` once it is confirmed.
    pub hold_expires_at: Option<Instant>,
    /// The calendar, or the one that a shared meeting is on.
    pub calendar_id: Option<Uuid>,
    /// Moves with every write of an event that no booking owns.
    pub calendar_revision: Option<i64>,
    /// From when the calendar is too old to go by; `None` if it cannot become so.
    pub stale_at: Option<Instant>,
    /// Whether it is subscribed and was never read.
    pub never_read: Option<bool>,
}

/// A blocked span is at most 480 minutes and two buffers of 120 long.
const LONGEST_BLOCKED_MIN: i64 = 480 + 2 * 120;

/// Everything in the way of `host` over `busy`, and the bookings of it over the wider `counted`
/// that limits count.
///
/// Lapsed holds come along with their expiry: the caller knows the instant to judge them at.
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
        r#"SELECT 'booking' AS "kind!: BusyKind", bh.blocked AS span, bh.booking_id AS "booking_id?",
                  b.event_type_id AS "event_type_id?", b.start_at AS "start_at?",
                  CASE WHEN b.state = 'held' THEN b.hold_expires_at END AS hold_expires_at,
                  NULL::uuid AS calendar_id, NULL::bigint AS calendar_revision, NULL::timestamptz AS stale_at, NULL::boolean AS never_read
             FROM booking_hosts bh JOIN bookings b ON b.id = bh.booking_id
            WHERE bh.host_id = $1 AND bh.active AND lower(bh.blocked) >= $4 AND lower(bh.blocked) < $5
           UNION ALL
           SELECT 'calendar', NULL, NULL, NULL, NULL, NULL, c.id, c.revision,
                  CASE WHEN c.kind = 'subscribed' THEN c.last_good_sync_at + make_interval(mins => c.max_age_min) END,
                  c.kind = 'subscribed' AND c.last_good_sync_at IS NULL
             FROM calendar_members m JOIN calendars c ON c.id = m.calendar_id
            WHERE m.host_id = $1 AND m.counts_as_busy
           UNION ALL
           SELECT 'shared', tstzrange(e.start_utc, e.end_utc, '[)'), b.id, NULL, NULL,
                  CASE WHEN b.state = 'held' THEN b.hold_expires_at END, e.calendar_id, NULL, NULL, NULL
             FROM calendar_members m
             JOIN calendars c ON c.id = m.calendar_id
             JOIN events e ON e.calendar_id = c.id
             JOIN booking_hosts bh ON bh.event_id = e.id AND bh.booking_id = e.booking_id
             JOIN bookings b ON b.id = e.booking_id
            WHERE m.host_id = $1 AND m.counts_as_busy AND NOT (c.kind = 'personal' AND c.owner_host_id = $1)
              AND e.booking_id IS NOT NULL AND e.deleted_at IS NULL
              AND tstzrange(e.start_utc, e.end_utc, '[)') && tstzrange($2, $3, '[)')
              AND bh.active AND bh.host_id <> $1
           UNION ALL
           SELECT x.kind, x.span, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
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
