//! Events that no booking owns: what a calendar holds.

use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::instant::{Instant, Span};

/// What decides when an event takes a host's time.
#[derive(Debug)]
pub struct BusyEventRow {
    pub calendar_id: Uuid,
    pub id: Uuid,
    /// The series that it overrides an occurrence of.
    pub series_id: Option<Uuid>,
    pub kind: String,
    pub transparency: String,
    pub status: String,
    /// `None`: its times could not be read.
    pub timing: Option<Json<serde_json::Value>>,
    pub attendees_sealed: Option<Vec<u8>>,
    /// Something that may decide when the host is busy could not be understood.
    pub blocks: bool,
    /// The host said that it takes no time, whatever it says itself.
    pub marked_free: bool,
    /// A copy of a booking of this host's own, which counts by itself.
    pub own_copy: bool,
}

/// The events of calendars whose series reach into the range, each series with all its overrides,
/// masters before theirs. One round trip.
///
/// # Errors
/// The database's.
pub async fn in_reach(
    conn: &mut PgConnection,
    calendars: &[Uuid],
    host: Uuid,
    range: Span,
) -> Result<Vec<BusyEventRow>, sqlx::Error> {
    sqlx::query_as!(
        BusyEventRow,
        r#"WITH masters AS MATERIALIZED (
            SELECT e.calendar_id, e.id, e.kind, e.transparency, e.status, e.timing, e.attendees_sealed, e.blocks, e.marked_free,
                   own.yes IS NOT NULL AS own_copy
              FROM events e
              LEFT JOIN LATERAL (SELECT true AS yes FROM booking_hosts bh WHERE bh.booking_id = e.copy_of AND bh.host_id = $2 LIMIT 1) own ON true
             WHERE e.calendar_id = ANY ($1) AND e.booking_id IS NULL AND e.series_id IS NULL AND e.deleted_at IS NULL
               AND e.reach && tstzrange($3, $4, '[)')
        )
        SELECT calendar_id AS "calendar_id!", id AS "id!", NULL::uuid AS series_id, kind AS "kind!", transparency AS "transparency!", status AS "status!",
               timing AS "timing: Json<serde_json::Value>", attendees_sealed, blocks AS "blocks!", marked_free AS "marked_free!", own_copy AS "own_copy!"
          FROM masters
        UNION ALL
        SELECT o.calendar_id, o.id, o.series_id, o.kind, o.transparency, o.status, o.timing, o.attendees_sealed, o.blocks, o.marked_free, false
          FROM masters m JOIN events o ON o.series_id = m.id AND o.deleted_at IS NULL"#,
        calendars,
        host,
        range.from as Instant,
        range.to as Instant
    )
    .fetch_all(conn)
    .await
}

/// An event as it is written, sealed.
#[derive(Clone, Debug)]
pub struct NewEvent {
    pub id: Uuid,
    /// The series that it overrides an occurrence of; it is written before it.
    pub series_id: Option<Uuid>,
    pub uid_sealed: Option<Vec<u8>>,
    pub uid_fp: Option<Vec<u8>>,
    pub title_sealed: Vec<u8>,
    pub notes_sealed: Option<Vec<u8>>,
    pub location_sealed: Option<Vec<u8>>,
    pub attendees_sealed: Option<Vec<u8>>,
    pub kind: &'static str,
    pub transparency: &'static str,
    pub status: &'static str,
    pub sequence: i32,
    /// `None` only with `verbatim_sealed` and `problems_sealed`.
    pub timing: Option<serde_json::Value>,
    pub all_day: bool,
    /// Where the series lies; of no meaning for an override.
    pub reach_from: Option<Instant>,
    pub reach_to: Option<Instant>,
    /// The booking of this installation that it is a copy of.
    pub copy_of: Option<Uuid>,
    pub problems_sealed: Option<Vec<u8>>,
    pub verbatim_sealed: Option<Vec<u8>>,
    pub blocks: bool,
    pub marked_free: bool,
    /// What the series says, overrides included; of no meaning for an override.
    pub content_fp: Option<Vec<u8>>,
}

/// Writes events to a calendar in one round trip. The caller has locked the calendar and bumps its
/// revision.
///
/// # Errors
/// The database's.
pub async fn insert(
    conn: &mut PgConnection,
    calendar: Uuid,
    new: &[NewEvent],
    now: Instant,
) -> Result<(), sqlx::Error> {
    macro_rules! column {
        ($field:ident) => {
            new.iter()
                .map(|event| event.$field.clone())
                .collect::<Vec<_>>()
        };
    }
    let text = |pick: fn(&NewEvent) -> &'static str| -> Vec<String> {
        new.iter().map(|event| pick(event).to_owned()).collect()
    };
    let timing: Vec<Option<Json<serde_json::Value>>> = new
        .iter()
        .map(|event| event.timing.clone().map(Json))
        .collect();
    sqlx::query!(
        "INSERT INTO events (id, calendar_id, series_id, uid_sealed, uid_fp, title_sealed, notes_sealed, location_sealed, attendees_sealed,
                kind, transparency, status, sequence, timing, all_day, reach, copy_of, problems_sealed, verbatim_sealed, blocks, marked_free, content_fp, created_at, updated_at)
         SELECT n.id, $1, n.series, n.uid, n.uid_fp, n.title, n.notes, n.location, n.attendees,
                n.kind, n.transparency, n.status, n.sequence, n.timing, n.all_day,
                CASE WHEN n.series IS NULL THEN tstzrange(n.reach_from, n.reach_to, '[)') END, n.copy_of, n.problems, n.verbatim, n.blocks, n.marked_free, n.content_fp, $2, $2
           FROM unnest($3::uuid[], $4::uuid[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[],
                $11::text[], $12::text[], $13::text[], $14::int[], $15::jsonb[], $16::boolean[], $17::timestamptz[], $18::timestamptz[], $19::uuid[],
                $20::bytea[], $21::bytea[], $22::boolean[], $23::boolean[], $24::bytea[])
             AS n (id, series, uid, uid_fp, title, notes, location, attendees, kind, transparency, status, sequence, timing, all_day,
                reach_from, reach_to, copy_of, problems, verbatim, blocks, marked_free, content_fp)",
        calendar,
        now as Instant,
        &column!(id),
        &column!(series_id) as &[Option<Uuid>],
        &column!(uid_sealed) as &[Option<Vec<u8>>],
        &column!(uid_fp) as &[Option<Vec<u8>>],
        &column!(title_sealed),
        &column!(notes_sealed) as &[Option<Vec<u8>>],
        &column!(location_sealed) as &[Option<Vec<u8>>],
        &column!(attendees_sealed) as &[Option<Vec<u8>>],
        &text(|event| event.kind),
        &text(|event| event.transparency),
        &text(|event| event.status),
        &column!(sequence),
        &timing as &[Option<Json<serde_json::Value>>],
        &column!(all_day),
        &column!(reach_from) as &[Option<Instant>],
        &column!(reach_to) as &[Option<Instant>],
        &column!(copy_of) as &[Option<Uuid>],
        &column!(problems_sealed) as &[Option<Vec<u8>>],
        &column!(verbatim_sealed) as &[Option<Vec<u8>>],
        &column!(blocks),
        &column!(marked_free),
        &column!(content_fp) as &[Option<Vec<u8>>]
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes every event of a calendar that no booking owns.
///
/// # Errors
/// The database's.
pub async fn clear(conn: &mut PgConnection, calendar: Uuid) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM events WHERE calendar_id = $1 AND booking_id IS NULL",
        calendar
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// An event that stands on a calendar, as far as a new reading of it is compared with it.
#[derive(Debug)]
pub struct HeldRow {
    pub id: Uuid,
    /// The series that it overrides an occurrence of.
    pub series_id: Option<Uuid>,
    pub content_fp: Option<Vec<u8>>,
    pub uid_fp: Option<Vec<u8>>,
    /// The start that it replaces, as it is stored.
    pub replaces: Option<String>,
    pub marked_free: bool,
    /// Of what is marked free alone.
    pub problems_sealed: Option<Vec<u8>>,
    pub verbatim_sealed: Option<Vec<u8>>,
}

/// Every event of a calendar that no booking owns.
///
/// # Errors
/// The database's.
pub async fn held(conn: &mut PgConnection, calendar: Uuid) -> Result<Vec<HeldRow>, sqlx::Error> {
    sqlx::query_as!(
        HeldRow,
        r#"SELECT id, series_id, content_fp, uid_fp, timing ->> 'replaces' AS replaces, marked_free,
                  CASE WHEN marked_free THEN problems_sealed END AS problems_sealed,
                  CASE WHEN marked_free THEN verbatim_sealed END AS verbatim_sealed
             FROM events WHERE calendar_id = $1 AND booking_id IS NULL"#,
        calendar
    )
    .fetch_all(conn)
    .await
}

/// Removes events that no booking owns, series with their overrides.
///
/// # Errors
/// The database's.
pub async fn remove(
    conn: &mut PgConnection,
    calendar: Uuid,
    ids: &[Uuid],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM events WHERE calendar_id = $1 AND booking_id IS NULL AND id = ANY ($2)",
        calendar,
        ids
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The bookings whose events are on a calendar, at most a hundred.
///
/// # Errors
/// The database's.
pub async fn bookings_on(
    conn: &mut PgConnection,
    calendar: Uuid,
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT booking_id AS "booking_id!" FROM events WHERE calendar_id = $1 AND booking_id IS NOT NULL ORDER BY start_utc DESC LIMIT 100"#,
        calendar
    )
    .fetch_all(conn)
    .await
}

/// What is in the way of knowing a calendar.
#[derive(Debug)]
pub struct TroubleRow {
    pub title_sealed: Vec<u8>,
    pub problems_sealed: Option<Vec<u8>>,
}

/// The title and the problems of an event on a calendar.
///
/// # Errors
/// The database's.
pub async fn trouble(
    conn: &mut PgConnection,
    calendar: Uuid,
    event: Uuid,
) -> Result<Option<TroubleRow>, sqlx::Error> {
    sqlx::query_as!(
        TroubleRow,
        "SELECT title_sealed, problems_sealed FROM events WHERE id = $2 AND calendar_id = $1",
        calendar,
        event
    )
    .fetch_optional(conn)
    .await
}
