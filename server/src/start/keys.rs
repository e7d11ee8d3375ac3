//! The key file of development mode: made once in the data directory, readable by its owner only.

use std::{fs, io::Write as _, os::unix::fs::OpenOptionsExt as _, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use shared::{config::Keys, fingerprint::FingerprintKey, random::Random, seal::SealKeys};

/// Reads the file, or makes it. Two lines: the sealing keys and the fingerprint key, as
/// `HOLDFAST_KEYS` and `HOLDFAST_FINGERPRINT_KEY` have them.
pub(super) fn read_or_make(path: &Path, random: &Random) -> Result<Keys, String> {
    if !path.exists() {
        make(path, random)?;
    }
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot be read: {}", error.kind()))?;
    let mut lines = text.lines();
    let mut line = |what: &str| {
        lines
            .next()
            .ok_or_else(|| format!("has no line for {what}"))
    };
    let seal = SealKeys::parse(line("the sealing keys")?)
        .map_err(|error| format!("has a bad first line: {error}"))?;
    let fingerprint = FingerprintKey::parse(line("the fingerprint key")?)
        .map_err(|error| format!("has a bad second line: it {error}"))?;
    Ok(Keys { seal, fingerprint })
}

fn make(path: &Path, random: &Random) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("cannot be made: {}", error.kind());
    let key = || {
        random
            .bytes::<32>()
            .map(|bytes| STANDARD.encode(bytes))
            .map_err(|error| error.to_string())
    };
    let text = format!("dev:{}\n{}\n", key()?, key()?);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(fault)?;
    }
    // Written aside and linked into place: of two processes that start at once one wins, and
    // neither reads half a file.
    let aside = path.with_extension(format!("new-{}", std::process::id()));
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&aside)
        .map_err(fault)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(fault)?;
    let linked = fs::hard_link(&aside, path);
    let _ = fs::remove_file(&aside);
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(fault(error)),
        _ => Ok(()),
    }
}
