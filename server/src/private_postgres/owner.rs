//! Who PostgreSQL runs as.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, lchown};
use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::{Error, Settings};

/// A user and its main group, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

/// The user that PostgreSQL runs as: ourselves, or somebody else if we are root.
#[derive(Debug, Clone)]
pub(super) struct Owner {
    pub(super) identity: Identity,
    /// Whether we are root and each program must be handed over.
    pub(super) handed_over: bool,
    path: OsString,
}

impl Owner {
    /// Chooses the user. As root that is the owner of the cluster that is already there, or else
    /// `settings.root_runs_as`.
    pub(super) async fn choose(settings: &Settings, cluster: &Path) -> Result<Self, Error> {
        let path = settings
            .path
            .clone()
            .unwrap_or_else(|| OsString::from("/usr/bin:/bin"));
        let me = identify(None).await?.ok_or_else(|| {
            Error::io("understand the answer of", Path::new("id"))(ErrorKind::InvalidData.into())
        })?;
        let there = identity_of(cluster)?;
        if me.uid != 0 {
            return match there {
                Some(other) if other.uid != me.uid => Err(Error::NotOurs {
                    cluster: cluster.to_owned(),
                    owner: other.uid,
                }),
                _ => Ok(Self {
                    identity: me,
                    handed_over: false,
                    path,
                }),
            };
        }
        // A cluster that root owns was copied or restored by root: it goes to the usual user.
        if let Some(identity) = there.filter(|identity| identity.uid != 0) {
            return Ok(Self {
                identity,
                handed_over: true,
                path,
            });
        }
        let user = &settings.root_runs_as;
        match identify(Some(user)).await? {
            Some(identity) if identity.uid != 0 => Ok(Self {
                identity,
                handed_over: true,
                path,
            }),
            _ => Err(Error::NoPostgresUser { user: user.clone() }),
        }
    }

    /// A program that will run as this user, from the root folder (ours may be closed to it), with
    /// nothing of our environment, which holds secrets, but the search path.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", &self.path)
            .env("LC_ALL", "C")
            .current_dir("/")
            .stdin(Stdio::null());
        if self.handed_over {
            // What `runuser -u postgres --` does, without a program that some images lack. The
            // standard library drops root's other groups as well.
            command.uid(self.identity.uid).gid(self.identity.gid);
        }
        command
    }

    /// Makes a folder of mode 0700 that belongs to this user.
    ///
    /// # Errors
    /// The folder exists, or this file system does not let folders be given away.
    pub(super) fn make_folder(&self, folder: &Path) -> Result<(), Error> {
        fs::DirBuilder::new()
            .mode(0o700)
            .create(folder)
            .map_err(Error::io("make", folder))?;
        // The umask may have taken away what the owner needs.
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
            .map_err(Error::io("set the mode of", folder))?;
        self.give(folder)
    }

    /// Gives one file or folder to this user.
    pub(super) fn give(&self, path: &Path) -> Result<(), Error> {
        if !self.handed_over {
            return Ok(());
        }
        let Identity { uid, gid } = self.identity;
        lchown(path, Some(uid), Some(gid)).map_err(Error::io("change the owner of", path))
    }

    /// Gives a whole tree to this user, not following links.
    pub(super) async fn give_all(&self, folder: &Path) -> Result<(), Error> {
        let Identity { uid, gid } = self.identity;
        let status = Command::new("chown")
            .args(["-R", "-h", "--"])
            .arg(format!("{uid}:{gid}"))
            .arg(folder)
            .stdin(Stdio::null())
            .status()
            .await
            .map_err(Error::io("run", Path::new("chown")))?;
        if status.success() {
            return Ok(());
        }
        Err(Error::io("change the owner of everything in", folder)(
            ErrorKind::PermissionDenied.into(),
        ))
    }

    /// Whether this user can get to `folder` and write in it.
    pub(super) async fn can_write(&self, folder: &Path) -> Result<bool, Error> {
        let test = Path::new("test");
        let status = self.command(test).arg("-w").arg(folder).status().await;
        Ok(status.map_err(Error::io("run", test))?.success())
    }
}

/// The owner of what a path leads to; none if nothing is there.
pub(super) fn identity_of(path: &Path) -> Result<Option<Identity>, Error> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(Identity {
            uid: metadata.uid(),
            gid: metadata.gid(),
        })),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("look at", path)(error)),
    }
}

/// Asks `id`, which knows every source of users, for a user by name, or for ourselves.
async fn identify(user: Option<&str>) -> Result<Option<Identity>, Error> {
    let answer = Command::new("id")
        .args(user)
        .stdin(Stdio::null())
        .output()
        .await
        .map_err(Error::io("run", Path::new("id")))?;
    if !answer.status.success() {
        return Ok(None);
    }
    Ok(parse_identity(&String::from_utf8_lossy(&answer.stdout)))
}

/// From `uid=101(postgres) gid=104(postgres) groups=…`; names are absent where there are none.
fn parse_identity(answer: &str) -> Option<Identity> {
    let number = |key: &str| {
        let rest = answer
            .split_whitespace()
            .find_map(|word| word.strip_prefix(key))?;
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    Some(Identity {
        uid: number("uid=")?,
        gid: number("gid=")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_is_read_with_and_without_names() {
        let named = "uid=101(postgres) gid=104(postgres) groups=104(postgres),103(ssl-cert)\n";
        assert_eq!(parse_identity(named), Some(Identity { uid: 101, gid: 104 }));
        let bare = "uid=12345 gid=0(root) groups=0(root)\n";
        assert_eq!(parse_identity(bare), Some(Identity { uid: 12345, gid: 0 }));
        assert_eq!(parse_identity("id: 'nobody2': no such user\n"), None);
    }
}
