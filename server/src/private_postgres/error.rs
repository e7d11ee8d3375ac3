//! Why the private PostgreSQL did not start or stop, in words an operator can act on.

use std::io;
use std::path::{Path, PathBuf};

use super::binaries::OLDEST_MAJOR;

/// A failure of the launcher. The text never repeats its source.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No usable PostgreSQL is installed.
    #[error(
        "no PostgreSQL {OLDEST_MAJOR} or newer was found (looked in {looked}): install it \
         (`apt-get install postgresql`), or name the folder of `initdb`, `pg_ctl` and `postgres` \
         in PG_BIN, or set DATABASE_URL to use another database"
    )]
    BinariesMissing {
        /// The places searched.
        looked: String,
    },

    /// `PG_BIN` names a folder that lacks one of the programs.
    #[error("PG_BIN is {}, where there is no program `{program}`", dir.display())]
    PgBinIncomplete {
        /// The folder that `PG_BIN` names.
        dir: PathBuf,
        /// The first program that is not in it.
        program: &'static str,
    },

    /// The cluster needs another major version than those installed.
    #[error(
        "the database in {} was made by PostgreSQL {made_by}, which is not installed (found: \
         {found}): install it (`apt-get install postgresql-{made_by}`), or move the data with \
         pg_upgrade",
        cluster.display()
    )]
    VersionMissing {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The major version that made it.
        made_by: u32,
        /// The major versions found.
        found: String,
    },

    /// The server runs as root and there is no user to hand PostgreSQL over to.
    #[error(
        "the server runs as root, PostgreSQL refuses to, and there is no user `{user}` to run it \
         as: `apt-get install postgresql` makes that user; or run the server as an ordinary user, \
         or set DATABASE_URL to use another database"
    )]
    NoPostgresUser {
        /// The user looked for.
        user: String,
    },

    /// Another process has the data folder.
    #[error(
        "the data folder {} is in use by {}: stop that, or choose another HOLDFAST_DATA_DIR, or set \
         DATABASE_URL so that several processes share one database",
        folder.display(),
        pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
    )]
    InUse {
        /// The folder whose lock is held.
        folder: PathBuf,
        /// Who holds it, if that process wrote its id.
        pid: Option<u32>,
    },

    /// The cluster belongs to somebody else.
    #[error(
        "the database in {} belongs to user id {owner}: run the server as that user or as root, or \
         choose another HOLDFAST_DATA_DIR",
        cluster.display()
    )]
    NotOurs {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The numeric id of its owner.
        owner: u32,
    },

    /// There is a cluster in the data folder, and the user that it belongs to cannot get there.
    #[error(
        "PostgreSQL runs as user id {owner} and cannot reach its database in {}: let that user pass \
         through each folder above it (`chmod o+x`), or move it",
        cluster.display()
    )]
    Unreachable {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The numeric id of the user that PostgreSQL runs as.
        owner: u32,
    },

    /// The cluster's place is taken by something else.
    #[error("{} is there and is not a PostgreSQL database: move it away", cluster.display())]
    NotACluster {
        /// The folder or file in the way.
        cluster: PathBuf,
    },

    /// The short folder for the socket exists and is not safe to use.
    #[error(
        "{} should be a folder of mode 0700 that belongs to user id {owner}, and is not: remove it",
        folder.display()
    )]
    SocketFolderUnsafe {
        /// The folder.
        folder: PathBuf,
        /// The numeric id of the user that it should belong to.
        owner: u32,
    },

    /// `initdb` did not make the cluster.
    #[error("initdb failed ({status}); it ended with:\n{tail}")]
    InitdbFailed {
        /// How the program ended.
        status: String,
        /// The last lines it wrote.
        tail: String,
    },

    /// The cluster was made, the database in it was not.
    #[error("making the database `{database}` failed ({status}); PostgreSQL ended with:\n{tail}")]
    DatabaseFailed {
        /// The database's name.
        database: &'static str,
        /// How the program ended.
        status: String,
        /// The last lines it wrote.
        tail: String,
    },

    /// PostgreSQL ended while it was starting.
    #[error("PostgreSQL did not start ({status}); {} ends with:\n{tail}", log.display())]
    StartFailed {
        /// How the postmaster ended.
        status: String,
        /// Its log file.
        log: PathBuf,
        /// The last lines of this start in the log.
        tail: String,
    },

    /// PostgreSQL was not ready in time.
    #[error(
        "PostgreSQL was not ready after {seconds} s; {} ends with:\n{tail}",
        log.display()
    )]
    StartTimedOut {
        /// How long it was waited for.
        seconds: u64,
        /// Its log file.
        log: PathBuf,
        /// The last lines of this start in the log.
        tail: String,
    },

    /// PostgreSQL did not stop in time.
    #[error(
        "PostgreSQL (process {pid}) did not stop within {seconds} s; {}",
        if *gone { "it was cut short and will recover when it starts" } else { "it still runs" }
    )]
    StopTimedOut {
        /// The postmaster.
        pid: u32,
        /// How long it was waited for before it was cut short.
        seconds: u64,
        /// Whether it is gone now.
        gone: bool,
    },

    /// A file, folder or program could not be used.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// What was tried, as a verb: "make", "read", "run".
        doing: &'static str,
        /// What it was tried on.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl Error {
    /// For `map_err`: names what was tried on which path.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            doing,
            path,
            source,
        }
    }
}
