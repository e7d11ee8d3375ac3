//! Calendars and who sees them.

use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::instant::Instant;

/// A calendar's name.
#[derive(Debug)]
pub struct NamedRow {
    pub id: Uuid,
    pub kind: String,
    /// `None` for a personal calendar, which goes by its owner.
    pub name_sealed: Option<Vec<u8>>,
}

/// The names of the calendars that a host sees.
///
/// # Errors
/// The database's.
pub async fn names(conn: &mut PgConnection, host: Uuid) -> Result<Vec<NamedRow>, sqlx::Error> {
    sqlx::query_as!(
        NamedRow,
        "SELECT c.id, c.kind, c.name_sealed
           FROM calendar_members m JOIN calendars c ON c.id = m.calendar_id WHERE m.host_id = $1",
        host
    )
    .fetch_all(conn)
    .await
}

/// Locks a calendar against every other writer of its events and every booking that reads it, for
/// the transaction. `false` if there is none.
///
/// # Errors
/// The database's.
pub async fn lock(conn: &mut PgConnection, calendar: Uuid) -> Result<bool, sqlx::Error> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM calendars WHERE id = $1 FOR NO KEY UPDATE",
        calendar
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.is_some())
}

/// Says that the calendar's events are not what they were. Whoever writes an event that no booking
/// owns calls it in the same transaction, under [`lock`].
///
/// # Errors
/// The database's.
pub async fn bump(conn: &mut PgConnection, calendar: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE calendars SET revision = revision + 1, updated_at = now() WHERE id = $1",
        calendar
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A host's standing on a calendar, as it is stored.
#[derive(Debug)]
pub struct AccessRow {
    pub kind: String,
    pub role: String,
}

/// A host's standing on a calendar; `None` if they do not see it.
///
/// # Errors
/// The database's.
pub async fn access(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
) -> Result<Option<AccessRow>, sqlx::Error> {
    sqlx::query_as!(
        AccessRow,
        "SELECT c.kind, m.role FROM calendar_members m JOIN calendars c ON c.id = m.calendar_id
          WHERE m.calendar_id = $1 AND m.host_id = $2",
        calendar,
        host
    )
    .fetch_optional(conn)
    .await
}

/// A calendar as one of its hosts sees it.
#[derive(Debug)]
pub struct SeenRow {
    pub id: Uuid,
    pub kind: String,
    pub name_sealed: Option<Vec<u8>>,
    pub role: String,
    pub counts_as_busy: bool,
    pub revision: i64,
    pub last_good_sync_at: Option<Instant>,
    pub max_age_min: i32,
    /// Events that wait for a decision.
    pub problems: i64,
    /// Everybody who sees it, its owner first.
    pub members: Json<Vec<MemberRow>>,
}

/// Somebody who sees a calendar; bytes in hexadecimal.
#[derive(Debug, serde::Deserialize)]
pub struct MemberRow {
    pub id: Uuid,
    pub handle: String,
    pub name: String,
    pub role: String,
}

/// The calendars that a host sees, the personal one first; or one of them.
///
/// # Errors
/// The database's.
pub async fn seen(
    conn: &mut PgConnection,
    host: Uuid,
    only: Option<Uuid>,
) -> Result<Vec<SeenRow>, sqlx::Error> {
    sqlx::query_as!(
        SeenRow,
        r#"SELECT c.id, c.kind, c.name_sealed, m.role, m.counts_as_busy, c.revision, c.last_good_sync_at, c.max_age_min,
                  (SELECT count(*) FROM events e
                    WHERE e.calendar_id = c.id AND e.problems_sealed IS NOT NULL AND NOT e.marked_free AND e.deleted_at IS NULL) AS "problems!",
                  (SELECT json_agg(json_build_object('id', h.id, 'handle', h.handle, 'name', encode(h.display_name_sealed, 'hex'), 'role', o.role)
                                   ORDER BY o.role DESC, h.handle)
                     FROM calendar_members o JOIN hosts h ON h.id = o.host_id WHERE o.calendar_id = c.id) AS "members!: Json<Vec<MemberRow>>"
             FROM calendar_members m JOIN calendars c ON c.id = m.calendar_id
            WHERE m.host_id = $1 AND ($2::uuid IS NULL OR c.id = $2)
            ORDER BY (c.kind = 'personal' AND m.role = 'owner') DESC, c.id"#,
        host,
        only
    )
    .fetch_all(conn)
    .await
}

/// Everybody who sees a calendar, ascending.
///
/// # Errors
/// The database's.
pub async fn seers(conn: &mut PgConnection, calendar: Uuid) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT host_id FROM calendar_members WHERE calendar_id = $1 ORDER BY host_id",
        calendar
    )
    .fetch_all(conn)
    .await
}

/// Writes a team calendar and its owner, whose row the caller has locked.
///
/// # Errors
/// The database's.
pub async fn insert_team(
    conn: &mut PgConnection,
    id: Uuid,
    owner: Uuid,
    name_sealed: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH made AS (INSERT INTO calendars (id, owner_host_id, kind, name_sealed) VALUES ($1, $2, 'team', $3))
         INSERT INTO calendar_members (calendar_id, host_id, role) VALUES ($1, $2, 'owner')",
        id,
        owner,
        name_sealed
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Names a calendar.
///
/// # Errors
/// The database's.
pub async fn rename(
    conn: &mut PgConnection,
    calendar: Uuid,
    name_sealed: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE calendars SET name_sealed = $2, updated_at = now() WHERE id = $1",
        calendar,
        name_sealed
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether a calendar counts as busy for a host, whose row the caller has locked.
///
/// # Errors
/// The database's.
pub async fn set_counts(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
    counts: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE calendar_members SET counts_as_busy = $3, updated_at = now() WHERE calendar_id = $1 AND host_id = $2",
        calendar,
        host,
        counts
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Lets a host, whose row the caller has locked, see a calendar; who does already stays as they
/// are.
///
/// # Errors
/// The database's.
pub async fn add_member(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO calendar_members (calendar_id, host_id, role) VALUES ($1, $2, 'member')
         ON CONFLICT (calendar_id, host_id) DO NOTHING",
        calendar,
        host
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes a calendar from a host, whose row the caller has locked.
///
/// # Errors
/// The database's.
pub async fn remove_member(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM calendar_members WHERE calendar_id = $1 AND host_id = $2",
        calendar,
        host
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes a calendar without events, and with it who saw it.
///
/// # Errors
/// The database's; a foreign key's while it has events.
pub async fn delete(conn: &mut PgConnection, calendar: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM calendars WHERE id = $1", calendar)
        .execute(conn)
        .await?;
    Ok(())
}
