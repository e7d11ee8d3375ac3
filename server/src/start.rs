//! From the configuration to a database that fits and keys that open it: what serving and the
//! administrative commands have in common.

use std::{path::Path, sync::Arc};

use shared::{
    clock::Clock,
    config::{Config, Database, Faults, Keys},
    ops::{self, CannotOpenInstance, Context},
    process::migrate::{self, Schema},
    random::Random,
    store::pool,
    zone::{NoTable, Zones},
};
use sqlx::{PgPool, postgres::PgConnectOptions};

use crate::private_postgres::{self, PrivatePostgres};

mod keys;

/// Why a process cannot start. Each says what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum CannotStart {
    /// The configuration has faults.
    #[error("the configuration has faults:\n{0}")]
    Configuration(#[from] Faults),
    /// The private PostgreSQL does not start.
    #[error(transparent)]
    PrivatePostgres(#[from] private_postgres::Error),
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
    /// The development key file.
    #[error("the key file {path} {what}")]
    KeyFile {
        /// Where it is.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// The zone table.
    #[error("HOLDFAST_TZDIR: {0}")]
    Zones(#[from] NoTable),
    /// The HTTP listener.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: std::net::SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// The operating system refuses something else.
    #[error("the operating system refuses: {0}")]
    System(#[from] std::io::Error),
    /// The log filter.
    #[error("HOLDFAST_LOG: {0}")]
    Log(String),
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

/// The configuration from the process's environment.
///
/// # Errors
/// Every fault at once.
pub fn configuration() -> Result<Config, Faults> {
    Config::read(&|name| std::env::var(name).ok())
}

/// A database to work on: somebody else's, or a private one that this process runs.
pub struct Connected {
    /// Direct connections, for migrations and LISTEN.
    pub direct: PgConnectOptions,
    /// Pooled connections.
    pub pooled: PgConnectOptions,
    /// The private PostgreSQL, if this process started or adopted one.
    pub private: Option<PrivatePostgres>,
}

/// Starts or finds the database.
///
/// # Errors
/// [`CannotStart`].
pub async fn database(config: &Config) -> Result<Connected, CannotStart> {
    let prepared = config.prepared_statements;
    match &config.database {
        Database::Url { pooled, direct } => Ok(Connected {
            direct: pool::options(direct, true)?,
            pooled: pool::options(pooled, prepared)?,
            private: None,
        }),
        Database::Private { .. } => {
            let private = PrivatePostgres::start(&private_settings(config)).await?;
            let options = pool::options(&private.url(), true)?;
            Ok(Connected {
                direct: options.clone(),
                pooled: options,
                private: Some(private),
            })
        }
    }
}

/// Finds the database for one command: beside a running server its private PostgreSQL, else one
/// that is started for the command and stopped after it.
///
/// # Errors
/// [`CannotStart`].
pub async fn database_for_command(config: &Config) -> Result<Connected, CannotStart> {
    if matches!(config.database, Database::Private { .. })
        && let Some(running) = PrivatePostgres::find_running(&private_settings(config))?
    {
        let options = pool::options(&running.url(), true)?;
        return Ok(Connected {
            direct: options.clone(),
            pooled: options,
            private: None,
        });
    }
    database(config).await
}

/// How the private PostgreSQL of this configuration runs.
#[must_use]
pub fn private_settings(config: &Config) -> private_postgres::Settings {
    let mut settings = private_postgres::Settings::new(config.data_dir.clone());
    if let Database::Private { binaries } = &config.database {
        settings.pg_bin.clone_from(binaries);
    }
    settings.path = std::env::var_os("PATH");
    settings
}

/// Migrates if the configuration allows, else checks that the schema fits. Waits up to thirty
/// seconds for a database that is still coming up.
///
/// # Errors
/// [`CannotStart`].
pub async fn fit_schema(
    config: &Config,
    connected: &Connected,
    pool: &PgPool,
) -> Result<(), CannotStart> {
    reach(pool).await?;
    if config.auto_migrate {
        migrate::migrate(&connected.direct).await?;
    }
    match migrate::check(pool).await? {
        Schema::Fits => Ok(()),
        misfit => Err(CannotStart::Schema(misfit)),
    }
}

async fn reach(pool: &PgPool) -> Result<(), sqlx::Error> {
    const TRIES: u32 = 60;
    let mut tries = 0;
    loop {
        match pool.acquire().await {
            Ok(_) => return Ok(()),
            Err(error) if tries >= TRIES || !shared::store::constraint::unavailable(&error) => {
                return Err(error);
            }
            Err(_) => tries += 1,
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
}

/// The context of operations, its keys proven against the database.
///
/// # Errors
/// [`CannotStart`].
pub async fn context(config: &mut Config, pool: PgPool) -> Result<Context, CannotStart> {
    let random = Random::system();
    let keys = match config.keys.take() {
        Some(keys) => keys,
        None => development_keys(&config.data_dir, &random)?,
    };
    let clock = Clock::system();
    let instance = ops::open_instance(&pool, &clock, &random, &keys).await?;
    Ok(Context {
        pool,
        clock,
        random,
        keys: Arc::new(keys),
        zones: Zones::open(config.zone_directory.as_deref())?,
        limits: config.limits,
        instance,
        mail_from: Arc::new(config.mail_from.clone()),
    })
}

fn development_keys(data_dir: &Path, random: &Random) -> Result<Keys, CannotStart> {
    let path = data_dir.join("keys");
    keys::read_or_make(&path, random).map_err(|what| CannotStart::KeyFile {
        path: path.display().to_string(),
        what,
    })
}
