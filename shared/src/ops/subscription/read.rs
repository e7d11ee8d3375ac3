//! What a worker does with a calendar that it claimed.

use std::sync::Arc;

use super::merge;
use crate::{
    calendar::ics_read::{self, NotACalendar},
    id,
    instant::Instant,
    ops::{Context, Failure, stored_event, whole::transact},
    outbound::{BadUrl, OutboundUrl},
    random::NoRandomness,
    seal::{CannotOpen, Place},
    store::{
        begin::begin,
        calendar_syncs::{self, ClaimedSync, Validators},
        calendars, events,
        events::NewEvent,
    },
};

/// Where to read a calendar, and what its last answer was known by.
#[derive(Clone, Debug)]
pub struct Source {
    pub url: OutboundUrl,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

/// How a reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The calendar says something new.
    Changed,
    /// It says what it said.
    Unchanged,
    /// Somebody else has the claim, or the calendar is gone: nothing was written.
    Lost,
}

/// What was read cannot be taken over.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableFile {
    #[error(transparent)]
    NotACalendar(#[from] NotACalendar),
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<NoRandomness> for UnreadableFile {
    fn from(error: NoRandomness) -> Self {
        Self::Failure(error.into())
    }
}

/// Claims calendars that are due.
///
/// # Errors
/// [`Failure`].
pub async fn claim(context: &Context, most: i64) -> Result<Vec<ClaimedSync>, Failure> {
    let claim = id::new(context.clock.now(), &context.random)?;
    let mut conn = context.pool.acquire().await?;
    Ok(calendar_syncs::claim(&mut conn, claim, most, context.clock.pinned()).await?)
}

/// Opens what is kept of a claimed calendar. What another program or zone table has read is asked
/// for anew: it may be read otherwise now.
///
/// # Errors
/// A seal that does not open, or an address that can no longer be used.
pub fn source(context: &Context, sync: &ClaimedSync) -> Result<Result<Source, BadUrl>, CannotOpen> {
    let seal = &context.keys.seal;
    let place = Place::new("calendars", "source", sync.calendar_id);
    let url = match OutboundUrl::parse(&seal.open_text(place, &sync.source_sealed)?) {
        Ok(url) => url,
        Err(bad) => return Ok(Err(bad)),
    };
    let fresh = sync.read_by.as_deref() == Some(reader(context).as_str());
    let open = |column, sealed: &Option<Vec<u8>>| {
        let place = Place::new("calendar_syncs", column, sync.calendar_id);
        let sealed = sealed.as_deref().filter(|_| fresh);
        sealed
            .map(|sealed| seal.open_text(place, sealed))
            .transpose()
    };
    Ok(Ok(Source {
        url,
        etag: open("etag", &sync.etag_sealed)?,
        last_modified: open("modified", &sync.modified_sealed)?,
    }))
}

/// Who reads: a file may mean something else to another program or zone table.
fn reader(context: &Context) -> String {
    format!("{} {}", env!("CARGO_PKG_VERSION"), context.zones.version())
}

/// Takes over what the server sent: reads it off the threads that serve others, and replaces what
/// stands in one transaction. What is the same stays, and if all is, the revision does too.
///
/// # Errors
/// [`UnreadableFile`]; what was read before stands.
pub async fn take_file(
    context: &Context,
    sync: &ClaimedSync,
    bytes: Vec<u8>,
    (etag, last_modified): (Option<&str>, Option<&str>),
    next_s: i64,
) -> Result<Outcome, UnreadableFile> {
    let seal = |column, text: Option<&str>| {
        let place = Place::new("calendar_syncs", column, sync.calendar_id);
        text.map(|text| context.seal(place, text)).transpose()
    };
    let validators = Validators {
        etag_sealed: seal("etag", etag)?,
        modified_sealed: seal("modified", last_modified)?,
        read_by: reader(context),
    };
    let rows = {
        let (context, now) = (context.clone(), sync.claimed_at);
        tokio::task::spawn_blocking(move || prepare(&context, &bytes, now))
            .await
            .map_err(|_| Failure::Interrupted)??
    };
    let (sync, rows) = (sync.clone(), Arc::new(rows));
    let outcome = transact(context, move |context| {
        let (sync, rows, validators) = (sync.clone(), rows.clone(), validators.clone());
        async move { replace(&context, &sync, &rows, &validators, next_s).await }
    });
    Ok(outcome.await?)
}

fn prepare(context: &Context, bytes: &[u8], now: Instant) -> Result<Vec<NewEvent>, UnreadableFile> {
    let calendar = ics_read::read(bytes, &context.zones)?;
    Ok(stored_event::rows(context, &calendar, now)?)
}

async fn replace(
    context: &Context,
    sync: &ClaimedSync,
    rows: &[NewEvent],
    validators: &Validators,
    next_s: i64,
) -> Result<Outcome, Failure> {
    let calendar = sync.calendar_id;
    let fixed = context.clock.pinned();
    let mut tx = begin(&context.pool).await?;
    let theirs =
        calendars::lock(&mut tx, calendar).await? && calendar_syncs::hold(&mut tx, sync).await?;
    if !theirs {
        return Ok(Outcome::Lost);
    }
    let held = events::held(&mut tx, calendar).await?;
    let change = merge::change(context, &held, rows)?;
    let outcome = if change.is_none() {
        Outcome::Unchanged
    } else {
        events::remove(&mut tx, calendar, &change.remove).await?;
        events::insert(&mut tx, calendar, &change.add, sync.claimed_at).await?;
        calendars::bump(&mut tx, calendar).await?;
        Outcome::Changed
    };
    calendar_syncs::succeed(&mut tx, sync, Some(validators), next_s, fixed).await?;
    tx.commit().await?;
    Ok(outcome)
}

/// The server says that its answer is still the last one: as good as reading it.
///
/// # Errors
/// [`Failure`].
pub async fn not_modified(
    context: &Context,
    sync: &ClaimedSync,
    next_s: i64,
) -> Result<Outcome, Failure> {
    let mut conn = context.pool.acquire().await?;
    let fixed = context.clock.pinned();
    let held = calendar_syncs::succeed(&mut conn, sync, None, next_s, fixed).await?;
    Ok(if held {
        Outcome::Unchanged
    } else {
        Outcome::Lost
    })
}

/// The reading failed, for a reason of this class: what was read before stands, and grows older.
///
/// # Errors
/// [`Failure`].
pub async fn fail(
    context: &Context,
    sync: &ClaimedSync,
    class: &str,
    next_s: i64,
) -> Result<(), Failure> {
    let mut conn = context.pool.acquire().await?;
    let fixed = context.clock.pinned();
    calendar_syncs::fail(&mut conn, sync, class, next_s, fixed).await?;
    Ok(())
}
