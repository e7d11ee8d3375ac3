//! Transactions run to their end, whoever waits for them.

use super::{Context, failure::Failure};
use crate::store::retry::{DatabaseFault, Tries};

/// Runs a transaction in a task of its own: a client that leaves cancels the waiting, never the
/// work, and never a commit whose outcome matters.
pub(super) async fn whole<T, E>(
    work: impl Future<Output = Result<T, E>> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<Failure> + Send + 'static,
{
    match tokio::spawn(work).await {
        Ok(outcome) => outcome,
        Err(_) => Err(Failure::Interrupted.into()),
    }
}

/// How often a booking that keeps changing hosts is locked anew.
const HOST_ROUNDS: u32 = 10;

/// Runs a transition to its end, again while the database makes it give way, and while the booking
/// changes hosts between the look and the locks. `attempt` is one
/// transaction and has no effect outside it.
pub(super) async fn transact<T, E, A>(
    context: &Context,
    attempt: impl Fn(Context) -> A + Send + 'static,
) -> Result<T, E>
where
    A: Future<Output = Result<T, E>> + Send,
    T: Send + 'static,
    E: DatabaseFault + From<Failure> + Send + Sync + 'static,
{
    let context = context.clone();
    whole(async move {
        let mut tries = Tries::default();
        let mut rounds = 0;
        loop {
            match attempt(context.clone()).await {
                Err(error) if tries.again(&error, &context.random).await => {}
                Err(error) if error.hosts_changed() && rounds < HOST_ROUNDS => rounds += 1,
                outcome => return outcome,
            }
        }
    })
    .await
}
