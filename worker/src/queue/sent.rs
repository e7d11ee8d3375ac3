//! Endings of mail that was sent, written together: while one statement runs, those that come
//! gather for the next. A mail by itself is written at once.

use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;
use shared::{
    ops::{Context, Failure},
    store::{
        constraint,
        mail_queue::{self, ClaimedMail},
        retry::DatabaseFault as _,
    },
};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

/// The most in one statement.
const MOST: usize = 64;

/// A mail and who waits to hear whether its claim held.
type Waiting = (ClaimedMail, oneshot::Sender<Result<bool, Failure>>);

/// Hands endings to the task that writes them. Cheap to clone; the task ends with the last clone.
#[derive(Clone)]
pub struct Sent(mpsc::UnboundedSender<Waiting>);

impl Sent {
    /// Starts the task, over the pool of this context.
    #[must_use]
    pub fn start(context: Context) -> Self {
        let (give, mut take) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut mails = Vec::new();
            while take.recv_many(&mut mails, MOST).await > 0 {
                let writing = write(&context, std::mem::take(&mut mails));
                // Who waited hears that it was interrupted; the next ones are written again.
                if AssertUnwindSafe(writing).catch_unwind().await.is_err() {
                    tracing::error!("writing endings panicked");
                }
            }
        });
        Self(give)
    }

    /// Ends a mail as sent; answers whether its claim held.
    ///
    /// # Errors
    /// The database's: the lease then ends by itself.
    pub async fn end(&self, mail: ClaimedMail) -> Result<bool, Failure> {
        let (tell, told) = oneshot::channel();
        self.0
            .send((mail, tell))
            .map_err(|_| Failure::Interrupted)?;
        told.await.unwrap_or(Err(Failure::Interrupted))
    }
}

/// All in one statement. If that had to give way to a transition of one of their bookings, each in
/// its own.
async fn write(context: &Context, mails: Vec<Waiting>) {
    let all: Vec<&ClaimedMail> = mails.iter().map(|(mail, _)| mail).collect();
    let together = write_some(context, &all).await;
    let gave_way = match &together {
        Ok(_) => false,
        Err(error) => {
            tracing::warn!(mails = all.len(), %error, "endings could not be written together");
            error.database_fault().is_some_and(constraint::gave_way)
        }
    };
    for (mail, tell) in mails {
        let ended = match &together {
            Ok(held) => Ok(held.contains(&mail.id)),
            Err(_) if gave_way => write_some(context, &[&mail])
                .await
                .map(|held| held.len() == 1),
            Err(_) => Err(Failure::Interrupted),
        };
        // Nobody waits any more when the worker is being torn down.
        let _ = tell.send(ended);
    }
}

async fn write_some(context: &Context, mails: &[&ClaimedMail]) -> Result<Vec<Uuid>, Failure> {
    let mut conn = context.pool.acquire().await?;
    Ok(mail_queue::sent(&mut conn, mails, context.clock.pinned()).await?)
}
