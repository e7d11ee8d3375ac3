//! Why a start is not offered: for the page's host alone.

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Context,
    availability::{self, LoadError, Taken},
    busy_time::CalendarFault,
    failure::{Failure, WhyUnknown},
};
use crate::{
    instant::{Instant, Span},
    seal::Place,
    slots::{LabelledBusy, LabelledSpan, Reason, Source, explain_slot},
    store::{calendars, pages::PageKey},
};

/// What is known of a start.
#[derive(Debug)]
pub enum Explained {
    /// It is offered, or everything that speaks against it.
    Reasons(Vec<Reason>),
    /// Nothing is offered at all.
    Nothing(WhyNothing),
}

/// Why a page offers nothing.
#[derive(Debug)]
pub enum WhyNothing {
    /// A calendar cannot be judged exactly.
    Calendar {
        id: Uuid,
        /// As the host knows it; `None` for the host's own.
        name: Option<String>,
        /// The event that is in the way.
        event: Option<Uuid>,
        why: CalendarFault,
    },
    /// The stored page or schedule cannot be used.
    Page(String),
}

/// Explains a start of the page at `/book/<handle>/<code>` to `host`. `None` if the host has no
/// such published page.
///
/// # Errors
/// [`Failure`].
pub async fn explain_start(
    context: &Context,
    host: Uuid,
    handle: &str,
    code: &str,
    start: Instant,
) -> Result<Option<Explained>, Failure> {
    let now = context.clock.now();
    let range = Span {
        from: start,
        to: start.plus_minutes(1),
    };
    let mut conn = context.pool.acquire().await?;
    let page = availability::load_page(context, &mut conn, PageKey::Address(handle, code), range);
    let page = match page.await {
        Ok(Some(page)) if page.host.id == host => page,
        Ok(_) => return Ok(None),
        Err(LoadError::Failure(failure)) => return Err(failure),
        // The row's host is not known; only whoever has the page may hear of it.
        Err(LoadError::Unknown(_)) => return Ok(None),
    };
    let names = names(context, &mut conn, host).await?;
    match availability::load(context, &mut conn, &page, now, range, None).await {
        Ok(loaded) => Ok(Some(Explained::Reasons(explain_slot(
            &loaded.rule,
            &labelled(&loaded.taken, &names),
            now,
            start,
        )))),
        Err(LoadError::Failure(failure)) => Err(failure),
        Err(LoadError::Unknown(unknown)) => Ok(Some(Explained::Nothing(match unknown.why {
            WhyUnknown::Calendar(calendar) => WhyNothing::Calendar {
                id: calendar.calendar,
                name: names.get(&calendar.calendar).cloned(),
                event: calendar.event,
                why: calendar.why,
            },
            WhyUnknown::Page(why) => WhyNothing::Page(why.to_string()),
            WhyUnknown::Rule(why) => WhyNothing::Page(why.to_string()),
        }))),
    }
}

/// What is taken, with the names of the calendars.
fn labelled(taken: &Taken, names: &HashMap<Uuid, String>) -> LabelledBusy {
    let event = |span: Span, calendar: &Uuid| LabelledSpan {
        span,
        source: Source::Event {
            calendar: names.get(calendar).cloned(),
        },
    };
    let blocked = |span: &Span| LabelledSpan {
        span: *span,
        source: Source::Booking,
    };
    let exception = |span: &Span| LabelledSpan {
        span: *span,
        source: Source::Exception,
    };
    let mut spans: Vec<LabelledSpan> = taken.blocked.iter().map(blocked).collect();
    spans.extend(taken.exceptions.iter().map(exception));
    spans.extend(taken.shared.iter().map(|(span, id)| event(*span, id)));
    for calendar in &taken.calendars {
        let within = calendar.within(taken.range).iter();
        spans.extend(within.map(|span| event(*span, &calendar.calendar)));
    }
    LabelledBusy {
        spans,
        starts: taken.starts.clone(),
    }
}

/// The names of the calendars that a host sees; the host's own personal one has none.
async fn names(
    context: &Context,
    conn: &mut PgConnection,
    host: Uuid,
) -> Result<HashMap<Uuid, String>, Failure> {
    let mut names = HashMap::new();
    for row in calendars::names(conn, host).await? {
        let name = match row.name_sealed {
            Some(sealed) => context
                .keys
                .seal
                .open_text(Place::new("calendars", "name", row.id), &sealed)?,
            None => row.kind,
        };
        names.insert(row.id, name);
    }
    Ok(names)
}
