//! One binary for everything that crosses HTTP or the database.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod invitations;
mod private_postgres;
mod slots;
mod smtp;
