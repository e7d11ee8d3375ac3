//! The rules by which a page reminds: read, and replaced.

use super::{Context, failure::Failure};
use crate::{
    id,
    mail::{owed::ReminderRule, reminder::ReminderRules},
    store::{begin::begin, reminders},
};

/// Replaces the rules of a host's page, named by its code or slug, and answers those that hold from
/// now on, the longest offset first; `None` leaves them as they are. Answers `None` if there is no
/// such page.
///
/// Reminders that are owed already stay until their booking moves: a move owes by the rules of its
/// day.
///
/// # Errors
/// [`Failure`]; nothing is changed then.
pub async fn set_reminders(
    context: &Context,
    (handle, page): (&str, &str),
    rules: Option<&ReminderRules>,
) -> Result<Option<Vec<ReminderRule>>, Failure> {
    let mut tx = begin(&context.pool).await?;
    let Some(event_type) = reminders::page(&mut tx, handle, page).await? else {
        return Ok(None);
    };
    if let Some(rules) = rules {
        let mut with_ids = Vec::new();
        for rule in rules.as_slice() {
            with_ids.push((id::new(context.clock.now(), &context.random)?, *rule));
        }
        let fixed = context.clock.pinned();
        reminders::replace(&mut tx, event_type, &with_ids, fixed).await?;
    }
    let rules = reminders::of_page(&mut tx, event_type).await?;
    tx.commit().await?;
    Ok(Some(rules))
}
