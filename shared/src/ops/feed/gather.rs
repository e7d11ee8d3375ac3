//! What is said before the events of a calendar: the zones that they name, and what is not there.

use sqlx::PgConnection;
use uuid::Uuid;

use super::chunks::Stop;
use crate::{
    calendar::{
        ics_out::{Publishing, UsedZones, is_whole_event},
        timing::Timing,
    },
    config::Keys,
    ops::{Context, stored_event},
    seal::{CannotOpen, Place},
    store::exports::{self, TimingRow},
};

/// Events that are read at once.
const BATCH: i64 = 500;
/// So many events are named that are not there.
const MAX_NAMED: usize = 100;

/// What is said before the events.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) zones: UsedZones,
    /// The events that cannot be written, by title and fault.
    pub(super) missing: Vec<String>,
    /// How many more there are.
    pub(super) unnamed: usize,
}

/// Reads the times of all events of a calendar that no booking owns.
pub(super) async fn gather(
    context: &Context,
    conn: &mut PgConnection,
    calendar: Uuid,
    publishing: Publishing,
) -> Result<Gathered, Stop> {
    let mut gathered = Gathered::default();
    let mut after = Uuid::nil();
    loop {
        let rows = exports::timings(conn, calendar, after, BATCH).await?;
        let Some(last) = rows.last() else {
            return Ok(gathered);
        };
        after = last.id;
        for row in &rows {
            let timing = row
                .timing
                .as_ref()
                .and_then(|timing| Timing::from_json(&timing.0, &context.zones).ok());
            match timing {
                Some(timing) => gathered.zones.note(&timing),
                None if is_kept(&context.keys, row, publishing)? => {}
                None if gathered.missing.len() == MAX_NAMED => gathered.unnamed += 1,
                None => gathered.missing.push(named(&context.keys, row)?),
            }
        }
    }
}

/// Whether the file has it as it came.
fn is_kept(keys: &Keys, row: &TimingRow, publishing: Publishing) -> Result<bool, CannotOpen> {
    let verbatim = open(keys, row.id, "verbatim", row.verbatim_sealed.as_deref())?;
    Ok(publishing == Publishing::File && is_whole_event(&verbatim))
}

fn named(keys: &Keys, row: &TimingRow) -> Result<String, CannotOpen> {
    let title = open(keys, row.id, "title", row.title_sealed.as_deref())?;
    let words = deciding(keys, row.id, row.problems_sealed.as_deref())?;
    let words = if words.is_empty() {
        "its times cannot be read".to_owned()
    } else {
        words
    };
    Ok(format!("an event is not here: {title} ({words})"))
}

/// What of an event could not be understood and decides when it is.
pub(super) fn deciding(
    keys: &Keys,
    event: Uuid,
    problems: Option<&[u8]>,
) -> Result<String, CannotOpen> {
    let problems = stored_event::open_problems(keys, event, problems)?;
    let words: Vec<String> = problems
        .iter()
        .filter(|problem| problem.blocking)
        .map(|problem| format!("line {}: {}", problem.line, problem.text))
        .collect();
    Ok(words.join("; "))
}

fn open(
    keys: &Keys,
    event: Uuid,
    column: &'static str,
    sealed: Option<&[u8]>,
) -> Result<String, CannotOpen> {
    let place = Place::new("events", column, event);
    sealed.map_or_else(
        || Ok(String::new()),
        |sealed| keys.seal.open_text(place, sealed),
    )
}
