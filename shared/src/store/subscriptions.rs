//! Subscribed calendars: making one, and how its readings go.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::instant::Instant;

/// A subscribed calendar to make.
#[derive(Clone, Debug)]
pub struct NewSubscription {
    pub id: Uuid,
    pub host_id: Uuid,
    pub name_sealed: Vec<u8>,
    pub source_sealed: Vec<u8>,
    pub max_age_min: i32,
    pub counts_as_busy: bool,
    pub now: Instant,
}

/// Makes a subscribed calendar, due at once, that its owner alone sees. The caller has locked the
/// host. `false` if they have `most` already.
///
/// # Errors
/// The database's.
pub async fn insert(
    conn: &mut PgConnection,
    new: &NewSubscription,
    most: i64,
) -> Result<bool, sqlx::Error> {
    let made = sqlx::query!(
        "WITH made AS (
            INSERT INTO calendars (id, owner_host_id, kind, name_sealed, source_sealed, max_age_min, created_at, updated_at)
            SELECT $1, $2, 'subscribed', $3, $4, $5, $7, $7
             WHERE (SELECT count(*) FROM calendars WHERE owner_host_id = $2 AND kind = 'subscribed') < $8
            RETURNING id
        ), member AS (
            INSERT INTO calendar_members (calendar_id, host_id, role, counts_as_busy) SELECT id, $2, 'owner', $6 FROM made
        )
        INSERT INTO calendar_syncs (calendar_id, due_at, created_at, updated_at) SELECT id, $7, $7, $7 FROM made",
        new.id,
        new.host_id,
        new.name_sealed,
        new.source_sealed,
        new.max_age_min,
        new.counts_as_busy,
        new.now as Instant,
        most
    )
    .execute(conn)
    .await?;
    Ok(made.rows_affected() == 1)
}

/// A calendar that a host sees, and how its readings go if it is subscribed.
#[derive(Debug)]
pub struct SubscriptionRow {
    pub kind: String,
    pub owner_host_id: Uuid,
    pub name_sealed: Option<Vec<u8>>,
    pub source_sealed: Option<Vec<u8>>,
    pub max_age_min: i32,
    pub counts_as_busy: bool,
    pub revision: i64,
    pub last_good_sync_at: Option<Instant>,
    pub due_at: Option<Instant>,
    pub is_claimed: bool,
    pub error_class: Option<String>,
    pub failing_since: Option<Instant>,
    pub failed_at: Option<Instant>,
}

/// The calendar with that id, if the host sees it.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    host: Uuid,
    calendar: Uuid,
) -> Result<Option<SubscriptionRow>, sqlx::Error> {
    sqlx::query_as!(
        SubscriptionRow,
        r#"SELECT c.kind, c.owner_host_id, c.name_sealed, c.source_sealed, c.max_age_min, m.counts_as_busy, c.revision,
                  c.last_good_sync_at AS "last_good_sync_at: Instant", s.due_at AS "due_at?: Instant", s.claim_id IS NOT NULL AS "is_claimed!",
                  s.error_class AS "error_class?", s.failing_since AS "failing_since?: Instant", s.failed_at AS "failed_at?: Instant"
             FROM calendar_members m
             JOIN calendars c ON c.id = m.calendar_id
             LEFT JOIN calendar_syncs s ON s.calendar_id = c.id
            WHERE m.host_id = $1 AND m.calendar_id = $2"#,
        host,
        calendar
    )
    .fetch_optional(conn)
    .await
}
