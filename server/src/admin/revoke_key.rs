//! `holdfast admin revoke-key`.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use shared::ops;
use uuid::Uuid;

use super::{output, session};
use crate::{
    error::chain,
    start::{self, CannotStart},
};

#[derive(Args)]
pub struct Arguments {
    /// The key's id, as `list-keys` shows it.
    #[arg(long)]
    id: Uuid,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    let (json, id) = (arguments.json, arguments.id);
    let mut config = match start::configuration() {
        Ok(config) => config,
        Err(faults) => return output::finding(json, CannotStart::from(faults)),
    };
    let revoked = session::with_context(&mut config, async |context| {
        ops::revoke_key(context, id).await
    })
    .await;
    match revoked {
        Ok(Ok(Some(revoked))) => {
            let how = if revoked.already {
                "was revoked already, at"
            } else {
                "is revoked since"
            };
            output::answer(
                json,
                &json!({ "status": "ok", "id": id, "revoked_at": revoked.at, "already": revoked.already }),
                format_args!("key {id} {how} {}", revoked.at),
            )
        }
        Ok(Ok(None)) => output::finding(json, format_args!("no key has the id {id}")),
        Ok(Err(failure)) => output::finding(json, chain(&failure)),
        Err(error) => output::finding(json, chain(&error)),
    }
}
