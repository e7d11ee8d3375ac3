//! `holdfast-worker`: the worker half alone.

use std::{process::ExitCode, sync::Arc};

use holdfast_worker::serve::{Databases, Process};
use shared::{
    config::{Config, Database, Role},
    process::{signals::Stop, telemetry},
    store::pool,
};

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write as _;
            let _ = writeln!(std::io::stderr().lock(), "holdfast-worker: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut stop = Stop::listen()?;
    let read = |name: &str| {
        if name == "HOLDFAST_ROLE" {
            Some(Role::Worker.word().to_owned())
        } else {
            std::env::var(name).ok()
        }
    };
    let mut config = Config::read(&read)?;
    telemetry::start_logging(&config.log)?;
    let metrics = telemetry::start_metrics()?;
    let Database::Url { pooled, direct } = &config.database else {
        return Err(
            "DATABASE_URL is needed: a worker of its own shares somebody's PostgreSQL".into(),
        );
    };
    let databases = Databases {
        direct: pool::options(direct)?,
        pooled: pool::options(pooled)?,
    };
    let keys = Arc::new(
        config
            .keys
            .take()
            .ok_or("HOLDFAST_KEYS and HOLDFAST_FINGERPRINT_KEY are needed")?,
    );
    let process = Process::start(&config, keys, &databases, metrics).await?;
    let signal = stop.requested().await;
    tracing::info!(signal, "stopping");
    stop.exit_on_next();
    process.stop().await;
    tracing::info!("stopped");
    Ok(())
}
