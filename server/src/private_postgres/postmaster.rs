//! Tells what a cluster's `postmaster.pid` stands for.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Error;
use super::connection::socket_in;

/// What the postmaster writes about itself into its cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PidFile {
    pub(super) pid: u32,
    /// Where its socket is, once it has one.
    pub(super) socket: Option<(PathBuf, u16)>,
    /// Whether it answers clients.
    pub(super) ready: bool,
}

/// Who has the process id that a pid file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occupant {
    /// Nobody: the postmaster died. PostgreSQL clears such a file itself.
    Nobody,
    /// The postmaster of this cluster.
    Postmaster,
    /// Surely another program. PostgreSQL could take it for a postmaster and refuse to start.
    Other,
    /// Cannot be told.
    Unknown,
}

impl PidFile {
    fn path(cluster: &Path) -> PathBuf {
        cluster.join("postmaster.pid")
    }

    /// Reads it; none if there is none, or if it is only just being written.
    pub(super) fn read(cluster: &Path) -> Result<Option<Self>, Error> {
        let path = Self::path(cluster);
        match fs::read(&path) {
            Ok(bytes) => Ok(Self::parse(&bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("read", &path)(error)),
        }
    }

    /// Lines: pid (negative in single-user mode), cluster, start, port, socket folder, address,
    /// shared memory, status.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut lines = bytes.split(|&byte| byte == b'\n');
        let mut number = |nth: usize| -> Option<i64> {
            std::str::from_utf8(lines.nth(nth)?)
                .ok()?
                .trim()
                .parse()
                .ok()
        };
        let pid = u32::try_from(number(0)?.abs()).ok()?;
        let port = number(2).and_then(|port| u16::try_from(port).ok());
        let folder = lines.next().filter(|line| !line.is_empty());
        let folder = folder.map(|line| PathBuf::from(OsStr::from_bytes(line)));
        let ready = lines
            .nth(2)
            .is_some_and(|line| line.trim_ascii() == b"ready");
        Some(Self {
            pid,
            socket: folder.zip(port),
            ready,
        })
    }

    /// Removes the file, and the lock beside the socket that names the same process: their process
    /// is surely not a postmaster.
    pub(super) fn remove(&self, cluster: &Path, socket_dir: &Path, port: u16) -> Result<(), Error> {
        let mut lock = socket_in(socket_dir, port).into_os_string();
        lock.push(".lock");
        for path in [PathBuf::from(lock), Self::path(cluster)] {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Error::io("remove", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Who has the process id now.
    pub(super) fn occupant(&self, cluster: &Path) -> Occupant {
        occupant(self.pid, cluster)
    }
}

/// Looks in `/proc`. A postmaster works in its cluster's folder, which we can see as root or as the
/// same user, but not as root in a container without `CAP_SYS_PTRACE`: there the command line
/// decides, which everybody can read.
pub(super) fn occupant(pid: u32, cluster: &Path) -> Occupant {
    if !Path::new("/proc/self").exists() {
        return Occupant::Unknown;
    }
    let process = PathBuf::from(format!("/proc/{pid}"));
    let Ok(name) = fs::read_to_string(process.join("comm")) else {
        return Occupant::Nobody;
    };
    if name.trim_end() != "postgres" {
        return Occupant::Other;
    }
    let Ok(ours) = fs::metadata(cluster) else {
        return Occupant::Unknown;
    };
    match fs::metadata(process.join("cwd")) {
        Ok(theirs) if (theirs.dev(), theirs.ino()) == (ours.dev(), ours.ino()) => {
            Occupant::Postmaster
        }
        Ok(_) => Occupant::Other,
        // A dead process that nobody has reaped has no folder any more.
        Err(error) if error.kind() == ErrorKind::NotFound => Occupant::Other,
        Err(_) => {
            let line = fs::read(process.join("cmdline")).unwrap_or_default();
            let ours = line
                .split(|&byte| byte == 0)
                .any(|word| word == cluster.as_os_str().as_bytes());
            if ours {
                Occupant::Postmaster
            } else {
                Occupant::Unknown
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn a_ready_postmaster_is_read_whole() {
        let text =
            b"4711\n/srv/d b/postgres\n1796000000\n5432\n/srv/d b/postgres\n\n  1234 5\nready   \n";
        let file = PidFile::parse(text).unwrap();
        assert_eq!(file.pid, 4711);
        assert_eq!(
            file.socket,
            Some((PathBuf::from("/srv/d b/postgres"), 5432))
        );
        assert!(file.ready);
    }

    #[test]
    fn a_starting_or_half_written_file_is_not_ready() {
        let starting = b"4711\n/srv\n1796000000\n5432\n/srv\n\n  1234 5\nstarting\n";
        assert!(!PidFile::parse(starting).unwrap().ready);
        let half = PidFile::parse(b"4711\n/srv\n1796000000\n5432\n").unwrap();
        assert_eq!((half.socket, half.ready), (None, false));
        assert_eq!(PidFile::parse(b""), None);
        assert_eq!(PidFile::parse(b"-4711\n/srv\n").unwrap().pid, 4711);
    }

    #[test]
    fn this_very_process_is_no_postmaster() {
        assert_eq!(
            occupant(std::process::id(), Path::new("/")),
            Occupant::Other
        );
        assert_eq!(occupant(u32::MAX, Path::new("/")), Occupant::Nobody);
    }
}
