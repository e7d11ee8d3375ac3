//! The feeds of a calendar.

use uuid::Uuid;

use super::{FeedDetail, FeedError};
use crate::{
    instant::Instant,
    ops::{Context, Failure},
    seal::Place,
    store::feeds,
};

/// A feed as it may be seen again: everything but its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFeed {
    pub id: Uuid,
    /// The handle of whoever made it.
    pub handle: String,
    /// What they call it.
    pub name: String,
    pub detail: FeedDetail,
    pub created_at: Instant,
    /// To the hour: it moves at most once in one.
    pub last_used_at: Option<Instant>,
}

/// The feeds that the host has of a calendar, oldest first; everybody's if they own it.
///
/// # Errors
/// [`FeedError`].
pub async fn list(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
) -> Result<Vec<ListedFeed>, FeedError> {
    let mut conn = context.pool.acquire().await?;
    let rows = feeds::of_calendar(&mut conn, calendar, host)
        .await?
        .ok_or(FeedError::NotFound)?;
    rows.into_iter()
        .map(|row| {
            let place = Place::new("calendar_feeds", "name", row.id);
            Ok(ListedFeed {
                id: row.id,
                handle: row.handle,
                name: context.keys.seal.open_text(place, &row.name_sealed)?,
                detail: FeedDetail::of(&row.detail).ok_or(Failure::Stored("feed"))?,
                created_at: row.created_at,
                last_used_at: row.last_used_at,
            })
        })
        .collect()
}
