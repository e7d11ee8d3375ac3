//! The installation's one row: its id, and probes that tell a wrong key at start-up.

use sqlx::PgConnection;
use uuid::Uuid;

/// The row.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Goes into the UIDs of invitations.
    pub id: Uuid,
    /// A known text, sealed.
    pub seal_probe: Vec<u8>,
    /// A known text's fingerprint.
    pub fingerprint_probe: Vec<u8>,
}

/// Reads the row.
///
/// # Errors
/// The database's.
pub async fn find(conn: &mut PgConnection) -> Result<Option<Instance>, sqlx::Error> {
    sqlx::query_as!(
        Instance,
        "SELECT id, seal_probe, fingerprint_probe FROM instance"
    )
    .fetch_optional(conn)
    .await
}

/// Writes the row unless another process just did.
///
/// # Errors
/// The database's.
pub async fn insert_unless_present(
    conn: &mut PgConnection,
    instance: &Instance,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO instance (id, seal_probe, fingerprint_probe) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        instance.id,
        instance.seal_probe,
        instance.fingerprint_probe
    )
    .execute(conn)
    .await?;
    Ok(())
}
