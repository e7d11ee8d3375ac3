//! The pages of a move: the free times, and the old time beside the new one.

use actix_web::{HttpResponse, http::StatusCode};
use jiff::ToSpan as _;
use shared::{
    booking::PublicBooking,
    instant::{Day, Instant},
    ops::{self, Authority, MoveSlots},
    zone::Zone,
};

use super::{facts::Facts, stale};
use crate::{
    app::App,
    error::{ApiError, Code},
    pages::{
        answer,
        asked::Asked,
        times,
        view::{Choice, MovePage, Notice, Reader, ReviewPage, Weeks},
    },
};

/// No horizon is longer than 365 days, and no zone's date more than a day ahead of another's.
const FURTHEST_DAYS: i64 = 367;

/// A booking that may move, at its page.
pub(super) struct Moving<'a> {
    pub(super) app: &'a App,
    pub(super) reader: Reader,
    pub(super) token: &'a str,
    pub(super) now: Instant,
}

/// Which times to show.
pub(super) struct Wish {
    pub(super) zone: Zone,
    /// Whether the address names the zone.
    pub(super) zone_asked: bool,
    pub(super) from: Option<Day>,
    pub(super) chosen: Option<Day>,
}

impl Moving<'_> {
    /// The answer to `?action=reschedule`.
    pub(super) async fn show(
        &self,
        asked: &Asked,
        booking: &PublicBooking,
    ) -> Result<HttpResponse, ApiError> {
        let named = asked.zone(&self.app.context.zones);
        let zone_asked = named.is_some();
        let zone = named.unwrap_or_else(|| booking.zone.clone());
        let start = asked.start()?;
        let wish = Wish {
            chosen: match start {
                Some(start) => Some(Day(zone.date(start))),
                None => asked.day("day")?,
            },
            from: asked.day("from")?,
            zone,
            zone_asked,
        };
        let found = match self.find(&wish).await {
            Ok(found) => found,
            Err(error) => return self.none(booking, error),
        };
        let Some(start) = start else {
            let html = self.times(&wish, &found, None);
            return Ok(answer::page(StatusCode::OK, html));
        };
        match found.0.slots.iter().find(|slot| slot.start == start) {
            Some(slot) => {
                let facts = Facts::of(&found.0.booking, self.token);
                let review = ReviewPage {
                    reader: self.reader,
                    booking: facts.view(),
                    zone: &wish.zone,
                    start: slot.start,
                    end: slot.end,
                    idempotency_key: &times::new_key(self.app)?,
                    notice: None,
                };
                Ok(answer::page(StatusCode::OK, review.html()))
            }
            None => {
                let own = found.0.booking.standing.span.from == start;
                let notice = if own {
                    Notice::Unchanged
                } else {
                    Notice::Taken
                };
                let html = self.times(&wish, &found, Some(notice));
                Ok(answer::page(Code::SlotTaken.status(), html))
            }
        }
    }

    /// The times of the wished weeks.
    pub(super) async fn find(&self, wish: &Wish) -> Result<(MoveSlots, Weeks), ApiError> {
        let today = wish.zone.date(self.now);
        // How far the host offers times is known only once the page is read: first as if it were
        // as far as can be, and once more if it is not.
        let furthest = today.saturating_add(FURTHEST_DAYS.days());
        let guess = times::weeks(today, furthest, wish.from, wish.chosen)?;
        let found = self.load(wish, &guess).await?;
        let last = found.page.rule.last_date(self.now, &wish.zone);
        let weeks = times::weeks(today, last, wish.from, wish.chosen)?;
        if weeks.first == guess.first {
            return Ok((found, weeks));
        }
        Ok((self.load(wish, &weeks).await?, weeks))
    }

    async fn load(&self, wish: &Wish, weeks: &Weeks) -> Result<MoveSlots, ApiError> {
        let range = times::range(weeks, &wish.zone, self.now);
        let _permit = self.app.slot_permit()?;
        let authority = Authority::Token(self.token);
        let found = ops::find_move_slots(&self.app.context, authority, range).await;
        found.map_err(|error| ApiError::of_move(self.app, error))
    }

    /// The calendar and the times.
    pub(super) fn times(
        &self,
        wish: &Wish,
        (found, weeks): &(MoveSlots, Weeks),
        notice: Option<Notice>,
    ) -> String {
        MovePage {
            reader: self.reader,
            booking: Facts::of(&found.booking, self.token).view(),
            choice: Choice {
                zones: &self.app.context.zones,
                zone: &wish.zone,
                zone_asked: wish.zone_asked,
                host_zone: &found.booking.host_zone,
                now: self.now,
                weeks: *weeks,
                days: &times::by_day(&found.slots, &wish.zone),
            },
            notice,
        }
        .html()
    }

    /// There is no time to move to: the booking says why.
    fn none(&self, booking: &PublicBooking, error: ApiError) -> Result<HttpResponse, ApiError> {
        let Some(notice) = stale::notice(&error).filter(|_| error.code().status() == 409) else {
            return Err(error);
        };
        let limit = self.app.context.limits.booker_reschedules;
        let facts = Facts::of(booking, self.token);
        let html = facts.page(self.reader, self.now, limit, Some(notice));
        Ok(answer::page(StatusCode::OK, html))
    }
}
