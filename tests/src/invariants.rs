//! What must hold at the end of every flow, race and fault, whatever happened (I1 to I8 and I11 of
//! the project's invariants). Each fault is a sentence; a good end has none.

mod answers;
mod mail;

use shared::instant::Instant;
use sqlx::PgConnection;

use crate::letter::Letter;

pub use answers::{Attempt, Outcome, answer_faults};

/// What a test saw beside the database.
pub struct Evidence<'a> {
    /// The instant of the end.
    pub now: Instant,
    /// Everything that the mail server accepted, in its order.
    pub letters: &'a [Letter],
}

/// Statements that find what may not be, each with what it means.
const NEVER: &[(&str, &str)] = &[
    (
        "I1: active bookings of one host overlap",
        "SELECT a.booking_id::text FROM booking_hosts a JOIN booking_hosts b
            ON a.host_id = b.host_id AND a.booking_id < b.booking_id AND a.blocked && b.blocked
          WHERE a.active AND b.active",
    ),
    (
        "I1: a blocked span is not the meeting with its buffers",
        "SELECT b.id::text FROM bookings b JOIN booking_hosts h ON h.booking_id = b.id
          WHERE h.blocked <> tstzrange(b.start_at - make_interval(mins => b.before_buffer_min),
                                       b.end_at + make_interval(mins => b.after_buffer_min))",
    ),
    (
        "a span is held by a booking that is off, or not by one that stands",
        "SELECT b.id::text FROM bookings b JOIN booking_hosts h ON h.booking_id = b.id
          WHERE h.active <> (b.state NOT IN ('cancelled', 'expired'))",
    ),
    (
        "a booking has no host or no event",
        "SELECT b.id::text FROM bookings b
          WHERE (SELECT count(*) FROM booking_hosts h JOIN events e ON e.id = h.event_id AND e.booking_id = b.id
                  WHERE h.booking_id = b.id) <> 1
             OR (SELECT count(*) FROM events e WHERE e.booking_id = b.id) <> 1",
    ),
    (
        "the five time columns of a booking's event disagree",
        "SELECT b.id::text FROM bookings b JOIN events e ON e.booking_id = b.id
          WHERE e.start_utc <> b.start_at OR e.end_utc <> b.end_at
             OR e.start_utc AT TIME ZONE e.tz <> e.start_local OR e.end_utc AT TIME ZONE e.tz <> e.end_local",
    ),
    (
        "a booking's event says another state",
        "SELECT b.id::text FROM bookings b JOIN events e ON e.booking_id = b.id
          WHERE e.status <> CASE WHEN b.state = 'held' THEN 'tentative'
                                 WHEN b.state IN ('cancelled', 'expired') THEN 'cancelled' ELSE 'confirmed' END
             OR (e.deleted_at IS NOT NULL) <> (b.state = 'expired')
             OR (b.state NOT IN ('completed', 'no_show') AND e.sequence <> b.revision)",
    ),
    (
        "a history has gaps, or does not end where its booking is",
        "SELECT b.id::text FROM bookings b
           LEFT JOIN LATERAL (SELECT count(*) AS n, max(revision) AS last FROM booking_history WHERE booking_id = b.id) h ON true
           LEFT JOIN booking_history l ON l.booking_id = b.id AND l.revision = b.revision
          WHERE h.n <> b.revision + 1 OR h.last <> b.revision OR l.to_state <> b.state OR l.at <> b.revised_at
             OR l.new_span <> tstzrange(b.start_at, b.end_at)",
    ),
    (
        "a history does not follow from itself",
        "SELECT h.booking_id::text FROM booking_history h
           JOIN booking_history p ON p.booking_id = h.booking_id AND p.revision = h.revision - 1
          WHERE h.from_state <> p.to_state OR h.old_span <> p.new_span OR h.at < p.at
             OR p.to_state NOT IN ('held', 'confirmed')",
    ),
    (
        "I11: a lease is held after the end",
        "SELECT id::text FROM mail_outbox WHERE claim_id IS NOT NULL",
    ),
    (
        "a link leads to no booking, or belongs to a mail that its address refused",
        "SELECT m.id::text FROM mail_outbox m JOIN manage_tokens t ON t.mail_id = m.id WHERE m.outcome = 'rejected'",
    ),
];

/// Everything that is not as it must be.
pub async fn faults(conn: &mut PgConnection, evidence: &Evidence<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    for (what, sql) in NEVER {
        let found: Vec<String> = sqlx::query_scalar(*sql)
            .fetch_all(&mut *conn)
            .await
            .unwrap();
        faults.extend(found.iter().map(|id| format!("{what}: {id}")));
    }
    mail::faults(conn, evidence, &mut faults).await;
    if !is_quiet(conn).await {
        faults.push("I11: somebody is idle in a transaction".into());
    }
    faults
}

/// Whether nobody is in a transaction but who asks. A connection that just answered may still be
/// rolling back.
pub(crate) async fn is_quiet(conn: &mut PgConnection) -> bool {
    for _ in 0..200 {
        let busy: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL",
        )
        .fetch_one(&mut *conn)
        .await
        .unwrap();
        if busy == 0 {
            return true;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    false
}
