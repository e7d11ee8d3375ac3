//! The background half: mail, reminders, sweeps.
pub mod smtp;
