//! One booking, for its host.

use uuid::Uuid;

use super::read::{self, HostBooking};
use crate::{
    ops::{Context, Failure},
    store::begin,
};

/// Shows a booking of that host; `None` for what is another's, or nobody's.
///
/// # Errors
/// [`Failure`].
pub async fn show_host_booking(
    context: &Context,
    host: Uuid,
    booking: Uuid,
) -> Result<Option<HostBooking>, Failure> {
    let mut tx = begin::snapshot(&context.pool).await?;
    let mut found = read::read(context, &mut tx, host, &[booking]).await?;
    tx.commit().await?;
    Ok(found.pop())
}
