//! From a database to a context of operations: the schema fits, the keys open it.

use std::{sync::Arc, time::Duration};

use sqlx::{PgPool, postgres::PgConnectOptions};

use super::migrate::{self, Schema};
use crate::{
    clock::Clock,
    config::{Config, Keys},
    ops::{self, CannotOpenInstance, Context},
    random::Random,
    store::constraint,
    wake::Wake,
    zone::{NoTable, Zones},
};

/// Why there is no context. Each says what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum NoContext {
    /// The database cannot be reached.
    #[error("the database cannot be reached: {0}")]
    Database(#[from] sqlx::Error),
    /// The migrations fail.
    #[error("migrating the database failed: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// The schema does not fit and this process may not change it.
    #[error("{0}")]
    Schema(Schema),
    /// The keys do not fit.
    #[error(transparent)]
    Keys(#[from] CannotOpenInstance),
    /// The zone table.
    #[error("HOLDFAST_TZDIR: {0}")]
    Zones(#[from] NoTable),
}

/// Migrates if the configuration allows, else checks that the schema fits. Waits up to thirty
/// seconds for a database that is still coming up.
///
/// # Errors
/// [`NoContext`].
pub async fn fit_schema(
    auto_migrate: bool,
    direct: &PgConnectOptions,
    pool: &PgPool,
) -> Result<(), NoContext> {
    reach(pool).await?;
    if auto_migrate {
        migrate::migrate(direct).await?;
    }
    match migrate::check(pool).await? {
        Schema::Fits => Ok(()),
        misfit => Err(NoContext::Schema(misfit)),
    }
}

/// How long a database may take to come up.
const COMING_UP: Duration = Duration::from_secs(30);

async fn reach(pool: &PgPool) -> Result<(), sqlx::Error> {
    let deadline = tokio::time::Instant::now() + COMING_UP;
    loop {
        match pool.acquire().await {
            Ok(_) => return Ok(()),
            Err(error)
                if tokio::time::Instant::now() >= deadline || !constraint::unavailable(&error) =>
            {
                return Err(error);
            }
            Err(error) => {
                tracing::warn!(%error, "the database cannot be reached yet; trying again")
            }
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// The context of operations, its keys proven against the database.
///
/// # Errors
/// [`NoContext`].
pub async fn context(
    config: &Config,
    keys: Arc<Keys>,
    pool: PgPool,
    wake: Wake,
) -> Result<Context, NoContext> {
    let (clock, random) = (Clock::system(), Random::system());
    let instance = ops::open_instance(&pool, &clock, &random, &keys).await?;
    Ok(Context {
        pool,
        clock,
        random,
        keys,
        zones: Zones::open(config.zone_directory.as_deref())?,
        limits: config.limits,
        wake,
        busy: ops::BusyCache::default(),
        instance,
        mail_from: Arc::new(config.mail_from.clone()),
    })
}
