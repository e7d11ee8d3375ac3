//! A host as it sees itself.

use uuid::Uuid;

use super::{Context, failure::Failure};
use crate::{locale::Locale, seal::Place, store::hosts};

/// A host's own public facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnHost {
    pub id: Uuid,
    /// The first part of its addresses.
    pub handle: String,
    /// The public name.
    pub name: String,
    /// The IANA name of its zone, as it is stored.
    pub zone: String,
    pub locale: Locale,
}

/// Shows a host; `None` if it is gone.
///
/// # Errors
/// [`Failure`].
pub async fn show_host(context: &Context, host: Uuid) -> Result<Option<OwnHost>, Failure> {
    let mut conn = context.pool.acquire().await?;
    let Some(row) = hosts::find(&mut conn, host).await? else {
        return Ok(None);
    };
    let place = Place::new("hosts", "display_name", host);
    Ok(Some(OwnHost {
        id: host,
        handle: row.handle,
        name: context
            .keys
            .seal
            .open_text(place, &row.display_name_sealed)?,
        zone: row.zone,
        locale: Locale::from_tag(&row.locale),
    }))
}
