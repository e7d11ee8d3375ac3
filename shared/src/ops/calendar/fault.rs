//! What keeps a calendar from being known, in the words of the host who sees it.

use uuid::Uuid;

use crate::{
    ops::{CalendarFault, Context, Failure, UnknownCalendar, stored_event},
    seal::Place,
    store::{calendars, events},
};

/// Why busy time is not known, for the host alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFault {
    pub calendar: Uuid,
    /// As its owner named it.
    pub calendar_name: Option<String>,
    /// The event in the way, if it is one: its id opens it through the API.
    pub event: Option<Uuid>,
    pub event_title: Option<String>,
    pub why: CalendarFault,
    /// What could not be understood, in words.
    pub problems: Vec<String>,
}

/// Names what is in the way, as far as `host` may know it.
///
/// # Errors
/// [`Failure`].
pub async fn name_fault(
    context: &Context,
    host: Uuid,
    unknown: UnknownCalendar,
) -> Result<NamedFault, Failure> {
    let seal = &context.keys.seal;
    let mut named = NamedFault {
        calendar: unknown.calendar,
        calendar_name: None,
        event: unknown.event,
        event_title: None,
        why: unknown.why,
        problems: Vec::new(),
    };
    let mut conn = context.pool.acquire().await?;
    let seen = calendars::names(&mut conn, host).await?;
    let Some(calendar) = seen.into_iter().find(|row| row.id == unknown.calendar) else {
        return Ok(named);
    };
    named.calendar_name = calendar
        .name_sealed
        .map(|sealed| seal.open_text(Place::new("calendars", "name", calendar.id), &sealed))
        .transpose()?;
    let Some(event) = unknown.event else {
        return Ok(named);
    };
    if let Some(row) = events::trouble(&mut conn, calendar.id, event).await? {
        let title = seal.open_text(Place::new("events", "title", event), &row.title_sealed)?;
        named.event_title = Some(title).filter(|title| !title.is_empty());
        let problems =
            stored_event::open_problems(&context.keys, event, row.problems_sealed.as_deref())?;
        named.problems = problems
            .into_iter()
            .filter(|problem| problem.blocking)
            .map(|problem| problem.text)
            .collect();
    }
    Ok(named)
}
