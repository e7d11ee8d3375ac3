//! The invitation of a booking as a file, for whoever holds its token.

use super::{Context, failure::Failure};
use crate::{
    booking::State,
    mail::{
        facts::MailFacts,
        invitation::Invitation,
        kind::{Method, Role},
    },
    store::bookings::{self, BookingKey},
    token,
};

/// Makes the iCalendar file: a REQUEST for what is confirmed or took place, a CANCEL for what was
/// cancelled. `None` for unknown tokens, and for a booking that was never confirmed.
///
/// # Errors
/// [`Failure`].
pub async fn invitation(context: &Context, presented: &str) -> Result<Option<String>, Failure> {
    let mut conn = context.pool.acquire().await?;
    let Some(row) = bookings::find(&mut conn, BookingKey::Token(token::hash(presented))).await?
    else {
        return Ok(None);
    };
    drop(conn);
    let facts = MailFacts::open(row, &context.keys.seal, &context.zones)?;
    let method = match facts.booking.standing.state {
        State::Confirmed | State::Completed | State::NoShow => Method::Request,
        State::Cancelled => Method::Cancel,
        State::Held | State::Expired => return Ok(None),
    };
    let Some(view) = facts.invitation() else {
        return Ok(None);
    };
    let (place, reader) = (facts.place(), facts.booker());
    let invitation = Invitation {
        method,
        booking_id: facts.booking.id,
        instance_id: context.instance,
        span: facts.booking.standing.span,
        title: &facts.booking.title,
        place: &place,
        facts: &view,
        sender: &context.mail_from.address,
        role: Role::Booker,
        reader: &reader,
        locale: facts.booking.locale,
    };
    Ok(Some(invitation.to_ics()))
}
