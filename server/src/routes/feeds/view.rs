//! Feeds as JSON.

use serde::Serialize;
use shared::{
    instant::Instant,
    ops::feed::{FeedDetail, ListedFeed},
};
use utoipa::ToSchema;
use uuid::Uuid;

/// A feed as it may be seen again.
#[derive(Serialize, ToSchema)]
pub struct FeedView {
    /// What it is revoked by.
    pub id: Uuid,
    /// What its maker calls it.
    #[schema(example = "For my phone")]
    pub name: String,
    /// How much it shows.
    pub detail: FeedDetail,
    /// The handle of whoever made it.
    #[schema(example = "ana")]
    pub host: String,
    /// When it was made.
    pub created_at: Instant,
    /// When it was last asked for, to the hour; null before the first time.
    pub last_used_at: Option<Instant>,
}

impl From<ListedFeed> for FeedView {
    fn from(feed: ListedFeed) -> Self {
        Self {
            id: feed.id,
            name: feed.name,
            detail: feed.detail,
            host: feed.handle,
            created_at: feed.created_at,
            last_used_at: feed.last_used_at,
        }
    }
}
