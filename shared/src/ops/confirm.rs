//! Confirming a hold, from the booker's mailbox.

use super::{
    Context,
    book::Organizer,
    changing::{self, Authority, ChangeError, Held, Owned},
    whole::transact,
};
use crate::{
    booking::{Actor, PublicBooking, Refusal, Step},
    mail::kind::MailKind,
    store::{
        begin::begin,
        outbox::{self, OwedRows},
        transitions::{self, Change},
    },
};

/// Confirms the hold that a manage token opens. Confirming what is confirmed changes nothing and
/// answers the booking.
///
/// # Errors
/// [`ChangeError`]; a hold is confirmed only while `now < hold_expires_at` and `now < start`.
pub async fn confirm(
    context: &Context,
    presented: &str,
    expected_revision: Option<i32>,
) -> Result<PublicBooking, ChangeError> {
    let authority = Authority::Token(presented).owned();
    let (booking, changed) = transact(context, move |context| async move {
        attempt(&context, authority, expected_revision).await
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
    expected: Option<i32>,
) -> Result<(PublicBooking, bool), ChangeError> {
    let mut tx = begin(&context.pool).await?;
    let Held {
        locked,
        booking,
        row,
    } = changing::hold(context, &mut tx, authority).await?;
    let now = locked.now;
    match booking.standing.confirm(now, expected) {
        Err(refusal) => return Err(ChangeError::Refused(refusal, Box::new(booking))),
        Ok(Step::Already) => return Ok((booking, false)),
        Ok(Step::Go) => {}
    }
    let organizer =
        Organizer::now(&context.mail_from, &booking.host_name).seal(context, booking.id)?;
    let change = Change::new(booking.id, booking.standing.revision, Actor::Booker, now);
    if !transitions::confirm(&mut tx, change, &organizer).await? {
        return Err(ChangeError::Refused(
            Refusal::RevisionConflict,
            Box::new(changing::read(context, &mut tx, booking.id).await?),
        ));
    }
    outbox::skip(&mut tx, booking.id, &[MailKind::Hold], now).await?;
    let mut mail = row.audience.notice(MailKind::Confirmed, now);
    mail.extend(
        row.audience
            .reminders(&row.reminders, booking.standing.span.from, now),
    );
    let rows = OwedRows::new(&mail, now, &context.random)?;
    outbox::insert(
        &mut tx,
        booking.id,
        booking.standing.revision + 1,
        &rows,
        now,
    )
    .await?;
    let after = changing::read(context, &mut tx, booking.id).await?;
    tx.commit().await?;
    Ok((after, true))
}
