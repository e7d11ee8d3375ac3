//! `holdfast` without a command: starts what its role says and runs until it is told to stop.

use std::{process::ExitCode, sync::Arc, time::Duration};

use actix_web::{HttpServer, web::Data};
use shared::{
    config::Config,
    process::{signals::Stop, telemetry},
    store::pool,
};

use crate::{
    app::{App, Settings},
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
            say(&format!("holdfast: {error}"));
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
struct Running {
    http: actix_web::dev::ServerHandle,
    pool: sqlx::PgPool,
}

impl Running {
    async fn stop(self) {
        self.http.stop(true).await;
        self.pool.close().await;
    }
}

async fn run_on(
    config: &mut Config,
    connected: Connected,
    metrics: metrics_exporter_prometheus::PrometheusHandle,
) -> Result<Option<Running>, CannotStart> {
    let pool = pool::open(connected.pooled.clone(), config.database_connections);
    start::fit_schema(config, &connected, &pool).await?;
    let context = start::context(config, pool.clone()).await?;
    if config.dev {
        demo::make_once(&context).await?;
    }
    let app = Data::new(App::new(
        context,
        Settings::of(config),
        config.slot_concurrency,
        metrics,
    ));
    let http = listen(config, app)?;
    tracing::info!(role = config.role.word(), listen = %config.listen, zones = start_zones(config), "ready");
    say(&format!("Holdfast is ready at {}", config.public_url));
    if config.dev {
        say(&format!(
            "  demo page   {}{}",
            config.public_url,
            demo::PATH
        ));
        say(&format!("  API docs    {}/docs/", config.public_url));
    }
    Ok(Some(Running { http, pool }))
}

fn start_zones(config: &Config) -> String {
    config.zone_directory.as_ref().map_or_else(
        || "newest".to_owned(),
        |directory| directory.display().to_string(),
    )
}

fn listen(config: &Config, app: Data<App>) -> Result<actix_web::dev::ServerHandle, CannotStart> {
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

/// Writes one line for whoever started the program.
pub(crate) fn say(line: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
