//! A host's bookings, page by page.

use uuid::Uuid;

use super::read::{self, HostBooking};
use crate::{
    booking::State,
    instant::Instant,
    ops::{Context, Failure},
    store::{
        begin,
        host_bookings::{self, Asked, Position},
    },
};

/// The most bookings of one page.
pub const MAX_PAGE: u32 = 100;

/// Which bookings of a host.
#[derive(Clone, Debug, Default)]
pub struct BookingFilter {
    /// Only those that stand so now; all if empty.
    pub states: Vec<State>,
    /// Only those that start then or later.
    pub from: Option<Instant>,
    /// Only those that start before then.
    pub to: Option<Instant>,
}

/// Some bookings.
#[derive(Debug)]
pub struct BookingPage {
    /// Latest start first; of those that start at once, the one that was made last.
    pub bookings: Vec<HostBooking>,
    /// Where the next page begins, if there is one.
    pub next: Option<Position>,
}

/// Lists bookings of a host after a place: `limit` of them, at most [`MAX_PAGE`]. What is booked
/// or cancelled between two pages neither repeats nor hides another booking; one that is moved
/// meanwhile is where it stands then.
///
/// # Errors
/// [`Failure`].
pub async fn list_bookings(
    context: &Context,
    host: Uuid,
    filter: &BookingFilter,
    after: Option<Position>,
    limit: u32,
) -> Result<BookingPage, Failure> {
    let limit = limit.clamp(1, MAX_PAGE);
    let now = context.clock.now();
    let words: Vec<String> = filter
        .states
        .iter()
        .map(|state| state.word().to_owned())
        .collect();
    // Whatever starts before `to` comes after the place of an id below all others there.
    let below = filter.to.map(|to| Position {
        start_at: to,
        booking_id: Uuid::nil(),
    });
    let after = match (after, below) {
        (Some(after), Some(below)) => Some(earlier(after, below)),
        (after, below) => after.or(below),
    };
    let mut tx = begin::snapshot(&context.pool).await?;
    let asked = Asked {
        host,
        states: (!words.is_empty()).then_some(words.as_slice()),
        from: filter.from,
        after,
        now,
        // One more says whether there is another page.
        limit: i64::from(limit) + 1,
    };
    let mut places = host_bookings::places(&mut tx, &asked).await?;
    let whole = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = places.len() > whole;
    places.truncate(whole);
    let ids: Vec<Uuid> = places.iter().map(|place| place.booking_id).collect();
    let bookings = read::read(context, &mut tx, host, &ids).await?;
    tx.commit().await?;
    Ok(BookingPage {
        bookings,
        next: places.last().filter(|_| more).copied(),
    })
}

fn earlier(a: Position, b: Position) -> Position {
    if (a.start_at, a.booking_id) <= (b.start_at, b.booking_id) {
        a
    } else {
        b
    }
}
