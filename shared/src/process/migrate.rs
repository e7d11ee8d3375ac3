//! The schema: migrated at start, or checked.

use std::collections::BTreeSet;

use sqlx::{
    Connection, PgConnection, PgPool,
    migrate::{MigrateError, Migrator},
    postgres::PgConnectOptions,
};

/// Every migration, compiled in.
pub static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");

/// Migrates over a connection of its own. Several processes may do so at once: one migrates, under
/// PostgreSQL's advisory lock, and the others find it done.
///
/// # Errors
/// [`MigrateError`], also when the database was migrated by a newer Holdfast.
pub async fn migrate(direct: &PgConnectOptions) -> Result<(), MigrateError> {
    let mut connection = PgConnection::connect_with(direct).await?;
    let outcome = MIGRATIONS.run(&mut connection).await;
    // The lock is the session's; closing releases it even if the migrator did not.
    let _ = connection.close().await;
    outcome
}

/// How the database's schema compares with what this program was built for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Schema {
    /// The same migrations.
    Fits,
    /// The database lacks these: run `holdfast admin migrate`.
    Older(Vec<i64>),
    /// The database has these, which this program does not know.
    Newer(Vec<i64>),
}

impl std::fmt::Display for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fits => f.write_str("the schema fits"),
            Self::Older(missing) => write!(
                f,
                "the database's schema is older than this program; it lacks {missing:?}; run: holdfast admin migrate"
            ),
            Self::Newer(unknown) => write!(
                f,
                "the database's schema is newer than this program, which does not know {unknown:?}; use the newer program"
            ),
        }
    }
}

/// Compares the schema.
///
/// # Errors
/// The database cannot be read.
pub async fn check(pool: &PgPool) -> Result<Schema, sqlx::Error> {
    let table =
        sqlx::query_scalar!(r#"SELECT to_regclass('_sqlx_migrations') IS NOT NULL AS "exists!""#);
    let applied: Vec<i64> = if table.fetch_one(pool).await? {
        // Not a checked query: the table is the migrator's, it is not there when queries are checked.
        sqlx::query_scalar("SELECT version FROM _sqlx_migrations WHERE success")
            .fetch_all(pool)
            .await?
    } else {
        Vec::new()
    };
    let applied: BTreeSet<i64> = applied.into_iter().collect();
    let known: BTreeSet<i64> = MIGRATIONS
        .iter()
        .map(|migration| migration.version)
        .collect();
    let unknown: Vec<i64> = applied.difference(&known).copied().collect();
    let missing: Vec<i64> = known.difference(&applied).copied().collect();
    Ok(match (unknown.is_empty(), missing.is_empty()) {
        (false, _) => Schema::Newer(unknown),
        (true, false) => Schema::Older(missing),
        (true, true) => Schema::Fits,
    })
}
