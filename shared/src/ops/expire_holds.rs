//! The sweep over lapsed holds: frees their time and deletes their tentative events.

use super::{Context, failure::Failure, whole::transact};
use crate::store::{begin::begin, locks, sweeps, transitions};

/// The most holds of one pass.
pub const BATCH: i64 = 200;

/// Expires holds that lapsed, at most [`BATCH`] a pass; answers how many. Several workers may
/// sweep at once: each host's holds are expired under that host's lock, and what another pass has
/// expired is left alone.
///
/// # Errors
/// [`Failure`].
pub async fn expire_holds(context: &Context) -> Result<u64, Failure> {
    let mut conn = context.pool.acquire().await?;
    let lapsed = sweeps::lapsed_holds(&mut conn, context.clock.pinned(), BATCH).await?;
    drop(conn);
    let mut expired = 0;
    for of_host in lapsed.chunk_by(|a, b| a.host_id == b.host_id) {
        let Some(first) = of_host.first() else {
            continue;
        };
        let ids: Vec<_> = of_host.iter().map(|hold| hold.booking_id).collect();
        let host = first.host_id;
        expired += transact(context, move |context| {
            let ids = ids.clone();
            async move { expire_of_host(&context, host, &ids).await }
        })
        .await?;
    }
    Ok(expired)
}

async fn expire_of_host(
    context: &Context,
    host: uuid::Uuid,
    ids: &[uuid::Uuid],
) -> Result<u64, Failure> {
    let mut tx = begin(&context.pool).await?;
    let Some(locked) = locks::lock_host(&mut tx, host, &[], context.clock.pinned()).await? else {
        return Ok(0);
    };
    let expired = transitions::expire(&mut tx, ids, None, locked.now).await?;
    tx.commit().await?;
    Ok(expired)
}
