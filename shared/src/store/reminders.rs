//! The rules by which pages remind.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{instant::Instant, mail::owed::ReminderRule};

/// The page of a host by its code or slug.
///
/// # Errors
/// The database's.
pub async fn page(
    conn: &mut PgConnection,
    handle: &str,
    page: &str,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT t.id FROM hosts h JOIN event_types t ON t.owner_host_id = h.id WHERE h.handle = $1 AND (t.code = $2 OR t.slug = $2)",
        handle,
        page
    )
    .fetch_optional(conn)
    .await
}

/// A page's rules, the longest offset first.
///
/// # Errors
/// The database's.
pub async fn of_page(
    conn: &mut PgConnection,
    event_type: Uuid,
) -> Result<Vec<ReminderRule>, sqlx::Error> {
    sqlx::query_as!(
        ReminderRule,
        "SELECT offset_min, to_hosts, to_booker, to_guests FROM reminder_rules WHERE event_type_id = $1 ORDER BY offset_min DESC",
        event_type
    )
    .fetch_all(conn)
    .await
}

/// Replaces a page's rules, with the id that each gets. The page has another revision from then on:
/// a booking that was about to be made by the old ones reads it again. In a transaction.
///
/// # Errors
/// The database's.
pub async fn replace(
    conn: &mut PgConnection,
    event_type: Uuid,
    rules: &[(Uuid, ReminderRule)],
    fixed: Option<Instant>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE event_types SET revision = revision + 1, updated_at = coalesce($2, clock_timestamp()) WHERE id = $1",
        event_type,
        fixed as Option<Instant>
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "DELETE FROM reminder_rules WHERE event_type_id = $1",
        event_type
    )
    .execute(&mut *conn)
    .await?;
    for (id, rule) in rules {
        sqlx::query!(
            "INSERT INTO reminder_rules (id, event_type_id, offset_min, to_hosts, to_booker, to_guests) VALUES ($1, $2, $3, $4, $5, $6)",
            id,
            event_type,
            rule.offset_min,
            rule.to_hosts,
            rule.to_booker,
            rule.to_guests
        )
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}
