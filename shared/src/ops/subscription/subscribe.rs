//! Subscribing to an address.

use uuid::Uuid;

use super::show::{self, SeenSubscription};
use crate::{
    booking::FieldFault,
    id,
    ops::{Context, Failure, name, whole::transact},
    outbound::OutboundUrl,
    random::NoRandomness,
    seal::{CannotOpen, Place},
    store::{
        begin::begin,
        locks,
        retry::DatabaseFault,
        subscriptions::{self, NewSubscription},
    },
};

/// The most subscribed calendars of one host.
pub const MAX_SUBSCRIPTIONS: i64 = 20;
/// How old a calendar may become before nothing is offered, in minutes: an hour to thirty days.
const AGES_MIN: std::ops::RangeInclusive<i32> = 60..=43_200;

/// A calendar to subscribe to.
#[derive(Clone, Debug)]
pub struct Subscription {
    /// For its owner, 1 to 100 characters in one line.
    pub name: String,
    /// Where it is read.
    pub address: String,
    /// Whether it makes its owner busy.
    pub counts_as_busy: bool,
    /// From which age on it is not gone by; a day if it is not said.
    pub max_age_min: Option<i32>,
}

/// Why a subscribed calendar was not made, or not read.
#[derive(Debug, thiserror::Error)]
pub enum SubscriptionError {
    /// Everything that breaks a rule.
    #[error("the request breaks a rule")]
    Invalid(Vec<FieldFault>),
    /// There is none that this host owns.
    #[error("no such calendar")]
    NotFound,
    /// It is not read from an address.
    #[error("the calendar is not a subscribed one")]
    NotSubscribed,
    /// The host has [`MAX_SUBSCRIPTIONS`] already.
    #[error("a host has at most {MAX_SUBSCRIPTIONS} subscribed calendars")]
    TooMany,
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for SubscriptionError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<NoRandomness> for SubscriptionError {
    fn from(error: NoRandomness) -> Self {
        Self::Failure(error.into())
    }
}

impl From<CannotOpen> for SubscriptionError {
    fn from(error: CannotOpen) -> Self {
        Self::Failure(error.into())
    }
}

impl DatabaseFault for SubscriptionError {
    fn database_fault(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Failure(failure) => failure.database_fault(),
            _ => None,
        }
    }
}

/// Makes a subscribed calendar and wakes whoever reads it. Until it was read once its owner is
/// not offered to anybody, unless it does not count.
///
/// # Errors
/// [`SubscriptionError`].
pub async fn subscribe(
    context: &Context,
    host: Uuid,
    wish: &Subscription,
) -> Result<SeenSubscription, SubscriptionError> {
    let (name, address, max_age_min) = check(wish)?;
    let now = context.clock.now();
    let id = id::new(now, &context.random)?;
    let new = NewSubscription {
        id,
        host_id: host,
        name_sealed: context.seal(Place::new("calendars", "name", id), &name)?,
        source_sealed: context.seal(Place::new("calendars", "source", id), address.expose())?,
        max_age_min,
        counts_as_busy: wish.counts_as_busy,
        now,
    };
    transact(context, move |context| {
        let new = new.clone();
        async move {
            let mut tx = begin(&context.pool).await?;
            // What a host sees changes: no booking of theirs is between its locks and its insert.
            locks::lock_host(&mut tx, host, &[], context.clock.pinned()).await?;
            if !subscriptions::insert(&mut tx, &new, MAX_SUBSCRIPTIONS).await? {
                return Err(SubscriptionError::TooMany);
            }
            tx.commit().await?;
            Ok(())
        }
    })
    .await?;
    context.wake.work_is_owed();
    show::show(context, host, id).await
}

type Checked = (String, OutboundUrl, i32);

fn check(wish: &Subscription) -> Result<Checked, SubscriptionError> {
    let (name, mut faults) = match name::parse(&wish.name) {
        Ok(name) => (name, Vec::new()),
        Err(fault) => (String::new(), vec![fault]),
    };
    let mut fault = |pointer: &str, code, detail: String| {
        faults.push(FieldFault {
            pointer: pointer.to_owned(),
            code,
            detail,
        });
    };
    let address = OutboundUrl::parse(&wish.address);
    if let Err(error) = &address {
        fault("/address", "invalid_address", error.to_string());
    }
    let max_age_min = wish.max_age_min.unwrap_or(1_440);
    if !AGES_MIN.contains(&max_age_min) {
        let words = format!("from {} to {}", AGES_MIN.start(), AGES_MIN.end());
        fault("/max_age_min", "out_of_range", words);
    }
    match (address, faults.is_empty()) {
        (Ok(address), true) => Ok((name, address, max_age_min)),
        _ => Err(SubscriptionError::Invalid(faults)),
    }
}
