//! Revoking an API key.

use uuid::Uuid;

use crate::{
    instant::Instant,
    ops::{Context, Failure},
    store::api_keys,
};

/// A key that opens nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revoked {
    /// Since when.
    pub at: Instant,
    /// Whether it was revoked before this call.
    pub already: bool,
}

/// Revokes a key for good; `None` if there is none with that id. Revoking again changes nothing.
///
/// # Errors
/// [`Failure`].
pub async fn revoke_key(context: &Context, id: Uuid) -> Result<Option<Revoked>, Failure> {
    let mut conn = context.pool.acquire().await?;
    let row = api_keys::revoke(&mut conn, id, context.clock.pinned()).await?;
    Ok(row.map(|row| Revoked {
        at: row.revoked_at,
        already: row.already,
    }))
}
