//! An ended job becomes the ending of its row, under its claim.

use apalis_core::{error::BoxDynError, task::ExecutionContext, worker::ext::ack::Acknowledge};
use futures::{FutureExt as _, future::BoxFuture};
use shared::{
    ops::{Context, Failure},
    store::mail_queue::{ClaimedMail, SmtpCodes},
};

use super::{in_flight::InFlight, sent::Sent};
use crate::jobs::send_mail::{self, JobEnd};

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
            let ended = its.end(&mail, &end).await;
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
    async fn end(&self, mail: &ClaimedMail, end: &JobEnd) -> Result<(), Failure> {
        if *end != JobEnd::Sent {
            return send_mail::finish(&self.context, mail, end).await;
        }
        let held = self.sent.end(mail.clone()).await?;
        send_mail::count(&self.context, mail, end, if held { "sent" } else { "lost" });
        Ok(())
    }
}
