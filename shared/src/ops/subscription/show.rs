//! A subscribed calendar as its owner sees it.

use uuid::Uuid;

use super::SubscriptionError;
use crate::{
    instant::Instant,
    ops::Context,
    outbound::OutboundUrl,
    seal::Place,
    store::subscriptions::{self, SubscriptionRow},
};

/// A subscribed calendar as its owner sees it.
#[derive(Clone, Debug)]
pub struct SeenSubscription {
    pub id: Uuid,
    pub name: String,
    /// Where it is read, without the path: that may be a secret of its own.
    pub address_host: String,
    pub counts_as_busy: bool,
    pub revision: i64,
    pub reading: Reading,
}

/// How its readings go.
#[derive(Clone, Debug)]
pub struct Reading {
    /// When what is known of it was read.
    pub last_good_at: Option<Instant>,
    /// From which age on it is not gone by.
    pub max_age_min: i32,
    /// Whether it is being read.
    pub is_running: bool,
    /// When it is read next.
    pub due_at: Option<Instant>,
    /// Why the last reading failed, if it did; since when every one has, and when the last did.
    pub failure: Option<(String, Instant, Instant)>,
}

/// The calendar, to its owner alone.
///
/// # Errors
/// [`SubscriptionError`].
pub async fn show(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
) -> Result<SeenSubscription, SubscriptionError> {
    let row = own(context, host, calendar).await?;
    let open = |column, sealed: Option<&[u8]>| {
        let sealed = sealed.unwrap_or_default();
        let place = Place::new("calendars", column, calendar);
        context.keys.seal.open_text(place, sealed)
    };
    let source = open("source", row.source_sealed.as_deref())?;
    Ok(SeenSubscription {
        id: calendar,
        name: open("name", row.name_sealed.as_deref())?,
        address_host: OutboundUrl::parse(&source)
            .map(|url| url.host())
            .unwrap_or_default(),
        counts_as_busy: row.counts_as_busy,
        revision: row.revision,
        reading: Reading {
            last_good_at: row.last_good_sync_at,
            max_age_min: row.max_age_min,
            is_running: row.is_claimed,
            due_at: row.due_at,
            failure: row
                .error_class
                .zip(row.failing_since.zip(row.failed_at))
                .map(|(class, (since, at))| (class, since, at)),
        },
    })
}

/// The subscribed calendar of that id, if the host owns it.
pub(super) async fn own(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
) -> Result<SubscriptionRow, SubscriptionError> {
    let mut conn = context.pool.acquire().await?;
    let row = subscriptions::find(&mut conn, host, calendar)
        .await?
        .filter(|row| row.owner_host_id == host)
        .ok_or(SubscriptionError::NotFound)?;
    if row.kind == "subscribed" {
        Ok(row)
    } else {
        Err(SubscriptionError::NotSubscribed)
    }
}
