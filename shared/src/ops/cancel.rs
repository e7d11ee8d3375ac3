//! Cancelling: a hold is released, a confirmed meeting is called off and everybody hears of it.

use super::{
    Context,
    changing::{self, Authority, ChangeError, Held, Owned},
    whole::transact,
};
use crate::{
    booking::{Actor, PublicBooking, Refusal, State, Step},
    mail::kind::MailKind,
    seal::Place,
    store::{
        begin::begin,
        outbox::{self, OwedRows},
        transitions::{self, Change},
    },
};

/// The longest reason, in characters.
pub const MAX_REASON_CHARS: usize = 2_000;

/// Cancels a booking. Cancelling what the same kind of actor cancelled changes nothing and answers
/// the booking. A hold that is released mails nobody.
///
/// # Errors
/// [`ChangeError`].
pub async fn cancel(
    context: &Context,
    authority: Authority<'_>,
    reason: Option<String>,
    expected_revision: Option<i32>,
) -> Result<PublicBooking, ChangeError> {
    let (owned, actor) = (authority.owned(), authority.actor());
    let (booking, changed) = transact(context, move |context| {
        let reason = reason.clone();
        async move { attempt(&context, owned, actor, reason.as_deref(), expected_revision).await }
    })
    .await?;
    if changed {
        context.wake.mail_is_owed();
    }
    Ok(booking)
}

async fn attempt(
    context: &Context,
    authority: Owned,
    actor: Actor,
    reason: Option<&str>,
    expected: Option<i32>,
) -> Result<(PublicBooking, bool), ChangeError> {
    let mut tx = begin(&context.pool).await?;
    let Held {
        locked,
        booking,
        row,
    } = changing::hold(context, &mut tx, authority).await?;
    let now = locked.now;
    match booking
        .standing
        .cancel(now, actor, booking.cancelled_by, expected)
    {
        Err(refusal) => return Err(ChangeError::Refused(refusal, Box::new(booking))),
        Ok(Step::Already) => return Ok((booking, false)),
        Ok(Step::Go) => {}
    }
    let released = booking.standing.state == State::Held;
    let done = if released {
        transitions::expire(&mut tx, &[booking.id], Some(actor), now).await? == 1
    } else {
        let reason = reason
            .map(|reason| context.seal(Place::new("bookings", "cancel_reason", booking.id), reason))
            .transpose()?;
        let change = Change::new(booking.id, booking.standing.revision, actor, now);
        transitions::cancel(&mut tx, change, reason.as_deref()).await?
    };
    if !done {
        return Err(ChangeError::Refused(
            Refusal::RevisionConflict,
            Box::new(changing::read(context, &mut tx, booking.id).await?),
        ));
    }
    if !released {
        outbox::skip(&mut tx, booking.id, &MailKind::ENDED_BY_THE_END, now).await?;
        let rows = OwedRows::new(
            &row.audience.notice(MailKind::Cancelled, now),
            now,
            &context.random,
        )?;
        outbox::insert(
            &mut tx,
            booking.id,
            booking.standing.revision + 1,
            &rows,
            now,
        )
        .await?;
    }
    let after = changing::read(context, &mut tx, booking.id).await?;
    tx.commit().await?;
    Ok((after, !released))
}
