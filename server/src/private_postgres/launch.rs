//! Runs the postmaster and waits until it answers.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

use super::binaries::Binaries;
use super::connection::Connection;
use super::home::Home;
use super::log;
use super::postmaster::PidFile;
use super::{Error, Settings};

/// How long a start may take, crash recovery included.
pub(super) const START_LIMIT: Duration = Duration::from_secs(60);
/// A ready postmaster is seen this soon.
pub(super) const POLL: Duration = Duration::from_millis(5);

/// Starts the postmaster and waits until it is ready.
pub(super) async fn launch(
    settings: &Settings,
    home: &Home,
    binaries: &Binaries,
    connection: &Connection,
) -> Result<(Child, u32), Error> {
    let cluster = home.cluster();
    let log_path = home.log();
    let deadline = Instant::now() + START_LIMIT;
    loop {
        let (file, log_start) = log::open(&log_path)?;
        let mut child = postmaster(settings, home, binaries, connection, file)?
            .spawn()
            .map_err(Error::io("run", &binaries.program("postgres")))?;
        let pid = child.id();
        let ended = loop {
            if let Some(status) = child.try_wait().map_err(Error::io("wait for", &cluster))? {
                break status;
            }
            if let Some(file) = PidFile::read(&cluster)?
                && file.ready
                && Some(file.pid) == pid
            {
                return Ok((child, file.pid));
            }
            if Instant::now() >= deadline {
                let error = timed_out(&log_path, log_start);
                // SIGKILL is a crash, from which PostgreSQL recovers.
                child.kill().await.map_err(Error::io("stop", &cluster))?;
                return Err(error);
            }
            sleep(POLL).await;
        };
        let tail = log::tail_from(&log_path, log_start);
        // A postmaster that was killed leaves sessions that notice it a moment later.
        if tail.contains("is still in use") && Instant::now() < deadline {
            sleep(Duration::from_millis(100)).await;
            continue;
        }
        return Err(Error::StartFailed {
            status: ended.to_string(),
            log: log_path,
            tail,
        });
    }
}

/// The postmaster's command: our own child, in a process group of its own, so that Ctrl-C in the
/// terminal does not reach it. Run without `pg_ctl`, which would put paths through a shell and look
/// ten times a second at most.
fn postmaster(
    settings: &Settings,
    home: &Home,
    binaries: &Binaries,
    connection: &Connection,
    log: File,
) -> Result<Command, Error> {
    let mut command = home.owner.command(&binaries.program("postgres"));
    command.arg("-D").arg(home.cluster());
    let mut set = |name: &str, value: &OsStr| {
        let mut setting = OsString::from(name);
        setting.push("=");
        setting.push(value);
        command.arg("-c").arg(setting);
    };
    set("unix_socket_directories", &quoted(&connection.socket_dir));
    let max_connections = settings.max_connections.to_string();
    let port = connection.port.to_string();
    let fixed = [
        ("listen_addresses", ""),
        ("port", port.as_str()),
        ("unix_socket_permissions", "0700"),
        ("max_connections", max_connections.as_str()),
        ("timezone", "UTC"),
        ("log_timezone", "UTC"),
        // Statements, details and error texts can hold what people typed: none goes to the log.
        ("log_min_messages", "log"),
        ("log_min_error_statement", "panic"),
        ("log_error_verbosity", "terse"),
        ("log_checkpoints", "off"),
    ];
    for (name, value) in fixed {
        set(name, value.as_ref());
    }
    if !settings.fsync {
        // synchronous_commit stays on: without flushes it costs nothing that can be measured, and a
        // test that kills PostgreSQL loses no commit.
        for name in ["fsync", "full_page_writes"] {
            set(name, "off".as_ref());
        }
    }
    let errors = log.try_clone().map_err(Error::io("open", &home.log()))?;
    command
        .stdout(Stdio::from(log))
        .stderr(Stdio::from(errors))
        .process_group(0);
    Ok(command)
}

/// A folder in PostgreSQL's list of folders, where commas separate.
fn quoted(folder: &Path) -> OsString {
    let mut bytes = vec![b'"'];
    for &byte in folder.as_os_str().as_bytes() {
        bytes.push(byte);
        if byte == b'"' {
            bytes.push(byte);
        }
    }
    bytes.push(b'"');
    OsString::from_vec(bytes)
}

/// The error for a postmaster that is not ready in time.
pub(super) fn timed_out(path: &Path, log_start: u64) -> Error {
    Error::StartTimedOut {
        seconds: START_LIMIT.as_secs(),
        log: path.to_owned(),
        tail: log::tail_from(path, log_start),
    }
}
