//! One process at a time has a data folder.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::Error;

/// A killed process gives its lock back only when the kernel has taken it down, a moment after
/// `kill` returns, so a restart waits this long before it complains.
const GRACE: Duration = Duration::from_secs(2);

/// The hold on a folder; dropping it, or dying, lets go.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of `folder`, or says who has it.
    pub(super) async fn take(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("postgres.lock");
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(Error::io("open", &path))?;
        let deadline = Instant::now() + GRACE;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    sleep(Duration::from_millis(20)).await;
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::InUse {
                        folder: folder.to_owned(),
                        pid: holder(&mut file),
                    });
                }
                Err(TryLockError::Error(source)) => return Err(Error::io("lock", &path)(source)),
            }
        }
        write_holder(&mut file).map_err(Error::io("write", &path))?;
        Ok(Self { _file: file })
    }
}

fn write_holder(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

/// Only for the message: the holder may be about to write its id.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
