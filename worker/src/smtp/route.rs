//! The way to the mail server.

use std::io;
use std::time::Duration;

use lettre::transport::smtp::extension::ClientId;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use super::failure::{ErrorClass, Failure, Stage};
use super::tls::Protection;
use super::url::SmtpUrl;

/// Where connections go and how they are set up.
pub(super) struct Route {
    pub(super) url: SmtpUrl,
    pub(super) hello: ClientId,
    pub(super) protection: Protection,
    pub(super) connect_timeout: Duration,
    pub(super) command_timeout: Duration,
}

impl Route {
    /// Opens a TCP connection: the addresses of the host in turn, each for the connect timeout.
    pub(super) async fn connect(&self, deadline: Instant) -> Result<TcpStream, Failure> {
        let failed = |reason| Failure::unanswered(Stage::Connect, reason);
        let until = || deadline.min(Instant::now() + self.connect_timeout);
        if deadline <= Instant::now() {
            return Err(failed(ErrorClass::Timeout));
        }
        let look_up = tokio::net::lookup_host((self.url.host(), self.url.port()));
        let addresses = timeout_at(until(), look_up)
            .await
            .map_err(|_| failed(ErrorClass::Timeout))?
            .map_err(|_| failed(ErrorClass::Dns))?;
        let mut reason = ErrorClass::Dns;
        for address in addresses {
            match timeout_at(until(), TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    // Else Nagle's algorithm and delayed acknowledgements cost 40 ms a message.
                    stream
                        .set_nodelay(true)
                        .map_err(|_| failed(ErrorClass::ConnectionLost))?;
                    return Ok(stream);
                }
                Ok(Err(error)) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    reason = ErrorClass::ConnectRefused;
                }
                Ok(Err(_)) => reason = ErrorClass::Unreachable,
                Err(_) => reason = ErrorClass::Timeout,
            }
        }
        Err(failed(reason))
    }

    /// When the command that begins now must be answered.
    pub(super) fn command_end(&self, deadline: Instant) -> Instant {
        deadline.min(Instant::now() + self.command_timeout)
    }
}
