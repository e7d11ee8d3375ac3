//! Starts or adopts the postmaster, and stops it.

use std::fs;
use std::os::unix::net::UnixStream;

use tokio::process::Child;
use tokio::time::{Instant, sleep};

use super::binaries::{Binaries, Installed};
use super::cluster;
use super::connection::{Connection, PORT};
use super::home::{Home, locate_cluster};
use super::launch::{POLL, START_LIMIT, launch, timed_out};
use super::postmaster::{Occupant, PidFile};
use super::stop::{ABORT_LIMIT, STOP_LIMIT, stop_timed_out, tell_to_stop, wait_until_gone};
use super::{Error, Settings};

/// A running PostgreSQL that belongs to this process until [`PrivatePostgres::stop`].
///
/// Dropping it leaves PostgreSQL running, as a kill of this process does; the next start adopts it.
#[derive(Debug)]
#[must_use = "PostgreSQL keeps running until stop() is called"]
pub struct PrivatePostgres {
    connection: Connection,
    home: Home,
    binaries: Binaries,
    pid: u32,
    /// None if it was adopted.
    child: Option<Child>,
}

impl PrivatePostgres {
    /// Makes the cluster if there is none and starts it, or adopts the one that a killed process
    /// left running. Returns when it answers clients.
    ///
    /// # Errors
    /// Every [`Error`] but `StopTimedOut`; nothing is left running.
    pub async fn start(settings: &Settings) -> Result<Self, Error> {
        let installed = Installed::find(settings).await?;
        let home = Home::choose(settings).await?;
        let cluster = home.cluster();
        let version = cluster::made_by(&cluster)?;
        let binaries = installed.choose(&cluster, version)?;
        if version.is_none() {
            cluster::make(&home, &binaries, settings.fsync).await?;
        }
        if let Some((connection, pid)) = adopt(&home, &binaries).await? {
            return Ok(Self {
                connection,
                home,
                binaries,
                pid,
                child: None,
            });
        }
        let connection = Connection::in_folder(home.socket_folder()?);
        match launch(settings, &home, &binaries, &connection).await {
            Ok((child, pid)) => Ok(Self {
                connection,
                home,
                binaries,
                pid,
                child: Some(child),
            }),
            Err(error @ Error::StartFailed { .. }) => {
                // A process that was killed a moment ago may have started one that only now shows.
                let (connection, pid) = adopt(&home, &binaries).await?.ok_or(error)?;
                Ok(Self {
                    connection,
                    home,
                    binaries,
                    pid,
                    child: None,
                })
            }
            Err(error) => Err(error),
        }
    }

    /// The running PostgreSQL of a data folder, which another process owns: for a command that works
    /// beside a server. None if none is ready.
    ///
    /// # Errors
    /// `Io`, if the folder cannot be looked into.
    pub fn find_running(settings: &Settings) -> Result<Option<Connection>, Error> {
        let cluster = locate_cluster(&settings.data_dir)?;
        let file = PidFile::read(&cluster)?;
        let ready =
            file.filter(|file| file.ready && file.occupant(&cluster) == Occupant::Postmaster);
        Ok(ready.and_then(|file| answering(&file)))
    }

    /// How to connect.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// [`Connection::url`].
    #[must_use]
    pub fn url(&self) -> String {
        self.connection.url()
    }

    /// A line for the operator, if the database is not in the data folder.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.home.note.as_deref()
    }

    /// Whether it was running already.
    #[must_use]
    pub fn adopted(&self) -> bool {
        self.child.is_none()
    }

    /// The postmaster's process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Stops it: sessions are ended, committed work is safe. Waits until it is gone.
    ///
    /// # Errors
    /// `StopTimedOut` if it took longer than 10 s, and `Io`.
    pub async fn stop(mut self) -> Result<(), Error> {
        let cluster = self.home.cluster();
        tell_to_stop(&self.home, &self.binaries, "fast").await?;
        if wait_until_gone(self.child.as_mut(), self.pid, &cluster, STOP_LIMIT).await? {
            if self.connection.socket_dir != cluster {
                // Ours alone and empty now; the next start makes it again.
                let _ = fs::remove_dir(&self.connection.socket_dir);
            }
            return Ok(());
        }
        tell_to_stop(&self.home, &self.binaries, "immediate").await?;
        let gone = wait_until_gone(self.child.as_mut(), self.pid, &cluster, ABORT_LIMIT).await?;
        Err(stop_timed_out(self.pid, gone))
    }
}

/// Takes over a postmaster that runs, and clears what one that died left in the way.
async fn adopt(home: &Home, binaries: &Binaries) -> Result<Option<(Connection, u32)>, Error> {
    let cluster = home.cluster();
    let deadline = Instant::now() + START_LIMIT;
    while let Some(file) = PidFile::read(&cluster)? {
        match file.occupant(&cluster) {
            Occupant::Nobody | Occupant::Unknown => return Ok(None),
            Occupant::Other => {
                file.remove(&cluster, &home.socket_folder()?, PORT)?;
                return Ok(None);
            }
            Occupant::Postmaster if file.ready => {
                if let Some(connection) = answering(&file) {
                    return Ok(Some((connection, file.pid)));
                }
                // It lost its socket, say to a cleaner of old files: start it anew.
                tell_to_stop(home, binaries, "fast").await?;
                if !wait_until_gone(None, file.pid, &cluster, STOP_LIMIT).await? {
                    return Err(stop_timed_out(file.pid, false));
                }
            }
            // It is starting, perhaps recovering, or stopping.
            Occupant::Postmaster if Instant::now() < deadline => sleep(POLL).await,
            Occupant::Postmaster => return Err(timed_out(&home.log(), 0)),
        }
    }
    Ok(None)
}

/// The address in a pid file, if somebody listens there.
fn answering(file: &PidFile) -> Option<Connection> {
    let (socket_dir, port) = file.socket.clone()?;
    let connection = Connection {
        port,
        ..Connection::in_folder(socket_dir)
    };
    UnixStream::connect(connection.socket())
        .ok()
        .map(|_| connection)
}
