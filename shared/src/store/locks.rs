//! The one order of locks: fingerprints, then hosts, then their calendars, then the booking, then
//! the rest. Every transition of a booking takes them so. Whoever writes events takes the calendar
//! first; whoever changes which calendars a host sees takes the host.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    fingerprint::{Fingerprint, lock_key},
    instant::Instant,
};

/// What the locking statement answers of one host.
#[derive(Clone, Copy, Debug)]
pub struct Locked {
    pub host_id: Uuid,
    /// The host's personal calendar, which bookings write their event to.
    pub calendar_id: Uuid,
    pub host_is_active: bool,
    /// The instant after the locks were taken, by the database's clock or the fixed one: what
    /// every rule under them is judged at.
    pub now: Instant,
}

/// Takes the locks of one host: see [`lock_hosts`]. `None` if there is no such host.
///
/// # Errors
/// The database's.
pub async fn lock_host(
    conn: &mut PgConnection,
    host: Uuid,
    fingerprints: &[Fingerprint],
    fixed: Option<Instant>,
) -> Result<Option<Locked>, sqlx::Error> {
    let locked = lock_hosts(conn, &[host], fingerprints, fixed).await?;
    Ok(locked.into_iter().next())
}

/// Takes advisory locks on the fingerprints (ascending), then the hosts (ascending), then every
/// calendar that one of them sees, in one round trip. All are held until the transaction ends.
/// Answers each host that there is.
///
/// A host's own calendar, which a booking writes to, is locked for itself; the others are locked
/// against writers alone, so that bookings of hosts who share one do not wait for each other. They
/// are taken in one pass in the order of their ids, or two hosts who see each other's calendars
/// would take them crosswise.
///
/// # Errors
/// The database's.
pub async fn lock_hosts(
    conn: &mut PgConnection,
    hosts: &[Uuid],
    fingerprints: &[Fingerprint],
    fixed: Option<Instant>,
) -> Result<Vec<Locked>, sqlx::Error> {
    let keys: Vec<i64> = fingerprints.iter().map(lock_key).collect();
    // Each step needs the one before it: the hosts' filter waits for the advisory locks, the list
    // of calendars is made for the locked hosts, and each calendar is locked as the list comes by.
    sqlx::query_as!(
        Locked,
        r#"WITH fingerprints AS MATERIALIZED (
                SELECT pg_advisory_xact_lock(ordered.key) FROM (SELECT key FROM unnest($2::bigint[]) AS key ORDER BY key OFFSET 0) AS ordered
            ), host AS MATERIALIZED (
                SELECT id, is_active FROM hosts WHERE id = ANY ($1) AND (SELECT count(*) FROM fingerprints) >= 0 ORDER BY id FOR NO KEY UPDATE
            ), seen AS MATERIALIZED (
                SELECT DISTINCT c.id, CASE WHEN c.kind = 'personal' AND c.owner_host_id = ANY ($1) THEN c.owner_host_id END AS own_of
                  FROM host JOIN calendar_members m ON m.host_id = host.id JOIN calendars c ON c.id = m.calendar_id
                 ORDER BY c.id
            ), locked AS MATERIALIZED (
                SELECT seen.own_of, written.id AS written, shared.id AS shared
                  FROM seen
                  LEFT JOIN LATERAL (SELECT c.id FROM calendars c WHERE c.id = seen.id AND seen.own_of IS NOT NULL FOR NO KEY UPDATE) written ON true
                  LEFT JOIN LATERAL (SELECT c.id FROM calendars c WHERE c.id = seen.id AND seen.own_of IS NULL FOR SHARE) shared ON true
            )
            SELECT host.id AS "host_id!", locked.written AS "calendar_id!", host.is_active AS "host_is_active!", coalesce($3, clock_timestamp()) AS "now!"
              FROM host JOIN locked ON locked.own_of = host.id, (SELECT count(written) + count(shared) AS n FROM locked) AS every
             WHERE every.n > 0
             ORDER BY host.id"#,
        hosts,
        &keys,
        fixed as Option<Instant>
    )
    .fetch_all(conn)
    .await
}

/// Locks hosts, without their calendars, in the order of their ids until the transaction ends. Whoever changes which
/// calendars a host sees, or which of them count, takes the host so: no booking of theirs is then
/// between its locks and its insert.
///
/// # Errors
/// The database's.
pub async fn lock_seers(conn: &mut PgConnection, hosts: &[Uuid]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "SELECT id FROM hosts WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE",
        hosts
    )
    .fetch_all(conn)
    .await?;
    Ok(())
}
