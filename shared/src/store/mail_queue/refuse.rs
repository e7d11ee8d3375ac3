//! A permanent refusal of an address, and when it is believed.

use sqlx::PgConnection;

use super::{ClaimedMail, SmtpCodes};
use crate::{instant::Instant, mail::backoff::wait_after};

/// So many permanent refusals are believed though nobody's copy of the notice was accepted.
pub const BELIEVED_REFUSALS: i16 = 3;

/// What becomes of a refused mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The address is wrong for good: the row is `rejected` and its manage token is gone.
    Rejected,
    /// Perhaps it was the server's fault: a failed attempt, due again by the backoff.
    Again,
    /// The attempts are used up.
    Exhausted,
    /// The claim was lost.
    Lost,
}

/// Counts a permanent refusal of the recipient's address. It is believed at once if any other mail
/// of the notice (the booking, the kind, the revision) was accepted, for then the server takes our
/// mail; else at the third.
///
/// # Errors
/// The database's.
pub async fn refused(
    conn: &mut PgConnection,
    mail: &ClaimedMail,
    codes: &SmtpCodes,
    fixed: Option<Instant>,
) -> Result<Refused, sqlx::Error> {
    let wait_s =
        wait_after(mail.attempts).map(|wait| i32::try_from(wait.as_secs()).unwrap_or(3600));
    let outcome = sqlx::query_scalar!(
        "WITH clock AS MATERIALIZED (
            SELECT coalesce($3, clock_timestamp()) AS now
        ), notice AS MATERIALIZED (
            SELECT EXISTS (SELECT FROM mail_outbox other
                            WHERE other.booking_id = $4 AND other.kind = $5 AND other.revision = $6 AND other.id <> $1
                              AND other.outcome = 'sent') AS accepted
        ), judged AS (
            SELECT m.id, CASE WHEN notice.accepted OR m.refusals + 1 >= $7::smallint THEN 'rejected'
                              WHEN $8::int IS NULL THEN 'exhausted' END AS outcome
              FROM mail_outbox m, notice WHERE m.id = $1 AND m.claim_id = $2
        ), ended AS (
            UPDATE mail_outbox m
               SET refusals = m.refusals + 1, outcome = judged.outcome,
                   outcome_at = CASE WHEN judged.outcome IS NOT NULL THEN clock.now END,
                   due_at = CASE WHEN judged.outcome IS NULL THEN clock.now + make_interval(secs => $8::int) ELSE m.due_at END,
                   claim_id = NULL, claimed_at = NULL,
                   error_class = $9, smtp_stage = $10, smtp_code = $11, smtp_status = $12
              FROM judged, clock WHERE m.id = judged.id AND m.claim_id = $2
            RETURNING m.id, m.outcome
        ), unlinked AS (
            DELETE FROM manage_tokens USING ended
             WHERE manage_tokens.mail_id = ended.id AND manage_tokens.booking_id = $4 AND ended.outcome = 'rejected'
        )
        SELECT coalesce(outcome, 'again') AS \"outcome!\" FROM ended",
        mail.id,
        mail.claim_id,
        fixed as Option<Instant>,
        mail.booking_id,
        mail.kind,
        mail.revision,
        BELIEVED_REFUSALS,
        wait_s,
        codes.class,
        codes.stage,
        codes.code,
        codes.status
    )
    .fetch_optional(conn)
    .await?;
    Ok(match outcome.as_deref() {
        None => Refused::Lost,
        Some("rejected") => Refused::Rejected,
        Some("exhausted") => Refused::Exhausted,
        Some(_) => Refused::Again,
    })
}
