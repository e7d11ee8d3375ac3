//! The test harness: real PostgreSQL, real HTTP, a fixed clock and seeded randomness.
//!
//! `make test` starts a private cluster and names it in `HOLDFAST_TEST_DATABASE_URL`; each test
//! gets a database of its own, copied from a template that was migrated once.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a harness fails by panicking"
)]

pub mod app;
pub mod bench;
pub mod database;
pub mod host;
pub mod ics_check;
pub mod logs;
pub mod smtp_sink;

pub use app::{Answer, TestApp};
pub use host::HostBuilder;
