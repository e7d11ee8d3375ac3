//! Taking a slot: what is read again under the locks, and what is written.

use sqlx::PgConnection;
use uuid::Uuid;

use super::idempotency::Key;
use crate::{
    fingerprint::Fingerprint,
    instant::{Instant, Local, Span},
};

/// What may have changed since the page was read, and what caps count.
#[derive(Debug)]
pub struct Recheck {
    pub type_revision: i32,
    pub published: bool,
    pub schedule_revision: i32,
    pub host_verified: bool,
    pub holds_of_ip: i64,
    pub holds_of_ip_until: Option<Instant>,
    pub holds_of_type: i64,
    pub holds_of_type_until: Option<Instant>,
    pub holds_of_address: i64,
    pub holds_of_address_until: Option<Instant>,
    pub day_of_ip: i64,
    pub day_of_ip_since: Option<Instant>,
    pub day_of_address: i64,
    pub day_of_address_since: Option<Instant>,
    pub answered_request: Option<Vec<u8>>,
    pub answered_booking: Option<Uuid>,
    pub answered_revision: Option<i32>,
}

/// Whom caps count.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    pub event_type: Uuid,
    pub ip: Option<&'a Fingerprint>,
    pub address: &'a Fingerprint,
}

/// Reads it all in one round trip. `None` when the event type is gone.
///
/// # Errors
/// The database's.
pub async fn recheck(
    conn: &mut PgConnection,
    counted: Counted<'_>,
    key: Option<&Key>,
    now: Instant,
) -> Result<Option<Recheck>, sqlx::Error> {
    let day_ago = now.plus_minutes(-24 * 60);
    sqlx::query_as!(
        Recheck,
        r#"SELECT t.revision AS type_revision, t.published_at IS NOT NULL AS "published!", s.revision AS schedule_revision,
            h.contact_verified_at IS NOT NULL AS "host_verified!",
            ip.n AS "holds_of_ip!", ip.until AS holds_of_ip_until,
            ty.n AS "holds_of_type!", ty.until AS holds_of_type_until,
            ad.n AS "holds_of_address!", ad.until AS holds_of_address_until,
            di.n AS "day_of_ip!", di.since AS day_of_ip_since,
            da.n AS "day_of_address!", da.since AS day_of_address_since,
            i.request_fp AS "answered_request?", i.booking_id AS "answered_booking?", i.revision AS "answered_revision?"
        FROM event_types t
        JOIN hosts h ON h.id = t.owner_host_id
        JOIN schedules s ON s.id = t.schedule_id
        CROSS JOIN LATERAL (SELECT count(*) AS n, min(hold_expires_at) AS until FROM bookings
            WHERE ip_fp = $2 AND state = 'held' AND hold_expires_at > $4) ip
        CROSS JOIN LATERAL (SELECT count(*) AS n, min(hold_expires_at) AS until FROM bookings
            WHERE event_type_id = $1 AND state = 'held' AND hold_expires_at > $4) ty
        CROSS JOIN LATERAL (SELECT count(*) AS n, min(hold_expires_at) AS until FROM bookings
            WHERE booker_email_fp = $3 AND state = 'held' AND hold_expires_at > $4) ad
        CROSS JOIN LATERAL (SELECT count(*) AS n, min(created_at) AS since FROM bookings
            WHERE ip_fp = $2 AND created_at > $5) di
        CROSS JOIN LATERAL (SELECT count(*) AS n, min(created_at) AS since FROM bookings
            WHERE booker_email_fp = $3 AND created_at > $5) da
        LEFT JOIN idempotency_keys i ON i.scope = $6 AND i.key_hash = $7 AND i.created_at > $5
        WHERE t.id = $1"#,
        counted.event_type,
        counted.ip.map(|ip| ip.as_slice()),
        counted.address.as_slice(),
        now as Instant,
        day_ago as Instant,
        key.map(|key| key.scope.as_slice()),
        key.map(|key| key.hash.as_slice()),
    )
    .fetch_optional(conn)
    .await
}

/// A new booking with everything that belongs to it but its mail.
#[derive(Debug)]
pub struct NewBooking {
    pub id: Uuid,
    pub event_type_id: Uuid,
    pub host_id: Uuid,
    pub calendar_id: Uuid,
    pub event_id: Uuid,
    pub confirmed: bool,
    pub title_sealed: Vec<u8>,
    pub description_sealed: Vec<u8>,
    pub location_sealed: Option<Vec<u8>>,
    pub answers_sealed: Option<Vec<u8>>,
    pub note_sealed: Option<Vec<u8>>,
    pub booker_name_sealed: Vec<u8>,
    pub booker_email_sealed: Vec<u8>,
    pub booker_email_fp: Fingerprint,
    pub booker_zone: String,
    pub booker_locale: &'static str,
    pub host_name_sealed: Vec<u8>,
    pub organizer_sealed: Option<Vec<u8>>,
    pub event_title_sealed: Vec<u8>,
    pub event_notes_sealed: Option<Vec<u8>>,
    pub event_zone: String,
    pub start_local: Local,
    pub end_local: Local,
    pub duration_min: i32,
    pub before_buffer_min: i32,
    pub after_buffer_min: i32,
    pub span: Span,
    pub blocked: Span,
    pub hold_expires_at: Option<Instant>,
    pub ip_fp: Option<Fingerprint>,
    pub created_by: &'static str,
    pub token_hash: Option<[u8; 32]>,
    pub guest_ids: Vec<Uuid>,
    pub guest_emails_sealed: Vec<Vec<u8>>,
    pub guest_email_fps: Vec<Vec<u8>>,
    pub guest_names_sealed: Vec<Option<Vec<u8>>>,
    pub now: Instant,
}

/// Writes the booking, its event, its blocked span, its guests, its token, what is answered under
/// its idempotency key, and its first history row, in one statement.
///
/// # Errors
/// The database's; `booking_hosts_no_overlap` when somebody has the time.
pub async fn insert(
    conn: &mut PgConnection,
    new: &NewBooking,
    key: Option<&Key>,
) -> Result<(), sqlx::Error> {
    let state = if new.confirmed { "confirmed" } else { "held" };
    let (status, action) = if new.confirmed {
        ("confirmed", "book")
    } else {
        ("tentative", "hold")
    };
    sqlx::query!(
        "WITH booking AS (
            INSERT INTO bookings (id, event_type_id, state, revised_at, title_sealed, description_sealed, location_sealed,
                answers_sealed, note_sealed, booker_name_sealed, booker_email_sealed, booker_email_fp, booker_zone, booker_locale,
                host_name_sealed, organizer_sealed, duration_min, before_buffer_min, after_buffer_min, start_at, end_at,
                hold_expires_at, confirmed_at, ip_fp, ip_forget_at, created_by, created_at)
            VALUES ($1, $2, $3::text, $4::timestamptz, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                CASE WHEN $3::text = 'confirmed' THEN $4::timestamptz END, $23, CASE WHEN $23::bytea IS NOT NULL THEN $4::timestamptz + interval '24 hours' END, $24, $4)
        ), event AS (
            INSERT INTO events (id, calendar_id, booking_id, title_sealed, notes_sealed, start_local, end_local, tz, start_utc, end_utc, status)
            VALUES ($25, $26, $1, $27, $28, $29, $30, $31, $20, $21, $32)
        ), host AS (
            INSERT INTO booking_hosts (booking_id, host_id, event_id, blocked) VALUES ($1, $33, $25, $34)
        ), guests AS (
            INSERT INTO booking_guests (booking_id, id, position, email_sealed, email_fp, name_sealed)
            SELECT $1, g.id, g.position, g.email, g.fp, g.name FROM unnest($35::uuid[], $36::bytea[], $37::bytea[], $38::bytea[]) WITH ORDINALITY AS g (id, email, fp, name, position)
        ), token AS (
            INSERT INTO manage_tokens (token_hash, booking_id) SELECT $39::bytea, $1 WHERE $39::bytea IS NOT NULL
        ), answered AS (
            INSERT INTO idempotency_keys (scope, key_hash, request_fp, status, booking_id, revision, created_at)
            SELECT $41::bytea, $42::bytea, $43::bytea, 201, $1, 0, $4::timestamptz WHERE $41::bytea IS NOT NULL
            ON CONFLICT (scope, key_hash) DO UPDATE
               SET request_fp = excluded.request_fp, status = excluded.status, booking_id = excluded.booking_id,
                   revision = excluded.revision, created_at = excluded.created_at
             WHERE idempotency_keys.created_at <= $4::timestamptz - interval '24 hours'
        )
        INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, to_state, new_span, new_host)
        VALUES ($1, 0, $4::timestamptz, $24, $40, $3::text, tstzrange($20, $21, '[)'), $33)",
        new.id,
        new.event_type_id,
        state,
        new.now as Instant,
        new.title_sealed,
        new.description_sealed,
        new.location_sealed,
        new.answers_sealed,
        new.note_sealed,
        new.booker_name_sealed,
        new.booker_email_sealed,
        new.booker_email_fp.as_slice(),
        new.booker_zone,
        new.booker_locale,
        new.host_name_sealed,
        new.organizer_sealed,
        new.duration_min,
        new.before_buffer_min,
        new.after_buffer_min,
        new.span.from as Instant,
        new.span.to as Instant,
        new.hold_expires_at as Option<Instant>,
        new.ip_fp.as_ref().map(|fp| fp.as_slice()),
        new.created_by,
        new.event_id,
        new.calendar_id,
        new.event_title_sealed,
        new.event_notes_sealed,
        new.start_local as Local,
        new.end_local as Local,
        new.event_zone,
        status,
        new.host_id,
        new.blocked as Span,
        &new.guest_ids,
        &new.guest_emails_sealed,
        &new.guest_email_fps,
        &new.guest_names_sealed as &[Option<Vec<u8>>],
        new.token_hash.as_ref().map(|hash| hash.as_slice()),
        action,
        key.map(|key| key.scope.as_slice()),
        key.map(|key| key.hash.as_slice()),
        key.map(|key| key.request.as_slice()),
    )
    .execute(conn)
    .await?;
    Ok(())
}
