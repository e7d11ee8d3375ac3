//! The ending of a mail that a budget held back.

use sqlx::PgConnection;

use super::ClaimedMail;
use crate::{instant::Instant, mail::budget::Suppression};

/// Ends a row for good, under its claim. Answers whether the claim held.
///
/// # Errors
/// The database's.
pub async fn suppressed(
    conn: &mut PgConnection,
    mail: &ClaimedMail,
    why: Suppression,
    fixed: Option<Instant>,
) -> Result<bool, sqlx::Error> {
    let ended = sqlx::query!(
        "UPDATE mail_outbox SET outcome = 'suppressed', outcome_at = coalesce($3, clock_timestamp()), suppression_reason = $4,
                claim_id = NULL, claimed_at = NULL, error_class = NULL, smtp_stage = NULL, smtp_code = NULL, smtp_status = NULL
          WHERE id = $1 AND claim_id = $2",
        mail.id,
        mail.claim_id,
        fixed as Option<Instant>,
        why.as_str()
    )
    .execute(conn)
    .await?;
    Ok(ended.rows_affected() == 1)
}
