//! Mail rows: what transitions write of them.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    id,
    instant::Instant,
    mail::{kind::MailKind, owed::Owed},
    random::{NoRandomness, Random},
};

/// Rows ready to be written, column by column.
#[derive(Debug, Default)]
pub struct OwedRows {
    ids: Vec<Uuid>,
    kinds: Vec<String>,
    recipients: Vec<String>,
    recipient_ids: Vec<Option<Uuid>>,
    offsets: Vec<i32>,
    lanes: Vec<String>,
    priorities: Vec<i16>,
    remind_ats: Vec<Option<Instant>>,
    due_ats: Vec<Instant>,
}

impl OwedRows {
    /// Gives each owed mail an id.
    ///
    /// # Errors
    /// [`NoRandomness`].
    pub fn new(owed: &[Owed], now: Instant, random: &Random) -> Result<Self, NoRandomness> {
        let mut rows = Self::default();
        for mail in owed {
            rows.ids.push(id::new(now, random)?);
            rows.kinds.push(mail.kind.as_str().to_owned());
            rows.recipients.push(mail.recipient.word().to_owned());
            rows.recipient_ids.push(mail.recipient.id());
            rows.offsets.push(mail.offset_min);
            let lane = if mail.kind == MailKind::Reminder {
                "reminder"
            } else {
                "prompt"
            };
            rows.lanes.push(lane.to_owned());
            rows.priorities.push(mail.recipient.role().priority());
            rows.remind_ats.push(mail.remind_at);
            rows.due_ats.push(mail.due_at);
        }
        Ok(rows)
    }
}

/// Writes owed mail of a booking's revision. In the transition's own transaction.
///
/// # Errors
/// The database's.
pub async fn insert(
    conn: &mut PgConnection,
    booking: Uuid,
    revision: i32,
    rows: &OwedRows,
    now: Instant,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO mail_outbox (id, booking_id, kind, recipient, recipient_id, revision, offset_min, lane, priority, remind_at, due_at, created_at)
         SELECT m.id, $1, m.kind, m.recipient, m.recipient_id, $2, m.offset_min, m.lane, m.priority, m.remind_at, m.due_at, $3
           FROM unnest($4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::int[], $9::text[], $10::smallint[], $11::timestamptz[], $12::timestamptz[])
                AS m (id, kind, recipient, recipient_id, offset_min, lane, priority, remind_at, due_at)",
        booking,
        revision,
        now as Instant,
        &rows.ids,
        &rows.kinds,
        &rows.recipients,
        &rows.recipient_ids as &[Option<Uuid>],
        &rows.offsets,
        &rows.lanes,
        &rows.priorities,
        &rows.remind_ats as &[Option<Instant>],
        &rows.due_ats as &[Instant],
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Marks what is unsent of a host's `cancelled` mail `skipped`: they have the booking again.
///
/// # Errors
/// The database's.
pub async fn skip_farewell(
    conn: &mut PgConnection,
    booking: Uuid,
    host: Uuid,
    now: Instant,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE mail_outbox SET outcome = 'skipped', outcome_at = $3, claim_id = NULL, claimed_at = NULL
          WHERE booking_id = $1 AND kind = 'cancelled' AND recipient = 'host' AND recipient_id = $2
            AND outcome IS NULL AND (claim_id IS NULL OR due_at <= $3)",
        booking,
        host,
        now as Instant
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Marks a booking's unsent rows of these kinds `skipped`: a transition has made them false. A row
/// whose claim is live is left to its worker, which reads the booking again before it sends.
///
/// # Errors
/// The database's.
pub async fn skip(
    conn: &mut PgConnection,
    booking: Uuid,
    kinds: &[MailKind],
    now: Instant,
) -> Result<(), sqlx::Error> {
    let kinds: Vec<String> = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
    sqlx::query!(
        "UPDATE mail_outbox SET outcome = 'skipped', outcome_at = $3, claim_id = NULL, claimed_at = NULL
          WHERE booking_id = $1 AND kind = ANY ($2) AND outcome IS NULL AND (claim_id IS NULL OR due_at <= $3)",
        booking,
        &kinds,
        now as Instant
    )
    .execute(conn)
    .await?;
    Ok(())
}
