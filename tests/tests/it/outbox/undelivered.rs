//! Mail whose attempts were used up: an operator finds it, and may have one tried again.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use holdfast_tests::{
    Flow,
    flow::SAM,
    process::{Settings, holdfast},
    smtp_sink::{At, Behaviour},
};
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::ops::{self, RetryMailError, UndeliveredOutcome};
use uuid::Uuid;

/// A confirmed booking whose booker's mail is exhausted; that mail's id.
async fn exhausted() -> (Flow, Uuid, String) {
    let flow = Flow::start().await;
    let host = super::page(&flow).await;
    let token = super::confirmed(&flow, &host, "2026-06-04T10:00:00Z").await;
    flow.mail
        .sink
        .behave_for(SAM, Behaviour::reply(At::Rcpt, "450 4.2.0 later"));
    for _ in 0..13 {
        flow.mail.drain().await;
        flow.context.clock.advance(SignedDuration::from_mins(61));
    }
    let id = flow
        .text("SELECT id::text FROM mail_outbox WHERE outcome = 'exhausted'")
        .await;
    (flow, id.parse().unwrap(), token)
}

async fn row(flow: &Flow, id: Uuid) -> String {
    flow.text(&format!("SELECT concat_ws(' ', coalesce(outcome, 'owed'), attempts, refusals, pauses) FROM mail_outbox WHERE id = '{id}'"))
        .await
}

#[tokio::test]
async fn an_exhausted_mail_is_listed_and_goes_out_after_a_retry() {
    let (flow, id, _) = exhausted().await;
    let list = ops::list_undelivered(&flow.context.pool, UndeliveredOutcome::Exhausted, 10)
        .await
        .unwrap();
    assert_eq!(list.len(), 1);
    let mail = &list[0];
    assert_eq!(
        (
            mail.id,
            mail.kind.as_str(),
            mail.recipient.as_str(),
            mail.attempts
        ),
        (id, "confirmed", "booker", 13)
    );
    assert_eq!(
        (
            mail.error_class.as_deref(),
            mail.smtp_stage.as_deref(),
            mail.smtp_code,
            mail.smtp_status.as_deref()
        ),
        (
            Some("recipient_deferred"),
            Some("rcpt_to"),
            Some(450),
            Some("4.2.0")
        )
    );
    let rejected = ops::list_undelivered(&flow.context.pool, UndeliveredOutcome::Rejected, 10);
    assert!(rejected.await.unwrap().is_empty());

    flow.sql("UPDATE mail_outbox SET refusals = 2, pauses = 10 WHERE outcome = 'exhausted'")
        .await;
    ops::retry_mail(&flow.context, id).await.unwrap();
    assert_eq!(row(&flow, id).await, "owed 0 0 0");
    flow.mail.sink.behave_for(SAM, Behaviour::Accept);
    let to: Vec<String> = flow
        .mail
        .drain()
        .await
        .into_iter()
        .map(|letter| letter.to)
        .collect();
    assert_eq!(to, [SAM]);
    assert_eq!(row(&flow, id).await, "sent 1 0 0");
    flow.end().await;
}

/// It is a whole new budget: thirteen attempts.
#[tokio::test]
async fn a_retry_that_fails_has_thirteen_attempts_of_its_own() {
    let (flow, id, _) = exhausted().await;
    ops::retry_mail(&flow.context, id).await.unwrap();
    for attempt in 1..=13 {
        assert!(row(&flow, id).await.starts_with("owed"), "{attempt}");
        flow.mail.drain().await;
        flow.context.clock.advance(SignedDuration::from_mins(61));
    }
    assert_eq!(row(&flow, id).await, "exhausted 13 0 0");
    flow.end().await;
}

/// Only what is exhausted, only while no worker has it, and only if it is still true. A refusal changes
/// nothing.
#[tokio::test]
async fn nothing_else_can_be_retried() {
    let (flow, id, token) = exhausted().await;
    let refused = async |id: Uuid| {
        let before = flow.database.rows().await;
        let error = ops::retry_mail(&flow.context, id).await.unwrap_err();
        assert_eq!(flow.database.rows().await, before, "{error}");
        error
    };
    let error = refused(Uuid::from_u128(7)).await;
    assert!(matches!(error, RetryMailError::NotFound), "{error}");
    let sent: Uuid = flow
        .text("SELECT id::text FROM mail_outbox WHERE outcome = 'sent' LIMIT 1")
        .await
        .parse()
        .unwrap();
    let error = refused(sent).await;
    assert_eq!(error.to_string(), "this mail is sent, not exhausted");
    for outcome in ["rejected", "suppressed", "skipped"] {
        flow.sql(&format!(
            "UPDATE mail_outbox SET outcome = '{outcome}', suppression_reason = CASE '{outcome}' WHEN 'suppressed' THEN 'recipient_hour' END WHERE id = '{sent}'"
        ))
        .await;
        let error = refused(sent).await;
        assert!(
            matches!(&error, RetryMailError::Ended(word) if word == outcome),
            "{error}"
        );
    }
    flow.sql(&format!(
        "UPDATE mail_outbox SET outcome = 'sent' WHERE id = '{sent}'"
    ))
    .await;
    // Granted already, and then claimed.
    ops::retry_mail(&flow.context, id).await.unwrap();
    assert!(matches!(refused(id).await, RetryMailError::Owed));
    let claimed = super::claim(&flow, shared::store::mail_queue::Lane::Prompt).await;
    assert_eq!(claimed.id, id);
    assert!(matches!(refused(id).await, RetryMailError::Leased));
    flow.sql(&format!("UPDATE mail_outbox SET claim_id = NULL, claimed_at = NULL, outcome = 'exhausted', outcome_at = now() WHERE id = '{id}'")).await;
    // The meeting is off: what the mail says is no longer true.
    flow.mail.sink.behave_for(SAM, Behaviour::Accept);
    assert_eq!(flow.cancel(&token).await.status, 200);
    assert!(matches!(refused(id).await, RetryMailError::NoLongerTrue));
    flow.end().await;
}

/// The commands that an operator has for it.
#[tokio::test]
async fn the_commands_list_one_and_retry_one() {
    let (flow, id, _) = exhausted().await;
    // The machine's clock has not come to the meeting of this test.
    flow.sql("UPDATE bookings SET start_at = now() + interval '1 day', end_at = now() + interval '1 day 30 minutes'").await;
    let settings = Settings::web(&flow.database).with(
        "HOLDFAST_KEYS",
        format!("test:{}", STANDARD.encode([7; 32])),
    );
    let text = id.to_string();
    let list = holdfast(&settings, &["admin", "list-mail"]).await;
    assert_eq!(list.code, Some(0), "{list:?}");
    assert!(
        list.stdout.starts_with(&text)
            && list
                .stdout
                .ends_with(": exhausted recipient_deferred rcpt_to 450 4.2.0 (13 attempts)\n"),
        "{list:?}"
    );
    let list = holdfast(&settings, &["admin", "list-mail", "--json", "--limit", "5"]).await;
    let json: Value = serde_json::from_str(&list.stdout).unwrap();
    assert_eq!(
        (&json["mails"][0]["id"], &json["mails"][0]["claimed_by"]),
        (&json!(id), &json!("step"))
    );
    assert!(!list.stdout.contains(SAM), "{list:?}");
    let none = holdfast(&settings, &["admin", "list-mail", "--outcome", "rejected"]).await;
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), "none\n"));

    let retry = ["admin", "retry-mail", "--id", &text];
    let said = holdfast(&settings, &retry).await;
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (Some(0), "it is owed again, with thirteen attempts\n"),
        "{said:?}"
    );
    assert_eq!(row(&flow, id).await, "owed 0 0 0");
    let said = holdfast(&settings, &retry).await;
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (
            Some(1),
            "holdfast: this mail is still owed; it is tried again by itself\n"
        )
    );
    let nobody = [
        "admin",
        "retry-mail",
        "--json",
        "--id",
        "00000000-0000-7000-8000-000000000000",
    ];
    let said = holdfast(&settings, &nobody).await;
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (
            Some(1),
            "{\"error\":\"there is no mail with this id\",\"status\":\"error\"}\n"
        )
    );
    flow.app.end().await;
}
