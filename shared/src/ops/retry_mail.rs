//! Giving one mail whose attempts were used up a new budget. By an operator, never in bulk.

use uuid::Uuid;

use super::{Context, failure::Failure, show_booking};
use crate::{
    mail::truth::{self, Claimed, Verdict},
    store::{
        begin::begin,
        bookings::{self, BookingKey},
        mail_queue::{self, MailRow},
        wake,
    },
    wake::CHANNEL,
};

/// Why a mail is not tried again. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum RetryMailError {
    #[error("there is no mail with this id")]
    NotFound,
    /// A worker may be sending it at this moment.
    #[error("a worker has this mail at present; look again when its lease is over")]
    Leased,
    #[error("this mail is still owed; it is tried again by itself")]
    Owed,
    /// Only `exhausted` can be undone. A mail that was sent, refused for good, kept back by a budget
    /// or overtaken stays what it is.
    #[error("this mail is {0}, not exhausted")]
    Ended(String),
    #[error("this mail is no longer true: its booking has moved on")]
    NoLongerTrue,
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for RetryMailError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

/// Gives an exhausted mail thirteen attempts more, if it is still true. It is due at once; the worker
/// looks at the booking once more before it sends.
///
/// # Errors
/// [`RetryMailError`].
pub async fn retry_mail(context: &Context, mail: Uuid) -> Result<(), RetryMailError> {
    let mut tx = begin(&context.pool).await?;
    let Some(booking) = mail_queue::booking_of(&mut tx, mail).await? else {
        return Err(RetryMailError::NotFound);
    };
    mail_queue::lock_booking(&mut tx, booking).await?;
    let row = mail_queue::lock_row(&mut tx, mail, context.clock.pinned()).await?;
    let row = row.ok_or(RetryMailError::NotFound)?;
    match row.outcome.as_deref() {
        Some("exhausted") => {}
        Some(outcome) => return Err(RetryMailError::Ended(outcome.to_owned())),
        None if row.leased => return Err(RetryMailError::Leased),
        None => return Err(RetryMailError::Owed),
    }
    let found = bookings::find(&mut tx, BookingKey::Id(booking)).await?;
    let found = found.ok_or(RetryMailError::NotFound)?;
    let ever_confirmed = found.confirmed_at.is_some();
    let host = found.host_id;
    let standing = show_booking::open(context, found)?.standing;
    let verdict = truth::judge(&claimed(&row, host)?, &standing, ever_confirmed, row.now);
    if verdict == Verdict::Skip {
        return Err(RetryMailError::NoLongerTrue);
    }
    if !mail_queue::grant(&mut tx, mail, row.now).await? {
        return Err(RetryMailError::Leased);
    }
    // Whoever asks is a command that ends at once: its wake-up goes with the commit.
    wake::notify(&mut tx, CHANNEL).await?;
    tx.commit().await?;
    Ok(())
}

fn claimed(row: &MailRow, host: Uuid) -> Result<Claimed, Failure> {
    Ok(Claimed {
        kind: row.kind.parse().map_err(|_| Failure::Stored("mail kind"))?,
        revision: row.revision,
        offset_min: row.offset_min,
        remind_at: row.remind_at,
        departed: row.recipient == "host" && row.recipient_id != Some(host),
    })
}
