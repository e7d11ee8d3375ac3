//! The one wrapper that tries again after a deadlock or a serialization failure.

use std::time::Duration;

use crate::{random::Random, store::constraint::gave_way};

/// How often a transaction is tried again.
pub const RETRIES: u32 = 4;

/// An error that may carry the database's.
pub trait DatabaseFault {
    /// The database's own error, if that is what it is.
    fn database_fault(&self) -> Option<&sqlx::Error>;
}

/// Runs `attempt` again, up to [`RETRIES`] times with 15-50 ms between, while the database makes
/// it give way. The closure must have no effect outside its transaction.
///
/// # Errors
/// What the last attempt gave.
pub async fn retry<T, E: DatabaseFault>(
    random: &Random,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
) -> Result<T, E> {
    let mut tries = 0;
    loop {
        match attempt().await {
            Err(error) if tries < RETRIES && error.database_fault().is_some_and(gave_way) => {
                tries += 1;
                let jitter = random
                    .bytes::<1>()
                    .map_or(0, |[byte]| u64::from(byte) * 35 / 255);
                tokio::time::sleep(Duration::from_millis(15 + jitter)).await;
            }
            outcome => return outcome,
        }
    }
}
