//! API keys: what is stored of them, and the one probe that a signed-in request costs.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{instant::Instant, token::TokenHash};

/// Whose key it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRow {
    pub id: Uuid,
    pub host_id: Uuid,
}

/// Finds the key with that hash, if it is not revoked and its host is active: one probe of one
/// index, whatever the key is.
///
/// The same statement moves `last_used_at`, at most once a minute. A row that somebody else is
/// moving at this moment is passed over, so that no request waits for another.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    hash: &TokenHash,
    fixed: Option<Instant>,
) -> Result<Option<KeyRow>, sqlx::Error> {
    sqlx::query_as!(
        KeyRow,
        r#"WITH clock AS MATERIALIZED (
            SELECT coalesce($2, clock_timestamp()) AS now
        ), known AS MATERIALIZED (
            SELECT k.id, k.host_id, k.last_used_at FROM api_keys k JOIN hosts h ON h.id = k.host_id
             WHERE k.secret_hash = $1 AND k.revoked_at IS NULL AND h.is_active
        ), used AS (
            UPDATE api_keys SET last_used_at = clock.now FROM clock
             WHERE id = (
                SELECT k.id FROM api_keys k CROSS JOIN clock
                 WHERE k.id = (SELECT id FROM known WHERE coalesce(last_used_at <= clock.now - interval '1 minute', true))
                   AND coalesce(k.last_used_at <= clock.now - interval '1 minute', true)
                   FOR NO KEY UPDATE OF k SKIP LOCKED)
        )
        SELECT id AS "id!", host_id AS "host_id!" FROM known"#,
        hash.as_slice(),
        fixed as Option<Instant>
    )
    .fetch_optional(conn)
    .await
}

/// A key to write.
#[derive(Debug)]
pub struct NewKeyRow {
    pub id: Uuid,
    pub host_id: Uuid,
    pub secret_hash: TokenHash,
    pub name_sealed: Option<Vec<u8>>,
    pub now: Instant,
}

/// Writes a key.
///
/// # Errors
/// The database's.
pub async fn insert(conn: &mut PgConnection, key: &NewKeyRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO api_keys (id, host_id, secret_hash, name_sealed, created_at) VALUES ($1, $2, $3, $4, $5)",
        key.id,
        key.host_id,
        key.secret_hash.as_slice(),
        key.name_sealed,
        key.now as Instant
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A key as its host may see it again: everything but the key.
#[derive(Debug)]
pub struct ListedKeyRow {
    pub id: Uuid,
    pub name_sealed: Option<Vec<u8>>,
    pub created_at: Instant,
    pub last_used_at: Option<Instant>,
    pub revoked_at: Option<Instant>,
}

/// A host's keys, oldest first.
///
/// # Errors
/// The database's.
pub async fn of_host(
    conn: &mut PgConnection,
    host: Uuid,
) -> Result<Vec<ListedKeyRow>, sqlx::Error> {
    sqlx::query_as!(
        ListedKeyRow,
        "SELECT id, name_sealed, created_at, last_used_at, revoked_at FROM api_keys WHERE host_id = $1 ORDER BY created_at, id",
        host
    )
    .fetch_all(conn)
    .await
}

/// What came of revoking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RevokedRow {
    /// Since when the key opens nothing.
    pub revoked_at: Instant,
    /// Whether it was revoked before.
    pub already: bool,
}

/// Revokes a key; `None` if there is none with that id. Revoking again changes nothing.
///
/// # Errors
/// The database's.
pub async fn revoke(
    conn: &mut PgConnection,
    id: Uuid,
    fixed: Option<Instant>,
) -> Result<Option<RevokedRow>, sqlx::Error> {
    sqlx::query_as!(
        RevokedRow,
        r#"WITH before AS (
            SELECT id, revoked_at FROM api_keys WHERE id = $1 FOR NO KEY UPDATE
        )
        UPDATE api_keys k SET revoked_at = coalesce(before.revoked_at, $2, clock_timestamp()) FROM before WHERE k.id = before.id
        RETURNING k.revoked_at AS "revoked_at!", before.revoked_at IS NOT NULL AS "already!""#,
        id,
        fixed as Option<Instant>
    )
    .fetch_optional(conn)
    .await
}
