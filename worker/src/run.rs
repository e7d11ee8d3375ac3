//! The worker half as one thing that starts and stops.

use std::{sync::Arc, time::Duration};

use apalis::{
    layers::WorkerBuilderExt as _,
    prelude::{Monitor, WorkerBuilder},
};
use apalis_core::{error::BoxDynError, worker::ext::ack::AcknowledgeLayer};
use shared::{
    ops::Context,
    random::NoRandomness,
    store::mail_queue::{ClaimedMail, Lane},
    wake::CHANNEL,
};
use sqlx::postgres::{PgConnectOptions, PgListener};
use tokio::{sync::Notify, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    figures,
    jobs::send_mail::{self, JobEnd, Post},
    pulse::Pulse,
    queue::{
        ack::EndUnderClaim,
        backend::{self, Source},
        in_flight::{InFlight, Phase},
        sent::Sent,
    },
    sweeps,
    syncs::{self, Syncer},
};

/// Running jobs get so long to end after a stop was asked for.
const FINISH_JOBS: Duration = Duration::from_secs(20);

/// The sending slots of each lane, of so many mails in flight in all.
#[must_use]
pub fn lane_slots(concurrency: usize) -> usize {
    (concurrency / 2).max(1)
}

/// What the worker half needs.
pub struct Settings {
    pub post: Post,
    /// Mails in flight at once; each lane has half.
    pub concurrency: usize,
    /// Reads subscribed calendars.
    pub syncer: Syncer,
    /// Wakes the lanes.
    pub wake: Arc<Notify>,
    /// LISTEN goes over a direct connection, not through PgBouncer.
    pub listen: PgConnectOptions,
    pub pulse: Pulse,
}

/// The running worker half.
pub struct Worker {
    post: Post,
    in_flight: InFlight,
    closing: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Worker {
    /// Starts the lanes, the listener and the sweeps.
    ///
    /// # Errors
    /// apalis refuses the backend.
    pub fn start(settings: Settings) -> Result<Self, BoxDynError> {
        let Settings {
            post,
            concurrency,
            syncer,
            wake,
            listen,
            pulse,
        } = settings;
        figures::announce();
        let (in_flight, closing) = (InFlight::default(), CancellationToken::new());
        let worker = name(&post.context)?;
        tracing::info!(worker = &*worker, "sending mail");
        let mut tasks = Vec::new();
        for lane in [Lane::Prompt, Lane::Reminder] {
            let source = Source {
                context: post.context.clone(),
                lane,
                traffic: post.traffic.clone(),
                worker: worker.clone(),
                wake: wake.clone(),
                in_flight: in_flight.clone(),
                pulse: pulse.clone(),
                closing: closing.clone(),
            };
            tasks.push(tokio::spawn(run_lane(
                post.clone(),
                source,
                lane_slots(concurrency),
            )));
        }
        tasks.push(tokio::spawn(syncs::run(
            syncer,
            wake.clone(),
            pulse.clone(),
            closing.clone(),
        )));
        tasks.push(tokio::spawn(listen_for_mail(listen, wake, closing.clone())));
        tasks.push(tokio::spawn(sweeps::run(
            post.context.clone(),
            pulse,
            closing.clone(),
        )));
        Ok(Self {
            post,
            in_flight,
            closing,
            tasks,
        })
    }

    /// Stops claiming, gives running jobs twenty seconds, and gives back what still runs: the
    /// attempt returns where no mail server was asked; else the lease ends by itself, and the next
    /// claim counts it as uncertain.
    pub async fn stop(self) {
        self.closing.cancel();
        let all = futures::future::join_all(self.tasks);
        let _ = tokio::time::timeout(FINISH_JOBS, all).await;
        for (mail, phase) in self.in_flight.left() {
            match phase {
                Phase::Preparing => {
                    backend::give_back(&self.post.context, &self.in_flight, &mail).await
                }
                Phase::Sending => {
                    tracing::info!(mail.id = %mail.id, "still being sent at the stop; left to its lease")
                }
            }
        }
        self.post.mailer.close().await;
    }
}

/// A name that no other worker of this installation has, and that an operator can find: the machine's
/// name, the process id, and four letters of chance for containers that have both in common. Claims
/// carry it; endings look at the claim's own id.
fn name(context: &Context) -> Result<Arc<str>, NoRandomness> {
    let host = hostname::get().unwrap_or_default();
    let mut host = host.to_string_lossy().into_owned();
    host.retain(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'));
    let chance = context.random.lower_alphanumeric(4)?;
    Ok(format!("{host}-{}-{chance}", std::process::id()).into())
}

/// One lane under apalis: concurrency, panics and a graceful end are its.
async fn run_lane(post: Post, source: Source, concurrency: usize) {
    let closing = source.closing.clone();
    let name = format!("mail-{}-{}", source.lane.word(), source.worker);
    let monitor = Monitor::new()
        .register(move |_| {
            let in_flight = source.in_flight.clone();
            let ack = EndUnderClaim {
                context: source.context.clone(),
                in_flight: in_flight.clone(),
                sent: Sent::start(source.context.clone()),
            };
            let post = post.clone();
            let job = move |mail: ClaimedMail| {
                let (post, in_flight) = (post.clone(), in_flight.clone());
                async move {
                    let claim = mail.claim_id;
                    let end = send_mail::run(&post, &mail, || in_flight.sending(claim)).await;
                    Ok::<JobEnd, BoxDynError>(end)
                }
            };
            // The parts are all there: see `backend`.
            #[expect(
                clippy::expect_used,
                reason = "apalis builds a worker in a closure that cannot fail"
            )]
            let backend =
                backend::backend(source.clone()).expect("every part of the backend is given");
            WorkerBuilder::new(name.as_str())
                .backend(backend)
                .layer(AcknowledgeLayer::new(ack))
                .concurrency(concurrency)
                .build(job)
        })
        .shutdown_timeout(FINISH_JOBS);
    let stop = async move {
        closing.cancelled().await;
        Ok(())
    };
    if let Err(error) = monitor.run_with_signal(stop).await {
        tracing::error!(%error, "a mail lane ended");
    }
}

/// Turns notifications into wake-ups. Lost ones are not missed: lanes also wait on a timer.
async fn listen_for_mail(options: PgConnectOptions, wake: Arc<Notify>, closing: CancellationToken) {
    let pool = sqlx::postgres::PgPoolOptions::new()
        .max_connections(1)
        .connect_lazy_with(options);
    loop {
        let listening = async {
            let mut listener = PgListener::connect_with(&pool).await?;
            listener.listen(CHANNEL).await?;
            // Whatever was committed while nobody listened.
            wake.notify_waiters();
            loop {
                // `None` says that the connection was lost and is there again: what was committed
                // meanwhile was heard by nobody.
                listener.try_recv().await?;
                wake.notify_waiters();
            }
            #[expect(unreachable_code, reason = "names the error type of the block")]
            Ok::<(), sqlx::Error>(())
        };
        tokio::select! {
            outcome = listening => {
                if let Err(error) = outcome {
                    tracing::warn!(%error, "listening for mail failed; trying again");
                }
            }
            () = closing.cancelled() => return,
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            () = closing.cancelled() => return,
        }
    }
}
