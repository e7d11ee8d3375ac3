//! The loop over what is due.

use std::{sync::Arc, time::Duration};

use shared::{
    ops::{Context, Failure, subscription},
    store::calendar_syncs,
};
use tokio::{sync::Notify, task::JoinSet};
use tokio_util::sync::CancellationToken;

use super::one::one;
use crate::{
    http_out::HttpOut,
    pulse::{Loop, Pulse},
};

/// Calendars that are read at once in one process.
pub const CONCURRENCY: usize = 4;
/// How often the loop looks when nothing tells it an earlier time.
const PAUSE: Duration = Duration::from_secs(15);
/// How often it looks at most: each commit of a booking wakes it too.
const AT_MOST: Duration = Duration::from_secs(1);

/// What calendars are read with.
#[derive(Clone)]
pub struct Syncer {
    pub context: Context,
    pub http: HttpOut,
    /// How long after a good reading the next one is due.
    pub poll: Duration,
}

/// Reads up to [`CONCURRENCY`] calendars that are due, and waits for them. Answers how many.
///
/// # Errors
/// [`Failure`] of the claim; what becomes of each reading is in its row.
pub async fn step(syncer: &Syncer, closing: &CancellationToken) -> Result<usize, Failure> {
    let mut reading = JoinSet::new();
    let begun = begin(syncer, CONCURRENCY, closing, &mut reading).await?;
    while reading.join_next().await.is_some() {}
    Ok(begun)
}

async fn begin(
    syncer: &Syncer,
    most: usize,
    closing: &CancellationToken,
    reading: &mut JoinSet<()>,
) -> Result<usize, Failure> {
    let most = i64::try_from(most).unwrap_or(1);
    let claimed = subscription::claim(&syncer.context, most).await?;
    let begun = claimed.len();
    for sync in claimed {
        let (syncer, closing) = (syncer.clone(), closing.clone());
        reading.spawn(async move { one(&syncer, sync, &closing).await });
    }
    Ok(begun)
}

/// Reads calendars until the worker closes; then what is being read ends, or is given back.
pub(crate) async fn run(
    syncer: Syncer,
    wake: Arc<Notify>,
    pulse: Pulse,
    closing: CancellationToken,
) {
    let mut reading = JoinSet::new();
    while !closing.is_cancelled() {
        // Registered before the look: what becomes due after it is not missed.
        let woken = wake.notified();
        tokio::pin!(woken);
        woken.as_mut().enable();
        pulse.beat(Loop::Calendars, syncer.context.clock.now());
        let looked_at = tokio::time::Instant::now();
        let free = CONCURRENCY - reading.len();
        let looked = match free {
            0 => Ok(PAUSE),
            free => look(&syncer, free, &closing, &mut reading).await,
        };
        let pause = looked.unwrap_or_else(|error| {
            tracing::warn!(%error, "looking for calendars to read failed");
            PAUSE
        });
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = woken, if reading.len() < CONCURRENCY => {}
            Some(_) = reading.join_next() => {}
            () = closing.cancelled() => {}
        }
        tokio::select! {
            () = tokio::time::sleep_until(looked_at + AT_MOST) => {}
            () = closing.cancelled() => {}
        }
    }
    while reading.join_next().await.is_some() {}
}

/// Begins what is due; answers how long there is nothing more to do.
async fn look(
    syncer: &Syncer,
    free: usize,
    closing: &CancellationToken,
    reading: &mut JoinSet<()>,
) -> Result<Duration, Failure> {
    let begun = begin(syncer, free, closing, reading).await?;
    if begun == free {
        // There may be more; the next look is when one has ended.
        return Ok(PAUSE);
    }
    let context = &syncer.context;
    let mut conn = context.pool.acquire().await?;
    let Some(next) = calendar_syncs::next_due(&mut conn).await? else {
        return Ok(PAUSE);
    };
    let ms = next.since(context.clock.now()).as_millis();
    Ok(PAUSE.min(Duration::from_millis(
        u64::try_from(ms).unwrap_or(0).saturating_add(50),
    )))
}
