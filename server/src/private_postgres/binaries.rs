//! Finds PostgreSQL's programs.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use super::{Error, Settings};

/// The oldest major version that Holdfast's schema is tested on.
pub(super) const OLDEST_MAJOR: u32 = 15;

/// The programs used. All come with Debian's server package, in one folder.
const PROGRAMS: [&str; 3] = ["initdb", "pg_ctl", "postgres"];

/// One installation of PostgreSQL's server programs.
#[derive(Debug, Clone)]
pub(super) struct Binaries {
    dir: PathBuf,
    major: u32,
}

/// Every installation that can be used, the preferred one first: `PG_BIN` alone, or else the one on
/// the search path and then Debian's folders, newest first.
#[derive(Debug)]
pub(super) struct Installed(Vec<Binaries>);

impl Installed {
    /// Looks for them.
    pub(super) async fn find(settings: &Settings) -> Result<Self, Error> {
        let dirs = match &settings.pg_bin {
            Some(dir) => vec![whole(dir)?],
            None => search(settings),
        };
        let mut found = Vec::new();
        for dir in dirs {
            if let Some(major) = major_of(&dir).await?
                && major >= OLDEST_MAJOR
            {
                found.push(Binaries { dir, major });
            }
        }
        if found.is_empty() {
            return Err(Error::BinariesMissing {
                looked: places(settings),
            });
        }
        Ok(Self(found))
    }

    /// The installation for the cluster in `cluster`, which needs the major version that made it;
    /// the preferred one if there is no cluster yet.
    pub(super) fn choose(&self, cluster: &Path, made_by: Option<u32>) -> Result<Binaries, Error> {
        let fits = |binaries: &&Binaries| made_by.is_none_or(|major| major == binaries.major);
        self.0
            .iter()
            .find(fits)
            .cloned()
            .ok_or_else(|| Error::VersionMissing {
                cluster: cluster.to_owned(),
                made_by: made_by.unwrap_or(OLDEST_MAJOR),
                found: self.majors(),
            })
    }

    fn majors(&self) -> String {
        let mut text = String::new();
        for binaries in &self.0 {
            let comma = if text.is_empty() { "" } else { ", " };
            // Writing to a String cannot fail.
            let _ = write!(text, "{comma}{}", binaries.major);
        }
        text
    }
}

impl Binaries {
    /// The path of one of the programs.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }
}

/// `PG_BIN`'s folder, if it has every program.
fn whole(dir: &Path) -> Result<PathBuf, Error> {
    match PROGRAMS.iter().find(|program| !dir.join(program).is_file()) {
        Some(program) => Err(Error::PgBinIncomplete {
            dir: dir.to_owned(),
            program,
        }),
        // The programs are run from the root folder, so a relative path would lead elsewhere.
        None => std::path::absolute(dir).map_err(Error::io("resolve", dir)),
    }
}

fn search(settings: &Settings) -> Vec<PathBuf> {
    let mut dirs = Vec::new();
    let path = settings.path.iter().flat_map(std::env::split_paths);
    for dir in path.filter(|dir| dir.is_absolute()) {
        // What is on the search path may be links: the rest is beside what they lead to.
        let programs = fs::canonicalize(dir.join("initdb"));
        dirs.extend(
            programs
                .ok()
                .and_then(|initdb| initdb.parent().map(Path::to_owned)),
        );
    }
    let mut debian: Vec<(u32, PathBuf)> = fs::read_dir(&settings.library_dir)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter_map(|entry| {
            Some((
                entry.file_name().to_str()?.parse().ok()?,
                entry.path().join("bin"),
            ))
        })
        .collect();
    debian.sort_by_key(|(major, _)| std::cmp::Reverse(*major));
    dirs.extend(debian.into_iter().map(|(_, dir)| dir));

    let mut unique: Vec<PathBuf> = Vec::new();
    for dir in dirs {
        if PROGRAMS.iter().all(|program| dir.join(program).is_file()) && !unique.contains(&dir) {
            unique.push(dir);
        }
    }
    unique
}

fn places(settings: &Settings) -> String {
    match &settings.pg_bin {
        Some(dir) => format!("PG_BIN, {}", dir.display()),
        None => format!("PATH and {}/*/bin", settings.library_dir.display()),
    }
}

/// The major version of the `postgres` in `dir`; none if its answer is not understood.
async fn major_of(dir: &Path) -> Result<Option<u32>, Error> {
    let program = dir.join("postgres");
    let answer = Command::new(&program)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .await
        .map_err(Error::io("run", &program))?;
    Ok(parse_major(&String::from_utf8_lossy(&answer.stdout)))
}

/// From `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` or `postgres (PostgreSQL) 17beta1`.
fn parse_major(answer: &str) -> Option<u32> {
    let version = answer.split_whitespace().nth(2)?;
    let end = version
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(version.len());
    version[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn major_version_is_read_from_every_form() {
        assert_eq!(
            parse_major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"),
            Some(15)
        );
        assert_eq!(parse_major("postgres (PostgreSQL) 17beta1\n"), Some(17));
        assert_eq!(parse_major("postgres (PostgreSQL) 18\n"), Some(18));
        assert_eq!(parse_major("postgres (EnterpriseDB) x\n"), None);
        assert_eq!(parse_major(""), None);
    }
}
