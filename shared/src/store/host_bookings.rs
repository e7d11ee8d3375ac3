//! A host's bookings: which, in order, and what became of each and of its mail.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::instant::{Instant, Span};

/// A place in a host's list: before it is what starts later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The start of the booking there.
    pub start_at: Instant,
    /// The booking there; it decides between those that start at once.
    pub booking_id: Uuid,
}

/// Which bookings of a host.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Their host.
    pub host: Uuid,
    /// Only what stands so at `now`, a hold that lapsed as `expired`; all of them if not given.
    pub states: Option<&'a [String]>,
    /// Only what starts then or later.
    pub from: Option<Instant>,
    /// Only what comes after this place. With the nil id: only what starts before its instant.
    pub after: Option<Position>,
    /// What holds are judged at.
    pub now: Instant,
    /// At most so many.
    pub limit: i64,
}

/// The places of a host's bookings, latest start first, by their events on the host's own calendar:
/// one scan of one index, as long as the answer if no state is asked for.
///
/// # Errors
/// The database's.
pub async fn places(
    conn: &mut PgConnection,
    asked: &Asked<'_>,
) -> Result<Vec<Position>, sqlx::Error> {
    sqlx::query_as!(
        Position,
        r#"SELECT e.start_utc AS "start_at!", e.booking_id AS "booking_id!"
          FROM events e
          JOIN bookings b ON b.id = e.booking_id
         WHERE e.calendar_id = (SELECT id FROM calendars WHERE owner_host_id = $1 AND kind = 'personal')
           AND e.booking_id IS NOT NULL
           AND (e.start_utc, e.booking_id) < (coalesce($2, 'infinity'::timestamptz), coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
           AND e.start_utc >= coalesce($4, '-infinity'::timestamptz)
           AND ($5::text[] IS NULL OR CASE WHEN b.state = 'held' AND (b.hold_expires_at <= $6 OR b.start_at <= $6) THEN 'expired' ELSE b.state END = ANY ($5))
         ORDER BY e.start_utc DESC, e.booking_id DESC
         LIMIT $7"#,
        asked.host,
        asked.after.map(|after| after.start_at) as Option<Instant>,
        asked.after.map(|after| after.booking_id),
        asked.from as Option<Instant>,
        asked.states,
        asked.now as Instant,
        asked.limit
    )
    .fetch_all(conn)
    .await
}

/// A mail that is or was owed, without anybody's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailRow {
    pub booking_id: Uuid,
    pub kind: String,
    /// `host`, `booker` or `guest`.
    pub recipient: String,
    /// Which host or guest.
    pub recipient_id: Option<Uuid>,
    pub revision: i32,
    pub offset_min: i32,
    pub due_at: Instant,
    pub attempts: i16,
    pub uncertain: i16,
    pub outcome: Option<String>,
    pub outcome_at: Option<Instant>,
    pub suppression_reason: Option<String>,
    pub error_class: Option<String>,
    pub smtp_stage: Option<String>,
    pub smtp_code: Option<i16>,
    pub smtp_status: Option<String>,
}

/// The mail of some bookings, in the order in which it was owed.
///
/// # Errors
/// The database's.
pub async fn mails(
    conn: &mut PgConnection,
    bookings: &[Uuid],
) -> Result<Vec<MailRow>, sqlx::Error> {
    sqlx::query_as!(
        MailRow,
        "SELECT booking_id, kind, recipient, recipient_id, revision, offset_min, due_at, attempts, uncertain, outcome, outcome_at,
            suppression_reason, error_class, smtp_stage, smtp_code, smtp_status
           FROM mail_outbox WHERE booking_id = ANY ($1)
          ORDER BY booking_id, revision, remind_at NULLS FIRST, priority, id",
        bookings
    )
    .fetch_all(conn)
    .await
}

/// One transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRow {
    pub booking_id: Uuid,
    pub revision: i32,
    pub at: Instant,
    pub actor_kind: String,
    pub action: String,
    pub from_state: Option<String>,
    pub to_state: String,
    pub old_span: Option<Span>,
    pub new_span: Option<Span>,
}

/// What became of some bookings, in order.
///
/// # Errors
/// The database's.
pub async fn history(
    conn: &mut PgConnection,
    bookings: &[Uuid],
) -> Result<Vec<HistoryRow>, sqlx::Error> {
    sqlx::query_as!(
        HistoryRow,
        r#"SELECT booking_id, revision, at, actor_kind, action, from_state, to_state, old_span AS "old_span: Span", new_span AS "new_span: Span"
           FROM booking_history WHERE booking_id = ANY ($1) ORDER BY booking_id, revision"#,
        bookings
    )
    .fetch_all(conn)
    .await
}
