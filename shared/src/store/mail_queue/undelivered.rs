//! Mail that was not delivered: looked through, and given a new budget of attempts.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::instant::Instant;

/// A mail that was rejected or exhausted. No address: the booking has it.
#[derive(Clone, Debug)]
pub struct Undelivered {
    pub id: Uuid,
    pub booking_id: Uuid,
    pub kind: String,
    pub recipient: String,
    pub revision: i32,
    pub outcome: String,
    pub outcome_at: Instant,
    pub attempts: i16,
    pub uncertain: i16,
    pub error_class: Option<String>,
    pub smtp_stage: Option<String>,
    pub smtp_code: Option<i16>,
    pub smtp_status: Option<String>,
    pub claimed_by: Option<String>,
}

/// The mail with this outcome (`rejected` or `exhausted`), newest first.
///
/// # Errors
/// The database's.
pub async fn undelivered(
    conn: &mut PgConnection,
    outcome: &str,
    limit: i64,
) -> Result<Vec<Undelivered>, sqlx::Error> {
    sqlx::query_as!(
        Undelivered,
        r#"SELECT id, booking_id, kind, recipient, revision, outcome AS "outcome!", outcome_at AS "outcome_at!", attempts, uncertain,
                  error_class, smtp_stage, smtp_code, smtp_status, claimed_by
             FROM mail_outbox WHERE outcome IN ('rejected', 'exhausted') AND outcome = $1
            ORDER BY outcome_at DESC, id LIMIT $2"#,
        outcome,
        limit
    )
    .fetch_all(conn)
    .await
}

/// What a mail row claims, and how it stands.
#[derive(Clone, Debug)]
pub struct MailRow {
    pub id: Uuid,
    pub booking_id: Uuid,
    pub kind: String,
    pub recipient: String,
    pub recipient_id: Option<Uuid>,
    pub revision: i32,
    pub offset_min: i32,
    pub remind_at: Option<Instant>,
    pub outcome: Option<String>,
    /// A worker has it at this moment.
    pub leased: bool,
    pub now: Instant,
}

/// The booking of a mail, if there is such a mail.
///
/// # Errors
/// The database's.
pub async fn booking_of(conn: &mut PgConnection, mail: Uuid) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("SELECT booking_id FROM mail_outbox WHERE id = $1", mail)
        .fetch_optional(conn)
        .await
}

/// Locks the booking of a mail, as every transition does before it touches mail rows.
///
/// # Errors
/// The database's.
pub async fn lock_booking(conn: &mut PgConnection, booking: Uuid) -> Result<bool, sqlx::Error> {
    let locked = sqlx::query_scalar!(
        "SELECT id FROM bookings WHERE id = $1 FOR NO KEY UPDATE",
        booking
    )
    .fetch_optional(conn)
    .await?;
    Ok(locked.is_some())
}

/// A mail row, locked after its booking.
///
/// # Errors
/// The database's.
pub async fn lock_row(
    conn: &mut PgConnection,
    mail: Uuid,
    fixed: Option<Instant>,
) -> Result<Option<MailRow>, sqlx::Error> {
    sqlx::query_as!(
        MailRow,
        r#"SELECT id, booking_id, kind, recipient, recipient_id, revision, offset_min, remind_at, outcome,
                  (claim_id IS NOT NULL AND due_at > coalesce($2, clock_timestamp())) AS "leased!",
                  coalesce($2, clock_timestamp()) AS "now!"
             FROM mail_outbox WHERE id = $1 FOR UPDATE"#,
        mail,
        fixed as Option<Instant>
    )
    .fetch_optional(conn)
    .await
}

/// Gives an exhausted row a new budget: no attempts, no refusals, no pauses, due at once. What was
/// uncertain stays counted. Answers whether it was exhausted.
///
/// # Errors
/// The database's.
pub async fn grant(conn: &mut PgConnection, mail: Uuid, now: Instant) -> Result<bool, sqlx::Error> {
    let granted = sqlx::query!(
        "UPDATE mail_outbox SET outcome = NULL, outcome_at = NULL, attempts = 0, refusals = 0, pauses = 0, due_at = $2
          WHERE id = $1 AND outcome = 'exhausted' AND claim_id IS NULL",
        mail,
        now as Instant
    )
    .execute(conn)
    .await?;
    Ok(granted.rows_affected() == 1)
}
