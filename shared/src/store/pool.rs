//! The pool of connections.

use std::{str::FromStr, time::Duration};

use sqlx::{
    ConnectOptions as _, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

/// How to connect, from a URL, with this program's session settings.
///
/// # Errors
/// A URL that cannot be read.
pub fn options(url: &str) -> Result<PgConnectOptions, sqlx::Error> {
    Ok(tuned(PgConnectOptions::from_str(url)?))
}

/// Options with this program's session settings.
#[must_use]
pub fn tuned(options: PgConnectOptions) -> PgConnectOptions {
    quiet(options).options([
        ("idle_in_transaction_session_timeout", "30s"),
        ("lock_timeout", "20s"),
        ("statement_timeout", "30s"),
    ])
}

/// Statements are not logged: their text is known, and their time is in the figures.
fn quiet(options: PgConnectOptions) -> PgConnectOptions {
    options
        .application_name("holdfast")
        .disable_statement_logging()
}

/// A pool that connects when it is first used.
#[must_use]
pub fn open(options: PgConnectOptions, connections: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(5))
        // The check costs a round trip an acquire; a dead connection shows at its first statement.
        .test_before_acquire(false)
        .idle_timeout(Duration::from_secs(300))
        .connect_lazy_with(options)
}

/// Closes a pool, waiting a few seconds at most: a database that hangs must not hold up the stop.
pub async fn close(pool: &PgPool) {
    let _ = tokio::time::timeout(Duration::from_secs(3), pool.close()).await;
}
