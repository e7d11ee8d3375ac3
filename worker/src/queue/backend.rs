//! The outbox as an apalis backend: an endless stream of claimed rows of one lane.

use std::{sync::Arc, time::Duration};

use apalis_core::{
    backend::custom::BackendBuilder,
    error::BoxDynError,
    task::{Task, builder::TaskBuilder, task_id::TaskId},
};
use futures::{SinkExt as _, StreamExt as _, sink, stream};
use shared::{
    instant::Instant,
    ops::{Context, Failure},
    store::{
        budget,
        mail_queue::{self, ClaimedMail, Lane, Looking},
    },
};
use sqlx::{Postgres, pool::PoolConnection};
use tokio::{sync::Notify, time::Instant as Stopwatch};
use tokio_util::sync::CancellationToken;

use super::{front::Front, in_flight::InFlight};
use crate::{
    jobs::send_mail,
    pulse::{Loop, Pulse},
    traffic::Traffic,
};

/// Without any word a lane looks again after so long.
const SLOW_POLL: Duration = Duration::from_secs(30);
/// A due row that cannot be claimed yet (another mail to its reader is on its way) is not asked
/// for again at once.
const BLOCKED_POLL: Duration = Duration::from_millis(200);
/// After an error of the database.
const OUTAGE_POLL: Duration = Duration::from_secs(1);

/// What a lane's fetcher works with.
#[derive(Clone)]
pub struct Source {
    pub context: Context,
    pub lane: Lane,
    pub traffic: Traffic,
    /// The worker's name, which claims carry.
    pub worker: Arc<str>,
    pub wake: Arc<Notify>,
    pub in_flight: InFlight,
    pub pulse: Pulse,
    pub closing: CancellationToken,
}

/// What a fetcher keeps from one look to the next.
#[derive(Default)]
struct Look {
    front: Front,
    connection: Option<PoolConnection<Postgres>>,
}

/// The backend type of a lane, whose long name is apalis's.
pub type MailBackend = apalis_core::backend::custom::CustomBackend<
    ClaimedMail,
    Source,
    stream::BoxStream<'static, Result<Option<Task<ClaimedMail>>, BoxDynError>>,
    sink::SinkMapErr<sink::Drain<Task<ClaimedMail>>, fn(std::convert::Infallible) -> BoxDynError>,
>;

/// Makes the backend.
///
/// # Errors
/// apalis refuses it, which it does only when a part is missing.
pub fn backend(source: Source) -> Result<MailBackend, BoxDynError> {
    let built = BackendBuilder::new()
        .database(source)
        .fetcher(|source: &mut Source, (), _| {
            let source = source.clone();
            stream::unfold((source, Look::default()), |(source, mut look)| async move {
                let mail = next(&source, &mut look).await?;
                let task = TaskBuilder::new(mail.clone())
                    .task_id(TaskId::from_string(mail.id.to_string()))
                    .data(mail)
                    .build();
                Some((Ok(Some(task)), (source, look)))
            })
            .boxed()
        })
        .sink(|_, ()| {
            sink::drain().sink_map_err(
                (|never| match never {}) as fn(std::convert::Infallible) -> BoxDynError,
            )
        })
        .build();
    Ok(built?)
}

/// Waits for the next claim; `None` once the worker is closing. Survives outages of the database.
async fn next(source: &Source, look: &mut Look) -> Option<ClaimedMail> {
    let of = if source.lane == Lane::Prompt {
        Loop::Mail
    } else {
        Loop::Reminders
    };
    loop {
        // Enabled before the look: a wake-up during it is not missed.
        let woken = source.wake.notified();
        let changed = source.traffic.changed();
        tokio::pin!(woken, changed);
        woken.as_mut().enable();
        changed.as_mut().enable();
        if source.closing.is_cancelled() {
            return None;
        }
        source.pulse.beat(of, source.context.clock.now());
        let pause = match source.traffic.closed_for() {
            // Mail stays where it is, and no attempt is burnt.
            Some(closed) => closed,
            None => match claim_next(source, look).await {
                Ok(Some(mail)) => return Some(mail),
                Ok(None) => until_due(source).await,
                Err(error) => {
                    tracing::warn!(%error, lane = source.lane.word(), "mail cannot be claimed");
                    OUTAGE_POLL
                }
            },
        };
        tokio::select! {
            () = woken => {}
            // A slot is free, or the mail server answers again.
            () = changed => {}
            () = tokio::time::sleep(pause) => {}
            () = source.closing.cancelled() => return None,
        }
    }
}

/// Claims from the front, and from the whole lane if nothing is there.
async fn claim_next(source: &Source, look: &mut Look) -> Result<Option<ClaimedMail>, Failure> {
    loop {
        let now = Stopwatch::now();
        let from = look.front.from(now);
        let mail = claim(source, &mut look.connection, from).await?;
        look.front
            .looked(from, now, mail.as_ref().map(|mail| mail.was_due_at));
        if mail.is_some() || from.is_none() {
            return Ok(mail);
        }
    }
}

/// Claims in a task of its own: if the worker closes meanwhile, the claim is given back instead of
/// being left to its lease. The connection is kept while mail is found: the pool asks after the
/// health of every one that comes back to it.
async fn claim(
    source: &Source,
    kept: &mut Option<PoolConnection<Postgres>>,
    from: Option<Instant>,
) -> Result<Option<ClaimedMail>, Failure> {
    let mut conn = match kept.take() {
        Some(conn) => conn,
        None => source.context.pool.acquire().await?,
    };
    let (give, take) = tokio::sync::oneshot::channel();
    let its = source.clone();
    tokio::spawn(async move {
        let passed_over = its.traffic.passed_over(its.lane);
        let looking = Looking {
            lane: its.lane,
            from,
            passed_over: &passed_over,
            worker: &its.worker,
        };
        let claimed = send_mail::claim_from(&its.context, &mut conn, looking).await;
        if let Ok(Some(mail)) = &claimed {
            its.in_flight.add(mail);
        }
        if let Err((Ok(Some(mail)), conn)) = give.send((claimed, conn)) {
            drop(conn);
            give_back(&its.context, &its.in_flight, &mail).await;
        }
    });
    let (claimed, conn) = take.await.map_err(|_| Failure::Interrupted)?;
    if let Ok(Some(_)) = &claimed {
        *kept = Some(conn);
    }
    claimed
}

/// Gives a claim back that no mail server was asked about.
pub async fn give_back(context: &Context, in_flight: &InFlight, mail: &ClaimedMail) {
    let given = async {
        let mut conn = context.pool.acquire().await?;
        budget::release(&mut conn, mail.claim_id).await?;
        mail_queue::defer(&mut conn, mail.id, mail.claim_id, 0, context.clock.pinned()).await
    };
    match given.await {
        Ok(_) => tracing::info!(mail.id = %mail.id, "given back at the stop"),
        Err(error) => {
            tracing::warn!(mail.id = %mail.id, %error, "could not be given back; the lease ends by itself")
        }
    }
    in_flight.remove(mail.claim_id);
}

async fn until_due(source: &Source) -> Duration {
    let asked = async {
        let mut conn = source.context.pool.acquire().await?;
        mail_queue::next_due_ms(&mut conn, source.lane, source.context.clock.pinned()).await
    };
    match asked.await {
        Ok(Some(ms)) if ms <= 0 => BLOCKED_POLL,
        Ok(Some(ms)) => SLOW_POLL.min(Duration::from_millis(
            u64::try_from(ms).unwrap_or(0).saturating_add(1),
        )),
        Ok(None) => SLOW_POLL,
        Err(_) => OUTAGE_POLL,
    }
}
