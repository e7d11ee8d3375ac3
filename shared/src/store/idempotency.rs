//! Idempotency keys: what was answered under one, for 24 hours.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{fingerprint::Fingerprint, instant::Instant, token::TokenHash};

/// Where a key counts, the key's hash, and the request's fingerprint.
#[derive(Clone, Debug)]
pub struct Key {
    /// The caller's own space, so that nobody reaches another's booking by a guessed key.
    pub scope: Vec<u8>,
    pub hash: TokenHash,
    pub request: Fingerprint,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    pub request_fp: Vec<u8>,
    pub booking_id: Uuid,
    pub revision: i32,
}

/// Finds what was answered under a key in the last 24 hours.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    key: &Key,
    now: Instant,
) -> Result<Option<Answered>, sqlx::Error> {
    sqlx::query_as!(
        Answered,
        "SELECT request_fp, booking_id, revision FROM idempotency_keys WHERE scope = $1 AND key_hash = $2 AND created_at > $3",
        key.scope,
        key.hash.as_slice(),
        now.plus_minutes(-24 * 60) as Instant
    )
    .fetch_optional(conn)
    .await
}

/// Keeps what is answered. An entry older than 24 hours gives way.
///
/// # Errors
/// The database's.
pub async fn insert(
    conn: &mut PgConnection,
    key: &Key,
    booking: Uuid,
    revision: i32,
    status: i16,
    now: Instant,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO idempotency_keys (scope, key_hash, request_fp, status, booking_id, revision, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (scope, key_hash) DO UPDATE
            SET request_fp = excluded.request_fp, status = excluded.status, booking_id = excluded.booking_id,
                revision = excluded.revision, created_at = excluded.created_at
          WHERE idempotency_keys.created_at <= $8",
        key.scope,
        key.hash.as_slice(),
        key.request.as_slice(),
        status,
        booking,
        revision,
        now as Instant,
        now.plus_minutes(-24 * 60) as Instant
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets keys older than 24 hours, at most `limit`; answers how many.
///
/// # Errors
/// The database's.
pub async fn purge(conn: &mut PgConnection, now: Instant, limit: i64) -> Result<u64, sqlx::Error> {
    let purged = sqlx::query!(
        "DELETE FROM idempotency_keys WHERE (scope, key_hash) IN (
            SELECT scope, key_hash FROM idempotency_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now.plus_minutes(-24 * 60) as Instant,
        limit
    )
    .execute(conn)
    .await?;
    Ok(purged.rows_affected())
}
