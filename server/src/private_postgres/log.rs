//! The postmaster's log file.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::Error;

/// The log starts anew when it is longer, in bytes; one older file is kept.
const LONGEST: u64 = 8 * 1024 * 1024;

/// Opens the log for appending, starting anew when it is long; also says where this start begins.
pub(super) fn open(log: &Path) -> Result<(File, u64), Error> {
    if fs::metadata(log).is_ok_and(|found| found.len() > LONGEST) {
        fs::rename(log, log.with_extension("log.old")).map_err(Error::io("rename", log))?;
    }
    let file = File::options()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(log)
        .map_err(Error::io("open", log))?;
    let length = file.metadata().map_err(Error::io("look at", log))?.len();
    Ok((file, length))
}

/// The last lines of the log since `start`; empty if it cannot be read, as this is for a message.
pub(super) fn tail_from(log: &Path, start: u64) -> String {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(log)?;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    tail_of(&String::from_utf8_lossy(&read().unwrap_or_default()))
}

/// The last lines of a text.
pub(super) fn tail_of(text: &str) -> String {
    const LINES: usize = 12;
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}
