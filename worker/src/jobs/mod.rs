//! Jobs: each a step that a test can call.
pub mod send_mail;
