//! The mail that was not delivered, for an operator.

use super::failure::Failure;
use crate::store::mail_queue::{self, Undelivered};

/// How a mail ended undelivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndeliveredOutcome {
    /// The mail server refused the address for good.
    Rejected,
    /// The attempts are used up.
    Exhausted,
}

impl UndeliveredOutcome {
    /// The word in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Exhausted => "exhausted",
        }
    }
}

/// The newest `limit` mails that ended so.
///
/// # Errors
/// [`Failure`].
pub async fn list_undelivered(
    pool: &sqlx::PgPool,
    outcome: UndeliveredOutcome,
    limit: i64,
) -> Result<Vec<Undelivered>, Failure> {
    let mut conn = pool.acquire().await?;
    Ok(mail_queue::undelivered(&mut conn, outcome.word(), limit).await?)
}
