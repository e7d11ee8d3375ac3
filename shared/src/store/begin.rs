//! The one way to begin a transaction.
//!
//! A cancelled `pool.begin()` of sqlx 0.9.0 hands the next user a connection inside an open
//! transaction, and what that user writes is lost. Here waiting for a connection can be
//! cancelled, and BEGIN itself runs in its own task: if the caller is gone when it ends, the
//! transaction is dropped there, and with it rolled back.

use sqlx::{PgPool, Postgres, SqlStr, Transaction};

/// Begins a transaction that outlives a cancelled caller cleanly.
///
/// # Errors
/// No connection in time, or the database refuses.
pub async fn begin(pool: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    with(pool, None).await
}

/// Begins a transaction that only reads, and in which every statement sees the database as the
/// first one did.
///
/// # Errors
/// No connection in time, or the database refuses.
pub async fn snapshot(pool: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let statement = SqlStr::from_static("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    with(pool, Some(statement)).await
}

async fn with(
    pool: &PgPool,
    statement: Option<SqlStr>,
) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let connection = pool.acquire().await?;
    match tokio::spawn(Transaction::begin(connection, statement)).await {
        Ok(begun) => begun,
        // The task neither panics nor is aborted; the runtime is going down.
        Err(_) => Err(sqlx::Error::WorkerCrashed),
    }
}
