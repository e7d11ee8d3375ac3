//! Configuration: environment variables, read once, every fault reported at once.
//!
//! [`Config::read`] is pure but for the files that a `*_FILE` variable names. Nothing else in the
//! product reads the environment.

mod read;
mod reader;
mod settings;

use std::{net::SocketAddr, path::PathBuf};

use crate::{
    address::EmailAddress, fingerprint::FingerprintKey, mail::budget::MailBudgets,
    outbound::Allowlist, seal::SealKeys,
};

pub use reader::{Fault, Faults};
pub use settings::{SETTINGS, Setting, env_example};

/// Which half of Holdfast a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Both halves.
    All,
    /// HTTP only; writes rows, sends nothing.
    Web,
    /// Background work only; HTTP answers health, readiness and metrics.
    Worker,
}

impl Role {
    /// The word in `HOLDFAST_ROLE`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Web => "web",
            Self::Worker => "worker",
        }
    }

    /// Whether this role serves the API and the pages.
    #[must_use]
    pub const fn serves(self) -> bool {
        matches!(self, Self::All | Self::Web)
    }

    /// Whether this role does the background work.
    #[must_use]
    pub const fn works(self) -> bool {
        matches!(self, Self::All | Self::Worker)
    }
}

/// The sender of all mail: `HOLDFAST_MAIL_FROM`.
#[derive(Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// The name shown beside it, if any.
    pub name: Option<String>,
    /// Its address.
    pub address: EmailAddress,
}

/// Limits that protect the instance from strangers. Each is a setting of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Public requests a minute, by client IP.
    pub requests_per_minute: u32,
    /// Booking requests a minute, by client IP, refused ones included.
    pub booking_requests_per_minute: u32,
    /// Requests a minute with one API key.
    pub key_requests_per_minute: u32,
    /// Open holds by client IP.
    pub open_holds_per_ip: u32,
    /// Open holds of one event type.
    pub open_holds_per_event_type: u32,
    /// Open holds by the booker's address.
    pub open_holds_per_address: u32,
    /// Bookings made in 24 hours by client IP, whatever became of them.
    pub bookings_per_day_per_ip: u32,
    /// Bookings made in 24 hours by the booker's address.
    pub bookings_per_day_per_address: u32,
    /// How often a booker may move one booking; 0 switches moving off.
    pub booker_reschedules: u32,
    /// A floor under every notice, in hours.
    pub booking_lead_hours: u32,
    /// How much mail may leave.
    pub mail: MailBudgets,
}

/// Where the database is.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    /// A PostgreSQL of somebody else's, by its URL.
    Url {
        /// `DATABASE_URL`; may pass through PgBouncer.
        pooled: String,
        /// `DATABASE_DIRECT_URL`: for migrations and LISTEN; the same as `pooled` if not given.
        direct: String,
    },
    /// A private PostgreSQL in the data directory.
    Private {
        /// `PG_BIN`: where `initdb` and `pg_ctl` are, if not in a usual place.
        binaries: Option<PathBuf>,
    },
}

/// Keys for sealing and fingerprints.
pub struct Keys {
    /// Seals and opens personal prose.
    pub seal: SealKeys,
    /// Matches addresses and IPs.
    pub fingerprint: FingerprintKey,
}

/// Every setting, typed.
pub struct Config {
    /// `HOLDFAST_ROLE`.
    pub role: Role,
    /// `HOLDFAST_DEV`, or the default: no `DATABASE_URL` and a loopback listener.
    pub dev: bool,
    /// `HOLDFAST_LISTEN`.
    pub listen: SocketAddr,
    /// `HOLDFAST_PUBLIC_URL`, without a slash at its end.
    pub public_url: String,
    /// `HOLDFAST_MANAGE_URL`: a link to a booking, with `{token}` and `{action}` in it.
    pub manage_url: String,
    /// Where the database is.
    pub database: Database,
    /// `HOLDFAST_DATABASE_CONNECTIONS`, or the role's default.
    pub database_connections: u32,
    /// `HOLDFAST_DATA_DIR`.
    pub data_dir: PathBuf,
    /// `HOLDFAST_AUTO_MIGRATE`.
    pub auto_migrate: bool,
    /// `HOLDFAST_KEYS` and `HOLDFAST_FINGERPRINT_KEY`; `None` only in development, where a file in
    /// the data directory holds them.
    pub keys: Option<Keys>,
    /// `HOLDFAST_TZDIR`.
    pub zone_directory: Option<PathBuf>,
    /// `HOLDFAST_TRUSTED_PROXY_HOPS`.
    pub trusted_proxy_hops: u32,
    /// `HOLDFAST_CORS_ORIGINS`; empty means any.
    pub cors_origins: Vec<String>,
    /// `HOLDFAST_SLOT_CONCURRENCY`.
    pub slot_concurrency: u32,
    /// `HOLDFAST_HTTP_THREADS`.
    pub http_threads: u32,
    /// `HOLDFAST_MAIL_FROM`.
    pub mail_from: Mailbox,
    /// `HOLDFAST_SMTP_URL`, unread; the worker parses it.
    pub smtp_url: Option<String>,
    /// `HOLDFAST_SMTP_CA_FILE`: more root certificates, PEM.
    pub smtp_ca: Option<Vec<u8>>,
    /// `HOLDFAST_MAIL_CONCURRENCY`.
    pub mail_concurrency: u32,
    /// `HOLDFAST_CALENDAR_POLL_MINUTES`.
    pub calendar_poll_minutes: u32,
    /// `HOLDFAST_OUTBOUND_ALLOW`.
    pub outbound_allow: Allowlist,
    /// `HOLDFAST_OUTBOUND_CA_FILE`: more root certificates, PEM.
    pub outbound_ca: Option<Vec<u8>>,
    /// Limits against strangers.
    pub limits: Limits,
    /// `HOLDFAST_LOG`: a `tracing` filter.
    pub log: String,
}

impl Config {
    /// Reads every setting from `variable`, which answers the value of an environment variable.
    ///
    /// # Errors
    /// Every fault at once, each with its variable's name.
    pub fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Faults> {
        read::read(variable)
    }

    /// Connections of the HTTP half.
    #[must_use]
    pub fn web_connections(&self) -> u32 {
        if self.role.works() {
            self.database_connections - self.worker_connections()
        } else {
            self.database_connections
        }
    }

    /// Connections of the worker half: a third where both halves run.
    #[must_use]
    pub fn worker_connections(&self) -> u32 {
        if self.role.serves() {
            self.database_connections / 3
        } else {
            self.database_connections
        }
    }
}

#[cfg(test)]
mod tests;
