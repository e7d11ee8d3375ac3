//! An ended job becomes the ending of its row, under its claim.

use std::time::Duration;

use apalis_core::{error::BoxDynError, task::ExecutionContext, worker::ext::ack::Acknowledge};
use futures::{FutureExt as _, future::BoxFuture};
use shared::{
    ops::{Context, Failure},
    store::{
        constraint,
        mail_queue::{ClaimedMail, SmtpCodes},
        retry::DatabaseFault as _,
    },
};
use tokio::time::Instant as Stopwatch;

use super::{in_flight::InFlight, sent::Sent};
use crate::jobs::send_mail::{self, JobEnd};

/// An ending is tried for so long; its lease is a little longer.
const PATIENCE: Duration = Duration::from_secs(8 * 60);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(500);

/// Writes endings.
#[derive(Clone)]
pub struct EndUnderClaim {
    pub context: Context,
    pub in_flight: InFlight,
    pub sent: Sent,
}

impl Acknowledge<JobEnd> for EndUnderClaim {
    type Error = Failure;
    type Future = BoxFuture<'static, Result<(), Failure>>;

    fn ack(
        &mut self,
        outcome: &Result<JobEnd, BoxDynError>,
        task: &ExecutionContext,
    ) -> Self::Future {
        let Some(mail) = task.data().get::<ClaimedMail>().cloned() else {
            return async { Err(Failure::Stored("claimed mail")) }.boxed();
        };
        let end = match outcome {
            Ok(end) => end.clone(),
            // The job catches its own panics; this is the runtime's own fault.
            Err(_) => JobEnd::Failed(SmtpCodes {
                class: "runtime",
                ..SmtpCodes::default()
            }),
        };
        let its = self.clone();
        async move {
            let ended = its.end_at_last(&mail, &end).await;
            if let Err(error) = &ended {
                tracing::warn!(mail.id = %mail.id, %error, "an ending could not be written; the lease ends by itself");
            }
            its.in_flight.remove(mail.claim_id);
            ended
        }
        .boxed()
    }
}

impl EndUnderClaim {
    /// Writes the ending as soon as the database can be reached: left to its lease, a mail that was
    /// sent would go out again. A second try of one that was written finds its claim gone.
    async fn end_at_last(&self, mail: &ClaimedMail, end: &JobEnd) -> Result<(), Failure> {
        let began = Stopwatch::now();
        loop {
            let ended = self.end(mail, end).await;
            match &ended {
                Err(error) if may_pass(error) && began.elapsed() < PATIENCE => {
                    tracing::warn!(mail.id = %mail.id, %error, "an ending could not be written; trying again");
                    tokio::time::sleep(PAUSE).await;
                }
                _ => return ended,
            }
        }
    }

    async fn end(&self, mail: &ClaimedMail, end: &JobEnd) -> Result<(), Failure> {
        if *end != JobEnd::Sent {
            return send_mail::finish(&self.context, mail, end).await;
        }
        let held = self.sent.end(mail.clone()).await?;
        send_mail::count(&self.context, mail, end, if held { "sent" } else { "lost" });
        Ok(())
    }
}

/// The database is away, or whoever wrote endings together was interrupted.
fn may_pass(error: &Failure) -> bool {
    matches!(error, Failure::Interrupted)
        || error.database_fault().is_some_and(constraint::unavailable)
}
