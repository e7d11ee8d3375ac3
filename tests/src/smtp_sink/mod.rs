//! A mail server for tests: real SMTP on 127.0.0.1 that keeps what it accepts and misbehaves when
//! told to.

mod certificate;
pub mod hell;
mod script;
mod session;
mod sink;

pub use script::{At, Behaviour};
pub use sink::{Received, SinkSettings, SmtpSink, Tls, TooFew};
