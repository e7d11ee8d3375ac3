//! The slots of a page over a range: two database round trips.

use super::{
    Context,
    availability::{self, LoadError},
    failure::{AvailabilityUnknown, WhyUnknown},
};
use crate::{
    booking::Page,
    instant::{Instant, Span},
    slots::{Slot, compute_slots},
    store::pages::PageKey,
};

/// A page and its slots.
pub struct FoundSlots {
    /// The page that they are of.
    pub page: Page,
    /// In order, each start once.
    pub slots: Vec<Slot>,
}

/// Finds the slots that start in `[from, to)` of the page at `/book/<handle>/<code>`.
///
/// `Ok(None)` is a page that is not there, or that nobody may see. Nothing is locked: a slot may
/// be gone by the time it is asked for, and booking checks again.
///
/// # Errors
/// [`LoadError::Unknown`] when availability cannot be judged exactly; nothing is called free then.
pub async fn find_slots(
    context: &Context,
    handle: &str,
    code: &str,
    now: Instant,
    range: Span,
) -> Result<Option<FoundSlots>, LoadError> {
    let mut conn = context.pool.acquire().await?;
    let key = PageKey::Address(handle, code);
    let Some(page) = availability::load_page(context, &mut conn, key, range).await? else {
        return Ok(None);
    };
    let loaded = availability::load(context, &mut conn, &page, now, range, None).await?;
    drop(conn);
    let slots =
        compute_slots(&loaded.rule, &loaded.busy(), now, range.from, range.to).map_err(|why| {
            AvailabilityUnknown {
                event_type: page.event_type_id,
                why: WhyUnknown::Rule(why),
            }
        })?;
    Ok(Some(FoundSlots { page, slots }))
}
