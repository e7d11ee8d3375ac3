//! `holdfast admin list-keys`.

use std::{fmt::Write as _, process::ExitCode};

use clap::Args;
use serde_json::{Value, json};
use shared::{
    handle::Handle,
    ops::{self, ListedKey},
};

use super::{output, session};
use crate::{
    error::chain,
    start::{self, CannotStart},
};

#[derive(Args)]
pub struct Arguments {
    /// The handle of the host whose keys to list.
    #[arg(long)]
    handle: String,
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
    let listed = session::with_context(&mut config, async |context| {
        ops::list_keys(context, &handle).await
    })
    .await;
    match listed {
        Ok(Ok(Some(keys))) => output::answer(
            json,
            &json!({ "status": "ok", "keys": keys.iter().map(as_json).collect::<Vec<_>>() }),
            words(&keys),
        ),
        Ok(Ok(None)) => output::finding(
            json,
            format_args!("no host has the handle {}", handle.as_str()),
        ),
        Ok(Err(failure)) => output::finding(json, chain(&failure)),
        Err(error) => output::finding(json, chain(&error)),
    }
}

fn as_json(key: &ListedKey) -> Value {
    json!({
        "id": key.id,
        "name": key.name,
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    })
}

/// A line a key; names last, since they may hold anything but a line break.
fn words(keys: &[ListedKey]) -> String {
    if keys.is_empty() {
        return "no keys".to_owned();
    }
    let mut text = String::new();
    for (number, key) in keys.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let _ = write!(text, "{} made {}", key.id, key.created_at);
        match (key.revoked_at, key.last_used_at) {
            (Some(at), _) => _ = write!(text, ", revoked {at}"),
            (None, Some(at)) => _ = write!(text, ", last used {at}"),
            (None, None) => text.push_str(", never used"),
        }
        if let Some(name) = &key.name {
            let _ = write!(text, ": {name}");
        }
    }
    text
}
