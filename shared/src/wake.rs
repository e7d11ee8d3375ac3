//! Waking the worker after a commit. A hint: nothing depends on one.
//!
//! In the worker's own process a signal is enough. Elsewhere one coalesced NOTIFY follows the
//! commits of a few milliseconds: inside the transactions it would serialise all commits of the
//! database.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sqlx::PgPool;
use tokio::sync::Notify;

/// The channel that workers listen on.
pub const CHANNEL: &str = "holdfast_mail";

/// Commits of so long share one NOTIFY.
const COALESCE: Duration = Duration::from_millis(3);

/// Wakes whoever sends mail. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Wake {
    /// The worker runs in this process.
    Here(Arc<Notify>),
    /// Workers run elsewhere.
    Elsewhere {
        /// Connections for the NOTIFY.
        pool: PgPool,
        /// Whether one is on its way.
        pending: Arc<AtomicBool>,
    },
}

impl Wake {
    /// Wakes a worker in this process.
    #[must_use]
    pub fn here() -> Self {
        Self::Here(Arc::new(Notify::new()))
    }

    /// Wakes workers in other processes.
    #[must_use]
    pub fn elsewhere(pool: PgPool) -> Self {
        Self::Elsewhere {
            pool,
            pending: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Says that mail is owed. Returns at once.
    pub fn mail_is_owed(&self) {
        self.work_is_owed();
    }

    /// Says that some work is due. Every loop looks; returns at once.
    pub fn work_is_owed(&self) {
        match self {
            // Lanes register before they look for work, so none misses it.
            Self::Here(signal) => signal.notify_waiters(),
            Self::Elsewhere { pool, pending } => {
                if pending.swap(true, Ordering::AcqRel) {
                    return;
                }
                let (pool, pending) = (pool.clone(), pending.clone());
                tokio::spawn(async move {
                    tokio::time::sleep(COALESCE).await;
                    pending.store(false, Ordering::Release);
                    // Lost is not missed: workers also wait on a timer.
                    if let Ok(mut conn) = pool.acquire().await {
                        let _ = crate::store::wake::notify(&mut conn, CHANNEL).await;
                    }
                });
            }
        }
    }
}
