//! The calendars that a host sees, and how they are.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Access, CalendarError, CalendarKind, Role};
use crate::{
    booking::policy::words,
    instant::{Instant, Span},
    ops::{
        Context, Failure,
        busy_time::{self, BusyError, UnknownCalendar, Whose},
        whose,
    },
    seal::Place,
    store::calendars::{self, MemberRow, SeenRow},
    token::unhex,
};

/// How far ahead a calendar is tried: as far as slots may be asked for at once.
const TRIED_MIN: i64 = 62 * 24 * 60;

/// A calendar as one of its hosts sees it.
#[derive(Clone, Debug)]
pub struct SeenCalendar {
    pub id: Uuid,
    /// As its owner named it; a personal one need not have a name.
    pub name: Option<String>,
    pub access: Access,
    /// For this host.
    pub counts_as_busy: bool,
    /// Moves with every write of an event that no booking owns.
    pub revision: i64,
    /// Everybody who sees it, its owner first.
    pub members: Vec<CalendarMember>,
    /// Of a subscribed calendar.
    pub sync: Option<Sync>,
    /// How many events have a part that was not understood and wait for a decision.
    pub problems: i64,
    /// Why its busy time over the next weeks is not known, if it is not: no slot is offered then to
    /// anybody for whom it counts.
    pub fault: Option<UnknownCalendar>,
}

/// Somebody who sees a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarMember {
    pub handle: String,
    pub name: String,
    pub role: Role,
}

words! {
    /// How a subscribed calendar is.
    SyncState {
        /// It was not read yet.
        NeverRead = "never_read",
        /// What is known of it is recent enough to go by.
        Fresh = "fresh",
        /// What is known of it is too old to go by.
        Stale = "stale",
    }
}

/// How old what is known of a subscribed calendar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sync {
    pub state: SyncState,
    pub last_good_at: Option<Instant>,
    /// Whole minutes since then.
    pub age_min: Option<i64>,
    /// From which age on it is not gone by.
    pub max_age_min: i32,
}

/// Every calendar that the host sees, the personal one first.
///
/// # Errors
/// [`Failure`].
pub async fn list_calendars(context: &Context, host: Uuid) -> Result<Vec<SeenCalendar>, Failure> {
    load(context, host, None).await
}

/// One of them.
pub(super) async fn seen_one(
    context: &Context,
    host: Uuid,
    calendar: Uuid,
) -> Result<SeenCalendar, CalendarError> {
    let found = load(context, host, Some(calendar)).await?;
    found.into_iter().next().ok_or(CalendarError::NotFound)
}

async fn load(
    context: &Context,
    host: Uuid,
    only: Option<Uuid>,
) -> Result<Vec<SeenCalendar>, Failure> {
    let now = context.clock.now();
    let mut conn = context.pool.acquire().await?;
    let Some(whose) = whose::load(context, &mut conn, host).await? else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    for row in calendars::seen(&mut conn, host, only).await? {
        all.push(open(context, &mut conn, &whose, row, now).await?);
    }
    Ok(all)
}

async fn open(
    context: &Context,
    conn: &mut PgConnection,
    whose: &Whose,
    row: SeenRow,
    now: Instant,
) -> Result<SeenCalendar, Failure> {
    let access = Access::of(&row.kind, &row.role)?;
    let sync = (access.kind == CalendarKind::Subscribed).then(|| sync(&row, now));
    let seen = busy_time::SeenCalendar {
        id: row.id,
        revision: row.revision,
        stale_at: sync
            .and_then(|sync| sync.last_good_at)
            .map(|at| at.plus_minutes(i64::from(row.max_age_min))),
        never_read: sync.is_some_and(|sync| sync.state == SyncState::NeverRead),
    };
    let range = Span {
        from: now,
        to: now.plus_minutes(TRIED_MIN),
    };
    let fault = match busy_time::load(context, conn, whose, &[seen], range, now).await {
        Ok(_) => None,
        Err(BusyError::Unknown(unknown)) => Some(unknown),
        Err(BusyError::Failure(failure)) => return Err(failure),
    };
    let name = row
        .name_sealed
        .as_deref()
        .map(|sealed| {
            let place = Place::new("calendars", "name", row.id);
            context.keys.seal.open_text(place, sealed)
        })
        .transpose()?;
    let members = row.members.0.iter().map(|row| member(context, row));
    Ok(SeenCalendar {
        id: row.id,
        name,
        access,
        counts_as_busy: row.counts_as_busy,
        revision: row.revision,
        members: members.collect::<Result<_, _>>()?,
        sync,
        problems: row.problems,
        fault,
    })
}

fn sync(row: &SeenRow, now: Instant) -> Sync {
    let age_min = row
        .last_good_sync_at
        .map(|last_good| now.since(last_good).as_mins());
    let state = match row.last_good_sync_at {
        None => SyncState::NeverRead,
        Some(last_good) if last_good.plus_minutes(i64::from(row.max_age_min)) <= now => {
            SyncState::Stale
        }
        Some(_) => SyncState::Fresh,
    };
    Sync {
        state,
        last_good_at: row.last_good_sync_at,
        age_min,
        max_age_min: row.max_age_min,
    }
}

fn member(context: &Context, row: &MemberRow) -> Result<CalendarMember, Failure> {
    let sealed = unhex(&row.name).ok_or(Failure::Stored("name"))?;
    let name = context
        .keys
        .seal
        .open_text(Place::new("hosts", "display_name", row.id), &sealed)?;
    Ok(CalendarMember {
        handle: row.handle.clone(),
        name,
        role: row.role.parse().map_err(|_| Failure::Stored("role"))?,
    })
}
