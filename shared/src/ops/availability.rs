//! Loads what a host's time is judged by. The same function serves the list, the cheap check
//! before the locks and the check under them, or the three would drift.

use std::sync::Arc;

use jiff::SignedDuration;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    busy_time::{self, BusyError, CalendarBusy, SeenCalendar, Whose},
    failure::{AvailabilityUnknown, Failure, WhyUnknown},
};
use crate::{
    booking::Page,
    instant::{Day, Instant, Span},
    slots::{Busy, PreparedRule},
    store::{
        busy::{self, BusyKind, BusyRow},
        pages::{self, PageKey},
    },
    zone::Zone,
};

use super::Context;

/// A rule ready to run, and what is taken.
pub(super) struct Availability {
    pub(super) rule: PreparedRule,
    pub(super) taken: Taken,
    /// Holds that lapsed and that no sweep has reached: not busy, but their rows still stand in
    /// the way of the exclusion constraint.
    pub(super) lapsed: Vec<(Uuid, Span)>,
}

impl Availability {
    /// What is taken, without labels.
    pub(super) fn busy(&self) -> Busy {
        let taken = &self.taken;
        let mut spans: Vec<Span> = taken.exceptions.clone();
        spans.extend(taken.shared.iter().map(|(span, _)| *span));
        for calendar in &taken.calendars {
            spans.extend_from_slice(calendar.within(taken.range));
        }
        Busy::new(spans, taken.blocked.clone(), taken.starts.clone())
    }
}

/// What takes a host's time over a range.
pub(super) struct Taken {
    pub(super) range: Span,
    /// Blocked spans of bookings.
    pub(super) blocked: Vec<Span>,
    /// Starts of the bookings that limits count.
    pub(super) starts: Vec<Instant>,
    pub(super) exceptions: Vec<Span>,
    /// Meetings of other hosts, with the calendar they are on.
    pub(super) shared: Vec<(Span, Uuid)>,
    pub(super) calendars: Vec<Arc<CalendarBusy>>,
}

/// Why availability could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Unknown(#[from] AvailabilityUnknown),
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for LoadError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

/// Loads a page for slots over `range`. `None` is a page that nobody may see.
pub(super) async fn load_page(
    context: &Context,
    conn: &mut PgConnection,
    key: PageKey<'_>,
    range: Span,
) -> Result<Option<Page>, LoadError> {
    // Overrides of the dates that the range touches in any zone, and of the days before it from
    // which a window that crosses midnights may have its grid.
    let day = |at: Instant, days: i64| {
        Day(Zone::utc().date(at.plus(SignedDuration::from_hours(24 * days))))
    };
    let Some(row) = pages::find(conn, key, day(range.from, -9), day(range.to, 2)).await? else {
        return Ok(None);
    };
    let event_type = row.event_type_id;
    let page = Page::open(row, &context.keys.seal, &context.zones);
    page.map(Some).map_err(|why| {
        AvailabilityUnknown {
            event_type,
            why: why.into(),
        }
        .into()
    })
}

/// Loads what is taken around starts in `range`, as of `now`. The booking `except` is left out:
/// a booking that moves is not in its own way.
///
/// # Errors
/// [`LoadError::Unknown`] when a rule or an event cannot be judged exactly: nothing is free then.
pub(super) async fn load(
    context: &Context,
    conn: &mut PgConnection,
    page: &Page,
    now: Instant,
    range: Span,
    except: Option<Uuid>,
) -> Result<Availability, LoadError> {
    let unknown = |why: WhyUnknown| AvailabilityUnknown {
        event_type: page.event_type_id,
        why,
    };
    let lead_hours = context.limits.booking_lead_hours;
    let bare = page
        .rule_with(Vec::new(), lead_hours)
        .prepare()
        .map_err(|why| unknown(why.into()))?;
    let needed = bare.busy_span(range.from, range.to);
    let counted = bare.limits_span(range.from, range.to).unwrap_or(needed);
    let rows = busy::load(conn, page.host.id, needed, counted).await?;
    let others = |row: &BusyRow| except.is_none() || row.booking_id != except;
    let whose = Whose {
        host: page.host.id,
        zone: page.rule.zone.clone(),
        address: page.host.email.matching_key(),
    };
    let sorted = sort(
        rows.into_iter().filter(others),
        page.event_type_id,
        needed,
        now,
    );
    let Sorted {
        mut taken,
        available,
        lapsed,
        seen,
    } = sorted;
    taken.calendars = busy_time::load(context, conn, &whose, &seen, needed, now)
        .await
        .map_err(|error| match error {
            BusyError::Unknown(calendar) => LoadError::Unknown(unknown(calendar.into())),
            BusyError::Failure(failure) => failure.into(),
        })?;
    let rule = if available.is_empty() {
        bare
    } else {
        page.rule_with(available, lead_hours)
            .prepare()
            .map_err(|why| unknown(why.into()))?
    };
    Ok(Availability {
        rule,
        taken,
        lapsed,
    })
}

/// Rows by what they mean.
pub(super) struct Sorted {
    /// All but its calendars.
    pub(super) taken: Taken,
    pub(super) available: Vec<Span>,
    pub(super) lapsed: Vec<(Uuid, Span)>,
    pub(super) seen: Vec<SeenCalendar>,
}

/// Sorts rows, as of `now`. Limits count the bookings of `event_type`.
pub(super) fn sort(
    rows: impl Iterator<Item = BusyRow>,
    event_type: Uuid,
    range: Span,
    now: Instant,
) -> Sorted {
    let mut sorted = Sorted {
        taken: Taken {
            range,
            blocked: Vec::new(),
            starts: Vec::new(),
            exceptions: Vec::new(),
            shared: Vec::new(),
            calendars: Vec::new(),
        },
        available: Vec::new(),
        lapsed: Vec::new(),
        seen: Vec::new(),
    };
    for row in rows {
        let has_lapsed = row.hold_expires_at.is_some_and(|expires| expires <= now);
        match (row.kind, row.span) {
            (BusyKind::Booking, Some(span)) if has_lapsed => {
                sorted.lapsed.extend(row.booking_id.map(|id| (id, span)));
            }
            (BusyKind::Booking, Some(span)) => {
                if row.event_type_id == Some(event_type) {
                    sorted.taken.starts.extend(row.start_at);
                }
                sorted.taken.blocked.push(span);
            }
            (BusyKind::Shared, Some(span)) if !has_lapsed => {
                sorted
                    .taken
                    .shared
                    .push((span, row.calendar_id.unwrap_or_default()));
            }
            (BusyKind::Blocked, Some(span)) => sorted.taken.exceptions.push(span),
            (BusyKind::Available, Some(span)) => sorted.available.push(span),
            (BusyKind::Calendar, _) => sorted.seen.extend(row.calendar_id.map(|id| SeenCalendar {
                id,
                revision: row.calendar_revision.unwrap_or_default(),
                stale_at: row.stale_at,
                never_read: row.never_read == Some(true),
            })),
            (_, _) => {}
        }
    }
    sorted
}
