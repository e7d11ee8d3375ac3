//! One mail, from its claim to its ending.
//!
//! Claimed; prepared in a transaction of its own, under the booking's lock; composed and sent with
//! no transaction open; ended under its claim.

mod domains;
mod finish;
mod prepare;

use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;
use shared::{
    id,
    mail::{domain::MailDomain, message},
    ops::{Context, Failure},
    store::mail_queue::{self, ClaimedMail, Lane, Looking, SmtpCodes},
};

use sqlx::PgConnection;

pub(crate) use finish::count;
pub use finish::finish;
pub use prepare::{Prepared, Suppressed, prepare};

use crate::{
    mailer::{Mailer, Sent},
    smtp,
    traffic::{Barrier, Outcome, Traffic},
};

/// What sending needs beside the context.
#[derive(Clone)]
pub struct Post {
    pub context: Context,
    pub mailer: Mailer,
    pub traffic: Traffic,
    /// `HOLDFAST_PUBLIC_URL`.
    pub public_url: String,
    /// `HOLDFAST_MANAGE_URL`.
    pub manage_url: String,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// The mail server took it.
    Sent,
    /// It was no longer true.
    Skipped,
    /// A budget is used up: it is never sent.
    Suppressed(Suppressed),
    /// The mail server refused the address for good; whether that is believed is judged with the
    /// other mail of the notice.
    Refused(SmtpCodes),
    /// Tried in vain.
    Failed(SmtpCodes),
    /// Not tried: the attempt is given back.
    Deferred,
    /// Not tried, because the mail server fails everybody. It is probed after so many seconds.
    HeldBack { seconds: i64 },
    /// Not tried, because its domain is paused for so many seconds more.
    PutOff { domain: MailDomain, seconds: i32 },
    /// Not tried, because its domain has the sending slots that one may have. It keeps its place.
    SteppedBack(MailDomain),
    /// Somebody else has the row, or the database could not be asked: the lease ends by itself.
    Lost,
}

/// Claims the next due mail of a lane.
///
/// # Errors
/// [`Failure`].
pub async fn claim(context: &Context, lane: Lane) -> Result<Option<ClaimedMail>, Failure> {
    let mut conn = context.pool.acquire().await?;
    let looking = Looking {
        lane,
        from: None,
        passed_over: &[],
        worker: "step",
    };
    claim_from(context, &mut conn, looking).await
}

/// Claims the next due mail where it is told to look.
///
/// # Errors
/// [`Failure`].
pub async fn claim_from(
    context: &Context,
    conn: &mut PgConnection,
    looking: Looking<'_>,
) -> Result<Option<ClaimedMail>, Failure> {
    let claim_id = id::new(context.clock.now(), &context.random)?;
    let claimed = mail_queue::claim(conn, looking, claim_id, context.clock.pinned()).await?;
    if let Some(mail) = claimed.as_ref().filter(|mail| mail.taken_over) {
        metrics::counter!("holdfast_mail_uncertain_total").increment(1);
        tracing::warn!(mail.id = %mail.id, booking.id = %mail.booking_id, "a claim ran out without an end: this mail may have gone out, and goes again");
    }
    Ok(claimed)
}

/// Prepares and sends a claimed mail. `sending` is called right before the mail server is asked:
/// from then on nobody can say that it was not.
///
/// A panic is a failed attempt: one broken booking stops no other.
pub async fn run(post: &Post, mail: &ClaimedMail, sending: impl FnOnce() + Send) -> JobEnd {
    match AssertUnwindSafe(attempt(post, mail, sending))
        .catch_unwind()
        .await
    {
        Ok(Ok(end)) => end,
        Ok(Err(error)) => {
            tracing::warn!(mail.id = %mail.id, booking.id = %mail.booking_id, %error, "a mail could not be prepared");
            JobEnd::Failed(SmtpCodes {
                class: "not_prepared",
                ..SmtpCodes::default()
            })
        }
        Err(_) => {
            tracing::error!(mail.id = %mail.id, booking.id = %mail.booking_id, "preparing a mail panicked");
            JobEnd::Failed(SmtpCodes {
                class: "panic",
                ..SmtpCodes::default()
            })
        }
    }
}

async fn attempt(
    post: &Post,
    mail: &ClaimedMail,
    sending: impl FnOnce() + Send,
) -> Result<JobEnd, NotPrepared> {
    let context = &post.context;
    if let Some(Barrier::Open { seconds }) = post.traffic.barrier() {
        return Ok(JobEnd::HeldBack { seconds });
    }
    let lane = mail.lane();
    let mut pass = None;
    let ready = loop {
        let (domain, barrier) = match prepare(post, mail, pass.take()).await? {
            Prepared::Skip => return Ok(JobEnd::Skipped),
            Prepared::Suppress(suppressed) => return Ok(JobEnd::Suppressed(suppressed)),
            Prepared::Defer => return Ok(JobEnd::Deferred),
            Prepared::Lost => return Ok(JobEnd::Lost),
            Prepared::Ready(ready) => break ready,
            Prepared::Barred(domain, barrier) => (domain, barrier),
        };
        // No transaction is open while a slot is waited for, so the mail is prepared again.
        let barrier = match barrier {
            Barrier::Busy => match post.traffic.enter_soon(lane, domain, mail.pauses).await {
                Ok(entered) => {
                    pass = Some(entered);
                    continue;
                }
                Err(barrier) => barrier,
            },
            barrier => barrier,
        };
        domains::make_way(context, lane, domain, barrier).await;
        return Ok(match barrier {
            Barrier::Open { seconds } => JobEnd::HeldBack { seconds },
            Barrier::Paused { seconds } => JobEnd::PutOff { domain, seconds },
            Barrier::Crowded | Barrier::Busy => JobEnd::SteppedBack(domain),
        });
    };
    let composed = message::compose(&ready.view)?;
    sending();
    let sent = post.mailer.send(&composed, ready.now).await;
    let outcome = match &sent {
        Sent::Accepted => Outcome::Accepted,
        Sent::Failed(failure) => Outcome::Failed(failure),
        Sent::NotTried | Sent::NoEnvelope => Outcome::NotTried,
    };
    let counts_not = ready
        .pass
        .is_some_and(|pass| pass.end(outcome, &ready.view.to.address));
    Ok(match sent {
        Sent::Accepted => JobEnd::Sent,
        Sent::NotTried => JobEnd::Deferred,
        Sent::Failed(_) if counts_not => JobEnd::Deferred,
        Sent::Failed(failure) if failure.verdict().rejects_recipient() => {
            JobEnd::Refused(codes(&failure))
        }
        Sent::Failed(failure) => JobEnd::Failed(codes(&failure)),
        Sent::NoEnvelope => JobEnd::Failed(SmtpCodes {
            class: "no_envelope",
            ..SmtpCodes::default()
        }),
    })
}

/// What the row keeps of a failure.
fn codes(failure: &smtp::Failure) -> SmtpCodes {
    SmtpCodes {
        class: failure.class.as_str(),
        stage: Some(failure.stage.as_str()),
        code: failure.code.and_then(|code| i16::try_from(code).ok()),
        status: failure.status.map(|status| status.to_string()),
        uncertain: failure.uncertain,
    }
}

/// Why a mail was not ready to be sent.
#[derive(Debug, thiserror::Error)]
pub enum NotPrepared {
    #[error(transparent)]
    Failure(#[from] Failure),
    #[error("the message: {0}")]
    Message(#[from] message::NotComposed),
}

impl From<sqlx::Error> for NotPrepared {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

/// Sends everything that is due, one after the other: for tests and benchmarks.
///
/// # Errors
/// [`Failure`].
pub async fn drain(post: &Post) -> Result<Vec<JobEnd>, Failure> {
    let mut ends = Vec::new();
    for lane in [Lane::Prompt, Lane::Reminder] {
        while let Some(mail) = claim(&post.context, lane).await? {
            let end = run(post, &mail, || {}).await;
            finish(&post.context, &mail, &end).await?;
            ends.push(end);
        }
    }
    Ok(ends)
}
