//! Transactions run to their end, whoever waits for them.

use super::failure::Failure;

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
