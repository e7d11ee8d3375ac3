//! Making a feed.

use uuid::Uuid;

use super::{FeedDetail, FeedError};
use crate::{
    id,
    instant::Instant,
    ops::{Context, name, whole::transact},
    seal::Place,
    store::{
        begin::begin,
        feeds::{self, NewFeedRow},
    },
    token::FeedToken,
};

/// The most feeds that one host has of one calendar.
pub const MAX_FEEDS: i64 = 20;

/// A feed that was made. This is the only time that its token can be shown.
#[derive(Debug)]
pub struct CreatedFeed {
    /// What it is revoked by.
    pub id: Uuid,
    pub token: FeedToken,
    /// What its maker calls it.
    pub name: String,
    pub detail: FeedDetail,
    pub created_at: Instant,
}

/// Makes a feed of a calendar that the host sees. It shows what they may see of it, for as long as
/// they do.
///
/// # Errors
/// [`FeedError`].
pub async fn create(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
    name: &str,
    detail: FeedDetail,
) -> Result<CreatedFeed, FeedError> {
    let name = name::parse(name).map_err(FeedError::Invalid)?;
    let now = context.clock.now();
    let id = id::new(now, &context.random)?;
    let token = FeedToken::mint(&context.random)?;
    let row = NewFeedRow {
        id,
        calendar_id: calendar,
        host_id: host,
        token_hash: token.hash(),
        name_sealed: context.seal(Place::new("calendar_feeds", "name", id), &name)?,
        detail: detail.word(),
        now,
    };
    transact(context, move |context| {
        let row = row.clone();
        async move {
            let mut tx = begin(&context.pool).await?;
            if !feeds::lock_member(&mut tx, calendar, host).await? {
                return Err(FeedError::NotFound);
            }
            if feeds::count(&mut tx, calendar, host).await? >= MAX_FEEDS {
                return Err(FeedError::TooMany);
            }
            feeds::insert(&mut tx, &row).await?;
            tx.commit().await?;
            Ok(())
        }
    })
    .await?;
    Ok(CreatedFeed {
        id,
        token,
        name,
        detail,
        created_at: now,
    })
}
