//! NOTIFY, after a commit.

use sqlx::PgConnection;

/// Notifies a channel, with nothing in it.
///
/// # Errors
/// The database's.
pub async fn notify(conn: &mut PgConnection, channel: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT pg_notify($1, '')", channel)
        .execute(conn)
        .await?;
    Ok(())
}
