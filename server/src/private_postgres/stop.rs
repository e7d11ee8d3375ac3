//! Tells a postmaster to stop, and sees it gone.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Child;
use tokio::time::{Instant, sleep};

use super::Error;
use super::binaries::Binaries;
use super::home::Home;
use super::launch::POLL;
use super::postmaster::{Occupant, occupant};

/// How long sessions have to end and the last checkpoint to be written.
pub(super) const STOP_LIMIT: Duration = Duration::from_secs(10);
/// After that PostgreSQL is told to drop everything; it recovers at the next start.
pub(super) const ABORT_LIMIT: Duration = Duration::from_secs(5);

/// Sends the signal; that the postmaster is gone already is no error.
pub(super) async fn tell_to_stop(
    home: &Home,
    binaries: &Binaries,
    mode: &str,
) -> Result<(), Error> {
    let pg_ctl = binaries.program("pg_ctl");
    home.owner
        .command(&pg_ctl)
        .args(["stop", "--silent", "--no-wait", "--mode", mode, "-D"])
        .arg(home.cluster())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .await
        .map_err(Error::io("run", &pg_ctl))?;
    Ok(())
}

/// Waits for a child by its status, for an adopted postmaster by looking; false if time ran out.
pub(super) async fn wait_until_gone(
    mut child: Option<&mut Child>,
    pid: u32,
    cluster: &Path,
    limit: Duration,
) -> Result<bool, Error> {
    let deadline = Instant::now() + limit;
    loop {
        let gone = match child.as_mut() {
            Some(child) => child
                .try_wait()
                .map_err(Error::io("wait for", cluster))?
                .is_some(),
            None => occupant(pid, cluster) != Occupant::Postmaster,
        };
        if gone || Instant::now() >= deadline {
            return Ok(gone);
        }
        sleep(POLL).await;
    }
}

/// The error for a postmaster that took longer than [`STOP_LIMIT`].
pub(super) fn stop_timed_out(pid: u32, gone: bool) -> Error {
    Error::StopTimedOut {
        pid,
        seconds: STOP_LIMIT.as_secs(),
        gone,
    }
}
