//! What the launcher is told. It reads no environment variable itself.

use std::ffi::OsString;
use std::path::PathBuf;

/// How and where to run the private PostgreSQL.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder that holds the cluster (`HOLDFAST_DATA_DIR`); made when it is absent. A relative
    /// path is taken from the working directory.
    pub data_dir: PathBuf,
    /// Whether commits reach the disk. `false` is for tests: a power cut may lose everything, a kill
    /// of PostgreSQL loses nothing.
    pub fsync: bool,
    /// Most connections at once (PostgreSQL's `max_connections`).
    pub max_connections: u16,
    /// The folder of PostgreSQL's programs (`PG_BIN`). When set, no other place is searched.
    pub pg_bin: Option<PathBuf>,
    /// The search path for programs (`PATH`), where `initdb` and `pg_ctl` are looked for first.
    pub path: Option<OsString>,
    /// Where Debian and Ubuntu keep PostgreSQL's programs, as `<version>/bin` below it.
    pub library_dir: PathBuf,
    /// Where the cluster goes when the server runs as root and the user that PostgreSQL runs as
    /// cannot reach the data folder.
    pub fallback_dir: PathBuf,
    /// The user that PostgreSQL runs as when the server runs as root.
    pub root_runs_as: String,
}

impl Settings {
    /// The defaults for a data folder: durable, 100 connections, Debian's and Ubuntu's places, no
    /// `PG_BIN` and no search path.
    #[must_use]
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            fsync: true,
            max_connections: 100,
            pg_bin: None,
            path: None,
            library_dir: PathBuf::from("/usr/lib/postgresql"),
            fallback_dir: PathBuf::from("/var/lib/holdfast"),
            root_runs_as: "postgres".to_owned(),
        }
    }
}
