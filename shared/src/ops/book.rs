//! Taking a slot: held until the mailbox confirms it, or confirmed at once, as the page says.
//!
//! Three round trips before the transaction answer a taken slot cheaply; eight inside it, from
//! BEGIN to COMMIT, take it. What was read before the locks is compared under them; a page that
//! changed meanwhile is read again from the start.

mod prepare;

use uuid::Uuid;

pub(in crate::ops) use self::prepare::Organizer;
use self::prepare::Prepared;
use super::{
    Context,
    availability::{self, LoadError},
    failure::{AvailabilityUnknown, Failure},
    show_booking,
    whole::whole,
};
use crate::{
    booking::{InvalidRequest, Page, PublicBooking, RawBooking, State, request::BookingRequest},
    fingerprint::{Fingerprint, Purpose},
    instant::{Instant, Span},
    locale::Locale,
    mail::{kind::MailKind, owed},
    random::NoRandomness,
    slots::{Offered, offered},
    store::{
        begin::begin,
        bookings::{self, BookingKey},
        constraint::{NO_OVERLAP, violates},
        idempotency::{self, Answered, Key},
        locks,
        outbox::{self, OwedRows},
        pages::PageKey,
        retry::{DatabaseFault, Tries},
        taking::{self, Counted, Recheck},
        transitions,
    },
    token::{self, ManageToken},
};

/// How often a page that keeps changing is read again.
const PAGE_ROUNDS: u32 = 10;

/// A wish to book.
#[derive(Clone)]
pub struct Take {
    /// The page's address.
    pub handle: String,
    pub code: String,
    pub request: RawBooking,
    /// The language wished for beside the request.
    pub wished: Locale,
    /// The client, for caps.
    pub ip: Option<Fingerprint>,
    /// `Idempotency-Key`, as it came.
    pub idempotency_key: Option<String>,
}

/// A slot taken.
#[derive(Debug)]
pub struct Taken {
    pub booking: PublicBooking,
    /// For a booking confirmed at once; a hold's token goes to the mailbox alone.
    pub token: Option<ManageToken>,
    /// The same request under the same key was answered before; this is that answer again.
    pub replayed: bool,
}

/// Why nothing was taken.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error("no such page")]
    NotFound,
    #[error("the request breaks a rule")]
    Invalid(InvalidRequest),
    /// The rules never offer this start.
    #[error("the slot is not offered")]
    NotOffered,
    /// Somebody has it.
    #[error("the slot is taken")]
    Taken,
    /// Too many holds are open.
    #[error("too many open holds")]
    TooManyHolds { retry_after_s: u32 },
    /// Too many bookings in 24 hours.
    #[error("too many bookings")]
    TooManyBookings { retry_after_s: u32 },
    /// The key was used with another request.
    #[error("the idempotency key was used with another request")]
    KeyReused,
    /// The page changed with every look.
    #[error("the page keeps changing")]
    Changing,
    #[error(transparent)]
    Unknown(#[from] AvailabilityUnknown),
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl From<sqlx::Error> for BookError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<NoRandomness> for BookError {
    fn from(error: NoRandomness) -> Self {
        Self::Failure(error.into())
    }
}

impl From<LoadError> for BookError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Unknown(unknown) => unknown.into(),
            LoadError::Failure(failure) => failure.into(),
        }
    }
}

impl DatabaseFault for BookError {
    fn database_fault(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Failure(failure) => failure.database_fault(),
            _ => None,
        }
    }
}

/// Books a slot of a page.
///
/// # Errors
/// [`BookError`]; nothing is kept then, and a refused request does not use its key up.
pub async fn book(context: &Context, take: Take) -> Result<Taken, BookError> {
    for _ in 0..PAGE_ROUNDS {
        let ready = match look(context, &take).await? {
            Look::Answered(answered) => return replay(context, &take, answered).await,
            Look::Ready(ready) => ready,
        };
        let (its_context, ip) = (context.clone(), take.ip);
        match whole(async move { attempt(&its_context, *ready, ip).await }).await? {
            Outcome::Taken(taken) => {
                context.wake.mail_is_owed();
                return Ok(*taken);
            }
            Outcome::Answered(answered) => return replay(context, &take, answered).await,
            Outcome::PageChanged => {}
        }
    }
    Err(BookError::Changing)
}

/// What a look without locks finds.
enum Look {
    Answered(Answered),
    Ready(Box<Prepared>),
}

/// Everything that can be done before the locks: three round trips at most.
async fn look(context: &Context, take: &Take) -> Result<Look, BookError> {
    let now = context.clock.now();
    let mut conn = context.pool.acquire().await?;
    let at_start = slot_range(take.request.start);
    let key = PageKey::Address(&take.handle, &take.code);
    let page = availability::load_page(context, &mut conn, key, at_start)
        .await?
        .ok_or(BookError::NotFound)?;
    let parsed = BookingRequest::parse(&take.request, &page, &context.zones, take.wished);
    let loaded = match &parsed {
        Ok(_) => Some(availability::load(context, &mut conn, &page, now, at_start, None).await),
        Err(_) => None,
    };
    // Asked last: a repeat that finds the slot taken by the first request finds its answer too,
    // and so does one that the page as it is now would refuse.
    let key = idempotency_key(context, &page, take);
    if let Some(key) = &key
        && let Some(answered) = idempotency::find(&mut conn, key, now).await?
    {
        return same_request(key, answered).map(Look::Answered);
    }
    drop(conn);
    let request = parsed.map_err(BookError::Invalid)?;
    if let Some(loaded) = loaded {
        check_offered(&loaded?, now, request.start)?;
    }
    Ok(Look::Ready(Box::new(prepare::prepare(
        context, page, request, key, now,
    )?)))
}

/// What the transaction came to.
enum Outcome {
    Taken(Box<Taken>),
    Answered(Answered),
    PageChanged,
}

/// The transaction, tried again while the database makes it give way.
async fn attempt(
    context: &Context,
    mut ready: Prepared,
    ip: Option<Fingerprint>,
) -> Result<Outcome, BookError> {
    let mut tries = Tries::default();
    loop {
        match take_slot(context, &mut ready, ip).await {
            Ok(Some(outcome)) => return Ok(outcome),
            Ok(None) => {
                let token = ready.token.take();
                return Ok(Outcome::Taken(Box::new(Taken {
                    booking: ready.public,
                    token,
                    replayed: false,
                })));
            }
            Err(error) if tries.again(&error, &context.random).await => {}
            // Still giving way after all tries: others have the time.
            Err(error)
                if error
                    .database_fault()
                    .is_some_and(crate::store::constraint::gave_way) =>
            {
                return Err(BookError::Taken);
            }
            Err(error) => return Err(error),
        }
    }
}

/// One transaction: locks, reads again, writes. `None` when the slot was taken for this request.
async fn take_slot(
    context: &Context,
    ready: &mut Prepared,
    ip: Option<Fingerprint>,
) -> Result<Option<Outcome>, BookError> {
    let mut tx = begin(&context.pool).await?;
    let host = ready.page.host.id;
    let address = ready.new.booker_email_fp;
    let counted: Vec<Fingerprint> = ip.into_iter().chain([address]).collect();
    let locked = locks::lock_host(&mut tx, host, &counted, context.clock.pinned())
        .await?
        .ok_or(BookError::NotFound)?;
    let now = locked.now;
    let counted = Counted {
        event_type: ready.page.event_type_id,
        ip: ip.as_ref(),
        address: &address,
    };
    let again = taking::recheck(&mut tx, counted, ready.key.as_ref(), now)
        .await?
        .ok_or(BookError::NotFound)?;
    if let (Some(key), Some(answered)) = (&ready.key, answered(&again)) {
        return same_request(key, answered).map(|answered| Some(Outcome::Answered(answered)));
    }
    if !(again.published && again.host_verified && locked.host_is_active) {
        return Err(BookError::NotFound);
    }
    if again.type_revision != ready.page.type_revision
        || again.schedule_revision != ready.page.schedule_revision
    {
        return Ok(Some(Outcome::PageChanged));
    }
    check_caps(context, &again, now)?;
    let start = ready.new.span.from;
    let loaded =
        availability::load(context, &mut tx, &ready.page, now, slot_range(start), None).await?;
    check_offered(&loaded, now, start)?;
    let in_the_way: Vec<Uuid> = loaded
        .lapsed
        .iter()
        .filter(|(_, span)| span.overlaps(ready.new.blocked))
        .map(|(id, _)| *id)
        .collect();
    if !in_the_way.is_empty() {
        transitions::expire(&mut tx, &in_the_way, None, now).await?;
    }
    ready.fix(locked.calendar_id, ip, now);
    taking::insert(&mut tx, &ready.new, ready.key.as_ref())
        .await
        .map_err(|error| {
            if violates(&error, NO_OVERLAP) {
                BookError::Taken
            } else {
                error.into()
            }
        })?;
    let mail = if ready.new.confirmed {
        let mut mail = ready.audience.notice(MailKind::Confirmed, now);
        mail.extend(ready.audience.reminders(&ready.page.reminders, start, now));
        mail
    } else {
        owed::hold(now)
    };
    outbox::insert(
        &mut tx,
        ready.new.id,
        0,
        &OwedRows::new(&mail, now, &context.random)?,
        now,
    )
    .await?;
    tx.commit().await?;
    Ok(None)
}

/// One instant as a range of starts.
fn slot_range(start: Instant) -> Span {
    Span {
        from: start,
        to: start.plus_minutes(1),
    }
}

fn check_offered(
    loaded: &availability::Availability,
    now: Instant,
    start: Instant,
) -> Result<(), BookError> {
    match offered(&loaded.rule, &loaded.busy(), now, start) {
        Offered::Free(_) => Ok(()),
        Offered::Taken => Err(BookError::Taken),
        Offered::NotOffered => Err(BookError::NotOffered),
    }
}

/// Durable caps, counted under the fingerprints' locks before any slot arithmetic. With several
/// reached, the one that lasts longest is told.
fn check_caps(context: &Context, again: &Recheck, now: Instant) -> Result<(), BookError> {
    let limits = &context.limits;
    let wait_s = |until: Option<Instant>| {
        let seconds = until.map_or(1, |until| until.since(now).as_secs().max(1));
        u32::try_from(seconds).unwrap_or(u32::MAX)
    };
    let longest = |caps: &[(i64, u32, Option<Instant>)]| {
        caps.iter()
            .filter(|(count, limit, _)| *count >= i64::from(*limit))
            .map(|(_, _, until)| wait_s(*until))
            .max()
    };
    let day_later = |since: Option<Instant>| since.map(|since| since.plus_minutes(24 * 60));
    let holds = longest(&[
        (
            again.holds_of_ip,
            limits.open_holds_per_ip,
            again.holds_of_ip_until,
        ),
        (
            again.holds_of_type,
            limits.open_holds_per_event_type,
            again.holds_of_type_until,
        ),
        (
            again.holds_of_address,
            limits.open_holds_per_address,
            again.holds_of_address_until,
        ),
    ]);
    let bookings = longest(&[
        (
            again.day_of_ip,
            limits.bookings_per_day_per_ip,
            day_later(again.day_of_ip_since),
        ),
        (
            again.day_of_address,
            limits.bookings_per_day_per_address,
            day_later(again.day_of_address_since),
        ),
    ]);
    match (holds, bookings) {
        (None, None) => Ok(()),
        (Some(retry_after_s), other) if other.is_none_or(|other| other <= retry_after_s) => {
            Err(BookError::TooManyHolds { retry_after_s })
        }
        (_, retry_after_s) => Err(BookError::TooManyBookings {
            retry_after_s: retry_after_s.unwrap_or(1),
        }),
    }
}

/// Keys count for a page and a booker: nobody reaches another's booking by a guessed one. The
/// language is no part of the request's fingerprint. `None` without a key, and for an address that
/// is none.
fn idempotency_key(context: &Context, page: &Page, take: &Take) -> Option<Key> {
    let given = take.idempotency_key.as_deref()?;
    let address = take.request.email.parse().ok()?;
    let fingerprints = &context.keys.fingerprint;
    let mut scope = page.event_type_id.as_bytes().to_vec();
    scope.extend_from_slice(&fingerprints.of_address(Purpose::Address, &address));
    let request = serde_json::to_vec(&take.request).unwrap_or_default();
    Some(Key {
        scope,
        hash: token::hash(given),
        request: fingerprints.of(Purpose::Request, &request),
    })
}

fn answered(again: &Recheck) -> Option<Answered> {
    Some(Answered {
        request_fp: again.answered_request.clone()?,
        booking_id: again.answered_booking?,
        revision: again.answered_revision?,
    })
}

fn same_request(key: &Key, answered: Answered) -> Result<Answered, BookError> {
    if answered.request_fp == key.request {
        Ok(answered)
    } else {
        Err(BookError::KeyReused)
    }
}

/// The first answer again: the booking as it was then, with a fresh token where it carried one.
/// Queues nothing.
async fn replay(context: &Context, take: &Take, answered: Answered) -> Result<Taken, BookError> {
    let mut conn = context.pool.acquire().await?;
    let row = bookings::find(&mut conn, BookingKey::Id(answered.booking_id))
        .await?
        .ok_or(Failure::Stored("booking"))?;
    let past = bookings::at_revision(&mut conn, answered.booking_id, answered.revision)
        .await?
        .ok_or(Failure::Stored("history"))?;
    let mut booking = show_booking::open(context, row)?;
    show_booking::as_it_was(&mut booking, &past, answered.revision)?;
    // The same request named the same zone; a later move may have changed it.
    if let Ok(zone) = context.zones.get(take.request.zone.trim()) {
        booking.zone = zone;
    }
    let token = if booking.standing.state == State::Confirmed {
        let token = ManageToken::mint(&context.random)?;
        bookings::add_token(&mut conn, &token.hash(), answered.booking_id, None).await?;
        Some(token)
    } else {
        None
    };
    Ok(Taken {
        booking,
        token,
        replayed: true,
    })
}
