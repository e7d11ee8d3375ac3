//! `holdfast admin list-mail`.

use std::{fmt::Write as _, process::ExitCode};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use shared::{
    ops::{self, Failure, UndeliveredOutcome},
    store::mail_queue::Undelivered,
};

use super::{output, session};
use crate::{
    error::chain,
    start::{self, CannotStart},
};

#[derive(Clone, Copy, ValueEnum)]
enum Outcome {
    Exhausted,
    Rejected,
}

#[derive(Args)]
pub struct Arguments {
    /// How the mail ended.
    #[arg(long, value_enum, default_value = "exhausted")]
    outcome: Outcome,
    /// At most so many, newest first.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    limit: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    match listed(arguments).await {
        Ok(Ok(mails)) => {
            let list: Vec<Value> = mails.iter().map(as_json).collect();
            output::answer(
                arguments.json,
                &json!({ "status": "ok", "mails": list }),
                in_words(&mails),
            )
        }
        Ok(Err(error)) => output::finding(arguments.json, chain(&error)),
        Err(error) => output::finding(arguments.json, chain(&error)),
    }
}

async fn listed(arguments: &Arguments) -> Result<Result<Vec<Undelivered>, Failure>, CannotStart> {
    let outcome = match arguments.outcome {
        Outcome::Exhausted => UndeliveredOutcome::Exhausted,
        Outcome::Rejected => UndeliveredOutcome::Rejected,
    };
    let limit = i64::from(arguments.limit);
    let mut config = start::configuration()?;
    session::with_context(&mut config, async |context| {
        ops::list_undelivered(&context.pool, outcome, limit).await
    })
    .await
}

fn as_json(mail: &Undelivered) -> Value {
    json!({
        "id": mail.id, "booking_id": mail.booking_id, "kind": mail.kind, "recipient": mail.recipient, "revision": mail.revision,
        "outcome": mail.outcome, "outcome_at": mail.outcome_at.to_string(), "attempts": mail.attempts, "uncertain": mail.uncertain,
        "error_class": mail.error_class, "smtp_stage": mail.smtp_stage, "smtp_code": mail.smtp_code, "smtp_status": mail.smtp_status,
        "claimed_by": mail.claimed_by,
    })
}

/// A line each, without the last line's end.
fn in_words(mails: &[Undelivered]) -> String {
    let mut text = String::new();
    for mail in mails {
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = write!(
            text,
            "{} {} {} to {} of booking {}: {}",
            mail.id, mail.outcome_at, mail.kind, mail.recipient, mail.booking_id, mail.outcome
        );
        let code = mail.smtp_code.map(|code| code.to_string());
        let said = [
            mail.error_class.as_deref(),
            mail.smtp_stage.as_deref(),
            code.as_deref(),
            mail.smtp_status.as_deref(),
        ];
        for word in said.into_iter().flatten() {
            let _ = write!(text, " {word}");
        }
        let _ = write!(text, " ({} attempts)", mail.attempts);
    }
    if text.is_empty() {
        text.push_str("none");
    }
    text
}
