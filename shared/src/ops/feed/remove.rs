//! Revoking a feed.

use uuid::Uuid;

use super::FeedError;
use crate::{ops::Context, store::feeds};

/// Revokes a feed of the host's own, or anybody's of a calendar that they own. Its address opens
/// nothing from then on.
///
/// # Errors
/// [`FeedError::NotFound`] if there is none.
pub async fn remove(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
    feed: Uuid,
) -> Result<(), FeedError> {
    let mut conn = context.pool.acquire().await?;
    if feeds::remove(&mut conn, calendar, host, feed).await? {
        Ok(())
    } else {
        Err(FeedError::NotFound)
    }
}
