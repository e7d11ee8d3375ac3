//! A calendar as a whole, in parts of bounded size: for feeds and files.

use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::instant::{Instant, Span};

/// A calendar as one host sees it, sealed as it is stored.
#[derive(Debug)]
pub struct ExportedCalendarRow {
    /// `None` for a personal calendar, which goes by its owner.
    pub name_sealed: Option<Vec<u8>>,
    pub owner_host_id: Uuid,
    pub owner_name_sealed: Vec<u8>,
    pub revision: i64,
    /// From when the calendar is too old to go by; `None` if it cannot become so.
    pub stale_at: Option<Instant>,
    /// Whether it is subscribed and was never read.
    pub never_read: bool,
    pub host_name_sealed: Vec<u8>,
    pub host_email_sealed: Vec<u8>,
    pub zone: String,
    pub locale: String,
}

/// The calendar and the host; `None` if the host does not see it.
///
/// # Errors
/// The database's.
pub async fn calendar(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
) -> Result<Option<ExportedCalendarRow>, sqlx::Error> {
    sqlx::query_as!(
        ExportedCalendarRow,
        r#"SELECT c.name_sealed, c.owner_host_id, o.display_name_sealed AS owner_name_sealed, c.revision,
                  CASE WHEN c.kind = 'subscribed' THEN c.last_good_sync_at + make_interval(mins => c.max_age_min) END AS "stale_at: Instant",
                  c.kind = 'subscribed' AND c.last_good_sync_at IS NULL AS "never_read!",
                  h.display_name_sealed AS host_name_sealed, h.contact_email_sealed AS host_email_sealed, h.zone, h.locale
             FROM calendar_members m
             JOIN calendars c ON c.id = m.calendar_id
             JOIN hosts o ON o.id = c.owner_host_id
             JOIN hosts h ON h.id = m.host_id
            WHERE m.calendar_id = $1 AND m.host_id = $2"#,
        calendar,
        host
    )
    .fetch_optional(conn)
    .await
}

/// Something that is other whenever a booked event of the calendar is.
///
/// # Errors
/// The database's.
pub async fn booked_state(
    conn: &mut PgConnection,
    calendar: Uuid,
    now: Instant,
) -> Result<String, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(md5(string_agg(concat_ws(' ', e.id, extract(epoch FROM e.updated_at), extract(epoch FROM e.start_utc), extract(epoch FROM e.end_utc), b.state, b.revision), ',' ORDER BY e.id)), '') AS "state!"
             FROM events e JOIN booking_hosts bh ON bh.event_id = e.id AND bh.booking_id = e.booking_id JOIN bookings b ON b.id = e.booking_id
            WHERE e.calendar_id = $1 AND e.deleted_at IS NULL
              AND (b.state IN ('confirmed', 'completed', 'no_show') OR b.state = 'held' AND b.hold_expires_at > $2)"#,
        calendar,
        now as Instant
    )
    .fetch_one(conn)
    .await
}

/// The times of an event that no booking owns.
#[derive(Debug)]
pub struct TimingRow {
    pub id: Uuid,
    /// `None`: they could not be read. What else there is of the event is here then.
    pub timing: Option<Json<serde_json::Value>>,
    pub title_sealed: Option<Vec<u8>>,
    pub problems_sealed: Option<Vec<u8>>,
    pub verbatim_sealed: Option<Vec<u8>>,
}

/// The times of the next events of a calendar, by id.
///
/// # Errors
/// The database's.
pub async fn timings(
    conn: &mut PgConnection,
    calendar: Uuid,
    after: Uuid,
    limit: i64,
) -> Result<Vec<TimingRow>, sqlx::Error> {
    sqlx::query_as!(
        TimingRow,
        r#"SELECT id, timing AS "timing: Json<serde_json::Value>",
                  CASE WHEN timing IS NULL THEN title_sealed END AS title_sealed,
                  CASE WHEN timing IS NULL THEN problems_sealed END AS problems_sealed,
                  CASE WHEN timing IS NULL THEN verbatim_sealed END AS verbatim_sealed
             FROM events
            WHERE calendar_id = $1 AND booking_id IS NULL AND deleted_at IS NULL AND id > $2 ORDER BY id LIMIT $3"#,
        calendar,
        after,
        limit
    )
    .fetch_all(conn)
    .await
}

/// An event that no booking owns, sealed as it is stored.
#[derive(Debug)]
pub struct ExportedEventRow {
    pub id: Uuid,
    pub uid_sealed: Option<Vec<u8>>,
    pub title_sealed: Vec<u8>,
    pub notes_sealed: Option<Vec<u8>>,
    pub location_sealed: Option<Vec<u8>>,
    pub attendees_sealed: Option<Vec<u8>>,
    pub problems_sealed: Option<Vec<u8>>,
    pub verbatim_sealed: Option<Vec<u8>>,
    pub kind: String,
    pub transparency: String,
    pub status: String,
    pub sequence: i32,
    pub timing: Option<Json<serde_json::Value>>,
    pub blocks: bool,
    pub marked_free: bool,
    pub updated_at: Instant,
}

/// The next events of a calendar, by id. An override of a series that is deleted is deleted with it.
///
/// # Errors
/// The database's.
pub async fn events(
    conn: &mut PgConnection,
    calendar: Uuid,
    after: Uuid,
    limit: i64,
) -> Result<Vec<ExportedEventRow>, sqlx::Error> {
    sqlx::query_as!(
        ExportedEventRow,
        r#"SELECT e.id, e.uid_sealed, e.title_sealed, e.notes_sealed, e.location_sealed, e.attendees_sealed, e.problems_sealed, e.verbatim_sealed,
                  e.kind, e.transparency, e.status, e.sequence, e.timing AS "timing: Json<serde_json::Value>", e.blocks, e.marked_free,
                  e.updated_at AS "updated_at: Instant"
             FROM events e
            WHERE e.calendar_id = $1 AND e.booking_id IS NULL AND e.deleted_at IS NULL AND e.id > $2
              AND NOT EXISTS (SELECT FROM events s WHERE s.id = e.series_id AND s.deleted_at IS NOT NULL)
            ORDER BY e.id LIMIT $3"#,
        calendar,
        after,
        limit
    )
    .fetch_all(conn)
    .await
}

/// An event of a booking that takes place, took place or waits for its confirmation.
#[derive(Debug)]
pub struct ExportedBookingRow {
    pub id: Uuid,
    pub booking_id: Uuid,
    pub title_sealed: Vec<u8>,
    pub notes_sealed: Option<Vec<u8>>,
    pub location_sealed: Option<Vec<u8>>,
    pub start_at: Instant,
    pub end_at: Instant,
    pub is_held: bool,
    pub revision: i32,
    pub updated_at: Instant,
}

/// The next booked events of a calendar that lie in a range, by id. A hold that lapsed is none.
///
/// # Errors
/// The database's.
pub async fn booked(
    conn: &mut PgConnection,
    calendar: Uuid,
    range: Option<Span>,
    now: Instant,
    after: Uuid,
    limit: i64,
) -> Result<Vec<ExportedBookingRow>, sqlx::Error> {
    sqlx::query_as!(
        ExportedBookingRow,
        r#"SELECT e.id, b.id AS booking_id, e.title_sealed, e.notes_sealed, e.location_sealed, e.start_utc AS "start_at!: Instant", e.end_utc AS "end_at!: Instant",
                  b.state = 'held' AS "is_held!", b.revision, e.updated_at AS "updated_at: Instant"
             FROM events e JOIN booking_hosts bh ON bh.event_id = e.id AND bh.booking_id = e.booking_id JOIN bookings b ON b.id = e.booking_id
            WHERE e.calendar_id = $1 AND e.deleted_at IS NULL AND e.id > $5
              AND (b.state IN ('confirmed', 'completed', 'no_show') OR b.state = 'held' AND b.hold_expires_at > $4)
              AND ($2::timestamptz IS NULL OR tstzrange(e.start_utc, e.end_utc, '[)') && tstzrange($2, $3, '[)'))
            ORDER BY e.id LIMIT $6"#,
        calendar,
        range.map(|range| range.from) as Option<Instant>,
        range.map(|range| range.to) as Option<Instant>,
        now as Instant,
        after,
        limit
    )
    .fetch_all(conn)
    .await
}
