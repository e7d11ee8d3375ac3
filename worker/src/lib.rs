//! The background half: mail, reminders, sweeps.
//!
//! [`Worker::start`] runs it; [`Worker::stop`] ends it cleanly. Tests drive single steps by
//! [`jobs::send_mail`] and [`sweeps`].

mod figures;
pub mod health;
pub mod http_out;
pub mod jobs;
pub mod mailer;
pub mod pulse;
pub mod queue;
pub mod run;
pub mod serve;
pub mod smtp;
pub mod sweeps;
pub mod syncs;
pub mod traffic;

pub use mailer::Mailer;
pub use pulse::Pulse;
pub use run::{Settings, Worker};
pub use syncs::Syncer;
pub use traffic::Traffic;
