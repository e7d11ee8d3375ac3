//! When a host is busy, whatever makes them so: for the host.

use uuid::Uuid;

use super::{
    Context, availability,
    busy_time::{self, BusyError, UnknownCalendar},
    failure::Failure,
    whose,
};
use crate::{instant::Span, store::busy};

/// Why busy time is not told.
#[derive(Debug, thiserror::Error)]
pub enum BusyUnknown {
    /// A calendar cannot be judged exactly.
    #[error(transparent)]
    Calendar(#[from] UnknownCalendar),
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for BusyUnknown {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

/// The host's busy time in a range, in order, merged and cut to it: events of every calendar that
/// counts, bookings with their buffers, blocked exceptions. `None` if there is no such host.
///
/// # Errors
/// [`BusyUnknown::Calendar`] when a calendar cannot be judged exactly: nothing is told then.
pub async fn host_busy(
    context: &Context,
    host: Uuid,
    range: Span,
) -> Result<Option<Vec<Span>>, BusyUnknown> {
    let now = context.clock.now();
    let mut conn = context.pool.acquire().await?;
    let Some(whose) = whose::load(context, &mut conn, host).await? else {
        return Ok(None);
    };
    let rows = busy::load(&mut conn, host, range, range).await?;
    let sorted = availability::sort(rows.into_iter(), Uuid::nil(), range, now);
    let calendars = busy_time::load(context, &mut conn, &whose, &sorted.seen, range, now)
        .await
        .map_err(|error| match error {
            BusyError::Unknown(unknown) => BusyUnknown::Calendar(unknown),
            BusyError::Failure(failure) => failure.into(),
        })?;
    let mut spans = sorted.taken.blocked;
    spans.extend(sorted.taken.exceptions);
    spans.extend(sorted.taken.shared.iter().map(|(span, _)| *span));
    for calendar in &calendars {
        spans.extend_from_slice(calendar.within(range));
    }
    Ok(Some(merged(spans, range)))
}

fn merged(mut spans: Vec<Span>, range: Span) -> Vec<Span> {
    spans.sort_unstable();
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        let Some(span) = Span::new(span.from.max(range.from), span.to.min(range.to)) else {
            continue;
        };
        match merged.last_mut() {
            Some(last) if span.from <= last.to => last.to = last.to.max(span.to),
            _ => merged.push(span),
        }
    }
    merged
}
