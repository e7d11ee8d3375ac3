//! Moving a booking in place: the same id, the same UID, one revision more.

use super::{
    Context,
    availability::{self, LoadError},
    changing::{self, Authority, ChangeError, Held, Owned, RowFacts},
    failure::{AvailabilityUnknown, Failure},
    whole::transact,
};
use crate::{
    booking::{Actor, Page, PublicBooking, Refusal, Standing},
    instant::{Instant, Local, Span},
    mail::kind::MailKind,
    random::NoRandomness,
    slots::{Offered, Slot, compute_slots, offered},
    store::{
        begin::begin,
        constraint::{NO_OVERLAP, gave_way, violates},
        idempotency::{self, Key},
        outbox::{self, OwedRows},
        pages::PageKey,
        retry::DatabaseFault,
        transitions::{self, Change, NewTime},
    },
    zone::Zone,
};

/// Where to.
#[derive(Clone, Debug)]
pub struct Move {
    /// The new start.
    pub start: Instant,
    /// The revision that the mover saw.
    pub expected_revision: i32,
    /// The booker's zone from now on; kept if not given.
    pub zone: Option<Zone>,
    /// The repeat of a request that was answered is answered again.
    pub key: Option<Key>,
}

/// A booking moved.
#[derive(Debug)]
pub struct Moved {
    pub booking: PublicBooking,
    /// The same request under the same key was answered before.
    pub replayed: bool,
}

/// Why a booking was not moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The host takes no bookings at present.
    #[error("the host is inactive")]
    HostInactive(Box<PublicBooking>),
    /// The host is unknown, or may not take over bookings of the page.
    #[error("the host may not take over bookings of this page")]
    NotOfThisPage,
    #[error("the slot is not offered")]
    NotOffered,
    #[error("the slot is taken")]
    Taken(Box<PublicBooking>),
    #[error("the idempotency key was used with another request")]
    KeyReused,
    #[error(transparent)]
    Unknown(#[from] AvailabilityUnknown),
}

impl From<sqlx::Error> for MoveError {
    fn from(error: sqlx::Error) -> Self {
        Self::Change(error.into())
    }
}

impl From<Failure> for MoveError {
    fn from(error: Failure) -> Self {
        Self::Change(error.into())
    }
}

impl From<NoRandomness> for MoveError {
    fn from(error: NoRandomness) -> Self {
        Self::Change(error.into())
    }
}

impl From<LoadError> for MoveError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Unknown(unknown) => unknown.into(),
            LoadError::Failure(failure) => failure.into(),
        }
    }
}

impl DatabaseFault for MoveError {
    fn database_fault(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Change(error) => error.database_fault(),
            _ => None,
        }
    }

    fn hosts_changed(&self) -> bool {
        matches!(self, Self::Change(error) if error.hosts_changed())
    }
}

/// Moves a booking.
///
/// # Errors
/// [`MoveError`]; nothing is changed then.
pub async fn reschedule(
    context: &Context,
    authority: Authority<'_>,
    to: Move,
) -> Result<Moved, MoveError> {
    let (owned, actor) = (authority.owned(), authority.actor());
    let moved = transact(context, move |context| {
        let to = to.clone();
        async move { attempt(&context, owned, actor, &to).await }
    })
    .await;
    let moved = match moved {
        // Still giving way after all tries: others have the time.
        Err(error) if error.database_fault().is_some_and(gave_way) => {
            return Err(taken(context, owned).await);
        }
        moved => moved?,
    };
    if !moved.replayed {
        context.wake.mail_is_owed();
    }
    Ok(moved)
}

async fn attempt(
    context: &Context,
    authority: Owned,
    actor: Actor,
    to: &Move,
) -> Result<Moved, MoveError> {
    let mut tx = begin(&context.pool).await?;
    let Held {
        locked,
        booking,
        row,
    } = changing::hold(context, &mut tx, authority).await?;
    let now = locked.now;
    if let Some(key) = &to.key
        && let Some(answered) = idempotency::find(&mut tx, key, now).await?
    {
        return replay(&mut tx, booking, to, key, &answered).await;
    }
    let refuse =
        |refusal, booking| MoveError::Change(ChangeError::Refused(refusal, Box::new(booking)));
    let judged = booking.standing.reschedule(
        now,
        actor,
        to.expected_revision,
        to.start,
        context.limits.booker_reschedules,
    );
    if let Err(refusal) = judged {
        return Err(refuse(refusal, booking));
    }
    if !row.host_is_active {
        return Err(MoveError::HostInactive(Box::new(booking)));
    }
    let range = Span {
        from: to.start,
        to: to.start.plus_minutes(1),
    };
    let (page, loaded) = load(context, &mut tx, &row, booking.id, now, range).await?;
    match offered(&loaded.rule, &loaded.busy(), now, to.start) {
        Offered::Free(_) => {}
        Offered::Taken => return Err(MoveError::Taken(Box::new(booking))),
        Offered::NotOffered => return Err(MoveError::NotOffered),
    }
    let time = new_time(&booking.standing, &row, &page, actor, to, &booking.zone);
    let in_the_way: Vec<_> = loaded
        .lapsed
        .iter()
        .filter(|(_, span)| span.overlaps(time.blocked))
        .map(|(id, _)| *id)
        .collect();
    if !in_the_way.is_empty() {
        transitions::expire(&mut tx, &in_the_way, None, now).await?;
    }
    let change = Change::new(booking.id, booking.standing.revision, actor, now);
    match transitions::reschedule(&mut tx, change, &time).await {
        Ok(true) => {}
        Ok(false) => {
            return Err(refuse(
                Refusal::RevisionConflict,
                changing::read(context, &mut tx, booking.id).await?,
            ));
        }
        Err(error) if violates(&error, NO_OVERLAP) => {
            return Err(MoveError::Taken(Box::new(booking)));
        }
        Err(error) => return Err(error.into()),
    }
    let revision = booking.standing.revision + 1;
    outbox::skip(
        &mut tx,
        booking.id,
        &[
            MailKind::Confirmed,
            MailKind::Rescheduled,
            MailKind::Reminder,
        ],
        now,
    )
    .await?;
    let mut mail = row.audience.notice(MailKind::Rescheduled, now);
    mail.extend(row.audience.reminders(&row.reminders, to.start, now));
    outbox::insert(
        &mut tx,
        booking.id,
        revision,
        &OwedRows::new(&mail, now, &context.random)?,
        now,
    )
    .await?;
    if let Some(key) = &to.key {
        idempotency::insert(&mut tx, key, booking.id, revision, 200, now).await?;
    }
    let after = changing::read(context, &mut tx, booking.id).await?;
    tx.commit().await?;
    Ok(Moved {
        booking: after,
        replayed: false,
    })
}

/// The first answer again: the booking as it was then.
async fn replay(
    conn: &mut sqlx::PgConnection,
    mut booking: PublicBooking,
    to: &Move,
    key: &Key,
    answered: &idempotency::Answered,
) -> Result<Moved, MoveError> {
    if answered.request_fp != key.request || answered.booking_id != booking.id {
        return Err(MoveError::KeyReused);
    }
    let past = crate::store::bookings::at_revision(conn, booking.id, answered.revision)
        .await?
        .ok_or(Failure::Stored("history"))?;
    super::show_booking::as_it_was(&mut booking, &past, answered.revision)?;
    if let Some(zone) = &to.zone {
        booking.zone = zone.clone();
    }
    Ok(Moved {
        booking,
        replayed: true,
    })
}

async fn taken(context: &Context, authority: Owned) -> MoveError {
    let read = async {
        let mut conn = context.pool.acquire().await?;
        let row = changing::find(&mut conn, authority).await?;
        Ok::<_, ChangeError>(super::show_booking::open(context, row)?)
    };
    match read.await {
        Ok(booking) => MoveError::Taken(Box::new(booking)),
        Err(error) => error.into(),
    }
}

/// A booking and the times that it may move to.
#[derive(Debug)]
pub struct MoveSlots {
    /// The booking as it is.
    pub booking: PublicBooking,
    /// Its type as it is now, with the booking's own length and buffers in its rule.
    pub page: Page,
    /// In order, each start once; its own time is none of them.
    pub slots: Vec<Slot>,
}

/// The slots that a booking may move to, with its own span out of the way.
///
/// # Errors
/// [`MoveError`]: a booking that may not move at all has none.
pub async fn find_move_slots(
    context: &Context,
    authority: Authority<'_>,
    range: Span,
) -> Result<MoveSlots, MoveError> {
    let now = context.clock.now();
    let mut conn = context.pool.acquire().await?;
    let row = changing::find(&mut conn, authority.owned()).await?;
    let facts = RowFacts::of(&row);
    let booking = super::show_booking::open(context, row)?;
    let never = booking.standing.span.from.plus_minutes(1);
    let judged = booking.standing.reschedule(
        now,
        authority.actor(),
        booking.standing.revision,
        never,
        context.limits.booker_reschedules,
    );
    if let Err(refusal) = judged {
        return Err(ChangeError::Refused(refusal, Box::new(booking)).into());
    }
    if !facts.host_is_active {
        return Err(MoveError::HostInactive(Box::new(booking)));
    }
    let (page, loaded) = load(context, &mut conn, &facts, booking.id, now, range).await?;
    let slots =
        compute_slots(&loaded.rule, &loaded.busy(), now, range.from, range.to).map_err(|why| {
            AvailabilityUnknown {
                event_type: page.event_type_id,
                why: why.into(),
            }
        })?;
    // Its own time is no move.
    let own = booking.standing.span.from;
    Ok(MoveSlots {
        booking,
        page,
        slots: slots.into_iter().filter(|slot| slot.start != own).collect(),
    })
}

/// The type's rule as it is now, with the booking's own length and buffers, and what is in the
/// way but for the booking itself.
async fn load(
    context: &Context,
    conn: &mut sqlx::PgConnection,
    row: &RowFacts,
    booking: uuid::Uuid,
    now: Instant,
    range: Span,
) -> Result<(Page, availability::Availability), MoveError> {
    let key = PageKey::Id(row.event_type);
    let mut page = availability::load_page(context, conn, key, range)
        .await?
        .ok_or(Failure::Stored("event type"))?;
    let minutes = |value: i32| u32::try_from(value).unwrap_or(0);
    row.host.take_over(context, &mut page)?;
    page.rule.duration_min = minutes(row.duration_min);
    page.rule.before_buffer_min = minutes(row.before_buffer_min);
    page.rule.after_buffer_min = minutes(row.after_buffer_min);
    // Nothing waits for a mailbox: the move itself is certain.
    page.confirmation = crate::booking::Confirmation::Instant;
    let loaded = availability::load(context, conn, &page, now, range, Some(booking)).await?;
    Ok((page, loaded))
}

fn new_time(
    standing: &Standing,
    row: &RowFacts,
    page: &Page,
    actor: Actor,
    to: &Move,
    booker_zone: &Zone,
) -> NewTime {
    let length = standing.span.to.since(standing.span.from);
    let span = Span {
        from: to.start,
        to: to.start.plus(length),
    };
    let zone = &page.rule.zone;
    NewTime {
        span,
        blocked: Span {
            from: span.from.plus_minutes(-i64::from(row.before_buffer_min)),
            to: span.to.plus_minutes(i64::from(row.after_buffer_min)),
        },
        start_local: Local(zone.wall(span.from)),
        end_local: Local(zone.wall(span.to)),
        zone: zone.name().to_owned(),
        booker_zone: to.zone.as_ref().unwrap_or(booker_zone).name().to_owned(),
        by_booker: actor == Actor::Booker,
    }
}
