//! Loads what a host's time is judged by. The same function serves the list, the cheap check
//! before the locks and the check under them, or the three would drift.

use jiff::SignedDuration;
use sqlx::PgConnection;
use uuid::Uuid;

use super::failure::{AvailabilityUnknown, Failure, WhyUnknown};
use crate::{
    booking::Page,
    instant::{Day, Instant, Span},
    slots::{Busy, LabelledBusy, LabelledSpan, PreparedRule, Source},
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
    pub(super) busy: LabelledBusy,
    /// Holds that lapsed and that no sweep has reached: not busy, but their rows still stand in
    /// the way of the exclusion constraint.
    pub(super) lapsed: Vec<(Uuid, Span)>,
}

impl Availability {
    /// What is taken, without labels.
    pub(super) fn busy(&self) -> Busy {
        self.busy.unlabelled()
    }
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
    let mut busy = LabelledBusy {
        spans: Vec::with_capacity(rows.len()),
        starts: Vec::new(),
    };
    let mut available = Vec::new();
    let mut lapsed = Vec::new();
    for row in rows {
        match row.kind {
            BusyKind::Booking => {
                let id = row.booking_id.unwrap_or_default();
                if Some(id) == except {
                    continue;
                }
                if row.hold_expires_at.is_some_and(|expires| expires <= now) {
                    lapsed.push((id, row.span));
                    continue;
                }
                if row.event_type_id == Some(page.event_type_id) {
                    busy.starts.extend(row.start_at);
                }
                busy.spans.push(LabelledSpan {
                    span: row.span,
                    source: Source::Booking,
                });
            }
            BusyKind::Event => {
                let span = event_span(&row, &page.rule.zone)
                    .ok_or_else(|| unknown(WhyUnknown::Event(row.span.from)))?;
                busy.spans.push(LabelledSpan {
                    span,
                    source: Source::Event { calendar: None },
                });
            }
            BusyKind::Blocked => busy.spans.push(LabelledSpan {
                span: row.span,
                source: Source::Exception,
            }),
            BusyKind::Available => available.push(row.span),
        }
    }
    let rule = if available.is_empty() {
        bare
    } else {
        page.rule_with(available, lead_hours)
            .prepare()
            .map_err(|why| unknown(why.into()))?
    };
    Ok(Availability { rule, busy, lapsed })
}

/// An all-day event blocks its dates as the host lives them; any other its instants.
fn event_span(row: &BusyRow, zone: &Zone) -> Option<Span> {
    if row.all_day != Some(true) {
        return Some(row.span);
    }
    let first = row.start_local?.0.date();
    let end = row.end_local?.0.date();
    let end = if end > first {
        end
    } else {
        first.tomorrow().ok()?
    };
    Span::new(zone.day_start(first).ok()?, zone.day_start(end).ok()?)
}
