//! Marking a meeting as completed, or its booker as a no-show. By the host alone; mails nobody.

use uuid::Uuid;

use super::{
    Context,
    changing::{self, Authority, ChangeError, Held, Owned},
    whole::transact,
};
use crate::{
    booking::{Actor, PublicBooking, Refusal, State, Step},
    mail::kind::MailKind,
    store::{
        begin::begin,
        outbox,
        transitions::{self, Change},
    },
};

/// Whether the booker came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attendance {
    /// It took place.
    Completed,
    /// The booker stayed away.
    NoShow,
}

/// Marks a booking of that host once it has begun. Marking it the same again changes nothing.
///
/// # Errors
/// [`ChangeError`].
pub async fn finish(
    context: &Context,
    host: Uuid,
    booking: Uuid,
    attendance: Attendance,
    expected_revision: Option<i32>,
) -> Result<PublicBooking, ChangeError> {
    let authority = Authority::Host { booking, host }.owned();
    let to = match attendance {
        Attendance::Completed => State::Completed,
        Attendance::NoShow => State::NoShow,
    };
    transact(context, move |context| async move {
        attempt(&context, authority, to, expected_revision).await
    })
    .await
}

async fn attempt(
    context: &Context,
    authority: Owned,
    to: State,
    expected: Option<i32>,
) -> Result<PublicBooking, ChangeError> {
    let mut tx = begin(&context.pool).await?;
    let Held {
        locked, booking, ..
    } = changing::hold(context, &mut tx, authority).await?;
    let now = locked.now;
    match booking.standing.finish(now, to, expected) {
        Err(refusal) => return Err(ChangeError::Refused(refusal, Box::new(booking))),
        Ok(Step::Already) => return Ok(booking),
        Ok(Step::Go) => {}
    }
    let change = Change::new(booking.id, booking.standing.revision, Actor::Host, now);
    if !transitions::finish(&mut tx, change, to).await? {
        return Err(ChangeError::Refused(
            Refusal::RevisionConflict,
            Box::new(changing::read(context, &mut tx, booking.id).await?),
        ));
    }
    outbox::skip(&mut tx, booking.id, &MailKind::ENDED_BY_THE_END, now).await?;
    let after = changing::read(context, &mut tx, booking.id).await?;
    tx.commit().await?;
    Ok(after)
}
