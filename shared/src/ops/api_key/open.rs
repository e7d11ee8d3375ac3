//! What a presented API key opens.

use uuid::Uuid;

use crate::{
    ops::{Context, Failure},
    store::api_keys,
    token,
};

/// Who presented a key: which key, of which host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyHolder {
    /// The key's id.
    pub key: Uuid,
    /// The host whose things it opens.
    pub host: Uuid,
}

/// Opens whatever a caller presents as a key. `None` for what is missing (an empty text),
/// malformed, unknown or revoked, and for a key of an inactive host: all at the price of the same
/// look-up.
///
/// # Errors
/// [`Failure`].
pub async fn open_key(context: &Context, presented: &str) -> Result<Option<KeyHolder>, Failure> {
    let mut conn = context.pool.acquire().await?;
    let hash = token::hash(presented);
    let found = api_keys::find(&mut conn, &hash, context.clock.pinned()).await?;
    Ok(found.map(|row| KeyHolder {
        key: row.id,
        host: row.host_id,
    }))
}
