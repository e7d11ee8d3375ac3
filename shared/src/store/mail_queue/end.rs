//! Endings, each conditional on the claim.

use sqlx::PgConnection;
use uuid::Uuid;

use super::ClaimedMail;
use crate::{
    instant::Instant,
    mail::backoff::{MAX_ATTEMPTS, wait_after},
};

/// A deferred row is due again after so many seconds.
pub const DEFER_S: i64 = 30;

/// What the mail server said, as codes; never its text, which repeats the address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SmtpCodes {
    pub class: &'static str,
    pub stage: Option<&'static str>,
    pub code: Option<i16>,
    pub status: Option<String>,
    /// The mail may have been accepted all the same.
    pub uncertain: bool,
}

/// Ends rows whose mail a mail server took, all at once. Answers the ids of those whose claim held.
///
/// # Errors
/// The database's; none is ended then.
pub async fn sent(
    conn: &mut PgConnection,
    mails: &[&ClaimedMail],
    fixed: Option<Instant>,
) -> Result<Vec<Uuid>, sqlx::Error> {
    let ids: Vec<Uuid> = mails.iter().map(|mail| mail.id).collect();
    let claims: Vec<Uuid> = mails.iter().map(|mail| mail.claim_id).collect();
    sqlx::query_scalar!(
        "UPDATE mail_outbox m SET outcome = 'sent', outcome_at = coalesce($3, clock_timestamp()), claim_id = NULL, claimed_at = NULL,
                error_class = NULL, smtp_stage = NULL, smtp_code = NULL, smtp_status = NULL
           FROM unnest($1::uuid[], $2::uuid[]) AS done (id, claim_id)
          WHERE m.id = done.id AND m.claim_id = done.claim_id
         RETURNING m.id",
        &ids,
        &claims,
        fixed as Option<Instant>
    )
    .fetch_all(conn)
    .await
}

/// Ends a row whose mail is no longer true.
///
/// # Errors
/// The database's.
pub async fn skipped(
    conn: &mut PgConnection,
    mail: &ClaimedMail,
    fixed: Option<Instant>,
) -> Result<bool, sqlx::Error> {
    let ended = sqlx::query!(
        "UPDATE mail_outbox SET outcome = 'skipped', outcome_at = coalesce($3, clock_timestamp()), claim_id = NULL, claimed_at = NULL,
                error_class = NULL, smtp_stage = NULL, smtp_code = NULL, smtp_status = NULL
          WHERE id = $1 AND claim_id = $2",
        mail.id,
        mail.claim_id,
        fixed as Option<Instant>
    )
    .execute(conn)
    .await?;
    Ok(ended.rows_affected() == 1)
}

/// What becomes of a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Due again by the backoff.
    Again,
    /// The attempts are used up.
    Exhausted,
    /// The claim was lost.
    Lost,
}

/// Keeps a failed attempt: due again by the backoff, or exhausted.
///
/// # Errors
/// The database's.
pub async fn fail(
    conn: &mut PgConnection,
    mail: &ClaimedMail,
    codes: &SmtpCodes,
    fixed: Option<Instant>,
) -> Result<Failed, sqlx::Error> {
    let wait_s =
        wait_after(mail.attempts).map(|wait| i32::try_from(wait.as_secs()).unwrap_or(3600));
    let ended = sqlx::query!(
        "UPDATE mail_outbox
            SET outcome = CASE WHEN $3::int IS NULL THEN 'exhausted' END,
                outcome_at = CASE WHEN $3::int IS NULL THEN coalesce($4, clock_timestamp()) END,
                due_at = CASE WHEN $3::int IS NULL THEN due_at ELSE coalesce($4, clock_timestamp()) + make_interval(secs => $3::int) END,
                claim_id = NULL, claimed_at = NULL, uncertain = uncertain + $5,
                error_class = $6, smtp_stage = $7, smtp_code = $8, smtp_status = $9
          WHERE id = $1 AND claim_id = $2",
        mail.id,
        mail.claim_id,
        wait_s,
        fixed as Option<Instant>,
        i16::from(codes.uncertain),
        codes.class,
        codes.stage,
        codes.code,
        codes.status
    )
    .execute(conn)
    .await?;
    Ok(match (ended.rows_affected(), wait_s) {
        (0, _) => Failed::Lost,
        (_, None) => Failed::Exhausted,
        (_, Some(_)) => Failed::Again,
    })
}

/// Gives a claim back: no mail server was asked, so the attempt does not count.
///
/// # Errors
/// The database's.
pub async fn defer(
    conn: &mut PgConnection,
    id: Uuid,
    claim_id: Uuid,
    seconds: i64,
    fixed: Option<Instant>,
) -> Result<bool, sqlx::Error> {
    let deferred = sqlx::query!(
        "UPDATE mail_outbox SET claim_id = NULL, claimed_at = NULL, attempts = attempts - 1,
                due_at = coalesce($3, clock_timestamp()) + make_interval(secs => $4::int)
          WHERE id = $1 AND claim_id = $2",
        id,
        claim_id,
        fixed as Option<Instant>,
        i32::try_from(seconds).unwrap_or(30)
    )
    .execute(conn)
    .await?;
    Ok(deferred.rows_affected() == 1)
}

/// Rows whose last attempt's worker died.
#[derive(Clone, Copy, Debug)]
pub struct Dead {
    pub id: Uuid,
    pub booking_id: Uuid,
}

/// Exhausts rows whose last attempt's worker died: there is never one attempt too many. Answers
/// which.
///
/// # Errors
/// The database's.
pub async fn exhaust_dead(
    conn: &mut PgConnection,
    fixed: Option<Instant>,
) -> Result<Vec<Dead>, sqlx::Error> {
    sqlx::query_as!(
        Dead,
        "UPDATE mail_outbox SET outcome = 'exhausted', outcome_at = coalesce($1, clock_timestamp()), claim_id = NULL, claimed_at = NULL,
                uncertain = uncertain + 1, error_class = 'worker_died'
          WHERE outcome IS NULL AND attempts >= $2 AND due_at <= (SELECT coalesce($1, clock_timestamp()))
         RETURNING id, booking_id",
        fixed as Option<Instant>,
        MAX_ATTEMPTS
    )
    .fetch_all(conn)
    .await
}
