//! `holdfast admin check-config`.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};
use shared::config::{Config, Faults, SETTINGS, Setting, env_example};

use super::output;
use crate::start;

#[derive(Args)]
pub struct Arguments {
    /// Print the text of .env.example instead.
    #[arg(long)]
    example: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.example {
        output::line(env_example().trim_end());
        return ExitCode::SUCCESS;
    }
    let config = match start::configuration() {
        Ok(config) => config,
        Err(faults) => return report(arguments.json, faults),
    };
    let effective: Map<String, Value> = SETTINGS
        .iter()
        .map(|setting| (setting.name.to_owned(), shown(&config, setting)))
        .collect();
    let words: Vec<String> = effective
        .iter()
        .map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default()))
        .collect();
    output::answer(
        arguments.json,
        &json!({ "status": "ok", "settings": effective }),
        words.join("\n"),
    )
}

fn report(as_json: bool, faults: Faults) -> ExitCode {
    if !as_json {
        return output::finding(false, faults);
    }
    let list: Vec<Value> = faults
        .0
        .iter()
        .map(|fault| json!({ "name": fault.name, "what": fault.what }))
        .collect();
    output::line(&json!({ "status": "error", "faults": list }).to_string());
    ExitCode::from(1)
}

/// The value in force; a secret only as whether it is set.
fn shown(config: &Config, setting: &Setting) -> Value {
    let direct = std::env::var(setting.name)
        .ok()
        .filter(|value| !value.trim().is_empty());
    let from_file = setting.secret && std::env::var_os(format!("{}_FILE", setting.name)).is_some();
    match direct {
        Some(_) if setting.secret => "********".into(),
        Some(value) => value.into(),
        None if from_file => "******** (from a file)".into(),
        None => derived(config, setting.name)
            .unwrap_or_else(|| setting.default.to_owned())
            .into(),
    }
}

/// What a setting without a fixed default comes to here.
fn derived(config: &Config, name: &str) -> Option<String> {
    Some(match name {
        "HOLDFAST_PUBLIC_URL" => config.public_url.clone(),
        "HOLDFAST_MANAGE_URL" => config.manage_url.clone(),
        "HOLDFAST_DATABASE_CONNECTIONS" => config.database_connections.to_string(),
        "HOLDFAST_DEV" => config.dev.to_string(),
        "HOLDFAST_SLOT_CONCURRENCY" => config.slot_concurrency.to_string(),
        "HOLDFAST_HTTP_THREADS" => config.http_threads.to_string(),
        "HOLDFAST_MAIL_FROM" => config.mail_from.address.as_str().to_owned(),
        _ => return None,
    })
}
