//! Sharing a calendar, and leaving one.

use uuid::Uuid;

use super::{CalendarError, SeenCalendar, role, seen};
use crate::{
    ops::{Context, whole::transact},
    store::{begin::begin, calendars, hosts, locks},
};

/// Lets the host with that handle see a calendar; by its owner. It counts as busy for them until
/// they switch that off. Who sees it already stays as they are.
///
/// # Errors
/// [`CalendarError`].
pub async fn add_member(
    context: &Context,
    owner: Uuid,
    calendar: Uuid,
    handle: &str,
) -> Result<SeenCalendar, CalendarError> {
    let added = {
        let mut conn = context.pool.acquire().await?;
        own(&mut conn, calendar, owner).await?;
        let found = hosts::by_handle(&mut conn, handle).await?;
        found
            .filter(|host| host.is_active)
            .ok_or(CalendarError::NotFound)?
            .id
    };
    transact(context, move |context| async move {
        let mut tx = begin(&context.pool).await?;
        locks::lock_seers(&mut tx, &[added]).await?;
        if !calendars::lock(&mut tx, calendar).await? {
            return Err(CalendarError::NotFound);
        }
        own(&mut tx, calendar, owner).await?;
        calendars::add_member(&mut tx, calendar, added).await?;
        tx.commit().await?;
        Ok(())
    })
    .await?;
    seen::seen_one(context, owner, calendar).await
}

/// Takes a calendar from the host with that handle: by its owner, or by themselves, who leave it.
/// Its owner stays.
///
/// # Errors
/// [`CalendarError`].
pub async fn remove_member(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
    handle: &str,
) -> Result<(), CalendarError> {
    let removed = {
        let mut conn = context.pool.acquire().await?;
        role::access(&mut conn, calendar, host)
            .await?
            .ok_or(CalendarError::NotFound)?;
        hosts::by_handle(&mut conn, handle)
            .await?
            .ok_or(CalendarError::NotFound)?
            .id
    };
    transact(context, move |context| async move {
        let mut tx = begin(&context.pool).await?;
        locks::lock_seers(&mut tx, &[removed]).await?;
        if !calendars::lock(&mut tx, calendar).await? {
            return Err(CalendarError::NotFound);
        }
        let access = role::access(&mut tx, calendar, host)
            .await?
            .ok_or(CalendarError::NotFound)?;
        if removed != host && !access.is_owner() {
            return Err(CalendarError::NotPermitted(
                "others are removed by the calendar's owner",
            ));
        }
        let their = role::access(&mut tx, calendar, removed)
            .await?
            .ok_or(CalendarError::NotFound)?;
        if their.is_owner() {
            return Err(CalendarError::NotPermitted(
                "the owner does not leave a calendar: delete it instead",
            ));
        }
        calendars::remove_member(&mut tx, calendar, removed).await?;
        tx.commit().await?;
        Ok(())
    })
    .await
}

async fn own(
    conn: &mut sqlx::PgConnection,
    calendar: Uuid,
    host: Uuid,
) -> Result<(), CalendarError> {
    match role::access(conn, calendar, host).await? {
        None => Err(CalendarError::NotFound),
        Some(access) if access.is_owner() => Ok(()),
        Some(_) => Err(CalendarError::NotPermitted(
            "a calendar is shared by its owner",
        )),
    }
}
