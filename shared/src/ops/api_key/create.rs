//! Making an API key.

use uuid::Uuid;

use crate::{
    handle::Handle,
    id,
    ops::{Context, Failure},
    random::NoRandomness,
    seal::Place,
    store::{
        api_keys::{self, NewKeyRow},
        hosts,
    },
    token::ApiKey,
};

/// The longest name of a key, in characters.
pub const MAX_NAME_CHARS: usize = 100;

/// A key that was made. This is the only time that it can be shown.
#[derive(Debug)]
pub struct CreatedKey {
    /// What it is revoked by.
    pub id: Uuid,
    /// The key.
    pub key: ApiKey,
}

/// Why no key was made.
#[derive(Debug, thiserror::Error)]
pub enum CreateKeyError {
    /// Nobody has that handle.
    #[error("no host has the handle {0}")]
    NoHost(String),
    /// The keys of an inactive host open nothing.
    #[error("the host {0} is inactive: its keys would open nothing")]
    HostInactive(String),
    /// The name is empty, too long, or has control characters.
    #[error("a key's name is 1 to 100 characters without line breaks")]
    Name,
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for CreateKeyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<NoRandomness> for CreateKeyError {
    fn from(error: NoRandomness) -> Self {
        Self::Failure(error.into())
    }
}

/// Makes a key of the host with that handle. The name is for whoever lists the keys.
///
/// # Errors
/// [`CreateKeyError`]; nothing is kept then.
pub async fn create_key(
    context: &Context,
    handle: &Handle,
    name: Option<&str>,
) -> Result<CreatedKey, CreateKeyError> {
    let name = name.map(str::trim);
    if name.is_some_and(|name| {
        name.is_empty()
            || name.chars().count() > MAX_NAME_CHARS
            || name.chars().any(char::is_control)
    }) {
        return Err(CreateKeyError::Name);
    }
    let mut conn = context.pool.acquire().await?;
    let host = hosts::by_handle(&mut conn, handle.as_str())
        .await?
        .ok_or_else(|| CreateKeyError::NoHost(handle.as_str().to_owned()))?;
    if !host.is_active {
        return Err(CreateKeyError::HostInactive(handle.as_str().to_owned()));
    }
    let now = context.clock.now();
    let id = id::new(now, &context.random)?;
    let key = ApiKey::mint(&context.random)?;
    let row = NewKeyRow {
        id,
        host_id: host.id,
        secret_hash: key.hash(),
        name_sealed: name
            .map(|name| context.seal(Place::new("api_keys", "name", id), name))
            .transpose()?,
        now,
    };
    api_keys::insert(&mut conn, &row).await?;
    Ok(CreatedKey { id, key })
}
