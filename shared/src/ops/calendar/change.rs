//! Naming a calendar, and whether it counts as busy.

use uuid::Uuid;

use super::{CalendarError, SeenCalendar, role, seen};
use crate::{
    ops::{Context, name, whole::transact},
    seal::Place,
    store::{begin::begin, calendars, locks},
};

/// What to change of a calendar.
#[derive(Clone, Debug, Default)]
pub struct CalendarChange {
    /// Its name, for everybody who sees it: by its owner.
    pub name: Option<String>,
    /// Whether it counts as busy for the caller, and for nobody else.
    pub counts_as_busy: Option<bool>,
}

/// Changes a calendar that `host` sees.
///
/// # Errors
/// [`CalendarError`].
pub async fn change_calendar(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
    change: CalendarChange,
) -> Result<SeenCalendar, CalendarError> {
    transact(context, move |context| {
        let change = change.clone();
        async move {
            let mut tx = begin(&context.pool).await?;
            locks::lock_seers(&mut tx, &[host]).await?;
            if !calendars::lock(&mut tx, calendar).await? {
                return Err(CalendarError::NotFound);
            }
            let access = role::access(&mut tx, calendar, host)
                .await?
                .ok_or(CalendarError::NotFound)?;
            if let Some(name) = &change.name {
                if !access.is_owner() {
                    return Err(CalendarError::NotPermitted(
                        "a calendar is named by its owner",
                    ));
                }
                let name = name::parse(name)?;
                let sealed = context.seal(Place::new("calendars", "name", calendar), &name)?;
                calendars::rename(&mut tx, calendar, &sealed).await?;
            }
            if let Some(counts) = change.counts_as_busy {
                calendars::set_counts(&mut tx, calendar, host, counts).await?;
            }
            tx.commit().await?;
            Ok(())
        }
    })
    .await?;
    seen::seen_one(context, host, calendar).await
}
