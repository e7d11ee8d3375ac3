//! `with-postgres [--fsync] [--] COMMAND [ARGUMENT…]` runs a command beside a PostgreSQL of its own
//! and ends as the command ends.
//!
//! The command finds the address of the maintenance database, as a superuser, in
//! `HOLDFAST_TEST_DATABASE_URL`. The cluster flushes to disk only if `--fsync` asks for it (for
//! measurements), listens on a unix socket only, and is gone afterwards. What an earlier run left
//! that was killed is cleared away first.
//! `PG_BIN` and `PATH` say where PostgreSQL's programs are.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};

use holdfast_server::private_postgres::{PrivatePostgres, Settings};
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};

/// Short enough for a socket and open to every user, which `TMPDIR` need not be.
const PLACE: &str = "/tmp";
/// Followed by the process id.
const PREFIX: &str = "holdfast-test-";
/// Many tests at once, each with a pool.
const MAX_CONNECTIONS: u16 = 300;
/// What a shell answers for bad usage.
const BAD_USAGE: u8 = 2;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut command = arguments.as_slice();
    let mut fsync = false;
    if let [first, rest @ ..] = command
        && first == "--fsync"
    {
        (fsync, command) = (true, rest);
    }
    if let [first, rest @ ..] = command
        && first == "--"
    {
        command = rest;
    }
    let Some((program, arguments)) = command.split_first() else {
        say("usage: with-postgres [--fsync] [--] COMMAND [ARGUMENT…]");
        return ExitCode::from(BAD_USAGE);
    };
    match run(program, arguments, fsync).await {
        Ok(code) => code,
        Err(error) => {
            say(&chain(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

async fn run(
    program: &OsString,
    arguments: &[OsString],
    fsync: bool,
) -> Result<ExitCode, Box<dyn Error>> {
    if let Err(error) = clear_leftovers().await {
        // Perhaps another run is clearing the same away: no reason not to go on.
        say(&chain(error.as_ref()));
    }
    let data = Path::new(PLACE).join(format!("{PREFIX}{}", std::process::id()));
    // Asked for before the start, so that a signal from here on is not the end of us.
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let postgres = PrivatePostgres::start(&settings(&data, fsync)).await?;

    let spawned = Command::new(program)
        .args(arguments)
        .env(
            "HOLDFAST_TEST_DATABASE_URL",
            postgres.connection().url_of("postgres"),
        )
        .spawn();
    let ended = match spawned {
        Err(error) => Err(error),
        Ok(mut child) => loop {
            tokio::select! {
                status = child.wait() => break status,
                // The terminal sent it to the command as well; how that ends decides.
                _ = interrupt.recv() => {}
                _ = terminate.recv() => pass_on_termination(&child).await?,
            }
        },
    };
    postgres.stop().await?;
    std::fs::remove_dir_all(&data)?;
    match ended {
        Ok(status) => Ok(code_of(status)),
        Err(error) => {
            say(&format!("cannot run {}: {error}", program.display()));
            // What a shell answers for a command that it cannot run.
            Ok(ExitCode::from(127))
        }
    }
}

fn settings(data: &Path, fsync: bool) -> Settings {
    let mut settings = Settings::new(data);
    settings.fsync = fsync;
    settings.max_connections = MAX_CONNECTIONS;
    settings.path = std::env::var_os("PATH");
    settings.pg_bin = std::env::var_os("PG_BIN").map(PathBuf::from);
    settings
}

/// Stops and removes what runs left that were killed: ours alone, and only if their process is gone.
async fn clear_leftovers() -> Result<(), Box<dyn Error>> {
    let me = std::fs::metadata("/proc/self")?.uid();
    for entry in std::fs::read_dir(PLACE)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else {
            continue;
        };
        let is_ours = entry
            .metadata()
            .is_ok_and(|found| found.is_dir() && found.uid() == me);
        if !is_ours || Path::new("/proc").join(pid).exists() {
            continue;
        }
        let settings = settings(&entry.path(), false);
        if PrivatePostgres::find_running(&settings)?.is_some() {
            PrivatePostgres::start(&settings).await?.stop().await?;
        }
        std::fs::remove_dir_all(entry.path())?;
    }
    Ok(())
}

async fn pass_on_termination(child: &Child) -> io::Result<()> {
    if let Some(pid) = child.id() {
        let kill = format!("kill -s TERM {pid}");
        Command::new("sh").args(["-c", &kill]).status().await?;
    }
    Ok(())
}

/// The command's own code, or 128 and the signal, as a shell has it.
fn code_of(status: ExitStatus) -> ExitCode {
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    ExitCode::from(
        code.and_then(|code| u8::try_from(code).ok())
            .unwrap_or(u8::MAX),
    )
}

fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        text.push_str(": ");
        text.push_str(&source.to_string());
        next = source.source();
    }
    text
}

fn say(text: &str) {
    // There is nobody to tell when this fails.
    let _ = writeln!(io::stderr(), "with-postgres: {text}");
}
