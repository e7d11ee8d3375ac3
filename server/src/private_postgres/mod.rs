//! A PostgreSQL of the server's own, for when no `DATABASE_URL` is set: one command from nothing to
//! a working page, and the cluster that tests run on.
//!
//! - [`PrivatePostgres::start`] finds PostgreSQL's programs, makes a cluster in the data folder once,
//!   and starts it, or adopts the postmaster that a killed server left running.
//! - It listens on a unix socket only. The socket's folder has mode 0700 and belongs to the user that
//!   PostgreSQL runs as, so that user and root can connect, and nobody else.
//! - PostgreSQL refuses to run as root, so under root it runs as the user `postgres`.
//!
//! Linux only where it matters: whether a process id still is our postmaster is read from `/proc`.

mod binaries;
mod cluster;
mod connection;
mod error;
mod home;
mod launch;
mod lock;
mod log;
mod owner;
mod postmaster;
mod settings;
mod start;
mod stop;

pub use connection::Connection;
pub use error::Error;
pub use settings::Settings;
pub use start::PrivatePostgres;
