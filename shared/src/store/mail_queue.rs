//! The outbox as a queue: claimed with a lease, ended only under the claim.
//!
//! `due_at` alone says when a row may be claimed: a claim moves it to the lease's end. Every ending
//! is conditional on the claim's id and answers whether it held; `false` means that the lease ran
//! out and somebody else has the row.

mod claim;
mod domain;
mod end;
mod refuse;
mod suppress;
mod undelivered;

use sqlx::PgConnection;
use uuid::Uuid;

pub use self::{
    claim::{Cap, ClaimedMail, LEASE_MIN, Lane, Looking, Standing, claim, lock_and_look},
    domain::{MAX_PAUSES, Unsorted, postpone, put_off, sort, step_back, unsorted},
    end::{DEFER_S, Dead, Failed, SmtpCodes, defer, exhaust_dead, fail, sent, skipped},
    refuse::{BELIEVED_REFUSALS, Refused, refused},
    suppress::suppressed,
    undelivered::{MailRow, Undelivered, booking_of, grant, lock_booking, lock_row, undelivered},
};
use crate::instant::Instant;

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

/// How much of a lane is owed and for how long, for the figures.
#[derive(Clone, Copy, Debug)]
pub struct Backlog {
    pub owed: i64,
    pub oldest_s: i64,
}

/// Counts what of a lane is due and not ended. A reminder is owed from its own time.
///
/// # Errors
/// The database's.
pub async fn backlog(conn: &mut PgConnection, lane: Lane) -> Result<Backlog, sqlx::Error> {
    sqlx::query_as!(
        Backlog,
        r#"SELECT count(*) AS "owed!", coalesce(extract(epoch FROM clock_timestamp() - min(coalesce(remind_at, created_at)))::bigint, 0) AS "oldest_s!"
             FROM mail_outbox WHERE lane = $1 AND outcome IS NULL AND due_at <= (SELECT clock_timestamp())"#,
        lane.word()
    )
    .fetch_one(conn)
    .await
}

/// Whether a mail is the first of its notice, in the order of sending, that is not sent: whatever
/// holds for a whole notice is said once, by it.
///
/// # Errors
/// The database's.
pub async fn is_first(conn: &mut PgConnection, mail: &ClaimedMail) -> Result<bool, sqlx::Error> {
    let earlier = sqlx::query_scalar!(
        r#"SELECT EXISTS (
            SELECT FROM mail_outbox m JOIN mail_outbox mine ON mine.id = $1
             WHERE m.booking_id = mine.booking_id AND m.kind = mine.kind AND m.revision = mine.revision AND m.offset_min = mine.offset_min
               AND (m.priority, m.id) < (mine.priority, mine.id) AND (m.outcome IS NULL OR m.outcome = 'skipped')) AS "earlier!""#,
        mail.id
    )
    .fetch_one(conn)
    .await?;
    Ok(!earlier)
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
