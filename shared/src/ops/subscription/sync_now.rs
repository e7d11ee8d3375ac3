//! Reading a subscribed calendar now.

use uuid::Uuid;

use super::{
    SubscriptionError,
    show::{self, SeenSubscription},
};
use crate::{ops::Context, store::calendar_syncs};

/// Makes a calendar of the host's due now. Whoever is reading it already reads it once more.
///
/// # Errors
/// [`SubscriptionError`].
pub async fn sync_now(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
) -> Result<SeenSubscription, SubscriptionError> {
    show::own(context, host, calendar).await?;
    let mut conn = context.pool.acquire().await?;
    calendar_syncs::ask(&mut conn, calendar, context.clock.pinned()).await?;
    drop(conn);
    context.wake.work_is_owed();
    show::show(context, host, calendar).await
}
