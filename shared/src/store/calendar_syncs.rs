//! Subscribed calendars in the queue of their readings. Claims are leased; every ending is
//! conditional on the claim.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::instant::Instant;

/// A claim lasts so long unless it is ended before: several times what one reading may take.
pub const LEASE_MIN: i64 = 5;

/// A calendar to read.
#[derive(Clone, Debug)]
pub struct ClaimedSync {
    pub calendar_id: Uuid,
    pub claim_id: Uuid,
    pub claimed_at: Instant,
    /// Claims since the last good end, this one included.
    pub attempts: i32,
    pub source_sealed: Vec<u8>,
    pub etag_sealed: Option<Vec<u8>>,
    pub modified_sealed: Option<Vec<u8>>,
    pub read_by: Option<String>,
}

/// Claims calendars that are due, the longest waiting first, until the end of a lease.
///
/// # Errors
/// The database's.
pub async fn claim(
    conn: &mut PgConnection,
    claim_id: Uuid,
    most: i64,
    fixed: Option<Instant>,
) -> Result<Vec<ClaimedSync>, sqlx::Error> {
    sqlx::query_as!(
        ClaimedSync,
        r#"WITH clock AS MATERIALIZED (SELECT coalesce($3, clock_timestamp()) AS now),
           due AS MATERIALIZED (
                SELECT calendar_id FROM calendar_syncs
                 WHERE due_at <= (SELECT now FROM clock) ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
           )
           UPDATE calendar_syncs s
              SET claim_id = $1, claimed_at = clock.now, due_at = clock.now + make_interval(mins => $4), attempts = s.attempts + 1,
                  again = false, updated_at = clock.now
             FROM clock, due JOIN calendars c ON c.id = due.calendar_id
            WHERE s.calendar_id = due.calendar_id
           RETURNING s.calendar_id, s.claim_id AS "claim_id!", s.claimed_at AS "claimed_at!: Instant", s.attempts,
                     c.source_sealed AS "source_sealed!", s.etag_sealed, s.modified_sealed, s.read_by"#,
        claim_id,
        most,
        fixed as Option<Instant>,
        i32::try_from(LEASE_MIN).unwrap_or(i32::MAX)
    )
    .fetch_all(conn)
    .await
}

/// Locks the row under its claim, for the transaction. `false` if the claim is no longer this one.
///
/// # Errors
/// The database's.
pub async fn hold(conn: &mut PgConnection, sync: &ClaimedSync) -> Result<bool, sqlx::Error> {
    let held = sqlx::query_scalar!(
        "SELECT calendar_id FROM calendar_syncs WHERE calendar_id = $1 AND claim_id = $2 FOR UPDATE",
        sync.calendar_id,
        sync.claim_id
    )
    .fetch_optional(conn)
    .await?;
    Ok(held.is_some())
}

/// What the server's answer is known by.
#[derive(Clone, Debug, Default)]
pub struct Validators {
    pub etag_sealed: Option<Vec<u8>>,
    pub modified_sealed: Option<Vec<u8>>,
    pub read_by: String,
}

/// Ends a claim well: the calendar is what the server said when it was claimed. With `validators`
/// the answer was a new one. `false` if the claim is lost.
///
/// # Errors
/// The database's.
pub async fn succeed(
    conn: &mut PgConnection,
    sync: &ClaimedSync,
    validators: Option<&Validators>,
    next_s: i64,
    fixed: Option<Instant>,
) -> Result<bool, sqlx::Error> {
    // The calendar's own row first, as everywhere: see `locks`.
    let done = sqlx::query!(
        "WITH calendar AS (
            UPDATE calendars SET last_good_sync_at = greatest(last_good_sync_at, $3), updated_at = $3 WHERE id = $1
               AND EXISTS (SELECT FROM calendar_syncs WHERE calendar_id = $1 AND claim_id = $2)
            RETURNING id
        )
        UPDATE calendar_syncs s
           SET claim_id = NULL, claimed_at = NULL, attempts = 0, tried_at = $3, failing_since = NULL, failed_at = NULL, error_class = NULL,
               due_at = coalesce($4, clock_timestamp()) + CASE WHEN again THEN interval '0' ELSE make_interval(secs => $5::bigint::float8) END,
               etag_sealed = CASE WHEN $6 THEN $7 ELSE etag_sealed END,
               modified_sealed = CASE WHEN $6 THEN $8 ELSE modified_sealed END,
               read_by = CASE WHEN $6 THEN $9 ELSE read_by END, updated_at = $3
          FROM calendar
         WHERE s.calendar_id = calendar.id AND s.claim_id = $2",
        sync.calendar_id,
        sync.claim_id,
        sync.claimed_at as Instant,
        fixed as Option<Instant>,
        next_s,
        validators.is_some(),
        validators.and_then(|new| new.etag_sealed.as_deref()),
        validators.and_then(|new| new.modified_sealed.as_deref()),
        validators.map(|new| new.read_by.as_str()),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Ends a claim badly: what was read before stays. `false` if the claim is lost.
///
/// # Errors
/// The database's.
pub async fn fail(
    conn: &mut PgConnection,
    sync: &ClaimedSync,
    class: &str,
    next_s: i64,
    fixed: Option<Instant>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE calendar_syncs
            SET claim_id = NULL, claimed_at = NULL, tried_at = claimed_at, failed_at = claimed_at, failing_since = coalesce(failing_since, claimed_at),
                error_class = $3,
                due_at = coalesce($5, clock_timestamp()) + CASE WHEN again THEN interval '0' ELSE make_interval(secs => $4::bigint::float8) END,
                updated_at = coalesce($5, clock_timestamp())
          WHERE calendar_id = $1 AND claim_id = $2",
        sync.calendar_id,
        sync.claim_id,
        class,
        next_s,
        fixed as Option<Instant>
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Gives a claim back as if it had not been made: the worker stops.
///
/// # Errors
/// The database's.
pub async fn give_back(
    conn: &mut PgConnection,
    sync: &ClaimedSync,
    fixed: Option<Instant>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE calendar_syncs SET claim_id = NULL, claimed_at = NULL, attempts = greatest(attempts - 1, 0), due_at = coalesce($3, clock_timestamp())
          WHERE calendar_id = $1 AND claim_id = $2",
        sync.calendar_id,
        sync.claim_id,
        fixed as Option<Instant>
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes a calendar due now; one that is being read is due again when that ends.
///
/// # Errors
/// The database's.
pub async fn ask(
    conn: &mut PgConnection,
    calendar: Uuid,
    fixed: Option<Instant>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE calendar_syncs
            SET again = claim_id IS NOT NULL AND due_at > coalesce($2, clock_timestamp()),
                due_at = CASE WHEN claim_id IS NOT NULL THEN due_at ELSE least(due_at, coalesce($2, clock_timestamp())) END
          WHERE calendar_id = $1",
        calendar,
        fixed as Option<Instant>
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// When the next one is due.
///
/// # Errors
/// The database's.
pub async fn next_due(conn: &mut PgConnection) -> Result<Option<Instant>, sqlx::Error> {
    sqlx::query_scalar!(r#"SELECT min(due_at) AS "due: Instant" FROM calendar_syncs"#)
        .fetch_one(conn)
        .await
}

/// How subscribed calendars are doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Calendars whose last reading failed.
    pub failing: i64,
    /// Seconds since the last good reading of the one that waits longest for it; since it was made
    /// if there was none.
    pub oldest_s: i64,
}

/// For the figures.
///
/// # Errors
/// The database's.
pub async fn standing(
    conn: &mut PgConnection,
    fixed: Option<Instant>,
) -> Result<Standing, sqlx::Error> {
    sqlx::query_as!(
        Standing,
        r#"SELECT count(s.error_class) AS "failing!",
                  coalesce(max(extract(epoch FROM coalesce($1, clock_timestamp()) - coalesce(c.last_good_sync_at, c.created_at))), 0)::bigint AS "oldest_s!"
             FROM calendar_syncs s JOIN calendars c ON c.id = s.calendar_id"#,
        fixed as Option<Instant>
    )
    .fetch_one(conn)
    .await
}
