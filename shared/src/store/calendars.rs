//! Calendars and who sees them.

use sqlx::PgConnection;
use uuid::Uuid;

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
