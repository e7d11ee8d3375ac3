//! The outbox as a queue: claimed with a lease, ended only under the claim.
//!
//! `due_at` alone says when a row may be claimed: a claim moves it to the lease's end. Every ending
//! is conditional on the claim's id and answers whether it held; `false` means that the lease ran
//! out and somebody else has the row.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    instant::Instant,
    mail::backoff::{MAX_ATTEMPTS, wait_after},
};

/// A claim lasts so long unless it is ended before. Longer than the longest wait for a mail server.
pub const LEASE_MIN: i64 = 10;
/// A deferred row is due again after so many seconds.
pub const DEFER_S: i64 = 30;

/// Which mail a worker sends: a backlog of one lane never holds up the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Everything but reminders.
    Prompt,
    /// Reminders.
    Reminder,
}

impl Lane {
    /// The word in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Reminder => "reminder",
        }
    }
}

/// A row as it was claimed. The work is done from this, never from an earlier read.
#[derive(Clone, Debug)]
pub struct ClaimedMail {
    pub id: Uuid,
    pub booking_id: Uuid,
    pub kind: String,
    pub recipient: String,
    pub recipient_id: Option<Uuid>,
    pub revision: i32,
    pub offset_min: i32,
    pub remind_at: Option<Instant>,
    pub attempts: i16,
    pub claim_id: Uuid,
    pub claimed_at: Instant,
    /// The end of the lease.
    pub due_at: Instant,
}

/// Claims the next due row of a lane, if there is one and no other row of the same booking and
/// recipient is on its way. Waits for nobody. A claim whose lease ran out without an ending is
/// counted as `uncertain`: its mail may have gone out.
///
/// Its commit does not wait for the disk. The commit of the preparation does, which comes before
/// any mail server hears of the mail: it has locked the booking, so it is written to the log behind
/// the claim, and one flush takes both. A crash before that forgets a claim under which nothing was
/// sent.
///
/// # Errors
/// The database's.
pub async fn claim(
    conn: &mut PgConnection,
    lane: Lane,
    claim_id: Uuid,
    fixed: Option<Instant>,
) -> Result<Option<ClaimedMail>, sqlx::Error> {
    // The clock is read once, in a sub-select: a volatile call in the condition would keep the
    // index from being used. OFFSET keeps the look at other claims a probe for each candidate, and
    // there is one candidate as a rule; as a join it reads the whole table.
    sqlx::query_as!(
        ClaimedMail,
        r#"WITH clock AS MATERIALIZED (SELECT coalesce($3, clock_timestamp()) AS now, set_config('synchronous_commit', 'off', true))
        UPDATE mail_outbox m
           SET claim_id = $2, claimed_at = clock.now, due_at = clock.now + make_interval(mins => $4::int), attempts = attempts + 1,
               uncertain = uncertain + CASE WHEN m.claim_id IS NULL THEN 0 ELSE 1 END
          FROM clock
         WHERE m.id = (
            SELECT o.id FROM mail_outbox o
             WHERE o.lane = $1 AND o.outcome IS NULL AND o.due_at <= (SELECT now FROM clock) AND o.attempts < $5
               AND NOT EXISTS (
                    SELECT FROM mail_outbox other
                     WHERE other.booking_id = o.booking_id AND other.outcome IS NULL AND other.id <> o.id
                       AND other.recipient = o.recipient AND other.recipient_id IS NOT DISTINCT FROM o.recipient_id
                       AND other.claim_id IS NOT NULL AND other.due_at > (SELECT now FROM clock) OFFSET 0)
             ORDER BY o.due_at, o.priority
               FOR UPDATE SKIP LOCKED LIMIT 1)
        RETURNING m.id, m.booking_id, m.kind, m.recipient, m.recipient_id, m.revision, m.offset_min, m.remind_at, m.attempts,
                  m.claim_id AS "claim_id!", m.claimed_at AS "claimed_at!", m.due_at"#,
        lane.word(),
        claim_id,
        fixed as Option<Instant>,
        i32::try_from(LEASE_MIN).unwrap_or(10),
        MAX_ATTEMPTS
    )
    .fetch_optional(conn)
    .await
}

/// Whether the claim still holds, and whether an earlier row of the same booking and recipient is
/// still on its way: two claims can pass each other, and the booking's lock decides.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub held: bool,
    pub behind: bool,
    pub now: Instant,
}

/// Looks at a claim, under the booking's lock.
///
/// # Errors
/// The database's.
pub async fn look(
    conn: &mut PgConnection,
    mail: &ClaimedMail,
    fixed: Option<Instant>,
) -> Result<Standing, sqlx::Error> {
    sqlx::query_as!(
        Standing,
        r#"WITH clock AS MATERIALIZED (SELECT coalesce($3, clock_timestamp()) AS now)
        SELECT EXISTS (SELECT FROM mail_outbox WHERE id = $1 AND claim_id = $2 AND due_at > (SELECT now FROM clock)) AS "held!",
               EXISTS (SELECT FROM mail_outbox other
                        WHERE other.booking_id = $4 AND other.outcome IS NULL AND other.id <> $1
                          AND other.recipient = $5 AND other.recipient_id IS NOT DISTINCT FROM $6
                          AND other.claim_id IS NOT NULL AND other.due_at > (SELECT now FROM clock)
                          AND (other.claimed_at, other.id) < ($7, $1)) AS "behind!",
               now AS "now!" FROM clock"#,
        mail.id,
        mail.claim_id,
        fixed as Option<Instant>,
        mail.booking_id,
        mail.recipient,
        mail.recipient_id,
        mail.claimed_at as Instant
    )
    .fetch_one(conn)
    .await
}

/// Locks the booking of a mail, as every transition does before it touches mail rows.
///
/// # Errors
/// The database's.
pub async fn lock_booking(conn: &mut PgConnection, booking: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "SELECT id FROM bookings WHERE id = $1 FOR NO KEY UPDATE",
        booking
    )
    .fetch_optional(conn)
    .await?;
    Ok(())
}

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

/// How a row ends for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Sent,
    Rejected,
    Skipped,
}

impl Ending {
    const fn word(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Rejected => "rejected",
            Self::Skipped => "skipped",
        }
    }
}

/// Ends a row for good. A refused address also loses its manage token.
///
/// # Errors
/// The database's.
pub async fn end(
    conn: &mut PgConnection,
    mail: &ClaimedMail,
    ending: Ending,
    codes: Option<&SmtpCodes>,
    fixed: Option<Instant>,
) -> Result<bool, sqlx::Error> {
    let ended = sqlx::query!(
        "WITH ended AS (
            UPDATE mail_outbox SET outcome = $3, outcome_at = coalesce($4, clock_timestamp()), claim_id = NULL, claimed_at = NULL,
                   error_class = $5, smtp_stage = $6, smtp_code = $7, smtp_status = $8
             WHERE id = $1 AND claim_id = $2 RETURNING id
        ), unlinked AS (
            DELETE FROM manage_tokens USING ended WHERE mail_id = ended.id AND booking_id = $9 AND $3 = 'rejected'
        )
        SELECT id FROM ended",
        mail.id,
        mail.claim_id,
        ending.word(),
        fixed as Option<Instant>,
        codes.map(|codes| codes.class),
        codes.and_then(|codes| codes.stage),
        codes.and_then(|codes| codes.code),
        codes.and_then(|codes| codes.status.as_deref()),
        mail.booking_id
    )
    .fetch_optional(conn)
    .await?;
    Ok(ended.is_some())
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

/// Exhausts rows whose last attempt's worker died: there is never one attempt too many.
///
/// # Errors
/// The database's.
pub async fn exhaust_dead(
    conn: &mut PgConnection,
    fixed: Option<Instant>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE mail_outbox SET outcome = 'exhausted', outcome_at = coalesce($1, clock_timestamp()), claim_id = NULL, claimed_at = NULL,
                uncertain = uncertain + 1, error_class = 'worker_died'
          WHERE outcome IS NULL AND attempts >= $2 AND due_at <= (SELECT coalesce($1, clock_timestamp()))",
        fixed as Option<Instant>,
        MAX_ATTEMPTS
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Milliseconds until the earliest row of a lane is due; negative if one is, `None` without any.
///
/// # Errors
/// The database's.
pub async fn next_due_ms(
    conn: &mut PgConnection,
    lane: Lane,
    fixed: Option<Instant>,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT (extract(epoch FROM min(due_at) - coalesce($2, clock_timestamp())) * 1000)::bigint AS ms FROM mail_outbox WHERE outcome IS NULL AND lane = $1"#,
        lane.word(),
        fixed as Option<Instant>
    )
    .fetch_one(conn)
    .await
}

/// How much is owed and for how long, for the figures.
#[derive(Clone, Copy, Debug)]
pub struct Backlog {
    pub owed: i64,
    pub oldest_s: i64,
}

/// Counts what is due and not ended.
///
/// # Errors
/// The database's.
pub async fn backlog(conn: &mut PgConnection) -> Result<Backlog, sqlx::Error> {
    sqlx::query_as!(
        Backlog,
        r#"SELECT count(*) AS "owed!", coalesce(extract(epoch FROM clock_timestamp() - min(created_at))::bigint, 0) AS "oldest_s!"
             FROM mail_outbox WHERE outcome IS NULL AND due_at <= (SELECT clock_timestamp())"#
    )
    .fetch_one(conn)
    .await
}

/// The span that a booking had before a revision.
///
/// # Errors
/// The database's.
pub async fn span_before(
    conn: &mut PgConnection,
    booking: Uuid,
    revision: i32,
) -> Result<Option<crate::instant::Span>, sqlx::Error> {
    let span = sqlx::query_scalar!(
        "SELECT old_span FROM booking_history WHERE booking_id = $1 AND revision = $2",
        booking,
        revision
    )
    .fetch_optional(conn)
    .await?;
    Ok(span.flatten())
}
