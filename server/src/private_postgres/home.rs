//! Where the cluster lives: in the data folder, or elsewhere when the user that PostgreSQL runs as
//! cannot get there.
//!
//! Below the home are `postgres/` (the cluster), `postgres.new.<pid>/` (one that is being made),
//! `postgres.log` and `postgres.lock`. A file `postgres-elsewhere` in the data folder names the home
//! if it is not the data folder itself: a clone that was deleted and made anew at the same path must
//! not find the old clone's database, whose key file is gone.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, Permissions};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use ring::digest::{SHA256, digest};

use super::connection::{PORT, socket_in};
use super::lock::Lock;
use super::owner::{Owner, identity_of};
use super::{Error, Settings};

/// Longest path of a unix socket, in bytes: 108 with the closing zero.
const LONGEST_SOCKET_PATH: usize = 107;

/// The folder that holds the cluster, ours alone as long as this value lives.
#[derive(Debug)]
pub(super) struct Home {
    pub(super) dir: PathBuf,
    pub(super) owner: Owner,
    /// A line for the operator, if the home is not the data folder.
    pub(super) note: Option<String>,
    _locks: Vec<Lock>,
}

impl Home {
    /// Finds the home or makes it, and locks it. Afterwards either the cluster is there, or its
    /// empty folder [`Home::unfinished`] is.
    pub(super) async fn choose(settings: &Settings) -> Result<Self, Error> {
        let (data, is_new) = make_data_folder(&settings.data_dir)?;
        let mut locks = vec![Lock::take(&data).await?];

        if let Some(dir) = elsewhere(&data)? {
            make_passable(&dir)?;
            locks.push(Lock::take(&dir).await?);
            let owner = Owner::choose(settings, &cluster_in(&dir)).await?;
            return Self::fit(dir, owner, &data, locks).await;
        }
        let owner = Owner::choose(settings, &cluster_in(&data)).await?;
        if !owner.handed_over || identity_of(&cluster_in(&data))?.is_some() {
            return Self::fit(data.clone(), owner, &data, locks).await;
        }
        if is_new {
            // Let PostgreSQL's user pass; only root can list the folder.
            set_mode(&data, 0o711)?;
        }
        if make_unfinished(&owner, &data).await? {
            return Ok(Self {
                dir: data,
                owner,
                note: None,
                _locks: locks,
            });
        }
        let dir = unused_fallback(&settings.fallback_dir, &data)?;
        remember_elsewhere(&data, &dir)?;
        make_passable(&dir)?;
        locks.push(Lock::take(&dir).await?);
        Self::fit(dir, owner, &data, locks).await
    }

    /// Uses `dir`, which was decided: what is wrong there is an error.
    async fn fit(dir: PathBuf, owner: Owner, data: &Path, locks: Vec<Lock>) -> Result<Self, Error> {
        let cluster = cluster_in(&dir);
        let usable = match identity_of(&cluster)? {
            Some(identity) => {
                if identity.uid != owner.identity.uid {
                    owner.give_all(&cluster).await?;
                }
                !owner.handed_over || owner.can_write(&cluster).await?
            }
            None => make_unfinished(&owner, &dir).await?,
        };
        if !usable {
            return Err(Error::Unreachable {
                cluster,
                owner: owner.identity.uid,
            });
        }
        let note = (dir != data).then(|| {
            format!(
                "the user that PostgreSQL runs as cannot use {}, so the database is in {}",
                data.display(),
                dir.display()
            )
        });
        Ok(Self {
            dir,
            owner,
            note,
            _locks: locks,
        })
    }

    /// The cluster's folder.
    pub(super) fn cluster(&self) -> PathBuf {
        cluster_in(&self.dir)
    }

    /// Where a cluster is made before it gets its name.
    pub(super) fn unfinished(&self) -> PathBuf {
        unfinished_in(&self.dir)
    }

    /// The postmaster's log.
    pub(super) fn log(&self) -> PathBuf {
        self.dir.join("postgres.log")
    }

    /// A folder for the socket that only the owner (and root) can pass: the cluster itself, whose
    /// mode PostgreSQL guards, or a short one if that path is too long for a socket.
    pub(super) fn socket_folder(&self) -> Result<PathBuf, Error> {
        let cluster = self.cluster();
        if socket_in(&cluster, PORT).as_os_str().len() <= LONGEST_SOCKET_PATH {
            return Ok(cluster);
        }
        // Only root can make anything in /run, so nobody can be there before us.
        let run = Path::new("/run");
        let base = if self.owner.handed_over && run.is_dir() {
            run
        } else {
            Path::new("/tmp")
        };
        let folder = base.join(format!("holdfast-{}", short_hash(&self.dir)));
        match self.owner.make_folder(&folder) {
            Ok(()) => return Ok(folder),
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        let found = fs::symlink_metadata(&folder).map_err(Error::io("look at", &folder))?;
        let owner = self.owner.identity.uid;
        // Still root's, if an earlier start was killed before it gave the folder away.
        let ours = found.uid() == owner || (self.owner.handed_over && found.uid() == 0);
        if !found.is_dir() || !ours || found.mode() & 0o077 != 0 {
            return Err(Error::SocketFolderUnsafe { folder, owner });
        }
        self.owner.give(&folder)?;
        Ok(folder)
    }
}

/// The cluster's folder for a data folder, without making or locking anything.
pub(super) fn locate_cluster(data_dir: &Path) -> Result<PathBuf, Error> {
    match fs::canonicalize(data_dir) {
        Ok(data) => Ok(cluster_in(&elsewhere(&data)?.unwrap_or(data))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(cluster_in(data_dir)),
        Err(error) => Err(Error::io("resolve", data_dir)(error)),
    }
}

fn cluster_in(home: &Path) -> PathBuf {
    home.join("postgres")
}

fn unfinished_in(home: &Path) -> PathBuf {
    home.join(format!("postgres.new.{}", std::process::id()))
}

/// The data folder's true path, and whether it was made just now (with mode 0700).
fn make_data_folder(data_dir: &Path) -> Result<(PathBuf, bool), Error> {
    let is_new = !data_dir.exists();
    DirBuilder::new()
        .recursive(true)
        .mode(0o755)
        .create(data_dir)
        .map_err(Error::io("make", data_dir))?;
    if is_new {
        set_mode(data_dir, 0o700)?;
    }
    let data = fs::canonicalize(data_dir).map_err(Error::io("resolve", data_dir))?;
    Ok((data, is_new))
}

/// Makes an empty folder for a new cluster in `home`; false if the owner cannot have one there.
async fn make_unfinished(owner: &Owner, home: &Path) -> Result<bool, Error> {
    remove_unfinished(home)?;
    let folder = unfinished_in(home);
    match owner.make_folder(&folder) {
        // Some file systems do not let root give a folder away.
        Err(error) if !(owner.handed_over && folder.is_dir()) => return Err(error),
        Err(_) => {}
        Ok(()) if owner.can_write(&folder).await? => return Ok(true),
        Ok(()) => {}
    }
    fs::remove_dir(&folder).map_err(Error::io("remove", &folder))?;
    Ok(false)
}

/// Removes what killed starts left: a cluster gets its name only when it is whole. The `initdb` of
/// one may still be at work, hence names with a process id, and no complaint if it interferes.
fn remove_unfinished(home: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(home).map_err(Error::io("list", home))? {
        let entry = entry.map_err(Error::io("list", home))?;
        if entry.file_name().as_bytes().starts_with(b"postgres.new.") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

fn pointer_in(data: &Path) -> PathBuf {
    data.join("postgres-elsewhere")
}

/// The home that the data folder points to, if it is another.
fn elsewhere(data: &Path) -> Result<Option<PathBuf>, Error> {
    let pointer = pointer_in(data);
    match fs::read(&pointer) {
        Ok(bytes) => {
            let home = PathBuf::from(OsStr::from_bytes(bytes.trim_ascii_end()));
            if home.is_absolute() {
                return Ok(Some(home));
            }
            Err(Error::io("find an absolute path in", &pointer)(
                ErrorKind::InvalidData.into(),
            ))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", &pointer)(error)),
    }
}

fn remember_elsewhere(data: &Path, home: &Path) -> Result<(), Error> {
    let pointer = pointer_in(data);
    let draft = pointer.with_extension("new");
    let line = [home.as_os_str().as_bytes(), b"\n"].concat();
    fs::write(&draft, line).map_err(Error::io("write", &draft))?;
    fs::rename(&draft, &pointer).map_err(Error::io("write", &pointer))
}

/// A home below `fallback` that no data folder has had.
fn unused_fallback(fallback: &Path, data: &Path) -> Result<PathBuf, Error> {
    let fallback = std::path::absolute(fallback).map_err(Error::io("resolve", fallback))?;
    let name = short_hash(data);
    let mut home = fallback.join(&name);
    let mut count = 1_u32;
    while home.exists() {
        count += 1;
        home = fallback.join(format!("{name}-{count}"));
    }
    Ok(home)
}

/// Makes a folder, and those above it, that everybody may pass and only root may list.
fn make_passable(folder: &Path) -> Result<(), Error> {
    for folder in [folder.parent(), Some(folder)].into_iter().flatten() {
        if !folder.exists() {
            fs::create_dir_all(folder).map_err(Error::io("make", folder))?;
            set_mode(folder, 0o711)?;
        }
    }
    Ok(())
}

fn set_mode(path: &Path, mode: u32) -> Result<(), Error> {
    fs::set_permissions(path, Permissions::from_mode(mode))
        .map_err(Error::io("set the mode of", path))
}

/// Sixteen hexadecimal digits that tell paths apart.
fn short_hash(path: &Path) -> String {
    let hash = digest(&SHA256, path.as_os_str().as_bytes());
    hash.as_ref()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
