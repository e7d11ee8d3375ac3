//! What stands on a calendar where a file says something of the same events.

use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::instant::Instant;

/// An event that no booking owns, whole.
#[derive(Debug)]
pub struct StandingRow {
    pub id: Uuid,
    pub series_id: Option<Uuid>,
    pub uid_fp: Option<Vec<u8>>,
    pub content_fp: Option<Vec<u8>>,
    pub replaces: Option<String>,
    pub title_sealed: Vec<u8>,
    pub notes_sealed: Option<Vec<u8>>,
    pub location_sealed: Option<Vec<u8>>,
    pub attendees_sealed: Option<Vec<u8>>,
    pub kind: String,
    pub transparency: String,
    pub status: String,
    pub sequence: i32,
    pub marked_free: bool,
    pub timing: Option<Json<serde_json::Value>>,
}

/// The events of a calendar with one of these UIDs, or one of these contents.
///
/// # Errors
/// The database's.
pub async fn standing(
    conn: &mut PgConnection,
    calendar: Uuid,
    uids: &[Vec<u8>],
    contents: &[Vec<u8>],
) -> Result<Vec<StandingRow>, sqlx::Error> {
    sqlx::query_as!(
        StandingRow,
        r#"SELECT id, series_id, uid_fp, content_fp, timing ->> 'replaces' AS replaces, title_sealed, notes_sealed, location_sealed,
                  attendees_sealed, kind, transparency, status, sequence, marked_free, timing AS "timing: Json<serde_json::Value>"
             FROM events
            WHERE calendar_id = $1 AND booking_id IS NULL AND deleted_at IS NULL AND (uid_fp = ANY ($2) OR content_fp = ANY ($3))
            ORDER BY id"#,
        calendar,
        uids,
        contents
    )
    .fetch_all(conn)
    .await
}

/// An event that a booking owns, as far as it decides when and whether its host is busy.
#[derive(Debug)]
pub struct BookedRow {
    pub booking_id: Uuid,
    pub start_at: Instant,
    pub end_at: Instant,
    pub tz: String,
    pub status: String,
}

/// The events of these bookings on a calendar.
///
/// # Errors
/// The database's.
pub async fn booked(
    conn: &mut PgConnection,
    calendar: Uuid,
    bookings: &[Uuid],
) -> Result<Vec<BookedRow>, sqlx::Error> {
    sqlx::query_as!(
        BookedRow,
        r#"SELECT booking_id AS "booking_id!", start_utc AS "start_at!: Instant", end_utc AS "end_at!: Instant", tz AS "tz!", status
             FROM events WHERE calendar_id = $1 AND booking_id = ANY ($2) AND deleted_at IS NULL"#,
        calendar,
        bookings
    )
    .fetch_all(conn)
    .await
}

/// Gives the overrides of series to the series that take their place.
///
/// # Errors
/// The database's.
pub async fn hand_over(
    conn: &mut PgConnection,
    old: &[Uuid],
    new: &[Uuid],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE events e SET series_id = n.new FROM unnest($1::uuid[], $2::uuid[]) AS n (old, new) WHERE e.series_id = n.old",
        old,
        new
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Widens where series lie so that they take in what others lie in: what cannot be found in a look
/// for a range would be called free. Their contents are no longer what they were.
///
/// # Errors
/// The database's.
pub async fn widen(
    conn: &mut PgConnection,
    series: &[Uuid],
    from: &[Option<Instant>],
    to: &[Option<Instant>],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE events e SET reach = range_merge(e.reach, tstzrange(n.lower, n.upper, '[)')), content_fp = NULL
           FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS n (id, lower, upper) WHERE e.id = n.id",
        series,
        from as &[Option<Instant>],
        to as &[Option<Instant>]
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Widens where series lie by where those that they take the place of lay. Before those are
/// removed.
///
/// # Errors
/// The database's.
pub async fn inherit(
    conn: &mut PgConnection,
    old: &[Uuid],
    new: &[Uuid],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE events e SET reach = range_merge(e.reach, o.reach)
           FROM unnest($1::uuid[], $2::uuid[]) AS n (old, new) JOIN events o ON o.id = n.old WHERE e.id = n.new",
        old,
        new
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A host's standing on a calendar.
#[derive(Debug)]
pub struct SeenRow {
    pub kind: String,
    pub is_owner: bool,
    /// The host's zone.
    pub zone: String,
}

/// The calendar's kind, and whether the host owns it; `None` if they do not see it.
///
/// # Errors
/// The database's.
pub async fn seen(
    conn: &mut PgConnection,
    host: Uuid,
    calendar: Uuid,
) -> Result<Option<SeenRow>, sqlx::Error> {
    sqlx::query_as!(
        SeenRow,
        r#"SELECT c.kind, c.owner_host_id = m.host_id AS "is_owner!", h.zone
             FROM calendar_members m JOIN calendars c ON c.id = m.calendar_id JOIN hosts h ON h.id = m.host_id
            WHERE m.host_id = $1 AND m.calendar_id = $2"#,
        host,
        calendar
    )
    .fetch_optional(conn)
    .await
}
