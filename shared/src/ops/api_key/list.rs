//! Listing a host's API keys.

use uuid::Uuid;

use crate::{
    handle::Handle,
    instant::Instant,
    ops::{Context, Failure},
    seal::Place,
    store::{api_keys, hosts},
};

/// A key as it may be seen again: everything but the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedKey {
    pub id: Uuid,
    pub name: Option<String>,
    pub created_at: Instant,
    /// To the minute: it moves at most once in one.
    pub last_used_at: Option<Instant>,
    pub revoked_at: Option<Instant>,
}

/// The keys of the host with that handle, oldest first, revoked ones included; `None` if there is
/// no such host.
///
/// # Errors
/// [`Failure`].
pub async fn list_keys(
    context: &Context,
    handle: &Handle,
) -> Result<Option<Vec<ListedKey>>, Failure> {
    let mut conn = context.pool.acquire().await?;
    let Some(host) = hosts::by_handle(&mut conn, handle.as_str()).await? else {
        return Ok(None);
    };
    let rows = api_keys::of_host(&mut conn, host.id).await?;
    let open = |id, sealed: Vec<u8>| {
        let place = Place::new("api_keys", "name", id);
        context.keys.seal.open_text(place, &sealed)
    };
    let keys = rows.into_iter().map(|row| {
        Ok(ListedKey {
            id: row.id,
            name: row.name_sealed.map(|name| open(row.id, name)).transpose()?,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            revoked_at: row.revoked_at,
        })
    });
    keys.collect::<Result<Vec<_>, Failure>>().map(Some)
}
