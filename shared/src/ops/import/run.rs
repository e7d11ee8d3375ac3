//! The import: read, compared and written as one.

use std::sync::Arc;

use uuid::Uuid;

use super::{
    ImportError, booked,
    plan::{self, Incoming},
};
use crate::{
    calendar::{
        event::{Calendar, Event},
        ics_read,
    },
    ops::{
        Context, Failure,
        stored_event::{self, StoredProblem},
        whole::{transact, whole},
    },
    store::{begin::begin, calendars, events, imports},
};

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportReport {
    /// Events that were not there, overrides counted.
    pub added: usize,
    /// Events that say something else now.
    pub updated: usize,
    /// Events that say what they said, stand with a higher SEQUENCE, or are a booking's own.
    pub unchanged: usize,
    /// What could not be understood, by line.
    pub problems: Vec<StoredProblem>,
}

/// Takes the events of a file over into a calendar, all or none. The work goes on if whoever asked
/// for it leaves, and `permit` with it.
///
/// # Errors
/// [`ImportError`].
pub async fn import(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
    bytes: Vec<u8>,
    permit: impl Send + 'static,
) -> Result<ImportReport, ImportError> {
    let context = context.clone();
    whole(async move {
        let _permit = permit;
        may_write(&context, host, calendar).await?;
        let zones = context.zones.clone();
        let file = tokio::task::spawn_blocking(move || ics_read::read(&bytes, &zones))
            .await
            .map_err(|_| Failure::Interrupted)??;
        let damage: Vec<StoredProblem> = file
            .problems
            .iter()
            .filter(|problem| problem.blocking)
            .map(StoredProblem::from)
            .collect();
        if !damage.is_empty() {
            return Err(ImportError::Damaged(damage));
        }
        let file = Arc::new(file);
        transact(&context, move |context| {
            let file = file.clone();
            async move { attempt(&context, host, calendar, &file).await }
        })
        .await
    })
    .await
}

async fn may_write(context: &Context, host: Uuid, calendar: Uuid) -> Result<(), ImportError> {
    let mut conn = context.pool.acquire().await?;
    let seen = imports::seen(&mut conn, host, calendar).await?;
    let seen = seen.ok_or(ImportError::NotFound)?;
    match seen.kind.as_str() {
        "team" => Ok(()),
        "personal" if seen.is_owner => Ok(()),
        _ => Err(ImportError::ReadOnly),
    }
}

async fn attempt(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
    file: &Arc<Calendar>,
) -> Result<ImportReport, ImportError> {
    let now = context.clock.now();
    // Before the lock: sealing and finding where series end takes its time.
    let rows = {
        let (context, file) = (context.clone(), file.clone());
        tokio::task::spawn_blocking(move || stored_event::rows(&context, &file, now))
            .await
            .map_err(|_| Failure::Interrupted)??
    };
    let mut tx = begin(&context.pool).await?;
    if !calendars::lock(&mut tx, calendar).await? {
        return Err(ImportError::NotFound);
    }
    let seen = imports::seen(&mut tx, host, calendar).await?;
    let seen = seen.ok_or(ImportError::NotFound)?;
    let zone = context
        .zones
        .get(&seen.zone)
        .map_err(|_| Failure::Stored("host"))?;
    let bookings: Vec<Uuid> = rows.iter().filter_map(|row| row.copy_of).collect();
    let booked = imports::booked(&mut tx, calendar, &bookings).await?;
    for (event, is_override) in events_of(file) {
        let booking = event
            .uid
            .as_deref()
            .and_then(|uid| stored_event::copy_of(uid, context.instance));
        if let Some(held) = booked.iter().find(|row| Some(row.booking_id) == booking) {
            booked::check(event, is_override, held, &zone)?;
        }
    }
    for event in &file.unreadable {
        let booking = event
            .uid
            .as_deref()
            .and_then(|uid| stored_event::copy_of(uid, context.instance));
        if let Some(held) = booked.iter().find(|row| Some(row.booking_id) == booking) {
            return Err(ImportError::Locked {
                booking: held.booking_id,
                field: "start",
                line: event.line,
            });
        }
    }
    let is_own = |copy: Option<Uuid>| booked.iter().any(|row| Some(row.booking_id) == copy);
    let own = rows.iter().filter(|row| is_own(row.copy_of)).count();
    let uids: Vec<Vec<u8>> = rows.iter().filter_map(|row| row.uid_fp.clone()).collect();
    let contents: Vec<Vec<u8>> = rows
        .iter()
        .filter(|row| row.uid_fp.is_none())
        .filter_map(|row| row.content_fp.clone())
        .collect();
    let standing = imports::standing(&mut tx, calendar, &uids, &contents).await?;
    // The rows of series are in the order of the file's, then come all others.
    let incoming = rows
        .into_iter()
        .enumerate()
        .filter(|(_, row)| !is_own(row.copy_of))
        .map(|(place, mut row)| {
            let stray = file.strays.iter().find(|(at, _)| *at == place);
            if let Some((_, replaces)) = stray
                && let Some(series) = file.series.get(place)
            {
                let timing =
                    crate::calendar::timing::Timing::of(&series.master, Some(replaces.clone()));
                row.timing = Some(timing.to_json());
            }
            Incoming {
                row,
                is_stray: stray.is_some(),
            }
        })
        .collect();
    let plan = plan::plan(context, &standing, incoming)?;
    if !plan.add.is_empty() {
        let (old, new): (Vec<Uuid>, Vec<Uuid>) = plan.succeed.iter().copied().unzip();
        events::insert(&mut tx, calendar, &plan.add, now).await?;
        imports::inherit(&mut tx, &old, &new).await?;
        imports::hand_over(&mut tx, &old, &new).await?;
        events::remove(&mut tx, calendar, &plan.remove).await?;
        let widened: Vec<_> = plan.widen.iter().collect();
        let ids: Vec<Uuid> = widened.iter().map(|(id, _)| **id).collect();
        let from: Vec<_> = widened.iter().map(|(_, reach)| reach.0).collect();
        let to: Vec<_> = widened.iter().map(|(_, reach)| reach.1).collect();
        imports::widen(&mut tx, &ids, &from, &to).await?;
        calendars::bump(&mut tx, calendar).await?;
    }
    tx.commit().await?;
    let problems = events_of(file)
        .flat_map(|(event, _)| &event.problems)
        .chain(file.unreadable.iter().flat_map(|event| &event.problems))
        .map(StoredProblem::from);
    let mut problems: Vec<StoredProblem> = problems.collect();
    problems.sort_by_key(|problem| problem.line);
    Ok(ImportReport {
        added: plan.added,
        updated: plan.updated,
        unchanged: plan.unchanged + own,
        problems,
    })
}

/// Every event of the file that could be read, and whether it is an override in its series.
fn events_of(file: &Calendar) -> impl Iterator<Item = (&Event, bool)> {
    file.series.iter().flat_map(|series| {
        let overrides = series.overrides.iter().map(|change| (&change.event, true));
        std::iter::once((&series.master, false)).chain(overrides)
    })
}
