//! Which days a page shows, and the free times on them.

use jiff::civil::Date;
use shared::{
    instant::{Day, Instant, Span},
    random::NoRandomness,
    slots::{Slot, group_by_date},
    token,
    zone::Zone,
};

use super::view::{DaySlots, Weeks};
use crate::{
    app::App,
    error::{ApiError, Code},
};

/// The weeks from `from`, with a chosen day; dates are the reader's.
///
/// # Errors
/// A chosen day before today or after the last one leads nowhere: `not_found`.
pub(super) fn weeks(
    today: Date,
    last: Date,
    from: Option<Day>,
    chosen: Option<Day>,
) -> Result<Weeks, ApiError> {
    let weeks = Weeks::new(Day(today), Day(last), from, chosen);
    match chosen {
        Some(day) if day < weeks.today || day > weeks.last => Err(ApiError::new(Code::NotFound)),
        _ => Ok(weeks),
    }
}

/// The starts to look at for these weeks.
pub(super) fn range(weeks: &Weeks, zone: &Zone, now: Instant) -> Span {
    // A date at the end of all time has no start; nothing is free there.
    let start = |day: Day| zone.day_start(day.0).unwrap_or(now);
    Span {
        from: start(weeks.first).max(now),
        to: start(weeks.until).max(now),
    }
}

/// Slots by the date on which they start in the reader's zone.
pub(super) fn by_day(slots: &[Slot], zone: &Zone) -> Vec<DaySlots> {
    group_by_date(slots, zone)
        .into_iter()
        .map(|(date, slots)| DaySlots {
            date: Day(date),
            starts: slots.iter().map(|slot| slot.start).collect(),
        })
        .collect()
}

/// A key for a form, so that pressing its button twice is one request.
pub(super) fn new_key(app: &App) -> Result<String, ApiError> {
    let bytes: Result<[u8; 16], NoRandomness> = app.context.random.bytes();
    bytes
        .map(|bytes| token::hex(&bytes))
        .map_err(|error| ApiError::internal(&error))
}
