//! What a feed's token opens.

use super::{
    Chunks, FeedDetail, FeedError, chunks,
    sheet::{self, Sheet},
    write_busy::{window, write_busy},
    write_full::write_full,
};
use crate::{
    calendar::ics_out::Publishing,
    fingerprint::Purpose,
    instant::Instant,
    ops::{Context, Failure, busy_time},
    store::{begin, exports, feeds},
    token::{self, hex},
};

/// What is made of the same calendar may differ from version to version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A feed that was asked for.
#[derive(Debug)]
pub struct OpenedFeed {
    /// What it is known by as it is now.
    pub etag: String,
    /// It, unless the asker has it already.
    pub chunks: Option<Chunks>,
}

/// Opens whatever a caller presents as a feed's token. `has` says whether the caller has the feed
/// that is known by a tag; `permit` ends with the writing.
///
/// # Errors
/// [`FeedError::NotFound`] for what is malformed, unknown or revoked, for a feed of an inactive
/// host and for one whose host sees the calendar no more, all alike.
pub async fn open(
    context: &Context,
    presented: &str,
    has: impl FnOnce(&str) -> bool + Send,
    permit: impl Send + 'static,
) -> Result<OpenedFeed, FeedError> {
    let now = context.clock.now();
    let found = {
        let mut conn = context.pool.acquire().await?;
        feeds::find(&mut conn, &token::hash(presented), context.clock.pinned()).await?
    };
    let found = found.ok_or(FeedError::NotFound)?;
    let detail = FeedDetail::of(&found.detail).ok_or(Failure::Stored("feed"))?;
    let mut tx = begin::snapshot(&context.pool).await?;
    let sheet = sheet::load(context, &mut tx, found.host_id, found.calendar_id).await?;
    let window = window(now).ok_or(Failure::Stored("time"))?;
    // Before anything is called unchanged: busy time that is no longer known is not.
    let busy = match detail {
        FeedDetail::Full => None,
        FeedDetail::BusyOnly => {
            let seen = std::slice::from_ref(&sheet.seen);
            busy_time::load(context, &mut tx, &sheet.whose, seen, window, now)
                .await?
                .pop()
        }
    };
    let booked = exports::booked_state(&mut tx, found.calendar_id, now).await?;
    let etag = etag(context, &sheet, detail, &booked, window.from);
    if has(&etag) {
        return Ok(OpenedFeed { etag, chunks: None });
    }
    let context = context.clone();
    let work = async move |sink| match detail {
        FeedDetail::Full => write_full(&context, tx, &sheet, Publishing::Feed, now, sink).await,
        FeedDetail::BusyOnly => {
            let spans = busy.as_ref().map(|busy| busy.within(window));
            let spans = spans.unwrap_or_default();
            write_busy(&context, tx, &sheet, spans, window, now, sink).await
        }
    };
    let chunks = chunks::write(permit, work).await?;
    Ok(OpenedFeed {
        etag,
        chunks: Some(chunks),
    })
}

/// Everything that a feed is made of, as a keyed fingerprint: what it is made of may be guessed,
/// and the feed's reader is not to be told.
fn etag(
    context: &Context,
    sheet: &Sheet,
    detail: FeedDetail,
    booked: &str,
    today: Instant,
) -> String {
    let day = match detail {
        FeedDetail::BusyOnly => today.to_string(),
        FeedDetail::Full => String::new(),
    };
    let parts = [
        VERSION,
        context.zones.version(),
        detail.word(),
        &sheet.seen.id.to_string(),
        &sheet.seen.revision.to_string(),
        &sheet.name,
        &sheet.host_name,
        &sheet.whose.address,
        sheet.whose.zone.name(),
        sheet.locale.tag(),
        booked,
        &day,
    ];
    let state = parts.join("\0");
    let fingerprint = context
        .keys
        .fingerprint
        .of(Purpose::FeedState, state.as_bytes());
    hex(&fingerprint[..16])
}
