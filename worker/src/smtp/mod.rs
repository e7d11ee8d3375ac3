//! Mail over SMTP: where to (`url`), how (`connection`, `pool`), for whom (`sender`), and what a
//! refusal means (`refusal`).
//!
//! lettre's feature `tracing` stays off: it logs every command, addresses and passwords included.

mod connection;
mod exchange;
mod failure;
mod offers;
mod pool;
mod refusal;
mod replies;
mod route;
mod sender;
mod status;
mod tls;
mod url;
mod wire;

pub use failure::{Accepted, ErrorClass, Failure, SendError, Stage};
pub use lettre::Address;
pub use refusal::{Verdict, classify};
pub use sender::{Sender, SenderSettings, SetupError};
pub use status::EnhancedStatus;
pub use url::{Security, SmtpUrl, SmtpUrlError};
