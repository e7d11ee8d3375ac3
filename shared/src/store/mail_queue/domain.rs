//! Mail of one domain: told apart, and put off.
//!
//! An address is sealed, so the database cannot tell to which domain a mail goes. Once a domain hangs
//! or is paused, whoever can open addresses writes keyed fingerprints of the domains beside the mail
//! that is due. Claims then pass over what cannot be sent now, and reach what can.

use sqlx::PgConnection;
use uuid::Uuid;

use super::Lane;
use crate::{instant::Instant, mail::domain::MailDomain};

/// A pause of its domain holds a mail back so often and no more.
pub const MAX_PAUSES: i16 = 10;

/// A due mail whose domain is not known, with its recipient's sealed address.
#[derive(Clone, Debug)]
pub struct Unsorted {
    pub id: Uuid,
    pub booking_id: Uuid,
    pub recipient: String,
    pub recipient_id: Option<Uuid>,
    pub sealed: Option<Vec<u8>>,
}

/// The mail of a lane that is due next and whose domain is not known.
///
/// # Errors
/// The database's.
pub async fn unsorted(
    conn: &mut PgConnection,
    lane: Lane,
    fixed: Option<Instant>,
    limit: i64,
) -> Result<Vec<Unsorted>, sqlx::Error> {
    sqlx::query_as!(
        Unsorted,
        r#"SELECT o.id, o.booking_id, o.recipient, o.recipient_id,
                  CASE o.recipient WHEN 'booker' THEN b.booker_email_sealed WHEN 'host' THEN h.contact_email_sealed ELSE g.email_sealed END AS sealed
             FROM (SELECT id, booking_id, recipient, recipient_id, due_at, priority FROM mail_outbox
                    WHERE lane = $1 AND outcome IS NULL AND due_at <= (SELECT coalesce($2, clock_timestamp())) AND domain_fp IS NULL
                    ORDER BY due_at, priority LIMIT $3) o
             JOIN bookings b ON b.id = o.booking_id
             LEFT JOIN hosts h ON o.recipient = 'host' AND h.id = o.recipient_id
             LEFT JOIN booking_guests g ON o.recipient = 'guest' AND g.booking_id = o.booking_id AND g.id = o.recipient_id"#,
        lane.word(),
        fixed as Option<Instant>,
        limit
    )
    .fetch_all(conn)
    .await
}

/// Notes to which domains mails go. Waits for nobody: a row that somebody else works on is left out.
///
/// # Errors
/// The database's.
pub async fn sort(
    conn: &mut PgConnection,
    ids: &[Uuid],
    domains: &[MailDomain],
) -> Result<u64, sqlx::Error> {
    let domains: Vec<i64> = domains.iter().map(|domain| domain.0).collect();
    let done = sqlx::query!(
        "WITH free AS MATERIALIZED (
            SELECT o.id, known.domain FROM unnest($1::uuid[], $2::bigint[]) AS known (id, domain)
              JOIN mail_outbox o ON o.id = known.id WHERE o.outcome IS NULL FOR UPDATE OF o SKIP LOCKED
        )
        UPDATE mail_outbox m SET domain_fp = free.domain FROM free WHERE m.id = free.id",
        ids,
        &domains
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Puts the due mail of a domain off by `seconds`, at most ten times a mail. Waits for nobody.
/// Answers how many.
///
/// # Errors
/// The database's.
pub async fn postpone(
    conn: &mut PgConnection,
    domain: MailDomain,
    seconds: i32,
    fixed: Option<Instant>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "WITH clock AS MATERIALIZED (
            SELECT coalesce($3, clock_timestamp()) AS now
        ), free AS MATERIALIZED (
            SELECT o.id FROM mail_outbox o
             WHERE o.lane IN ('prompt', 'reminder') AND o.outcome IS NULL AND o.claim_id IS NULL AND o.domain_fp = $1
               AND o.pauses < $4 AND o.due_at <= (SELECT now FROM clock)
               FOR UPDATE SKIP LOCKED
        )
        UPDATE mail_outbox m SET pauses = m.pauses + 1, due_at = clock.now + make_interval(secs => $2::int)
          FROM free, clock WHERE m.id = free.id",
        domain.0,
        seconds,
        fixed as Option<Instant>,
        MAX_PAUSES
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Gives a claim back because the mail's domain is paused for so many seconds more: no mail server
/// was asked, so the attempt does not count, but the pause does.
///
/// # Errors
/// The database's.
pub async fn put_off(
    conn: &mut PgConnection,
    id: Uuid,
    claim_id: Uuid,
    seconds: i32,
    fixed: Option<Instant>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE mail_outbox SET claim_id = NULL, claimed_at = NULL, attempts = attempts - 1, pauses = pauses + 1,
                due_at = coalesce($3, clock_timestamp()) + make_interval(secs => $4::int)
          WHERE id = $1 AND claim_id = $2",
        id,
        claim_id,
        fixed as Option<Instant>,
        seconds
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Gives a claim back because its domain has all the sending slots that one may have: the mail keeps
/// its place in the order, and claims pass over it by its domain.
///
/// # Errors
/// The database's.
pub async fn step_back(
    conn: &mut PgConnection,
    id: Uuid,
    claim_id: Uuid,
    due_at: Instant,
    domain: MailDomain,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE mail_outbox SET claim_id = NULL, claimed_at = NULL, attempts = attempts - 1, due_at = $3, domain_fp = $4
          WHERE id = $1 AND claim_id = $2",
        id,
        claim_id,
        due_at as Instant,
        domain.0
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
