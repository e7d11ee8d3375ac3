//! `holdfast admin create-key`.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use shared::{
    handle::Handle,
    ops::{self, CreateKeyError},
};

use super::{output, session};
use crate::{
    error::chain,
    start::{self, CannotStart},
};

#[derive(Args)]
pub struct Arguments {
    /// The handle of the host whose things the key opens.
    #[arg(long)]
    handle: String,
    /// A name to know the key by in lists, of 1 to 100 characters.
    #[arg(long)]
    name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    let json = arguments.json;
    let handle: Handle = match arguments.handle.parse() {
        Ok(handle) => handle,
        Err(error) => return output::misuse(json, format_args!("--handle: {error}")),
    };
    let mut config = match start::configuration() {
        Ok(config) => config,
        Err(faults) => return output::finding(json, CannotStart::from(faults)),
    };
    let made = session::with_context(&mut config, async |context| {
        ops::create_key(context, &handle, arguments.name.as_deref()).await
    })
    .await;
    match made {
        Ok(Ok(made)) => output::answer(
            json,
            &json!({ "status": "ok", "id": made.id, "key": made.key.as_str() }),
            format_args!(
                "key {} of {}, shown this once:\n{}",
                made.id,
                handle.as_str(),
                made.key.as_str()
            ),
        ),
        Ok(Err(error @ CreateKeyError::Name)) => {
            output::misuse(json, format_args!("--name: {error}"))
        }
        Ok(Err(error)) => output::finding(json, chain(&error)),
        Err(error) => output::finding(json, chain(&error)),
    }
}
