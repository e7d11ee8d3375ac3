//! A PostgreSQL of one test, which may be stopped and started.

use std::path::PathBuf;

use holdfast_server::private_postgres::{PrivatePostgres, Settings};
use shared::{process::migrate, store::pool};

use crate::{
    database::TestDatabase,
    process::{Scratch, tell},
};

/// A cluster of its own. It goes away with the test.
pub struct TestCluster {
    settings: Settings,
    running: PrivatePostgres,
    _folder: Scratch,
}

/// How PostgreSQL ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Sessions are ended, everything is written: an operator's restart.
    Fast,
    /// As in a crash: at once, and the log is read at the next start.
    Immediate,
}

impl TestCluster {
    /// Starts one.
    pub async fn start() -> Self {
        let folder = Scratch::new();
        let mut settings = Settings::new(folder.path().join("data"));
        settings.fsync = false;
        settings.path = std::env::var_os("PATH");
        settings.pg_bin = std::env::var_os("PG_BIN").map(PathBuf::from);
        Self {
            running: PrivatePostgres::start(&settings).await.unwrap(),
            settings,
            _folder: folder,
        }
    }

    /// Its one database, migrated.
    pub async fn database(&self) -> TestDatabase {
        let url = self.running.url();
        let options = pool::options(&url).unwrap();
        migrate::migrate(&options).await.unwrap();
        TestDatabase::elsewhere(options, url)
    }

    /// Ends it, waits for so long, and starts it again.
    pub async fn restart(self, end: End, down: std::time::Duration) -> Self {
        let Self {
            settings,
            running,
            _folder,
        } = self;
        match end {
            End::Fast => running.stop().await.unwrap(),
            End::Immediate => {
                let pid = running.pid();
                assert!(tell(pid, "QUIT"));
                while PathBuf::from(format!("/proc/{pid}/cwd"))
                    .read_link()
                    .is_ok()
                {
                    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
                }
                drop(running);
            }
        }
        tokio::time::sleep(down).await;
        Self {
            running: PrivatePostgres::start(&settings).await.unwrap(),
            settings,
            _folder,
        }
    }

    /// Ends it for good.
    pub async fn stop(self) {
        self.running.stop().await.unwrap();
    }
}
