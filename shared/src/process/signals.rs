//! SIGTERM and SIGINT: the first asks for a clean end, the second ends at once.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Waits for the first request to stop.
pub struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    /// Listens from now on.
    ///
    /// # Errors
    /// The operating system refuses the handler.
    pub fn listen() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Returns at the next SIGTERM or SIGINT, with its name.
    pub async fn requested(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }

    /// From now on the next signal ends the process at once, with status 1.
    pub fn exit_on_next(mut self) {
        tokio::spawn(async move {
            let name = self.requested().await;
            tracing::warn!(signal = name, "second signal: ending at once");
            std::process::exit(1);
        });
    }
}
