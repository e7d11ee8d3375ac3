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
pub mod calendar;
pub mod cluster;
pub mod database;
pub mod dev_mail;
pub mod feeds;
pub mod flow;
pub mod fuzz;
pub mod host;
pub mod ics_check;
pub mod invariants;
pub mod letter;
pub mod logs;
pub mod mail;
pub mod page;
pub mod process;
pub mod python;
pub mod smtp_sink;
pub mod source;
pub mod wire;

pub use app::{Answer, TestApp};
pub use flow::Flow;
pub use host::HostBuilder;
pub use mail::TestMail;
pub use wire::Wire;
