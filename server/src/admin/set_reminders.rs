//! `holdfast admin set-reminders`.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use shared::{
    mail::{owed::ReminderRule, reminder::ReminderRules},
    ops,
};

use super::{output, session};
use crate::{
    error::chain,
    start::{self, CannotStart},
};

#[derive(Args)]
pub struct Arguments {
    /// The handle of the page's host.
    #[arg(long)]
    handle: String,
    /// The page's code or slug.
    #[arg(long)]
    page: String,
    /// When to remind whom, up to five times: the offset before the start in minutes (or with m, h
    /// or d), 5 minutes to 30 days, and who of hosts, booker and guests. Replaces every rule that
    /// the page has. Without any the rules are only printed.
    #[arg(long = "rule", value_name = "OFFSET:READERS", conflicts_with = "none")]
    rules: Vec<String>,
    /// Remind nobody.
    #[arg(long)]
    none: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    let as_json = arguments.json;
    let rules = match read(arguments) {
        Ok(rules) => rules,
        Err(faults) => return output::misuse(as_json, faults.join("\n")),
    };
    let mut config = match start::configuration() {
        Ok(config) => config,
        Err(faults) => return output::finding(as_json, CannotStart::from(faults)),
    };
    let page = (&*arguments.handle, &*arguments.page);
    let set = session::with_context(&mut config, async |context| {
        ops::set_reminders(context, page, rules.as_ref()).await
    })
    .await;
    match set {
        Ok(Ok(Some(rules))) => output::answer(
            as_json,
            &json!({ "status": "ok", "rules": rules.iter().map(value).collect::<Vec<_>>() }),
            words(&rules),
        ),
        Ok(Ok(None)) => output::finding(
            as_json,
            format_args!("there is no page /book/{}/{}", page.0, page.1),
        ),
        Ok(Err(failure)) => output::finding(as_json, chain(&failure)),
        Err(error) => output::finding(as_json, chain(&error)),
    }
}

/// Every fault of the call at once; `None` when nothing is to be changed.
fn read(arguments: &Arguments) -> Result<Option<ReminderRules>, Vec<String>> {
    if arguments.rules.is_empty() && !arguments.none {
        return Ok(None);
    }
    let (mut rules, mut faults) = (Vec::new(), Vec::new());
    for text in &arguments.rules {
        match text.parse::<ReminderRule>() {
            Ok(rule) => rules.push(rule),
            Err(error) => faults.push(format!("--rule {text}: {error}")),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    ReminderRules::new(rules)
        .map(Some)
        .map_err(|error| vec![format!("--rule: {error}")])
}

fn value(rule: &ReminderRule) -> Value {
    json!({ "offset_min": rule.offset_min, "to": rule.readers() })
}

fn words(rules: &[ReminderRule]) -> String {
    if rules.is_empty() {
        return "nobody is reminded".to_owned();
    }
    let lines: Vec<String> = rules.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
