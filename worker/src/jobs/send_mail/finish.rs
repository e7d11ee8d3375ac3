//! The ending of a mail, under its claim.

use shared::{
    ops::{Context, Failure},
    store::{
        budget,
        mail_queue::{self, ClaimedMail, DEFER_S, Failed, Refused, SmtpCodes},
    },
    token::hex,
};

use super::JobEnd;

/// Writes the ending under the claim, and says so in one line where an operator should know.
///
/// # Errors
/// The database's: the lease then ends by itself.
pub async fn finish(context: &Context, mail: &ClaimedMail, end: &JobEnd) -> Result<(), Failure> {
    let mut conn = context.pool.acquire().await?;
    let fixed = context.clock.pinned();
    let (id, claim_id) = (mail.id, mail.claim_id);
    if reached_nobody(end) {
        budget::release(&mut conn, claim_id).await?;
    }
    let held = |held: bool, word| if held { word } else { LOST };
    let outcome = match end {
        JobEnd::Sent => held(
            mail_queue::sent(&mut conn, &[mail], fixed).await?.len() == 1,
            "sent",
        ),
        JobEnd::Skipped => held(
            mail_queue::skipped(&mut conn, mail, fixed).await?,
            "skipped",
        ),
        JobEnd::Suppressed(suppressed) => held(
            mail_queue::suppressed(&mut conn, mail, suppressed.why, fixed).await?,
            "suppressed",
        ),
        JobEnd::Refused(codes) => match mail_queue::refused(&mut conn, mail, codes, fixed).await? {
            Refused::Rejected => "rejected",
            Refused::Again => "failed",
            Refused::Exhausted => "exhausted",
            Refused::Lost => LOST,
        },
        JobEnd::Failed(codes) => match mail_queue::fail(&mut conn, mail, codes, fixed).await? {
            Failed::Again => "failed",
            Failed::Exhausted => "exhausted",
            Failed::Lost => LOST,
        },
        JobEnd::Deferred => held(
            mail_queue::defer(&mut conn, id, claim_id, DEFER_S, fixed).await?,
            "deferred",
        ),
        JobEnd::HeldBack { seconds } => held(
            mail_queue::defer(&mut conn, id, claim_id, *seconds, fixed).await?,
            "held_back",
        ),
        JobEnd::PutOff { seconds, .. } => held(
            mail_queue::put_off(&mut conn, id, claim_id, *seconds, fixed).await?,
            "put_off",
        ),
        JobEnd::SteppedBack(domain) => held(
            mail_queue::step_back(&mut conn, id, claim_id, mail.was_due_at, *domain).await?,
            "stepped_back",
        ),
        JobEnd::Lost => LOST,
    };
    count(context, mail, end, outcome);
    Ok(())
}

const LOST: &str = "lost";

/// Whether it is certain that nobody got the mail, though it may have been counted against its
/// budgets. What may have been delivered stays counted; what was held back or put off, or was not
/// true, never was.
fn reached_nobody(end: &JobEnd) -> bool {
    match end {
        JobEnd::Refused(codes) | JobEnd::Failed(codes) => !codes.uncertain,
        JobEnd::Deferred => true,
        JobEnd::Sent
        | JobEnd::Skipped
        | JobEnd::Suppressed(_)
        | JobEnd::HeldBack { .. }
        | JobEnd::PutOff { .. }
        | JobEnd::SteppedBack(_)
        | JobEnd::Lost => false,
    }
}

/// Counts an ending that was written, or whose claim did not hold (`lost`).
pub(crate) fn count(context: &Context, mail: &ClaimedMail, end: &JobEnd, outcome: &'static str) {
    let codes = match end {
        JobEnd::Failed(codes) | JobEnd::Refused(codes) => codes.clone(),
        _ => SmtpCodes::default(),
    };
    let class = match end {
        JobEnd::Suppressed(suppressed) => suppressed.why.as_str(),
        _ => codes.class,
    };
    metrics::counter!("holdfast_mail_total", "outcome" => outcome, "class" => class).increment(1);
    if outcome == LOST {
        tracing::warn!(mail.id = %mail.id, "claim lost: another worker has this mail; nothing was written");
        return;
    }
    if codes.uncertain {
        metrics::counter!("holdfast_mail_uncertain_total").increment(1);
    }
    if matches!(outcome, "sent" | "rejected" | "exhausted") {
        metrics::histogram!("holdfast_mail_attempts").record(f64::from(mail.attempts));
    }
    let took = context.clock.now().since(mail.claimed_at).as_secs_f64();
    metrics::histogram!("holdfast_mail_claim_seconds").record(took.max(0.0));
    match outcome {
        "sent" => {
            let waited = context.clock.now().since(mail.owed_at).as_secs_f64();
            metrics::histogram!("holdfast_mail_delivery_seconds").record(waited.max(0.0));
        }
        "rejected" => {
            tracing::warn!(booking.id = %mail.booking_id, mail.id = %mail.id, mail.kind, mail.recipient, error.class = codes.class, smtp.stage = codes.stage, smtp.code = codes.code, smtp.status = codes.status, "the address was refused for good");
        }
        "suppressed" => {
            if let JobEnd::Suppressed(suppressed) = end {
                let fingerprint = suppressed.recipient.map(|bytes| hex(&bytes));
                tracing::warn!(booking.id = %mail.booking_id, mail.id = %mail.id, mail.kind, mail.recipient, recipient.fp = fingerprint, suppression.reason = suppressed.why.as_str(), "a mail was suppressed: its budget is used up");
            }
        }
        "exhausted" => {
            tracing::error!(booking.id = %mail.booking_id, mail.id = %mail.id, mail.kind, mail.recipient, error.class = codes.class, smtp.stage = codes.stage, smtp.code = codes.code, smtp.status = codes.status, "attempts used up: this mail was not delivered");
        }
        _ => {}
    }
}
