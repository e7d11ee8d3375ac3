//! A calendar as a file.

use uuid::Uuid;

use super::{Chunks, FeedError, chunks, sheet, write_full::write_full};
use crate::{calendar::ics_out::Publishing, ops::Context, store::begin};

/// Writes a calendar that the host sees as a file: everything on it, as it is at one moment.
/// `permit` ends with the writing.
///
/// # Errors
/// [`FeedError`].
pub async fn export(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
    permit: impl Send + 'static,
) -> Result<Chunks, FeedError> {
    let now = context.clock.now();
    let mut tx = begin::snapshot(&context.pool).await?;
    let sheet = sheet::load(context, &mut tx, host, calendar).await?;
    let context = context.clone();
    let work =
        async move |sink| write_full(&context, tx, &sheet, Publishing::File, now, sink).await;
    Ok(chunks::write(permit, work).await?)
}
