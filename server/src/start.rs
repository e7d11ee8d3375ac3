//! From the configuration to a database and keys: what serving and the administrative commands
//! have in common.

use std::{path::Path, sync::Arc};

use holdfast_worker::{mailer::CannotSetUp, smtp::SmtpUrl};
use shared::{
    config::{Config, Database, Fault, Faults, Keys},
    process::start::NoContext,
    random::Random,
    store::pool,
};
use sqlx::postgres::PgConnectOptions;

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
    /// The database, its schema, or the keys.
    #[error(transparent)]
    Context(#[from] NoContext),
    /// The development key file.
    #[error("the key file {path} {what}")]
    KeyFile {
        /// Where it is.
        path: String,
        /// What is wrong with it.
        what: String,
    },
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
    /// The sender of mail.
    #[error("the mail sender cannot be set up: {0}")]
    Mail(#[from] CannotSetUp),
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

impl From<sqlx::Error> for CannotStart {
    fn from(error: sqlx::Error) -> Self {
        Self::Context(error.into())
    }
}

/// The configuration from the process's environment.
///
/// # Errors
/// Every fault at once.
pub fn configuration() -> Result<Config, Faults> {
    let read = Config::read(&|name| std::env::var(name).ok());
    // The address of the mail server is the worker's to read; its faults are told with the others.
    let smtp = match &read {
        Ok(config) => config.smtp_url.clone(),
        Err(_) => std::env::var("HOLDFAST_SMTP_URL").ok(),
    };
    let smtp = smtp.filter(|url| !url.trim().is_empty());
    let fault = smtp.and_then(|url| SmtpUrl::parse(url.trim()).err());
    let fault = fault.map(|error| Fault {
        name: "HOLDFAST_SMTP_URL".to_owned(),
        what: error.to_string(),
    });
    match (read, fault) {
        (Ok(config), None) => Ok(config),
        (Ok(_), Some(fault)) => Err(Faults(vec![fault])),
        (Err(Faults(mut faults)), fault) => {
            faults.extend(fault);
            Err(Faults(faults))
        }
    }
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
    match &config.database {
        Database::Url { pooled, direct } => Ok(Connected {
            direct: pool::options(direct)?,
            pooled: pool::options(pooled)?,
            private: None,
        }),
        Database::Private { .. } => {
            let private = PrivatePostgres::start(&private_settings(config)).await?;
            let options = pool::options(&private.url())?;
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
        let options = pool::options(&running.url())?;
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

/// The keys of the configuration, or development's own from the data directory.
///
/// # Errors
/// [`CannotStart::KeyFile`].
pub fn keys(config: &mut Config) -> Result<Arc<Keys>, CannotStart> {
    let keys = match config.keys.take() {
        Some(keys) => keys,
        None => development_keys(&config.data_dir)?,
    };
    Ok(Arc::new(keys))
}

fn development_keys(data_dir: &Path) -> Result<Keys, CannotStart> {
    let path = data_dir.join("keys");
    keys::read_or_make(&path, &Random::system()).map_err(|what| CannotStart::KeyFile {
        path: path.display().to_string(),
        what,
    })
}
