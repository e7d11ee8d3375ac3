//! Connections that wait for the next message.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::connection::Connection;

/// How long a server may take to answer QUIT.
const QUIT_PATIENCE: Duration = Duration::from_secs(1);

/// Idle connections, each for at most the idle limit; then it says QUIT.
pub(super) struct Pool {
    idle_limit: Duration,
    idle: Mutex<Idle>,
}

#[derive(Default)]
struct Idle {
    /// Oldest first.
    connections: VecDeque<(Instant, Connection)>,
    /// True while a task waits for the oldest to reach the idle limit.
    swept: bool,
    closed: bool,
}

impl Pool {
    pub(super) fn new(idle_limit: Duration) -> Arc<Self> {
        Arc::new(Self {
            idle_limit,
            idle: Mutex::default(),
        })
    }

    /// The connection that was used last, so that a quiet hour needs few.
    pub(super) fn take(&self) -> Option<Connection> {
        let fresh_since = Instant::now().checked_sub(self.idle_limit);
        let mut idle = self.lock();
        let (since, connection) = idle.connections.pop_back()?;
        if fresh_since.is_none_or(|limit| since > limit) {
            return Some(connection);
        }
        // Too old, and the others are older: the sweep is about to close them.
        idle.connections.push_back((since, connection));
        None
    }

    /// Keeps a connection for the next message; drops it if the pool is closed.
    pub(super) fn put(self: &Arc<Self>, connection: Connection) {
        let mut idle = self.lock();
        if idle.closed {
            return;
        }
        idle.connections.push_back((Instant::now(), connection));
        if !idle.swept {
            idle.swept = true;
            tokio::spawn(sweep(Arc::downgrade(self)));
        }
    }

    /// Says QUIT on every idle connection, all at once, and keeps none from now on.
    pub(super) async fn close(&self) {
        let connections = {
            let mut idle = self.lock();
            idle.closed = true;
            std::mem::take(&mut idle.connections)
        };
        quit_all(connections.into_iter().map(|(_, connection)| connection)).await;
    }

    /// Takes out what has reached the idle limit; says when the next one will.
    fn expired(&self) -> (Vec<Connection>, Option<Instant>) {
        let now = Instant::now();
        let mut idle = self.lock();
        let mut expired = Vec::new();
        while let Some((_, connection)) = idle
            .connections
            .pop_front_if(|(since, _)| *since + self.idle_limit <= now)
        {
            expired.push(connection);
        }
        let next = idle
            .connections
            .front()
            .map(|(since, _)| *since + self.idle_limit);
        idle.swept = next.is_some();
        (expired, next)
    }

    fn lock(&self) -> MutexGuard<'_, Idle> {
        // Nothing in here panics with the lock held; a poisoned queue is still a queue.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes connections as they reach the idle limit, until there are none. It does not keep the
/// pool alive.
async fn sweep(pool: Weak<Pool>) {
    loop {
        let Some((expired, next)) = pool.upgrade().map(|pool| pool.expired()) else {
            return;
        };
        quit_all(expired).await;
        match next {
            Some(next) => sleep_until(next).await,
            None => return,
        }
    }
}

async fn quit_all(connections: impl IntoIterator<Item = Connection>) {
    let mut quits: JoinSet<()> = connections
        .into_iter()
        .map(|connection| connection.quit(QUIT_PATIENCE))
        .collect();
    while quits.join_next().await.is_some() {}
}
