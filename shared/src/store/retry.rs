//! The one place that tries again after a deadlock or a serialization failure.

use std::time::Duration;

use crate::{random::Random, store::constraint::gave_way};

/// How often a transaction is tried again.
pub const RETRIES: u32 = 4;

/// An error that may carry the database's.
pub trait DatabaseFault {
    /// The database's own error, if that is what it is.
    fn database_fault(&self) -> Option<&sqlx::Error>;

    /// Whether the locks that were taken turned out to be those of another host.
    fn hosts_changed(&self) -> bool {
        false
    }
}

/// Counts the tries of one transaction.
#[derive(Debug, Default)]
pub struct Tries(u32);

impl Tries {
    /// Whether to try again after this error: the database made the transaction give way, and
    /// fewer than [`RETRIES`] tries are used up. Waits 15-50 ms first. What is tried must have no
    /// effect outside its transaction.
    pub async fn again(&mut self, error: &impl DatabaseFault, random: &Random) -> bool {
        if self.0 >= RETRIES || !error.database_fault().is_some_and(gave_way) {
            return false;
        }
        self.0 += 1;
        let jitter_ms = random
            .bytes::<1>()
            .map_or(0, |[byte]| u64::from(byte) * 35 / 255);
        tokio::time::sleep(Duration::from_millis(15 + jitter_ms)).await;
        true
    }
}
