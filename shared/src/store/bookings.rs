//! Bookings: reading.

use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{instant::Instant, mail::owed::ReminderRule, token::TokenHash};

/// A booking with its page and its primary host, sealed as it is stored.
#[derive(Debug)]
pub struct BookingRow {
    pub id: Uuid,
    pub event_type_id: Uuid,
    pub state: String,
    pub revision: i32,
    pub revised_at: Instant,
    pub title_sealed: Vec<u8>,
    pub description_sealed: Vec<u8>,
    pub location_sealed: Option<Vec<u8>>,
    pub answers_sealed: Option<Vec<u8>>,
    pub note_sealed: Option<Vec<u8>>,
    pub booker_name_sealed: Vec<u8>,
    pub booker_email_sealed: Vec<u8>,
    pub booker_zone: String,
    pub booker_locale: String,
    pub organizer_sealed: Option<Vec<u8>>,
    pub host_snapshot_sealed: Vec<u8>,
    pub duration_min: i32,
    pub before_buffer_min: i32,
    pub after_buffer_min: i32,
    pub start_at: Instant,
    pub end_at: Instant,
    pub hold_expires_at: Option<Instant>,
    pub confirmed_at: Option<Instant>,
    pub cancelled_by: Option<String>,
    pub cancel_reason_sealed: Option<Vec<u8>>,
    pub booker_reschedules: i32,
    pub host_id: Uuid,
    pub event_id: Uuid,
    /// The page's host's, who need not be the booking's any more.
    pub handle: String,
    pub host_name_sealed: Vec<u8>,
    pub host_email_sealed: Vec<u8>,
    pub host_verified: bool,
    pub host_is_active: bool,
    pub host_zone: String,
    pub host_locale: String,
    pub schedule_zone: Option<String>,
    pub code: String,
    pub page_is_public: bool,
    pub guests: Json<Vec<GuestRow>>,
    pub reminders: Json<Vec<ReminderRule>>,
}

/// A guest, sealed; bytes in hexadecimal.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct GuestRow {
    pub id: Uuid,
    pub email: String,
    pub name: Option<String>,
}

/// Which booking.
#[derive(Clone, Copy, Debug)]
pub enum BookingKey {
    /// By a manage token's hash.
    Token(TokenHash),
    /// By its id: only for callers whose authority over it is proven.
    Id(Uuid),
}

/// Finds a booking. One index probe whatever the token is.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    key: BookingKey,
) -> Result<Option<BookingRow>, sqlx::Error> {
    let mut found = match key {
        BookingKey::Token(hash) => rows(conn, Some(hash.as_slice()), None).await?,
        BookingKey::Id(id) => rows(conn, None, Some(&[id])).await?,
    };
    Ok(found.pop())
}

/// The bookings with these ids, in no order: only for callers whose authority over them is proven.
///
/// # Errors
/// The database's.
pub async fn of_ids(conn: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<BookingRow>, sqlx::Error> {
    rows(conn, None, Some(ids)).await
}

async fn rows(
    conn: &mut PgConnection,
    token: Option<&[u8]>,
    ids: Option<&[Uuid]>,
) -> Result<Vec<BookingRow>, sqlx::Error> {
    sqlx::query_as!(
        BookingRow,
        r#"SELECT b.id, b.event_type_id, b.state, b.revision, b.revised_at, b.title_sealed, b.description_sealed, b.location_sealed,
            b.answers_sealed, b.note_sealed, b.booker_name_sealed, b.booker_email_sealed, b.booker_zone, b.booker_locale,
            b.organizer_sealed, b.host_name_sealed AS host_snapshot_sealed, b.duration_min, b.before_buffer_min,
            b.after_buffer_min, b.start_at, b.end_at, b.hold_expires_at, b.confirmed_at, b.cancelled_by,
            b.cancel_reason_sealed, b.booker_reschedules, bh.host_id, bh.event_id, o.handle,
            h.display_name_sealed AS host_name_sealed, h.contact_email_sealed AS host_email_sealed,
            h.contact_verified_at IS NOT NULL AS "host_verified!", h.is_active AS host_is_active, h.zone AS host_zone,
            h.locale AS host_locale, CASE WHEN h.id = t.owner_host_id THEN s.zone END AS schedule_zone, t.code,
            (t.published_at IS NOT NULL AND o.is_active AND o.contact_verified_at IS NOT NULL) AS "page_is_public!",
            (SELECT coalesce(json_agg(json_build_object('id', g.id, 'email', encode(g.email_sealed, 'hex'),
                    'name', encode(g.name_sealed, 'hex')) ORDER BY g.position), '[]')
               FROM booking_guests g WHERE g.booking_id = b.id) AS "guests!: Json<Vec<GuestRow>>",
            (SELECT coalesce(json_agg(json_build_object('offset_min', r.offset_min, 'to_hosts', r.to_hosts,
                    'to_booker', r.to_booker, 'to_guests', r.to_guests)), '[]')
               FROM reminder_rules r WHERE r.event_type_id = b.event_type_id) AS "reminders!: Json<Vec<ReminderRule>>"
        FROM bookings b
        JOIN booking_hosts bh ON bh.booking_id = b.id AND bh.is_primary
        JOIN hosts h ON h.id = bh.host_id
        JOIN event_types t ON t.id = b.event_type_id
        JOIN hosts o ON o.id = t.owner_host_id
        JOIN schedules s ON s.id = t.schedule_id
        WHERE b.id = ANY (coalesce($2, ARRAY(SELECT booking_id FROM manage_tokens WHERE token_hash = $1)))"#,
        token,
        ids
    )
    .fetch_all(conn)
    .await
}

/// What a booking was, from its history: for replaying an answer as it was.
#[derive(Debug)]
pub struct PastRow {
    pub to_state: String,
    /// When it became so.
    pub at: Instant,
    pub from: Instant,
    pub to: Instant,
    /// How often its booker had moved it.
    pub booker_moves: i32,
}

/// A booking as it was at a revision.
///
/// # Errors
/// The database's.
pub async fn at_revision(
    conn: &mut PgConnection,
    booking: Uuid,
    revision: i32,
) -> Result<Option<PastRow>, sqlx::Error> {
    sqlx::query_as!(
        PastRow,
        r#"SELECT h.to_state, h.at, lower(h.new_span) AS "from!", upper(h.new_span) AS "to!",
            (SELECT count(*)::int FROM booking_history m
              WHERE m.booking_id = $1 AND m.revision <= $2 AND m.action = 'reschedule' AND m.actor_kind = 'booker') AS "booker_moves!"
        FROM booking_history h WHERE h.booking_id = $1 AND h.revision = $2"#,
        booking,
        revision
    )
    .fetch_optional(conn)
    .await
}

/// Adds a manage token to a booking.
///
/// # Errors
/// The database's.
pub async fn add_token(
    conn: &mut PgConnection,
    hash: &TokenHash,
    booking: Uuid,
    mail: Option<Uuid>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO manage_tokens (token_hash, booking_id, mail_id) VALUES ($1, $2, $3)",
        hash.as_slice(),
        booking,
        mail
    )
    .execute(conn)
    .await?;
    Ok(())
}
