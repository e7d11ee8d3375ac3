//! Claiming, and looking at a claim before the send.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    instant::Instant,
    mail::{backoff::MAX_ATTEMPTS, domain::MailDomain},
    store::budget::{CAP_LOCK, Place},
};

/// A claim lasts so long unless it is ended before. Longer than the longest wait for a mail server.
pub const LEASE_MIN: i64 = 10;

/// Which mail a worker sends: a backlog of one lane never holds up the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Everything but reminders.
    Prompt,
    /// Reminders.
    Reminder,
}

impl Lane {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Prompt, Self::Reminder];

    /// The word in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Reminder => "reminder",
        }
    }
}

/// A row as it was claimed. The work is done from this, never from an earlier read.
#[derive(Clone, Debug)]
pub struct ClaimedMail {
    pub id: Uuid,
    pub booking_id: Uuid,
    pub kind: String,
    pub recipient: String,
    pub recipient_id: Option<Uuid>,
    pub revision: i32,
    pub offset_min: i32,
    pub remind_at: Option<Instant>,
    pub attempts: i16,
    pub claim_id: Uuid,
    pub claimed_at: Instant,
    /// From when it was owed: since it was written, or from a reminder's own time.
    pub owed_at: Instant,
    /// The end of the lease.
    pub due_at: Instant,
    /// When it was due.
    pub was_due_at: Instant,
    /// A claim before this one ran out without an ending: the mail may have gone out.
    pub taken_over: bool,
    /// How often a pause of its domain has held it back.
    pub pauses: i16,
}

impl ClaimedMail {
    /// The lane that it is sent in.
    #[must_use]
    pub fn lane(&self) -> Lane {
        if self.remind_at.is_some() {
            Lane::Reminder
        } else {
            Lane::Prompt
        }
    }
}

/// Where a claim looks, and for whom.
#[derive(Clone, Copy, Debug)]
pub struct Looking<'a> {
    /// Which mail.
    pub lane: Lane,
    /// Only mail that was due then or later.
    pub from: Option<Instant>,
    /// Domains whose mail is left where it is.
    pub passed_over: &'a [MailDomain],
    /// The worker's name.
    pub worker: &'a str,
}

/// Claims the next due row of a lane, if there is one and no other row of the same booking and
/// recipient is on its way. Waits for nobody. A claim whose lease ran out without an ending is
/// counted as `uncertain`: its mail may have gone out.
///
/// Its commit does not wait for the disk. The commit of the preparation does, which comes before
/// any mail server hears of the mail: it has locked the booking, so it is written to the log behind
/// the claim, and one flush takes both. A crash before that forgets a claim under which nothing was
/// sent.
///
/// # Errors
/// The database's.
pub async fn claim(
    conn: &mut PgConnection,
    looking: Looking<'_>,
    claim_id: Uuid,
    fixed: Option<Instant>,
) -> Result<Option<ClaimedMail>, sqlx::Error> {
    let passed_over: Vec<i64> = looking.passed_over.iter().map(|domain| domain.0).collect();
    // The clock is read once, in a sub-select: a volatile call in the condition would keep the
    // index from being used. OFFSET keeps the look at other claims a probe for each candidate, and
    // there is one candidate as a rule; as a join it reads the whole table.
    sqlx::query_as!(
        ClaimedMail,
        r#"WITH clock AS MATERIALIZED (SELECT coalesce($3, clock_timestamp()) AS now, set_config('synchronous_commit', 'off', true)), due AS MATERIALIZED (
            SELECT o.id, o.due_at, o.claim_id IS NOT NULL AS taken_over FROM mail_outbox o
             WHERE o.lane = $1 AND o.outcome IS NULL AND o.due_at <= (SELECT now FROM clock) AND o.due_at >= coalesce($6::timestamptz, '-infinity')
               AND o.attempts < $5
               AND (o.domain_fp IS NULL OR o.domain_fp <> ALL ($7::bigint[]))
               AND NOT EXISTS (
                    SELECT FROM mail_outbox other
                     WHERE other.booking_id = o.booking_id AND other.outcome IS NULL AND other.id <> o.id
                       AND other.recipient = o.recipient AND other.recipient_id IS NOT DISTINCT FROM o.recipient_id
                       AND other.claim_id IS NOT NULL AND other.due_at > (SELECT now FROM clock) OFFSET 0)
             ORDER BY o.due_at, o.priority
               FOR UPDATE SKIP LOCKED LIMIT 1
        )
        UPDATE mail_outbox m
           SET claim_id = $2, claimed_at = clock.now, due_at = clock.now + make_interval(mins => $4::int), attempts = attempts + 1,
               uncertain = uncertain + due.taken_over::int, claimed_by = $8
          FROM clock, due WHERE m.id = due.id
        RETURNING m.id, m.booking_id, m.kind, m.recipient, m.recipient_id, m.revision, m.offset_min, m.remind_at, m.attempts,
                  m.claim_id AS "claim_id!", m.claimed_at AS "claimed_at!", coalesce(m.remind_at, m.created_at) AS "owed_at!", m.due_at, due.due_at AS was_due_at,
                  due.taken_over AS "taken_over!", m.pauses"#,
        looking.lane.word(),
        claim_id,
        fixed as Option<Instant>,
        i32::try_from(LEASE_MIN).unwrap_or(10),
        MAX_ATTEMPTS,
        looking.from as Option<Instant>,
        &passed_over,
        looking.worker
    )
    .fetch_optional(conn)
    .await
}

/// Whether the claim still holds, and whether an earlier row of the same booking and recipient is
/// still on its way: two claims can pass each other.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub held: bool,
    pub behind: bool,
    /// Where a reservation would stand in the ledger. Its instant is after the locks.
    pub place: Place,
}

/// The installation's cap, as one mail asks after it.
#[derive(Clone, Copy, Debug)]
pub struct Cap {
    /// Mails in an hour; `None` for no limit.
    pub per_hour: Option<i64>,
    /// Its lock is wanted alone, however far away the cap is.
    pub alone: bool,
}

/// Locks the booking of a claimed mail, as every transition does before it touches mail rows, then
/// the budgets that it is counted against, and looks at the claims. No claim takes the booking's
/// lock, so they can be looked at with the same statement; the booking itself and the budgets must
/// be read by a later one, which sees what the locks waited for. `None` if there is no such booking.
///
/// The address's lock is made from the fingerprint that stands on the booking or the guest, by other
/// bytes than the lock of those who book: that one comes before the booking's.
///
/// # Errors
/// The database's.
pub async fn lock_and_look(
    conn: &mut PgConnection,
    mail: &ClaimedMail,
    cap: Cap,
    fixed: Option<Instant>,
) -> Result<Option<Standing>, sqlx::Error> {
    // Each step needs the one before it. The cap's lock is shared while the cap is far away; how
    // that is known stands beside `budget::reserve`, which asks again under the lock.
    let looked = sqlx::query!(
        r#"WITH booking AS MATERIALIZED (
            SELECT id, booker_email_fp FROM bookings WHERE id = $4 FOR NO KEY UPDATE
        ), asked AS MATERIALIZED (
            SELECT CASE WHEN $8::bigint IS NULL THEN false
                        ELSE $9 OR coalesce((SELECT seq.last_value FROM mail_ledger_ordinal_seq seq)
                                - (SELECT ordinal FROM mail_ledger WHERE at > coalesce($3, (SELECT clock_timestamp())) - interval '1 hour' ORDER BY at, ordinal LIMIT 1) + 1, 0)
                             + current_setting('max_connections')::bigint > $8 END AS alone,
                   CASE $5 WHEN 'booker' THEN booker_email_fp WHEN 'guest' THEN (SELECT email_fp FROM booking_guests WHERE id = $6) END AS fp
              FROM booking
        ), cap AS MATERIALIZED (
            SELECT alone, fp, CASE WHEN $8::bigint IS NULL THEN NULL WHEN alone THEN pg_advisory_xact_lock($10) ELSE pg_advisory_xact_lock_shared($10) END FROM asked
        ), recipient AS MATERIALIZED (
            SELECT alone, CASE WHEN fp IS NOT NULL THEN pg_advisory_xact_lock(('x' || encode(substring(fp FROM 9 FOR 8), 'hex'))::bit(64)::bigint) END FROM cap
        ), drawn AS MATERIALIZED (
            SELECT alone, nextval('mail_ledger_ordinal_seq') AS ordinal FROM recipient
        ), clock AS MATERIALIZED (
            SELECT alone, ordinal, coalesce($3, clock_timestamp()) AS now FROM drawn
        )
        SELECT EXISTS (SELECT FROM mail_outbox WHERE id = $1 AND claim_id = $2 AND due_at > (SELECT now FROM clock)) AS "held!",
               EXISTS (SELECT FROM mail_outbox other
                        WHERE other.booking_id = $4 AND other.outcome IS NULL AND other.id <> $1
                          AND other.recipient = $5 AND other.recipient_id IS NOT DISTINCT FROM $6
                          AND other.claim_id IS NOT NULL AND other.due_at > (SELECT now FROM clock)
                          AND (other.claimed_at, other.id) < ($7, $1)) AS "behind!",
               alone AS "alone!", ordinal AS "ordinal!", now AS "now!: Instant" FROM clock"#,
        mail.id,
        mail.claim_id,
        fixed as Option<Instant>,
        mail.booking_id,
        mail.recipient,
        mail.recipient_id,
        mail.claimed_at as Instant,
        cap.per_hour,
        cap.alone,
        CAP_LOCK
    )
    .fetch_optional(conn)
    .await?;
    Ok(looked.map(|row| Standing {
        held: row.held,
        behind: row.behind,
        place: Place {
            ordinal: row.ordinal,
            alone: row.alone,
            now: row.now,
        },
    }))
}
