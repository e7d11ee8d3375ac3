//! When the events of a host's calendars take their time: expanded once for each revision of a
//! calendar and kept in the process.

use std::{collections::HashMap, sync::Arc};

use quick_cache::{Weighter, sync::Cache};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Context, failure::Failure, stored_event};
use crate::{
    calendar::{
        event::{Calendar, Event, Override, Series, Unreadable},
        problem::{Fault, Problem},
        recurrence::{self, Budget, Host, IncompleteBusy, Why},
    },
    config::Keys,
    instant::{Instant, Span},
    store::events::{self, BusyEventRow},
    zone::{Zone, Zones},
};

/// Steps that one look at a calendar may take: some tenths of a second at the worst.
const STEPS: u64 = 300_000;
/// A calendar with more events is expanded off the threads that serve requests.
const FEW: usize = 50;
/// Windows begin and end at multiples of so many minutes since the epoch, so that neighbouring
/// requests share one.
const WINDOW_MIN: i64 = 32 * 24 * 60;
/// A window that grows with what is asked for stays below this.
const LONGEST_WINDOW_MIN: i64 = 25 * WINDOW_MIN;
/// Spans and calendars that are kept: some ten megabytes.
const CACHED: u64 = 500_000;

/// Expanded calendars, each as one host sees it. Cheap to clone; clones share it.
#[derive(Clone)]
pub struct BusyCache(Arc<Cache<(Uuid, Uuid), Arc<CalendarBusy>, BySpans>>);

#[derive(Clone)]
struct BySpans;

impl Weighter<(Uuid, Uuid), Arc<CalendarBusy>> for BySpans {
    fn weight(&self, _: &(Uuid, Uuid), busy: &Arc<CalendarBusy>) -> u64 {
        // What an entry without any span takes is some ten of them.
        busy.spans.len() as u64 + 10
    }
}

impl Default for BusyCache {
    fn default() -> Self {
        Self(Arc::new(Cache::with_weighter(1_000, CACHED, BySpans)))
    }
}

/// Whose time it is.
#[derive(Clone, Debug)]
pub(super) struct Whose {
    pub(super) host: Uuid,
    /// Where dates and floating times take place.
    pub(super) zone: Zone,
    /// The host's address, in lower case: what they declined is free.
    pub(super) address: String,
}

/// A calendar as [`busy::load`](crate::store::busy::load) names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenCalendar {
    pub(super) id: Uuid,
    pub(super) revision: i64,
    pub(super) stale_at: Option<Instant>,
    pub(super) never_read: bool,
}

/// A calendar's busy time over a window.
#[derive(Debug)]
pub(super) struct CalendarBusy {
    pub(super) calendar: Uuid,
    revision: i64,
    zone: Zone,
    address: String,
    window: Span,
    /// In order, merged.
    spans: Vec<Span>,
    fault: Option<(Option<Uuid>, CalendarFault)>,
}

impl CalendarBusy {
    /// What lies in a range of the window.
    pub(super) fn within(&self, range: Span) -> &[Span] {
        let from = self.spans.partition_point(|span| span.to <= range.from);
        let rest = self.spans.get(from..).unwrap_or_default();
        let to = rest.partition_point(|span| span.from < range.to);
        rest.get(..to).unwrap_or_default()
    }

    fn serves(&self, seen: SeenCalendar, whose: &Whose, range: Span) -> bool {
        self.revision == seen.revision
            && self.window.from <= range.from
            && range.to <= self.window.to
            && self.zone == whose.zone
            && self.address == whose.address
    }
}

/// Why a calendar's busy time is not known. Told to the host alone.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CalendarFault {
    /// Subscribed, and not read yet.
    #[error("it has not been read yet")]
    NeverRead,
    /// Its last good sync is older than its limit.
    #[error("its last good sync is too old")]
    Stale,
    /// Something in an event that may decide when the host is busy could not be understood.
    #[error("a part of an event cannot be understood")]
    Problem,
    /// A recurrence rule that cannot be followed exactly.
    #[error("a recurrence rule cannot be followed")]
    Rule,
    /// It takes more steps to expand than are allowed.
    #[error("it takes too many steps to expand")]
    TooMuch,
    /// A time that cannot be placed.
    #[error("a time cannot be placed")]
    OutOfRange,
}

/// Busy time is not known exactly: nothing may be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the calendar {calendar}: {why}")]
pub struct UnknownCalendar {
    pub calendar: Uuid,
    /// The event that is in the way of knowing, if it is one.
    pub event: Option<Uuid>,
    pub why: CalendarFault,
}

/// Why busy time was not loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum BusyError {
    #[error(transparent)]
    Unknown(#[from] UnknownCalendar),
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for BusyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

/// The busy time of every calendar over `range`: from the cache where it has this revision, else
/// read and expanded, in one round trip for all of them.
///
/// # Errors
/// [`BusyError::Unknown`] for the first calendar that cannot be judged exactly.
pub(super) async fn load(
    context: &Context,
    conn: &mut PgConnection,
    whose: &Whose,
    calendars: &[SeenCalendar],
    range: Span,
    now: Instant,
) -> Result<Vec<Arc<CalendarBusy>>, BusyError> {
    let mut known = Vec::with_capacity(calendars.len());
    let mut missing = Vec::new();
    for &seen in calendars {
        let too_old = seen.stale_at.is_some_and(|stale| stale <= now);
        if seen.never_read || too_old {
            return Err(UnknownCalendar {
                calendar: seen.id,
                event: None,
                why: if seen.never_read {
                    CalendarFault::NeverRead
                } else {
                    CalendarFault::Stale
                },
            }
            .into());
        }
        let held = context.busy.0.get(&(seen.id, whose.host));
        match held {
            Some(busy) if busy.serves(seen, whose, range) => known.push(busy),
            held => missing.push((seen, window(held.as_deref(), range))),
        }
    }
    if !missing.is_empty() {
        let ids: Vec<Uuid> = missing.iter().map(|(seen, _)| seen.id).collect();
        let widest = missing
            .iter()
            .fold(range, |all, (_, window)| union(all, *window));
        let mut rows: HashMap<Uuid, Vec<BusyEventRow>> = HashMap::new();
        for row in events::in_reach(conn, &ids, whose.host, widest).await? {
            rows.entry(row.calendar_id).or_default().push(row);
        }
        for (seen, window) in missing {
            let rows = rows.remove(&seen.id).unwrap_or_default();
            let busy = Arc::new(expand(context, whose, seen, window, rows).await?);
            context.busy.0.insert((seen.id, whose.host), busy.clone());
            known.push(busy);
        }
    }
    for busy in &known {
        if let Some((event, why)) = busy.fault {
            return Err(UnknownCalendar {
                calendar: busy.calendar,
                event,
                why,
            }
            .into());
        }
    }
    Ok(known)
}

fn union(a: Span, b: Span) -> Span {
    Span {
        from: a.from.min(b.from),
        to: a.to.max(b.to),
    }
}

/// The window to expand for a range: rounded outward, and joined with what was kept before, so
/// that a visitor who pages through months does not throw out each for the next.
fn window(held: Option<&CalendarBusy>, range: Span) -> Span {
    const WINDOW_US: i64 = WINDOW_MIN * 60_000_000;
    let instant = |windows: i64| {
        windows
            .checked_mul(WINDOW_US)
            .and_then(Instant::from_microsecond)
    };
    let round = || {
        let from = range.from.as_microsecond().div_euclid(WINDOW_US);
        let to = range.to.as_microsecond().div_euclid(WINDOW_US) + 1;
        Span::new(instant(from)?, instant(to)?)
    };
    let rounded = round().unwrap_or(range);
    match held.map(|held| union(held.window, rounded)) {
        Some(joined) if joined.to.since(joined.from).as_mins() <= LONGEST_WINDOW_MIN => joined,
        _ => rounded,
    }
}

async fn expand(
    context: &Context,
    whose: &Whose,
    seen: SeenCalendar,
    window: Span,
    rows: Vec<BusyEventRow>,
) -> Result<CalendarBusy, Failure> {
    let (keys, zones, whose) = (context.keys.clone(), context.zones.clone(), whose.clone());
    let few = rows.len() <= FEW;
    let work = move || reckon(&keys, &zones, &whose, seen, window, &rows);
    if few {
        return work();
    }
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Failure::Interrupted)?
}

/// From rows to spans: pure but for the rows' seals.
fn reckon(
    keys: &Keys,
    zones: &Zones,
    whose: &Whose,
    seen: SeenCalendar,
    window: Span,
    rows: &[BusyEventRow],
) -> Result<CalendarBusy, Failure> {
    let mut busy = CalendarBusy {
        calendar: seen.id,
        revision: seen.revision,
        zone: whose.zone.clone(),
        address: whose.address.clone(),
        window,
        spans: Vec::new(),
        fault: None,
    };
    let calendar = calendar(keys, zones, rows)?;
    let host = Host {
        zone: &whose.zone,
        addresses: std::slice::from_ref(&whose.address),
    };
    match recurrence::busy(&calendar, &host, window, &mut Budget::new(STEPS)) {
        Ok(spans) => busy.spans = spans,
        Err(incomplete) => busy.fault = Some(fault(&incomplete, rows)),
    }
    Ok(busy)
}

/// The calendar that the rows make. An event's line is the number of its row, from 1.
fn calendar(keys: &Keys, zones: &Zones, rows: &[BusyEventRow]) -> Result<Calendar, Failure> {
    let mut calendar = Calendar::default();
    let mut at: HashMap<Uuid, usize> = HashMap::new();
    for (number, row) in (1u32..).zip(rows) {
        if row.series_id.is_some() || row.own_copy || row.marked_free {
            continue;
        }
        match event(keys, zones, row, number)? {
            Ok((event, _)) => {
                at.insert(row.id, calendar.series.len());
                calendar.series.push(Series {
                    master: event,
                    overrides: Vec::new(),
                });
            }
            Err(unreadable) => calendar.unreadable.push(unreadable),
        }
    }
    for (number, row) in (1u32..).zip(rows) {
        let Some(series) = row
            .series_id
            .and_then(|series| calendar.series.get_mut(*at.get(&series)?))
        else {
            continue;
        };
        match event(keys, zones, row, number)? {
            Ok((event, Some((original, and_future)))) => series.overrides.push(Override {
                original,
                and_future,
                event,
            }),
            Ok((event, None)) => calendar
                .unreadable
                .push(unreadable(number, event.is_busy(&[]))),
            Err(unreadable) => calendar.unreadable.push(unreadable),
        }
    }
    Ok(calendar)
}

/// An event with what it replaces, or what is left of one without times.
type EventOrRest = Result<(Event, Option<(crate::calendar::event::Moment, bool)>), Unreadable>;

fn event(
    keys: &Keys,
    zones: &Zones,
    row: &BusyEventRow,
    number: u32,
) -> Result<EventOrRest, Failure> {
    let Some(timing) = &row.timing else {
        return Ok(Err(unreadable(number, row.blocks && !row.marked_free)));
    };
    // A zone that the table in use does not have: fail closed, whatever the event is.
    let Ok(timing) = crate::calendar::timing::Timing::from_json(&timing.0, zones) else {
        return Ok(Err(unreadable(number, !row.marked_free)));
    };
    let attendees = stored_event::open_attendees(keys, row.id, row.attendees_sealed.as_deref())?;
    let kind = stored_event::kind(&row.kind).ok_or(Failure::Stored("event"))?;
    let status = stored_event::status(&row.status).ok_or(Failure::Stored("event"))?;
    let transparency =
        stored_event::transparency(&row.transparency).ok_or(Failure::Stored("event"))?;
    let event = Event {
        uid: None,
        line: number,
        sequence: 0,
        title: String::new(),
        notes: String::new(),
        location: String::new(),
        kind,
        transparency: if row.marked_free {
            crate::calendar::event::Transparency::Transparent
        } else {
            transparency
        },
        status,
        start: timing.start,
        length: timing.length,
        rrule: timing.rrule,
        exdates: timing.exdates,
        rdates: timing.rdates,
        attendees,
        problems: if row.blocks && !row.marked_free {
            vec![kept(number)]
        } else {
            Vec::new()
        },
        verbatim: None,
    };
    Ok(Ok((event, timing.replaces)))
}

fn unreadable(number: u32, busy: bool) -> Unreadable {
    Unreadable {
        uid: None,
        line: number,
        title: String::new(),
        busy,
        verbatim: String::new(),
        problems: vec![kept(number)],
    }
}

const fn kept(number: u32) -> Problem {
    Problem {
        line: number,
        what: Fault::Kept,
        blocking: true,
    }
}

fn fault(incomplete: &IncompleteBusy, rows: &[BusyEventRow]) -> (Option<Uuid>, CalendarFault) {
    let row = incomplete.event.as_ref().and_then(|event| {
        let number = usize::try_from(event.line).ok()?;
        rows.get(number.checked_sub(1)?)
    });
    let why = match incomplete.why {
        Why::Problem(_) => CalendarFault::Problem,
        Why::Rule(_) | Why::NeverMatches => CalendarFault::Rule,
        Why::Steps => CalendarFault::TooMuch,
        Why::OutOfRange => CalendarFault::OutOfRange,
    };
    (row.map(|row| row.id), why)
}
