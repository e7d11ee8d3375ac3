//! A booking for whoever holds its token.

use super::{Context, failure::Failure};
use crate::{
    booking::{PublicBooking, State},
    instant::Span,
    store::bookings::{self, BookingKey, BookingRow, PastRow},
    token,
};

/// Shows the booking that a manage token opens; `None` for an unknown or malformed token, at the
/// price of the same look-up.
///
/// # Errors
/// [`Failure`].
pub async fn show_booking(
    context: &Context,
    presented: &str,
) -> Result<Option<PublicBooking>, Failure> {
    let mut conn = context.pool.acquire().await?;
    let row = bookings::find(&mut conn, BookingKey::Token(token::hash(presented))).await?;
    drop(conn);
    row.map(|row| open(context, row)).transpose()
}

/// Opens a row.
pub(super) fn open(context: &Context, row: BookingRow) -> Result<PublicBooking, Failure> {
    Ok(PublicBooking::open(
        row,
        &context.keys.seal,
        &context.zones,
    )?)
}

/// Turns a booking into what it was at a revision.
pub(super) fn as_it_was(
    booking: &mut PublicBooking,
    past: &PastRow,
    revision: i32,
) -> Result<(), Failure> {
    let state = past
        .to_state
        .parse()
        .map_err(|_| Failure::Stored("state"))?;
    booking.standing.state = state;
    booking.standing.revision = revision;
    booking.standing.span = Span::new(past.from, past.to).ok_or(Failure::Stored("span"))?;
    booking.standing.booker_reschedules = past.booker_moves;
    booking.revised_at = past.at;
    if state != State::Cancelled {
        booking.cancelled_by = None;
    }
    Ok(())
}
