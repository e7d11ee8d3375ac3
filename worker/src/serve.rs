//! The worker half as a process of its own: role `worker`.

use std::{sync::Arc, time::Duration};

use metrics_exporter_prometheus::PrometheusHandle;
use shared::{
    config::{Config, Keys},
    process::start::{self, NoContext},
    store::pool,
    wake::Wake,
};
use sqlx::{PgPool, postgres::PgConnectOptions};
use tokio::sync::Notify;

use crate::{
    health::{self, Face},
    http_out::{self, HttpOut, Names},
    jobs::send_mail::Post,
    mailer::{CannotSetUp, Mailer},
    pulse::Pulse,
    run::{self, Settings, Worker},
    syncs::Syncer,
    traffic::Traffic,
};

/// Why the worker does not run.
#[derive(Debug, thiserror::Error)]
pub enum CannotRun {
    #[error(transparent)]
    Context(#[from] NoContext),
    #[error("the mail sender cannot be set up: {0}")]
    Mail(#[from] CannotSetUp),
    #[error(transparent)]
    Outbound(#[from] http_out::SetupError),
    #[error("the worker's lanes cannot be built: {0}")]
    Lanes(String),
    #[error("cannot listen on {address}: {error}")]
    Listen {
        address: std::net::SocketAddr,
        error: std::io::Error,
    },
}

/// The worker half with its pool, however it was started.
pub struct Half {
    worker: Worker,
    pool: PgPool,
    /// When its loops last ran.
    pub pulse: Pulse,
}

impl Half {
    /// Starts the worker half over a pool of its own. The schema fits already.
    ///
    /// # Errors
    /// [`CannotRun`].
    pub async fn start(
        config: &Config,
        keys: Arc<Keys>,
        database: &Databases,
        wake: Arc<Notify>,
        mailer: Mailer,
    ) -> Result<Self, CannotRun> {
        let pool = pool::open(database.pooled.clone(), config.worker_connections());
        let context = start::context(config, keys, pool.clone(), Wake::Here(wake.clone())).await?;
        let pulse = Pulse::default();
        let concurrency = usize::try_from(config.mail_concurrency).unwrap_or(4);
        let post = Post {
            traffic: Traffic::new(run::lane_slots(concurrency), context.clock.clone()),
            context,
            mailer,
            public_url: config.public_url.clone(),
            manage_url: config.manage_url.clone(),
        };
        let http = HttpOut::new(http_out::Settings {
            allow: config.outbound_allow.clone(),
            extra_root_pem: config.outbound_ca.clone(),
            names: Names::System,
        })?;
        let syncer = Syncer {
            context: post.context.clone(),
            http,
            poll: Duration::from_secs(u64::from(config.calendar_poll_minutes) * 60),
        };
        let settings = Settings {
            post,
            syncer,
            concurrency,
            wake,
            listen: database.direct.clone(),
            pulse: pulse.clone(),
        };
        let worker =
            Worker::start(settings).map_err(|error| CannotRun::Lanes(error.to_string()))?;
        Ok(Self {
            worker,
            pool,
            pulse,
        })
    }

    /// Stops it; see [`Worker::stop`].
    pub async fn stop(self) {
        self.worker.stop().await;
        pool::close(&self.pool).await;
    }
}

/// How to reach the database.
#[derive(Clone)]
pub struct Databases {
    /// For migrations and LISTEN.
    pub direct: PgConnectOptions,
    /// For everything else.
    pub pooled: PgConnectOptions,
}

/// A running worker process.
pub struct Process {
    half: Half,
    face: actix_web::dev::ServerHandle,
}

impl Process {
    /// Starts the worker half and its small HTTP face.
    ///
    /// # Errors
    /// [`CannotRun`].
    pub async fn start(
        config: &Config,
        keys: Arc<Keys>,
        database: &Databases,
        metrics: PrometheusHandle,
    ) -> Result<Self, CannotRun> {
        let check = pool::open(database.pooled.clone(), 2);
        start::fit_schema(config.auto_migrate, &database.direct, &check).await?;
        let mailer = Mailer::set_up(config)?;
        let half = Half::start(
            config,
            keys.clone(),
            database,
            Arc::new(Notify::new()),
            mailer,
        )
        .await?;
        let context = start::context(config, keys, check, Wake::here()).await?;
        let face = health::serve(
            config.listen,
            Face {
                context,
                pulse: half.pulse.clone(),
                metrics,
            },
        )
        .map_err(|error| CannotRun::Listen {
            address: config.listen,
            error,
        })?;
        tracing::info!(role = "worker", listen = %config.listen, "ready");
        Ok(Self { half, face })
    }

    /// Stops claiming, finishes or gives back what runs, closes.
    pub async fn stop(self) {
        self.half.stop().await;
        self.face.stop(true).await;
    }
}
