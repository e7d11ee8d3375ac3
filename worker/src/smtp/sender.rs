//! The bounded sender: so many messages at a time and no more.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp::extension::ClientId;
use rustls::pki_types::ServerName;
use tokio::sync::{Semaphore, TryAcquireError};
use tokio::time::Instant;

use super::connection::Connection;
use super::failure::{Accepted, ErrorClass, Failure, SendError, Stage};
use super::offers::Letter;
use super::pool::Pool;
use super::route::Route;
use super::tls::Protection;
use super::url::SmtpUrl;

/// What a [`Sender`] is made from.
#[derive(Clone, Debug)]
pub struct SenderSettings {
    /// The mail server.
    pub url: SmtpUrl,
    /// The name for EHLO: this machine's domain name, or an IP address.
    pub hello: String,
    /// A PEM file's bytes with certificates to trust besides the Mozilla roots, for mail servers
    /// of an intranet.
    pub extra_root_pem: Option<Vec<u8>>,
    /// Messages on their way at a time (`HOLDFAST_MAIL_CONCURRENCY`), at least 1.
    pub concurrency: usize,
    /// For looking the host up, and for each of its addresses.
    pub connect_timeout: Duration,
    /// For the TLS handshake and for each command. RCPT may take long where the server asks
    /// another one.
    pub command_timeout: Duration,
    /// For a whole send.
    pub send_timeout: Duration,
    /// How long an unused connection is kept; shorter than mail servers wait.
    pub idle_limit: Duration,
}

impl SenderSettings {
    /// The defaults: 4 sends at a time, 5 s to connect, 15 s a command, 20 s a send, connections
    /// kept for 8 s.
    #[must_use]
    pub fn new(url: SmtpUrl, hello: impl Into<String>) -> Self {
        Self {
            url,
            hello: hello.into(),
            extra_root_pem: None,
            concurrency: 4,
            connect_timeout: Duration::from_secs(5),
            command_timeout: Duration::from_secs(15),
            send_timeout: Duration::from_secs(20),
            idle_limit: Duration::from_secs(8),
        }
    }
}

/// Why settings make no sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A concurrency of 0, or more than a semaphore counts.
    #[error(
        "the number of sends at a time must be from 1 to {}",
        Semaphore::MAX_PERMITS
    )]
    Concurrency,
    /// Not a name for EHLO.
    #[error("the name for EHLO is neither a domain name nor an IP address")]
    Hello,
    /// No certificate where one should be.
    #[error("the extra root certificate is not a PEM file with usable certificates")]
    RootCertificate,
    /// TLS cannot be set up with these settings.
    #[error("TLS cannot be set up for this host")]
    Tls,
}

/// Sends messages, at most so many at a time, over connections that it keeps for a while.
///
/// Share it in an [`Arc`]. It needs a tokio runtime.
pub struct Sender {
    route: Route,
    send_timeout: Duration,
    slots: Semaphore,
    pool: Arc<Pool>,
}

impl Sender {
    /// A sender that has not connected yet.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] that names the setting.
    pub fn new(settings: SenderSettings) -> Result<Self, SetupError> {
        if !(1..=Semaphore::MAX_PERMITS).contains(&settings.concurrency) {
            return Err(SetupError::Concurrency);
        }
        let protection = Protection::new(&settings.url, settings.extra_root_pem.as_deref())?;
        Ok(Self {
            route: Route {
                hello: client_id(settings.hello)?,
                url: settings.url,
                protection,
                connect_timeout: settings.connect_timeout,
                command_timeout: settings.command_timeout,
            },
            send_timeout: settings.send_timeout,
            slots: Semaphore::new(settings.concurrency),
            pool: Pool::new(settings.idle_limit),
        })
    }

    /// Sends one message to one recipient, before `deadline` and within the send timeout. The
    /// message has CRLF line endings; its last line need not be ended.
    ///
    /// Dropping the future drops its connection. Whether the server accepted a message is then as
    /// unknown as after an answer that never came.
    ///
    /// # Errors
    ///
    /// [`SendError::Busy`] at once if every slot is taken, [`SendError::Closed`] after
    /// [`Sender::close`]: nothing was tried. Else [`SendError::Failed`] with stage and reason.
    pub async fn send(
        &self,
        envelope_from: &Address,
        recipient: &Address,
        message: &[u8],
        deadline: Instant,
    ) -> Result<Accepted, SendError> {
        let _slot = self.slots.try_acquire().map_err(|refusal| match refusal {
            TryAcquireError::NoPermits => SendError::Busy,
            TryAcquireError::Closed => SendError::Closed,
        })?;
        let started = Instant::now();
        let letter = Letter {
            from: envelope_from,
            recipient,
            message,
        };
        let outcome = self
            .attempt(letter, deadline.min(started + self.send_timeout))
            .await;
        let word = match &outcome {
            Ok(_) => "accepted",
            Err(failure) => failure.class.as_str(),
        };
        metrics::counter!("holdfast_smtp_sends_total", "outcome" => word).increment(1);
        metrics::histogram!("holdfast_smtp_send_seconds").record(started.elapsed().as_secs_f64());
        outcome.map_err(SendError::Failed)
    }

    /// Refuses further sends and says QUIT on the idle connections, for at most a second. Sends on
    /// their way go on; their connections are dropped afterwards.
    pub async fn close(&self) {
        self.slots.close();
        self.pool.close().await;
    }

    /// A kept connection, or a new one. That a server closed a kept connection is no failure: what
    /// broke on the first command goes again over a new one, once.
    async fn attempt(&self, letter: Letter<'_>, deadline: Instant) -> Result<Accepted, Failure> {
        if let Some(connection) = self.pool.take() {
            match self.send_over(connection, letter, deadline).await {
                Err(failure) if was_closed_while_idle(&failure) => {}
                outcome => return outcome,
            }
        }
        let connection = Connection::open(&self.route, deadline).await?;
        metrics::counter!("holdfast_smtp_connections_total").increment(1);
        self.send_over(connection, letter, deadline).await
    }

    async fn send_over(
        &self,
        mut connection: Connection,
        letter: Letter<'_>,
        deadline: Instant,
    ) -> Result<Accepted, Failure> {
        let outcome = connection.send(letter, deadline).await;
        if connection.is_usable() {
            self.pool.put(connection);
        }
        outcome
    }
}

/// The connection ended before the server looked at the message: by a reset or end of stream, or
/// by the 421 with which servers announce that they tired of waiting (RFC 5321, section 3.8).
fn was_closed_while_idle(failure: &Failure) -> bool {
    failure.stage == Stage::MailFrom
        && (failure.class == ErrorClass::ConnectionLost || failure.code == Some(421))
}

/// RFC 5321, section 4.1.3: an address is written as a literal.
fn client_id(hello: String) -> Result<ClientId, SetupError> {
    match ServerName::try_from(hello.as_str()) {
        Err(_) => Err(SetupError::Hello),
        Ok(ServerName::DnsName(_)) => Ok(ClientId::Domain(hello)),
        Ok(_) => match hello.parse() {
            Ok(IpAddr::V4(address)) => Ok(ClientId::Ipv4(address)),
            Ok(IpAddr::V6(address)) => Ok(ClientId::Ipv6(address)),
            Err(_) => Err(SetupError::Hello),
        },
    }
}
