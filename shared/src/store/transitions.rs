//! A booking's transitions: one conditional UPDATE each, naming the state and the revision that it
//! expects, with the event, the span and the history row in the same statement.
//!
//! Each answers whether it happened. `false` means that somebody else moved first: the caller reads
//! again and reports, and never retries blindly. All run under the host's lock.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    booking::{Actor, State},
    instant::{Instant, Local, Span},
};

/// Who does it, to which booking, from which revision.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub booking: Uuid,
    /// The revision that was read under the lock.
    pub revision: i32,
    pub actor: &'static str,
    pub now: Instant,
}

impl Change {
    /// A change by an actor.
    #[must_use]
    pub const fn new(booking: Uuid, revision: i32, actor: Actor, now: Instant) -> Self {
        Self {
            booking,
            revision,
            actor: actor.word(),
            now,
        }
    }
}

/// `held` -> `confirmed`, before the hold lapses and before the meeting starts.
///
/// # Errors
/// The database's.
pub async fn confirm(
    conn: &mut PgConnection,
    change: Change,
    organizer_sealed: &[u8],
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "WITH booking AS (
            UPDATE bookings SET state = 'confirmed', revision = revision + 1, revised_at = $3, confirmed_at = $3, organizer_sealed = $5
             WHERE id = $1 AND state = 'held' AND revision = $2 AND hold_expires_at > $3 AND start_at > $3
            RETURNING id, revision, start_at, end_at
        ), event AS (
            UPDATE events SET status = 'confirmed', sequence = booking.revision, updated_at = $3
              FROM booking WHERE events.booking_id = booking.id
        )
        INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, from_state, to_state, old_span, new_span)
        SELECT id, revision, $3, $4, 'confirm', 'held', 'confirmed', tstzrange(start_at, end_at, '[)'), tstzrange(start_at, end_at, '[)') FROM booking",
        change.booking,
        change.revision,
        change.now as Instant,
        change.actor,
        organizer_sealed
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// `held` -> `expired` of bookings, as of `now`: those that lapsed, or with `released` whatever
/// their time. The event is deleted, the span is free, unsent mail is skipped. Answers how many.
///
/// # Errors
/// The database's.
pub async fn expire(
    conn: &mut PgConnection,
    bookings: &[Uuid],
    actor: Option<Actor>,
    now: Instant,
) -> Result<u64, sqlx::Error> {
    let released = actor.is_some();
    let done = sqlx::query!(
        "WITH booking AS (
            UPDATE bookings SET state = 'expired', revision = revision + 1, revised_at = $2
             WHERE id = ANY ($1) AND state = 'held' AND ($3 OR hold_expires_at <= $2 OR start_at <= $2)
            RETURNING id, revision, start_at, end_at
        ), host AS (
            UPDATE booking_hosts SET active = false FROM booking WHERE booking_id = booking.id
        ), event AS (
            UPDATE events SET status = 'cancelled', deleted_at = $2, sequence = booking.revision, updated_at = $2
              FROM booking WHERE events.booking_id = booking.id
        ), mail AS (
            UPDATE mail_outbox SET outcome = 'skipped', outcome_at = $2, claim_id = NULL, claimed_at = NULL
              FROM booking WHERE booking_id = booking.id AND outcome IS NULL AND (claim_id IS NULL OR due_at <= $2)
        )
        INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, from_state, to_state, old_span, new_span)
        SELECT id, revision, $2, $4, CASE WHEN $3 THEN 'release' ELSE 'expire' END, 'held', 'expired',
               tstzrange(start_at, end_at, '[)'), tstzrange(start_at, end_at, '[)') FROM booking",
        bookings,
        now as Instant,
        released,
        actor.map_or("system", Actor::word)
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// `confirmed` -> `cancelled`. The span is free.
///
/// # Errors
/// The database's.
pub async fn cancel(
    conn: &mut PgConnection,
    change: Change,
    reason_sealed: Option<&[u8]>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "WITH booking AS (
            UPDATE bookings SET state = 'cancelled', revision = revision + 1, revised_at = $3, cancelled_at = $3, cancelled_by = $4, cancel_reason_sealed = $5
             WHERE id = $1 AND state = 'confirmed' AND revision = $2
            RETURNING id, revision, start_at, end_at
        ), host AS (
            UPDATE booking_hosts SET active = false FROM booking WHERE booking_id = booking.id
        ), event AS (
            UPDATE events SET status = 'cancelled', sequence = booking.revision, updated_at = $3
              FROM booking WHERE events.booking_id = booking.id
        )
        INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, from_state, to_state, old_span, new_span)
        SELECT id, revision, $3, $4, 'cancel', 'confirmed', 'cancelled', tstzrange(start_at, end_at, '[)'), tstzrange(start_at, end_at, '[)') FROM booking",
        change.booking,
        change.revision,
        change.now as Instant,
        change.actor,
        reason_sealed
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Where a booking moves.
#[derive(Clone, Debug)]
pub struct NewTime {
    pub span: Span,
    pub blocked: Span,
    pub start_local: Local,
    pub end_local: Local,
    pub zone: String,
    /// The zone that its booker moved it in.
    pub booker_zone: String,
    pub by_booker: bool,
}

/// Moves a confirmed booking: five time columns and the zone, the span and the booking together.
///
/// # Errors
/// The database's; `booking_hosts_no_overlap` when somebody has the time.
pub async fn reschedule(
    conn: &mut PgConnection,
    change: Change,
    to: &NewTime,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "WITH before AS (
            SELECT id, tstzrange(start_at, end_at, '[)') AS span FROM bookings WHERE id = $1
        ), booking AS (
            UPDATE bookings SET revision = revision + 1, revised_at = $3, start_at = $5, end_at = $6, booker_zone = $11,
                booker_reschedules = booker_reschedules + CASE WHEN $12 THEN 1 ELSE 0 END
             WHERE id = $1 AND state = 'confirmed' AND revision = $2 AND start_at > $3
            RETURNING id, revision
        ), host AS (
            UPDATE booking_hosts SET blocked = $7 FROM booking WHERE booking_id = booking.id
        ), event AS (
            UPDATE events SET start_utc = $5, end_utc = $6, start_local = $8, end_local = $9, tz = $10, sequence = booking.revision, updated_at = $3
              FROM booking WHERE events.booking_id = booking.id
        )
        INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, from_state, to_state, old_span, new_span)
        SELECT booking.id, booking.revision, $3, $4, 'reschedule', 'confirmed', 'confirmed', before.span, tstzrange($5, $6, '[)')
          FROM booking JOIN before ON before.id = booking.id",
        change.booking,
        change.revision,
        change.now as Instant,
        change.actor,
        to.span.from as Instant,
        to.span.to as Instant,
        to.blocked as Span,
        to.start_local as Local,
        to.end_local as Local,
        to.zone,
        to.booker_zone,
        to.by_booker
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// `confirmed` -> `completed` or `no_show`, once the meeting has begun. The span stays.
///
/// # Errors
/// The database's.
pub async fn finish(
    conn: &mut PgConnection,
    change: Change,
    to: State,
) -> Result<bool, sqlx::Error> {
    let action = if to == State::NoShow {
        "no_show"
    } else {
        "complete"
    };
    let done = sqlx::query!(
        "WITH booking AS (
            UPDATE bookings SET state = $5, revision = revision + 1, revised_at = $3
             WHERE id = $1 AND state = 'confirmed' AND revision = $2 AND start_at <= $3
            RETURNING id, revision, start_at, end_at
        )
        INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, from_state, to_state, old_span, new_span)
        SELECT id, revision, $3, $4, $6, 'confirmed', $5, tstzrange(start_at, end_at, '[)'), tstzrange(start_at, end_at, '[)') FROM booking",
        change.booking,
        change.revision,
        change.now as Instant,
        change.actor,
        to.word(),
        action
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// To whom a booking goes.
#[derive(Clone, Debug)]
pub struct NewHost {
    pub from: Uuid,
    pub to: Uuid,
    /// The personal calendar of the new host, which the event moves to.
    pub calendar: Uuid,
    /// The event's wall times and zone, as the new host lives them.
    pub start_local: Local,
    pub end_local: Local,
    pub zone: String,
    /// The new host's name, sealed for the booking.
    pub name_sealed: Vec<u8>,
}

/// Gives a confirmed booking that has not begun to another host, at the same time: blocked span and
/// event go along, the pinned organizer stays.
///
/// # Errors
/// The database's; `booking_hosts_no_overlap` when the new host has something else booked.
pub async fn reassign(
    conn: &mut PgConnection,
    change: Change,
    to: &NewHost,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "WITH booking AS (
            UPDATE bookings SET revision = revision + 1, revised_at = $3, host_name_sealed = $11
             WHERE id = $1 AND state = 'confirmed' AND revision = $2 AND start_at > $3
               AND EXISTS (SELECT FROM booking_hosts h WHERE h.booking_id = $1 AND h.host_id = $5 AND h.is_primary)
            RETURNING id, revision, start_at, end_at
        ), host AS (
            UPDATE booking_hosts SET host_id = $6 FROM booking WHERE booking_id = booking.id AND host_id = $5
        ), event AS (
            UPDATE events SET calendar_id = $7, start_local = $8, end_local = $9, tz = $10, sequence = booking.revision, updated_at = $3
              FROM booking WHERE events.booking_id = booking.id
        )
        INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, from_state, to_state, old_span, new_span, old_host, new_host)
        SELECT id, revision, $3, $4, 'reschedule', 'confirmed', 'confirmed', tstzrange(start_at, end_at, '[)'), tstzrange(start_at, end_at, '[)'), $5, $6
          FROM booking",
        change.booking,
        change.revision,
        change.now as Instant,
        change.actor,
        to.from,
        to.to,
        to.calendar,
        to.start_local as Local,
        to.end_local as Local,
        to.zone,
        to.name_sealed
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
