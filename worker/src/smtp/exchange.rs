//! One answer of the server: waited for, read, and stripped of its text.

use std::error::Error as _;
use std::future::Future;
use std::io;

use lettre::transport::smtp;
use lettre::transport::smtp::response::Response;
use tokio::time::{Instant, timeout_at};

use super::failure::{ErrorClass, Failure, Stage};
use super::status::EnhancedStatus;

/// What keeps an exchange from its answer.
pub(super) enum Trouble {
    Timeout,
    Lost,
    Malformed,
    Refused(u16, Option<EnhancedStatus>),
    /// lettre itself refused to go on: no AUTH mechanism in common.
    Local,
}

/// What `exchange` brings before `until`.
pub(super) async fn answer<T>(
    until: Instant,
    exchange: impl Future<Output = Result<T, smtp::Error>>,
) -> Result<T, Trouble> {
    match timeout_at(until, exchange).await {
        Ok(outcome) => outcome.map_err(|error| Trouble::from(&error)),
        Err(_) => Err(Trouble::Timeout),
    }
}

/// lettre takes any 2yz and 3yz for success: whether it is the one that belongs here is ours.
pub(super) fn expect(reply: &Response, stage: Stage, severity: u16) -> Result<(), Failure> {
    let code = u16::from(reply.code());
    if code / 100 == severity {
        Ok(())
    } else {
        Err(Failure::answered(stage, code, status_of(reply)))
    }
}

/// The enhanced code of a reply, which stands on each of its lines (RFC 2034, section 4).
pub(super) fn status_of(reply: &Response) -> Option<EnhancedStatus> {
    reply.first_line().and_then(EnhancedStatus::at_start_of)
}

impl From<&smtp::Error> for Trouble {
    fn from(error: &smtp::Error) -> Self {
        // The text is read here and goes no further: it repeats addresses.
        let text = || error.source().map(ToString::to_string).unwrap_or_default();
        if let Some(code) = error.status() {
            Self::Refused(code.into(), EnhancedStatus::at_start_of(&text()))
        } else if error.is_client() {
            Self::Local
        } else if error.is_response() {
            // lettre's words for the end of the stream.
            if text() == "incomplete response" {
                Self::Lost
            } else {
                Self::Malformed
            }
        } else if error
            .source()
            .and_then(|source| source.downcast_ref::<io::Error>())
            .is_some_and(|error| error.kind() == io::ErrorKind::InvalidData)
        {
            Self::Malformed
        } else {
            Self::Lost
        }
    }
}

impl Trouble {
    /// The failure that this is at `stage`.
    pub(super) fn at(self, stage: Stage) -> Failure {
        let reason = match (self, stage) {
            (Self::Refused(code, status), _) => return Failure::answered(stage, code, status),
            (Self::Timeout, _) => ErrorClass::Timeout,
            (_, Stage::Tls) => ErrorClass::Tls,
            (Self::Local, Stage::Auth) => ErrorClass::Auth,
            (Self::Lost, _) => ErrorClass::ConnectionLost,
            (Self::Malformed | Self::Local, _) => ErrorClass::Protocol,
        };
        Failure::unanswered(stage, reason)
    }
}
