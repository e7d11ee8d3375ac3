//! A page, and the lists of pages, without their slots.

use super::{
    Context,
    availability::{self, LoadError},
    failure::Failure,
};
use crate::{
    booking::Page,
    instant::{Instant, Span},
    seal::Place,
    store::pages::{self, PageKey},
};

/// Shows the page at `/book/<handle>/<code>`; `None` is a page that is not there, or that nobody
/// may see.
///
/// # Errors
/// [`LoadError`].
pub async fn show_page(
    context: &Context,
    handle: &str,
    code: &str,
    now: Instant,
) -> Result<Option<Page>, LoadError> {
    let mut conn = context.pool.acquire().await?;
    availability::load_page(
        context,
        &mut conn,
        PageKey::Address(handle, code),
        Span { from: now, to: now },
    )
    .await
}

/// One event type on its host's page.
pub struct ListedType {
    /// The page's second address part: its slug, else its code.
    pub address: String,
    pub code: String,
    pub title: String,
    pub description: String,
    pub duration_min: u32,
}

/// A host and the types they list.
pub struct ListedHost {
    pub handle: String,
    pub name: String,
    pub types: Vec<ListedType>,
}

/// Lists a host's published types that are marked listed; `None` when there is none, so that a
/// host without any is not told from one who never was.
///
/// # Errors
/// [`Failure`].
pub async fn list_host(context: &Context, handle: &str) -> Result<Option<ListedHost>, Failure> {
    let mut conn = context.pool.acquire().await?;
    let rows = pages::listed(&mut conn, handle).await?;
    let open = |table, column, id, sealed: &[u8]| {
        context
            .keys
            .seal
            .open_text(Place::new(table, column, id), sealed)
    };
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let name = open(
        "hosts",
        "display_name",
        first.host_id,
        &first.display_name_sealed,
    )?;
    let mut types = Vec::with_capacity(rows.len());
    for row in &rows {
        types.push(ListedType {
            address: row.slug.clone().unwrap_or_else(|| row.code.clone()),
            code: row.code.clone(),
            title: open("event_types", "title", row.event_type_id, &row.title_sealed)?,
            description: open(
                "event_types",
                "description",
                row.event_type_id,
                &row.description_sealed,
            )?,
            duration_min: u32::try_from(row.duration_min).unwrap_or_default(),
        });
    }
    Ok(Some(ListedHost {
        handle: handle.to_owned(),
        name,
        types,
    }))
}

/// Lists the hosts who opted in to the instance page: handle and name.
///
/// # Errors
/// [`Failure`].
pub async fn list_hosts(context: &Context) -> Result<Vec<(String, String)>, Failure> {
    let mut conn = context.pool.acquire().await?;
    let rows = pages::listed_hosts(&mut conn).await?;
    rows.into_iter()
        .map(|row| {
            let place = Place::new("hosts", "display_name", row.host_id);
            let name = context
                .keys
                .seal
                .open_text(place, &row.display_name_sealed)?;
            Ok((row.handle, name))
        })
        .collect()
}
