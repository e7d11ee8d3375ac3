//! Deleting a calendar.

use uuid::Uuid;

use super::{CalendarError, role};
use crate::{
    ops::{Context, calendar::role::CalendarKind, whole::transact},
    store::{begin::begin, calendars, events, locks},
};

/// How often the locks are taken anew when members changed meanwhile.
const ROUNDS: u32 = 10;

/// Deletes a calendar with its events; by its owner. The personal one stays, and so does one that
/// bookings have their events on.
///
/// # Errors
/// [`CalendarError`].
pub async fn delete_calendar(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
) -> Result<(), CalendarError> {
    for _ in 0..ROUNDS {
        let done = transact(context, move |context| async move {
            attempt(&context, host, calendar).await
        })
        .await?;
        if done {
            return Ok(());
        }
    }
    Err(CalendarError::Changing)
}

/// `false` if somebody joined or left between the look and the locks.
async fn attempt(context: &Context, host: Uuid, calendar: Uuid) -> Result<bool, CalendarError> {
    let mut tx = begin(&context.pool).await?;
    // Everybody who sees it sees less: they are locked first, as for every change of that kind.
    let seers = calendars::seers(&mut tx, calendar).await?;
    locks::lock_seers(&mut tx, &seers).await?;
    if !calendars::lock(&mut tx, calendar).await? {
        return Err(CalendarError::NotFound);
    }
    if calendars::seers(&mut tx, calendar).await? != seers {
        return Ok(false);
    }
    let access = role::access(&mut tx, calendar, host)
        .await?
        .ok_or(CalendarError::NotFound)?;
    if !access.is_owner() {
        return Err(CalendarError::NotPermitted(
            "a calendar is deleted by its owner",
        ));
    }
    if access.kind == CalendarKind::Personal {
        return Err(CalendarError::Personal);
    }
    let bookings = events::bookings_on(&mut tx, calendar).await?;
    if !bookings.is_empty() {
        return Err(CalendarError::HasBookings(bookings));
    }
    events::clear(&mut tx, calendar).await?;
    calendars::delete(&mut tx, calendar).await?;
    tx.commit().await?;
    Ok(true)
}
