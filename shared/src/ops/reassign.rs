//! Giving a booking to another host, at the same time: the same id, the same UID, one revision more.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Context, availability,
    changing::{self, Authority, BookedHost, ChangeError, Owned, RowFacts},
    failure::Failure,
    reschedule::MoveError,
    show_booking,
    whole::transact,
};
use crate::{
    booking::{Actor, PublicBooking, Refusal},
    instant::{Instant, Local, Span},
    mail::{
        kind::MailKind,
        owed::{Audience, Owed, Recipient},
    },
    seal::Place,
    store::{
        begin::begin,
        constraint::{NO_OVERLAP, gave_way, violates},
        hosts::{self, SubstituteRow},
        locks::{self, Locked},
        outbox::{self, OwedRows},
        pages::PageKey,
        retry::DatabaseFault,
        transitions::{self, Change, NewHost},
    },
};

/// To whom.
#[derive(Clone, Debug)]
pub struct Reassign {
    /// The handle of the new host.
    pub to: String,
    /// The revision that was seen.
    pub expected_revision: i32,
}

/// Gives a confirmed booking that has not begun to another host of its page. The rules of the page
/// are not asked again, for the time stays; the new host must have it free, with the booking's own
/// buffers. The old host hears that it is cancelled for them, the new one that it is confirmed, and
/// everybody else that it has changed. Giving it to the host who has it changes nothing.
///
/// # Errors
/// [`MoveError`]; nothing is changed then.
pub async fn reassign(
    context: &Context,
    authority: Authority<'_>,
    wish: Reassign,
) -> Result<PublicBooking, MoveError> {
    let (owned, actor) = (authority.owned(), authority.actor());
    let done = transact(context, move |context| {
        let wish = wish.clone();
        async move { attempt(&context, owned, actor, &wish).await }
    })
    .await;
    match done {
        Ok((booking, changed)) => {
            if changed {
                context.wake.mail_is_owed();
            }
            Ok(booking)
        }
        // Still giving way after all tries: others have the time.
        Err(error) if error.database_fault().is_some_and(gave_way) => {
            let mut conn = context.pool.acquire().await?;
            let row = changing::find(&mut conn, owned).await?;
            Err(MoveError::Taken(Box::new(show_booking::open(
                context, row,
            )?)))
        }
        Err(error) => Err(error),
    }
}

/// Lets a host take over bookings of the page at `/book/<handle>/<code>`, or no more. Bookings that
/// they have stay theirs. Answers whether there is such a page and such another host.
///
/// # Errors
/// [`Failure`].
pub async fn set_substitute(
    context: &Context,
    page: (&str, &str),
    host: &str,
    may: bool,
) -> Result<bool, Failure> {
    let mut conn = context.pool.acquire().await?;
    Ok(hosts::set_substitute(&mut conn, page, host, may).await?)
}

async fn attempt(
    context: &Context,
    authority: Owned,
    actor: Actor,
    wish: &Reassign,
) -> Result<(PublicBooking, bool), MoveError> {
    let mut tx = begin(&context.pool).await?;
    let seen = changing::find(&mut tx, authority).await?;
    let Some(new) = hosts::substitute(&mut tx, seen.event_type_id, &wish.to).await? else {
        return Err(MoveError::NotOfThisPage);
    };
    let both = [seen.host_id, new.id];
    let locked = locks::lock_hosts(&mut tx, &both, &[], context.clock.pinned()).await?;
    let old = seen.host_id;
    let row = changing::find(&mut tx, authority).await?;
    let facts = RowFacts::of(&row);
    let booking = show_booking::open(context, row)?;
    if facts.host.id != old {
        return Err(ChangeError::HostsChanged(Box::new(booking)).into());
    }
    let locked = locked
        .into_iter()
        .find(|host| host.host_id == new.id)
        .ok_or(Failure::Stored("calendar"))?;
    let now = locked.now;
    may(&booking, actor, wish, now)?;
    if old == new.id {
        return Ok((booking, false));
    }
    // Asked again under the lock: what was read before it may have changed.
    let still = hosts::substitute(&mut tx, facts.event_type, &wish.to).await?;
    if !(locked.host_is_active && still.is_some_and(|host| host.is_verified)) {
        return Err(MoveError::HostInactive(Box::new(booking)));
    }
    let blocked = blocked(&booking, &facts);
    clear(context, &mut tx, &new, &facts, &booking, blocked, now).await?;
    let change = Change::new(booking.id, booking.standing.revision, actor, now);
    let to = new_host(context, &booking, old, &new, &locked)?;
    match transitions::reassign(&mut tx, change, &to).await {
        Ok(true) => {}
        Ok(false) => {
            let current = changing::read(context, &mut tx, booking.id).await?;
            let refusal = ChangeError::Refused(Refusal::RevisionConflict, Box::new(current));
            return Err(refusal.into());
        }
        Err(error) if violates(&error, NO_OVERLAP) => {
            return Err(MoveError::Taken(Box::new(booking)));
        }
        Err(error) => return Err(error.into()),
    }
    let kinds = [
        MailKind::Confirmed,
        MailKind::Rescheduled,
        MailKind::Reminder,
    ];
    outbox::skip(&mut tx, booking.id, &kinds, now).await?;
    outbox::skip_farewell(&mut tx, booking.id, new.id, now).await?;
    let mail = mail(&facts, old, new.id, booking.standing.span.from, now);
    outbox::insert(
        &mut tx,
        booking.id,
        booking.standing.revision + 1,
        &OwedRows::new(&mail, now, &context.random)?,
        now,
    )
    .await?;
    let after = changing::read(context, &mut tx, booking.id).await?;
    tx.commit().await?;
    Ok((after, true))
}

/// Whether its state and revision allow it, as they would a move to some other time.
fn may(
    booking: &PublicBooking,
    actor: Actor,
    wish: &Reassign,
    now: Instant,
) -> Result<(), MoveError> {
    let another_time = booking.standing.span.from.plus_minutes(1);
    booking
        .standing
        .reschedule(now, actor, wish.expected_revision, another_time, 0)
        .map_err(|refusal| ChangeError::Refused(refusal, Box::new(booking.clone())).into())
}

fn blocked(booking: &PublicBooking, facts: &RowFacts) -> Span {
    let span = booking.standing.span;
    Span {
        from: span.from.plus_minutes(-i64::from(facts.before_buffer_min)),
        to: span.to.plus_minutes(i64::from(facts.after_buffer_min)),
    }
}

/// Sees that the new host has the time free, and expires their lapsed holds that lie in it.
async fn clear(
    context: &Context,
    conn: &mut PgConnection,
    new: &SubstituteRow,
    facts: &RowFacts,
    booking: &PublicBooking,
    blocked: Span,
    now: Instant,
) -> Result<(), MoveError> {
    let key = PageKey::Id(facts.event_type);
    let mut page = availability::load_page(context, conn, key, blocked)
        .await?
        .ok_or(Failure::Stored("event type"))?;
    BookedHost {
        id: new.id,
        email_sealed: new.contact_email_sealed.clone(),
    }
    .take_over(context, &mut page)?;
    page.rule.zone = context
        .zones
        .get(&new.zone)
        .map_err(|_| Failure::Stored("zone"))?;
    let loaded = availability::load(context, conn, &page, now, blocked, Some(booking.id)).await?;
    if loaded.busy().overlaps(blocked) {
        return Err(MoveError::Taken(Box::new(booking.clone())));
    }
    let in_the_way: Vec<Uuid> = loaded
        .lapsed
        .iter()
        .filter(|(_, span)| span.overlaps(blocked))
        .map(|(id, _)| *id)
        .collect();
    if !in_the_way.is_empty() {
        transitions::expire(conn, &in_the_way, None, now).await?;
    }
    Ok(())
}

fn new_host(
    context: &Context,
    booking: &PublicBooking,
    from: Uuid,
    new: &SubstituteRow,
    locked: &Locked,
) -> Result<NewHost, MoveError> {
    let zone = context
        .zones
        .get(&new.zone)
        .map_err(|_| Failure::Stored("zone"))?;
    let place = Place::new("hosts", "display_name", new.id);
    let keys = &context.keys.seal;
    let name = keys
        .open_text(place, &new.display_name_sealed)
        .map_err(Failure::from)?;
    let name_sealed = context.seal(Place::new("bookings", "host_name", booking.id), &name)?;
    let span = booking.standing.span;
    Ok(NewHost {
        from,
        to: new.id,
        calendar: locked.calendar_id,
        start_local: Local(zone.wall(span.from)),
        end_local: Local(zone.wall(span.to)),
        zone: zone.name().to_owned(),
        name_sealed,
    })
}

/// The old host's cancellation, the new one's confirmation, everybody else's change, and the
/// reminders of those who are left.
fn mail(facts: &RowFacts, old: Uuid, new: Uuid, start: Instant, now: Instant) -> Vec<Owed> {
    let before = Audience {
        hosts: vec![old],
        guests: Vec::new(),
    };
    let after = Audience {
        hosts: vec![new],
        guests: facts.audience.guests.clone(),
    };
    let is_host = |mail: &Owed| matches!(mail.recipient, Recipient::Host(_));
    let mut mail = before.notice(MailKind::Cancelled, now);
    mail.extend(after.notice(MailKind::Confirmed, now));
    mail.retain(is_host);
    let mut others = after.notice(MailKind::Rescheduled, now);
    others.retain(|mail| !is_host(mail));
    mail.extend(others);
    mail.extend(after.reminders(&facts.reminders, start, now));
    mail
}
