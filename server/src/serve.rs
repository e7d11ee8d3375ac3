//! `holdfast` without a command: starts what its role says and runs until it is told to stop.

use std::{process::ExitCode, sync::Arc, time::Duration};

use actix_web::{HttpServer, dev::ServerHandle, web::Data};
use holdfast_worker::{
    Mailer,
    serve::{Databases, Half, Process},
};
use metrics_exporter_prometheus::PrometheusHandle;
use shared::{
    config::{Config, Role},
    mail::dev_box::DevBox,
    process::{signals::Stop, start as process_start, telemetry},
    store::pool,
    wake::Wake,
};
use sqlx::PgPool;
use tokio::sync::Notify;

use crate::{
    app::{App, Settings},
    error::chain,
    router::{self, Methods},
    start::{self, CannotStart, Connected},
};

mod demo;

/// Requests that run when the stop comes get so long to end.
const FINISH_REQUESTS_S: u64 = 10;

/// Runs until SIGTERM or SIGINT.
pub async fn serve() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), CannotStart> {
    let mut stop = Stop::listen()?;
    let mut config = start::configuration()?;
    telemetry::start_logging(&config.log).map_err(|error| CannotStart::Log(error.to_string()))?;
    let metrics =
        telemetry::start_metrics().map_err(|error| CannotStart::Other(error.to_string()))?;
    let mut connected = start::database(&config).await?;
    if let Some(note) = connected
        .private
        .as_ref()
        .and_then(|private| private.note())
    {
        say(note);
    }
    let private = connected.private.take();
    let outcome = tokio::select! {
        outcome = run_on(&mut config, connected, metrics) => outcome,
        signal = stop.requested() => {
            // Still starting: nothing is under way that could be finished.
            tracing::info!(signal, "stopping before the start was over");
            Ok(None)
        }
    };
    let outcome = match outcome {
        Ok(Some(running)) => {
            let signal = stop.requested().await;
            tracing::info!(signal, "stopping");
            stop.exit_on_next();
            running.stop().await;
            Ok(())
        }
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    if let Some(private) = private
        && let Err(error) = private.stop().await
    {
        tracing::warn!(%error, "the private PostgreSQL did not stop cleanly; the next start adopts it");
    }
    tracing::info!("stopped");
    outcome
}

/// What runs and how it is stopped.
enum Running {
    /// Roles `all` and `web`.
    Http {
        http: ServerHandle,
        pool: PgPool,
        half: Option<Half>,
    },
    /// Role `worker`.
    Worker(Process),
}

impl Running {
    /// Stops accepting and finishes requests while running jobs end; then pools close.
    async fn stop(self) {
        match self {
            Self::Worker(process) => process.stop().await,
            Self::Http { http, pool, half } => {
                let jobs = async {
                    if let Some(half) = half {
                        half.stop().await;
                    }
                };
                tokio::join!(http.stop(true), jobs);
                pool::close(&pool).await;
            }
        }
    }
}

async fn run_on(
    config: &mut Config,
    connected: Connected,
    metrics: PrometheusHandle,
) -> Result<Option<Running>, CannotStart> {
    let databases = Databases {
        direct: connected.direct,
        pooled: connected.pooled,
    };
    let keys = start::keys(config)?;
    if config.role == Role::Worker {
        let process = Process::start(config, keys, &databases, metrics)
            .await
            .map_err(|error| CannotStart::Other(error.to_string()))?;
        return Ok(Some(Running::Worker(process)));
    }
    let pool = pool::open(databases.pooled.clone(), config.web_connections());
    process_start::fit_schema(config.auto_migrate, &databases.direct, &pool).await?;
    let signal = Arc::new(Notify::new());
    let wake = if config.role.works() {
        Wake::Here(signal.clone())
    } else {
        Wake::elsewhere(pool.clone())
    };
    let context = process_start::context(config, keys.clone(), pool.clone(), wake).await?;
    if config.dev {
        demo::make_once(&context).await?;
    }
    let mut app = App::new(
        context,
        Settings::of(config),
        config.slot_concurrency,
        metrics,
    );
    let half = if config.role.works() {
        let mailer = match (&config.smtp_url, config.dev) {
            (None, true) => {
                let kept = DevBox::default();
                app.dev_box = Some(kept.clone());
                Mailer::Box(kept)
            }
            _ => Mailer::set_up(config)?,
        };
        let half = Half::start(config, keys, &databases, signal, mailer).await;
        let half = half.map_err(|error| CannotStart::Other(error.to_string()))?;
        app.worker = Some(half.pulse.clone());
        Some(half)
    } else {
        None
    };
    let shows_mail = app.dev_box.is_some();
    let http = listen(config, Data::new(app))?;
    tracing::info!(role = config.role.word(), listen = %config.listen, "ready");
    say(&format!("Holdfast is ready at {}", config.public_url));
    if config.dev {
        say(&format!(
            "  demo page   {}{}",
            config.public_url,
            demo::PATH
        ));
    }
    if shows_mail {
        say(&format!("  mail        {}/dev/mail", config.public_url));
    }
    say(&format!("  API         {}/docs/", config.public_url));
    Ok(Some(Running::Http { http, pool, half }))
}

fn listen(config: &Config, app: Data<App>) -> Result<ServerHandle, CannotStart> {
    let document = router::document();
    let methods = Arc::new(Methods::new(&document));
    let threads = usize::try_from(config.http_threads).unwrap_or(1);
    let server = HttpServer::new(move || router::build(app.clone(), &document, methods.clone()))
        .workers(threads)
        .shutdown_timeout(FINISH_REQUESTS_S)
        .client_request_timeout(Duration::from_secs(15))
        .disable_signals()
        .bind(config.listen)
        .map_err(|error| CannotStart::Listen {
            address: config.listen,
            error,
        })?
        .run();
    let handle = server.handle();
    tokio::spawn(server);
    Ok(handle)
}

/// Says why the program does not start, with every cause.
fn complain(error: &dyn std::error::Error) {
    use std::io::Write as _;
    let words = chain(error);
    let _ = writeln!(std::io::stderr().lock(), "holdfast: {words}");
}

/// Writes one line for whoever started the program.
pub(crate) fn say(line: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
