//! `holdfast admin retry-mail`.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use shared::ops::{self, RetryMailError};
use uuid::Uuid;

use super::{output, session};
use crate::{
    error::chain,
    start::{self, CannotStart},
};

#[derive(Args)]
pub struct Arguments {
    /// The mail's id, as `list-mail` and the log say it.
    #[arg(long)]
    id: Uuid,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    match granted(arguments.id).await {
        Ok(Ok(())) => output::answer(
            arguments.json,
            &json!({ "status": "ok", "id": arguments.id }),
            "it is owed again, with thirteen attempts",
        ),
        Ok(Err(error)) => output::finding(arguments.json, chain(&error)),
        Err(error) => output::finding(arguments.json, chain(&error)),
    }
}

async fn granted(mail: Uuid) -> Result<Result<(), RetryMailError>, CannotStart> {
    let mut config = start::configuration()?;
    session::with_context(&mut config, async |context| {
        ops::retry_mail(context, mail).await
    })
    .await
}
