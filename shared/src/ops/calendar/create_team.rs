//! Making a team calendar.

use uuid::Uuid;

use super::{CalendarError, SeenCalendar, seen};
use crate::{
    id,
    ops::{Context, name, whole::transact},
    seal::Place,
    store::{begin::begin, calendars, locks},
};

/// Makes a team calendar that `host` owns. It counts as busy for them until they switch that off.
///
/// # Errors
/// [`CalendarError::Invalid`] for its name.
pub async fn create_team(
    context: &Context,
    host: Uuid,
    name: &str,
) -> Result<SeenCalendar, CalendarError> {
    let name = name::parse(name)?;
    let id = id::new(context.clock.now(), &context.random)?;
    let name_sealed = context.seal(Place::new("calendars", "name", id), &name)?;
    transact(context, move |context| {
        let name_sealed = name_sealed.clone();
        async move {
            let mut tx = begin(&context.pool).await?;
            // What a host sees changes: no booking of theirs is between its locks and its insert.
            locks::lock_seers(&mut tx, &[host]).await?;
            calendars::insert_team(&mut tx, id, host, &name_sealed).await?;
            tx.commit().await?;
            Ok::<(), CalendarError>(())
        }
    })
    .await?;
    seen::seen_one(context, host, id).await
}
