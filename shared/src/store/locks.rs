//! The one order of locks: fingerprints, then hosts, then their calendars, then the booking, then
//! the rest. Every transition of a booking takes them so.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    fingerprint::{Fingerprint, lock_key},
    instant::Instant,
};

/// What the locking statement answers.
#[derive(Clone, Copy, Debug)]
pub struct Locked {
    /// The host's personal calendar, which bookings write their event to.
    pub calendar_id: Uuid,
    pub host_is_active: bool,
    /// The instant after the locks were taken, by the database's clock or the fixed one: what
    /// every rule under them is judged at.
    pub now: Instant,
}

/// Takes advisory locks on the fingerprints (ascending), then the host, then the calendar, in one
/// round trip. All are held until the transaction ends. `None` if there is no such host.
///
/// # Errors
/// The database's.
pub async fn lock_host(
    conn: &mut PgConnection,
    host: Uuid,
    fingerprints: &[Fingerprint],
    fixed: Option<Instant>,
) -> Result<Option<Locked>, sqlx::Error> {
    let keys: Vec<i64> = fingerprints.iter().map(lock_key).collect();
    // Each step needs the one before it: the host's filter waits for the advisory locks, and the
    // calendar is joined to the locked host.
    sqlx::query_as!(
        Locked,
        r#"WITH fingerprints AS MATERIALIZED (
                SELECT pg_advisory_xact_lock(ordered.key) FROM (SELECT key FROM unnest($2::bigint[]) AS key ORDER BY key OFFSET 0) AS ordered
            ), host AS MATERIALIZED (
                SELECT id, is_active FROM hosts WHERE id = $1 AND (SELECT count(*) FROM fingerprints) >= 0 FOR NO KEY UPDATE
            ), calendar AS MATERIALIZED (
                SELECT c.id, host.is_active FROM host JOIN calendars c ON c.owner_host_id = host.id AND c.kind = 'personal' FOR NO KEY UPDATE OF c
            )
            SELECT id AS "calendar_id!", is_active AS "host_is_active!", coalesce($3, clock_timestamp()) AS "now!" FROM calendar"#,
        host,
        &keys,
        fixed as Option<Instant>
    )
    .fetch_optional(conn)
    .await
}
