//! `holdfast admin check-config`.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};
use shared::config::{SETTINGS, env_example};

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
    if let Err(faults) = start::configuration() {
        if arguments.json {
            let list: Vec<Value> = faults
                .0
                .iter()
                .map(|fault| json!({ "name": fault.name, "what": fault.what }))
                .collect();
            output::line(&json!({ "status": "error", "faults": list }).to_string());
            return ExitCode::from(1);
        }
        return output::finding(false, faults);
    }
    let effective: Map<String, Value> = SETTINGS
        .iter()
        .map(|setting| {
            (
                setting.name.to_owned(),
                shown(setting.name, setting.default, setting.secret),
            )
        })
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

/// The value in force; a secret only as whether it is set.
fn shown(name: &str, default: &str, secret: bool) -> Value {
    let direct = std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty());
    let from_file = secret && std::env::var_os(format!("{name}_FILE")).is_some();
    match direct {
        Some(_) if secret => "********".into(),
        Some(value) => value.into(),
        None if from_file => "******** (from a file)".into(),
        None => default.into(),
    }
}
