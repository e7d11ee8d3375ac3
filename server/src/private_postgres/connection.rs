//! How to connect to the private PostgreSQL.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The database made for Holdfast's tables.
pub(super) const DATABASE: &str = "holdfast";
/// The cluster's superuser. Access is guarded by the socket's folder, not by a password.
pub(super) const USER: &str = "holdfast";
/// The port only names the socket's file: each cluster has a folder of its own for it.
pub(super) const PORT: u16 = 5432;

/// The parts of an address, free of any database library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The folder of the unix socket, absolute.
    pub socket_dir: PathBuf,
    /// The port, which is part of the socket's file name.
    pub port: u16,
    /// The database user, a superuser of this cluster.
    pub user: &'static str,
    /// The database for Holdfast's tables.
    pub database: &'static str,
}

impl Connection {
    /// A URL that sqlx and libpq (`psql`) both understand, for Holdfast's database.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_of(self.database)
    }

    /// The same for another database of the cluster; `postgres` always exists.
    #[must_use]
    pub fn url_of(&self, database: &str) -> String {
        format!(
            "postgres:///{}?host={}&port={}&user={}&sslmode=disable",
            percent_encoded(database.as_bytes()),
            percent_encoded(self.socket_dir.as_os_str().as_bytes()),
            self.port,
            self.user,
        )
    }

    pub(super) fn in_folder(socket_dir: PathBuf) -> Self {
        Self {
            socket_dir,
            port: PORT,
            user: USER,
            database: DATABASE,
        }
    }

    /// The file that clients connect to.
    pub(super) fn socket(&self) -> PathBuf {
        socket_in(&self.socket_dir, self.port)
    }
}

/// The socket's file in its folder, as PostgreSQL names it.
pub(super) fn socket_in(folder: &Path, port: u16) -> PathBuf {
    folder.join(format!(".s.PGSQL.{port}"))
}

/// Everything but RFC 3986's unreserved characters and the slash, which a query may hold as it is.
fn percent_encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_names_socket_port_user_and_database() {
        let connection = Connection::in_folder(PathBuf::from("/srv/data/postgres"));
        assert_eq!(
            connection.url(),
            "postgres:///holdfast?host=/srv/data/postgres&port=5432&user=holdfast&sslmode=disable"
        );
        assert_eq!(
            connection.socket(),
            Path::new("/srv/data/postgres/.s.PGSQL.5432")
        );
    }

    #[test]
    fn url_survives_spaces_and_delimiters_in_the_path() {
        let connection = Connection::in_folder(PathBuf::from("/a b/c&d=é%/p"));
        assert!(
            connection
                .url_of("x y")
                .starts_with("postgres:///x%20y?host=/a%20b/c%26d%3D%C3%A9%25/p&")
        );
    }
}
