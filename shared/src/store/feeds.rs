//! Feeds of calendars: who made which, and the one probe that opens one.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{instant::Instant, token::TokenHash};

/// What a token opens.
#[derive(Clone, Debug)]
pub struct FoundFeedRow {
    pub calendar_id: Uuid,
    /// Whoever made it.
    pub host_id: Uuid,
    pub detail: String,
}

/// Finds the feed with that hash, if its host is active: one probe of one index, whatever the token
/// is.
///
/// The same statement moves `last_used_at`, at most once an hour. A row that somebody else is
/// moving at this moment is passed over, so that no request waits for another.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    hash: &TokenHash,
    fixed: Option<Instant>,
) -> Result<Option<FoundFeedRow>, sqlx::Error> {
    sqlx::query_as!(
        FoundFeedRow,
        r#"WITH clock AS MATERIALIZED (
            SELECT coalesce($2, clock_timestamp()) AS now
        ), known AS MATERIALIZED (
            SELECT f.id, f.calendar_id, f.host_id, f.detail, f.last_used_at FROM calendar_feeds f JOIN hosts h ON h.id = f.host_id
             WHERE f.token_hash = $1 AND h.is_active
        ), used AS (
            UPDATE calendar_feeds SET last_used_at = clock.now FROM clock
             WHERE id = (
                SELECT f.id FROM calendar_feeds f CROSS JOIN clock
                 WHERE f.id = (SELECT id FROM known WHERE coalesce(last_used_at <= clock.now - interval '1 hour', true))
                   AND coalesce(f.last_used_at <= clock.now - interval '1 hour', true)
                   FOR NO KEY UPDATE OF f SKIP LOCKED)
        )
        SELECT calendar_id AS "calendar_id!", host_id AS "host_id!", detail AS "detail!" FROM known"#,
        hash.as_slice(),
        fixed as Option<Instant>
    )
    .fetch_optional(conn)
    .await
}

/// Whether the host sees the calendar, and owns it; their row is locked against another feed of
/// theirs at the same time.
///
/// # Errors
/// The database's.
pub async fn lock_member(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
) -> Result<bool, sqlx::Error> {
    let found = sqlx::query_scalar!(
        "SELECT role FROM calendar_members WHERE calendar_id = $1 AND host_id = $2 FOR NO KEY UPDATE",
        calendar,
        host
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.is_some())
}

/// How many feeds a host has of a calendar.
///
/// # Errors
/// The database's.
pub async fn count(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM calendar_feeds WHERE calendar_id = $1 AND host_id = $2"#,
        calendar,
        host
    )
    .fetch_one(conn)
    .await
}

/// A feed to write.
#[derive(Clone, Debug)]
pub struct NewFeedRow {
    pub id: Uuid,
    pub calendar_id: Uuid,
    pub host_id: Uuid,
    pub token_hash: TokenHash,
    pub name_sealed: Vec<u8>,
    pub detail: &'static str,
    pub now: Instant,
}

/// Writes a feed.
///
/// # Errors
/// The database's.
pub async fn insert(conn: &mut PgConnection, feed: &NewFeedRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO calendar_feeds (id, calendar_id, host_id, token_hash, name_sealed, detail, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        feed.id,
        feed.calendar_id,
        feed.host_id,
        feed.token_hash.as_slice(),
        feed.name_sealed,
        feed.detail,
        feed.now as Instant
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A feed as it may be seen again: everything but its token.
#[derive(Debug)]
pub struct ListedFeedRow {
    pub id: Uuid,
    /// Whoever made it.
    pub handle: String,
    pub name_sealed: Vec<u8>,
    pub detail: String,
    pub created_at: Instant,
    pub last_used_at: Option<Instant>,
}

/// The feeds of a calendar that a host may see, oldest first: their own, and everybody's if they
/// own the calendar. `None` if they do not see the calendar.
///
/// # Errors
/// The database's.
pub async fn of_calendar(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
) -> Result<Option<Vec<ListedFeedRow>>, sqlx::Error> {
    let role = sqlx::query_scalar!(
        "SELECT role FROM calendar_members WHERE calendar_id = $1 AND host_id = $2",
        calendar,
        host
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(role) = role else {
        return Ok(None);
    };
    sqlx::query_as!(
        ListedFeedRow,
        "SELECT f.id, h.handle, f.name_sealed, f.detail, f.created_at, f.last_used_at
           FROM calendar_feeds f JOIN hosts h ON h.id = f.host_id
          WHERE f.calendar_id = $1 AND (f.host_id = $2 OR $3) ORDER BY f.created_at, f.id",
        calendar,
        host,
        role == "owner"
    )
    .fetch_all(conn)
    .await
    .map(Some)
}

/// Removes a feed of a calendar: the host's own, or anybody's if they own the calendar. Answers
/// whether there was one.
///
/// # Errors
/// The database's.
pub async fn remove(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
    feed: Uuid,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM calendar_feeds f USING calendar_members m
          WHERE f.id = $3 AND f.calendar_id = $1 AND m.calendar_id = $1 AND m.host_id = $2 AND (f.host_id = $2 OR m.role = 'owner')",
        calendar,
        host,
        feed
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}
