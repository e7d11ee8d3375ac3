//! Makes the cluster, once.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Output, Stdio};

use tokio::io::AsyncWriteExt;

use super::Error;
use super::binaries::Binaries;
use super::connection::{DATABASE, USER};
use super::home::Home;
use super::log::tail_of;

/// The major version that made the cluster; none if there is no cluster.
pub(super) fn made_by(cluster: &Path) -> Result<Option<u32>, Error> {
    let path = cluster.join("PG_VERSION");
    match fs::read_to_string(&path) {
        Ok(text) => match text.trim().parse() {
            Ok(major) => Ok(Some(major)),
            Err(_) => Err(Error::NotACluster {
                cluster: cluster.to_owned(),
            }),
        },
        Err(error) if error.kind() == ErrorKind::NotFound && !cluster.exists() => Ok(None),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(Error::NotACluster {
                cluster: cluster.to_owned(),
            })
        }
        Err(error) => Err(Error::io("read", &path)(error)),
    }
}

/// Makes the cluster with its database. It gets its name last, so a start that is killed on the way
/// leaves nothing that looks like a cluster.
pub(super) async fn make(home: &Home, binaries: &Binaries, fsync: bool) -> Result<(), Error> {
    let unfinished = home.unfinished();
    let initdb = binaries.program("initdb");
    let mut command = home.owner.command(&initdb);
    command
        .arg("-D")
        .arg(&unfinished)
        .args(["--username", USER])
        // Whoever reaches the socket is let in: its folder lets only the owner and root through.
        .args(["--auth-local=trust", "--auth-host=reject"])
        // Sorts by code point everywhere; C.UTF-8 knows the case of every letter.
        .args(["--encoding=UTF8", "--locale=C", "--lc-ctype=C.UTF-8"])
        .args(["--data-checksums", "--no-instructions"])
        .kill_on_drop(true);
    if !fsync {
        command.arg("--no-sync");
    }
    let output = command.output().await.map_err(Error::io("run", &initdb))?;
    if !output.status.success() {
        return Err(Error::InitdbFailed {
            status: output.status.to_string(),
            tail: said(&output),
        });
    }

    make_database(home, binaries, &unfinished, fsync).await?;

    let cluster = home.cluster();
    fs::rename(&unfinished, &cluster).map_err(Error::io("rename", &unfinished))?;
    if fsync {
        let folder = File::open(&home.dir).map_err(Error::io("open", &home.dir))?;
        folder.sync_all().map_err(Error::io("flush", &home.dir))?;
    }
    Ok(())
}

/// In single-user mode, which needs no socket and no client program.
async fn make_database(
    home: &Home,
    binaries: &Binaries,
    cluster: &Path,
    fsync: bool,
) -> Result<(), Error> {
    let postgres = binaries.program("postgres");
    let mut command = home.owner.command(&postgres);
    // Without the first setting an error leaves the exit status at 0.
    command.args(["--single", "-c", "exit_on_error=on"]);
    if !fsync {
        command.args(["-c", "fsync=off"]);
    }
    command
        .arg("-D")
        .arg(cluster)
        .arg("postgres")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let mut child = command.spawn().map_err(Error::io("run", &postgres))?;
    if let Some(mut input) = child.stdin.take() {
        let statement = format!("CREATE DATABASE {DATABASE}\n");
        // If it has ended already, its exit status says more than a broken pipe.
        let _ = input.write_all(statement.as_bytes()).await;
    }
    let output = child
        .wait_with_output()
        .await
        .map_err(Error::io("run", &postgres))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::DatabaseFailed {
        database: DATABASE,
        status: output.status.to_string(),
        tail: said(&output),
    })
}

/// The end of what a program wrote to its error stream.
fn said(output: &Output) -> String {
    tail_of(&String::from_utf8_lossy(&output.stderr))
}
