//! What sweeps look for, and the small ones whole.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::instant::Instant;

/// A hold whose time is over.
#[derive(Clone, Copy, Debug)]
pub struct LapsedHold {
    pub booking_id: Uuid,
    pub host_id: Uuid,
}

/// Lapsed holds, longest lapsed first, grouped by host.
///
/// # Errors
/// The database's.
pub async fn lapsed_holds(
    conn: &mut PgConnection,
    fixed: Option<Instant>,
    limit: i64,
) -> Result<Vec<LapsedHold>, sqlx::Error> {
    sqlx::query_as!(
        LapsedHold,
        "SELECT l.id AS booking_id, bh.host_id FROM (
            SELECT id FROM bookings WHERE state = 'held' AND hold_expires_at <= coalesce($1, clock_timestamp()) ORDER BY hold_expires_at LIMIT $2
         ) l JOIN booking_hosts bh ON bh.booking_id = l.id AND bh.is_primary ORDER BY bh.host_id, l.id",
        fixed as Option<Instant>,
        limit
    )
    .fetch_all(conn)
    .await
}

/// The earliest instant at which a hold lapses.
///
/// # Errors
/// The database's.
pub async fn next_lapse(conn: &mut PgConnection) -> Result<Option<Instant>, sqlx::Error> {
    sqlx::query_scalar!("SELECT min(hold_expires_at) FROM bookings WHERE state = 'held'")
        .fetch_one(conn)
        .await
}

/// Forgets the client IPs of bookings whose 24 hours are over; answers how many.
///
/// # Errors
/// The database's.
pub async fn forget_ips(
    conn: &mut PgConnection,
    fixed: Option<Instant>,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE bookings SET ip_fp = NULL, ip_forget_at = NULL WHERE id IN (
            SELECT id FROM bookings WHERE ip_fp IS NOT NULL AND ip_forget_at <= coalesce($1, clock_timestamp())
             ORDER BY ip_forget_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        fixed as Option<Instant>,
        limit
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
