//! One mail, from its claim to its ending.
//!
//! Claimed; prepared in a transaction of its own, under the booking's lock; composed and sent with
//! no transaction open; ended under its claim.

mod prepare;

use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;
use shared::{
    id,
    instant::Instant,
    mail::{
        facts::{self, Filling},
        message,
    },
    ops::{Context, Failure},
    store::mail_queue::{self, ClaimedMail, DEFER_S, Failed, Lane, SmtpCodes},
};

use sqlx::PgConnection;

pub use prepare::{Prepared, prepare};

use crate::mailer::{Mailer, Sent};

/// What sending needs beside the context.
#[derive(Clone)]
pub struct Post {
    pub context: Context,
    pub mailer: Mailer,
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
    /// The address is refused for good.
    Rejected(SmtpCodes),
    /// Tried in vain.
    Failed(SmtpCodes),
    /// Not tried: the attempt is given back.
    Deferred,
    /// Somebody else has the row, or the database could not be asked: the lease ends by itself.
    Lost,
}

impl JobEnd {
    /// A word for figures and logs.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Skipped => "skipped",
            Self::Rejected(_) => "rejected",
            Self::Failed(_) => "failed",
            Self::Deferred => "deferred",
            Self::Lost => "lost",
        }
    }
}

/// Claims the next due mail of a lane.
///
/// # Errors
/// [`Failure`].
pub async fn claim(context: &Context, lane: Lane) -> Result<Option<ClaimedMail>, Failure> {
    let mut conn = context.pool.acquire().await?;
    claim_from(context, &mut conn, lane, None).await
}

/// Claims the next mail of a lane that was due at `from` or later.
///
/// # Errors
/// [`Failure`].
pub async fn claim_from(
    context: &Context,
    conn: &mut PgConnection,
    lane: Lane,
    from: Option<Instant>,
) -> Result<Option<ClaimedMail>, Failure> {
    let claim_id = id::new(context.clock.now(), &context.random)?;
    Ok(mail_queue::claim(conn, lane, from, claim_id, context.clock.pinned()).await?)
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
    let ready = match prepare(post, mail).await? {
        Prepared::Skip => return Ok(JobEnd::Skipped),
        Prepared::Defer => return Ok(JobEnd::Deferred),
        Prepared::Lost => return Ok(JobEnd::Lost),
        Prepared::Ready(ready) => ready,
    };
    let filling = Filling {
        mail: mail.id,
        instance: context.instance,
        recipient: ready.recipient,
        kind: ready.kind,
        public_url: &post.public_url,
        from: &context.mail_from,
        sent_at: ready.now,
        links: ready.links,
        previous: ready.previous,
    };
    let Some(view) = facts::fill(&ready.facts, filling) else {
        tracing::warn!(mail.id = %mail.id, booking.id = %mail.booking_id, "no verified host: nothing is sent");
        return Ok(JobEnd::Skipped);
    };
    let composed = message::compose(&view)?;
    sending();
    Ok(match post.mailer.send(&composed, ready.now).await {
        Sent::Accepted => JobEnd::Sent,
        Sent::NotTried => JobEnd::Deferred,
        Sent::Rejected(codes) => JobEnd::Rejected(codes),
        Sent::Failed(codes) => JobEnd::Failed(codes),
    })
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

/// Writes the ending under the claim, and says so in one line where an operator should know.
///
/// # Errors
/// The database's: the lease then ends by itself.
pub async fn finish(context: &Context, mail: &ClaimedMail, end: &JobEnd) -> Result<(), Failure> {
    let mut conn = context.pool.acquire().await?;
    let fixed = context.clock.pinned();
    let held = match end {
        JobEnd::Sent => mail_queue::sent(&mut conn, &[mail], fixed).await?.len() == 1,
        JobEnd::Skipped => mail_queue::skipped(&mut conn, mail, fixed).await?,
        JobEnd::Rejected(codes) => {
            tracing::warn!(booking.id = %mail.booking_id, mail.kind = mail.kind, mail.recipient = mail.recipient, smtp.code = codes.code, smtp.status = codes.status, "the address was refused for good");
            mail_queue::rejected(&mut conn, mail, codes, fixed).await?
        }
        JobEnd::Failed(codes) => {
            let failed = mail_queue::fail(&mut conn, mail, codes, fixed).await?;
            if failed == Failed::Exhausted {
                tracing::error!(booking.id = %mail.booking_id, mail.id = %mail.id, mail.kind = mail.kind, mail.recipient = mail.recipient, error.class = codes.class, "attempts used up: this mail was not delivered");
            }
            failed != Failed::Lost
        }
        JobEnd::Deferred => {
            mail_queue::defer(&mut conn, mail.id, mail.claim_id, DEFER_S, fixed).await?
        }
        JobEnd::Lost => false,
    };
    count(mail, end, held);
    Ok(())
}

/// Counts an ending that was written, or whose claim did not hold.
pub(crate) fn count(mail: &ClaimedMail, end: &JobEnd, held: bool) {
    let outcome = if held { end.word() } else { "lost" };
    let class = match end {
        JobEnd::Failed(codes) | JobEnd::Rejected(codes) => codes.class,
        JobEnd::Sent | JobEnd::Skipped | JobEnd::Deferred | JobEnd::Lost => "",
    };
    metrics::counter!("holdfast_mail_total", "outcome" => outcome, "class" => class).increment(1);
    if !held {
        tracing::warn!(mail.id = %mail.id, "claim lost: another worker has this mail; nothing was written");
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
