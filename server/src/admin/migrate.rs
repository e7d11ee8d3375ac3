//! `holdfast admin migrate`.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use shared::{
    process::{migrate, start as process_start},
    store::pool,
};

use super::output;
use crate::{
    error::chain,
    start::{self, CannotStart},
};

#[derive(Args)]
pub struct Arguments {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    match migrated().await {
        Ok(count) => output::answer(
            arguments.json,
            &json!({ "status": "ok", "migrations": count }),
            format_args!("the schema fits ({count} migrations)"),
        ),
        Err(error) => output::finding(arguments.json, chain(&error)),
    }
}

async fn migrated() -> Result<usize, CannotStart> {
    let config = start::configuration()?;
    let mut connected = start::database_for_command(&config).await?;
    let pool = pool::open(connected.pooled.clone(), 1);
    let outcome = async {
        process_start::fit_schema(true, &connected.direct, &pool).await?;
        Ok(migrate::MIGRATIONS.iter().count())
    }
    .await;
    pool.close().await;
    if let Some(private) = connected.private.take() {
        private.stop().await?;
    }
    outcome
}
