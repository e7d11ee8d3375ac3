//! The sink as a test holds it.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

use super::certificate::certificate;
use super::script::{At, Behaviour, Script};
use super::session;

/// One accepted message.
#[derive(Clone, Debug)]
pub struct Received {
    /// When the final dot had been read.
    pub at: Instant,
    /// The reverse path, without brackets.
    pub from: String,
    /// The parameters of MAIL, as they were written.
    pub mail_parameters: String,
    /// The recipient, without brackets.
    pub to: String,
    /// The message as it was before dot-stuffing, its last line ended.
    pub data: Vec<u8>,
    /// Which connection brought it, counted from 1.
    pub connection_no: u64,
    /// True if the connection was encrypted.
    pub encrypted: bool,
    /// True if the client had signed in.
    pub signed_in: bool,
}

/// How the sink protects connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tls {
    /// Not at all.
    #[default]
    None,
    /// It offers STARTTLS.
    StartTls,
    /// From the first byte.
    Implicit,
}

/// What a sink is made from.
#[derive(Clone, Debug)]
pub struct SinkSettings {
    /// The port on 127.0.0.1; 0 takes a free one.
    pub port: u16,
    /// How connections are protected.
    pub tls: Tls,
    /// The names and addresses in the certificate.
    pub certificate_names: Vec<String>,
    /// User and password; without them AUTH is not offered, with them it is required.
    pub account: Option<(String, String)>,
    /// The AUTH mechanisms that are offered, of `PLAIN` and `LOGIN`.
    pub mechanisms: &'static str,
    /// Further EHLO keywords.
    pub keywords: Vec<&'static str>,
    /// A client beyond so many connections is sent away.
    pub most_connections: Option<usize>,
    /// So many messages on a connection; then it says goodbye.
    pub most_messages: Option<usize>,
    /// It does not know EHLO.
    pub helo_only: bool,
}

impl Default for SinkSettings {
    fn default() -> Self {
        Self {
            port: 0,
            tls: Tls::None,
            certificate_names: vec!["localhost".to_owned(), "127.0.0.1".to_owned()],
            account: None,
            mechanisms: "PLAIN LOGIN",
            keywords: vec!["PIPELINING", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES"],
            most_connections: None,
            most_messages: None,
            helo_only: false,
        }
    }
}

/// Fewer messages came than were waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew {
    /// How many were waited for.
    pub wanted: usize,
    /// How many had come.
    pub received: usize,
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} messages came in time",
            self.received, self.wanted
        )
    }
}

impl std::error::Error for TooFew {}

/// A running sink. It stops, with all its connections, when it is dropped.
pub struct SmtpSink {
    address: SocketAddr,
    tls: Tls,
    root_pem: String,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

/// What the sink and its sessions share.
pub(super) struct Shared {
    pub(super) settings: SinkSettings,
    pub(super) acceptor: TlsAcceptor,
    script: Mutex<Script>,
    received: Mutex<Vec<Received>>,
    /// How many messages were ever accepted.
    count: watch::Sender<usize>,
    connections: AtomicU64,
    /// The numbers of the open connections.
    open: watch::Sender<BTreeSet<u64>>,
    pub(super) quits: AtomicUsize,
    /// Tells waiting connections to close, with these last words.
    pub(super) closing: watch::Sender<Option<&'static str>>,
}

impl SmtpSink {
    /// A plain sink on a free port.
    ///
    /// # Errors
    ///
    /// If it cannot listen.
    pub async fn start() -> io::Result<Self> {
        Self::start_with(SinkSettings::default()).await
    }

    /// A sink with these settings. Its certificate is signed by a root of its own.
    ///
    /// # Errors
    ///
    /// If it cannot listen, or no certificate can be made for the names.
    pub async fn start_with(settings: SinkSettings) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port)).await?;
        let address = listener.local_addr()?;
        let (acceptor, root_pem) = certificate(&settings.certificate_names)?;
        let tls = settings.tls;
        let shared = Arc::new(Shared {
            settings,
            acceptor,
            script: Mutex::default(),
            received: Mutex::default(),
            count: watch::Sender::new(0),
            connections: AtomicU64::new(0),
            open: watch::Sender::default(),
            quits: AtomicUsize::new(0),
            closing: watch::Sender::new(None),
        });
        let listening = tokio::spawn(listen(listener, Arc::clone(&shared)));
        Ok(Self {
            address,
            tls,
            root_pem,
            shared,
            listening,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its `HOLDFAST_SMTP_URL`, without an account.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = match self.tls {
            Tls::None => "smtp",
            Tls::StartTls => "smtp+starttls",
            Tls::Implicit => "smtps",
        };
        format!("{scheme}://{}", self.address)
    }

    /// The root certificate to trust, as PEM.
    #[must_use]
    pub fn root_pem(&self) -> &str {
        &self.root_pem
    }

    /// From now on the sink behaves like this, until it is told otherwise.
    pub fn behave(&self, behaviour: Behaviour) {
        self.shared.script().tell(None, behaviour, None);
    }

    /// From now on `mood` decides at every point of every dialogue (the recipient is known from RCPT
    /// on), until the sink is told otherwise for all. What was told for some recipients rests
    /// meanwhile.
    pub fn behave_by(
        &self,
        mood: impl FnMut(At, Option<&str>) -> Option<Behaviour> + Send + 'static,
    ) {
        self.shared.script().follow(Box::new(mood));
    }

    /// The next `times` times that it comes to it the sink behaves like this, then it accepts.
    pub fn behave_times(&self, times: usize, behaviour: Behaviour) {
        self.shared.script().tell(None, behaviour, Some(times));
    }

    /// For this recipient, from RCPT on, the sink behaves like this whatever else it was told. An `@`
    /// and a domain stand for everybody there of whom it was told nothing else.
    pub fn behave_for(&self, recipient: &str, behaviour: Behaviour) {
        self.shared.script().tell(Some(recipient), behaviour, None);
    }

    /// For this recipient the sink behaves like this the next `times` times, then as for all.
    pub fn behave_times_for(&self, recipient: &str, times: usize, behaviour: Behaviour) {
        self.shared
            .script()
            .tell(Some(recipient), behaviour, Some(times));
    }

    /// Waits until `wanted` messages were accepted since the start, taken ones included.
    ///
    /// # Errors
    ///
    /// [`TooFew`] after `patience`.
    pub async fn wait_for(&self, wanted: usize, patience: Duration) -> Result<(), TooFew> {
        let mut count = self.shared.count.subscribe();
        let enough = count.wait_for(|&count| count >= wanted);
        match tokio::time::timeout(patience, enough).await {
            Ok(Ok(_)) => Ok(()),
            _ => Err(TooFew {
                wanted,
                received: self.count(),
            }),
        }
    }

    /// How many messages were accepted since the start, taken ones included.
    #[must_use]
    pub fn count(&self) -> usize {
        *self.shared.count.borrow()
    }

    /// Takes the messages out, oldest first.
    #[must_use]
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut self.shared.received())
    }

    /// Waits for `wanted` messages since the start, then takes all out.
    ///
    /// # Errors
    ///
    /// [`TooFew`] after `patience`.
    pub async fn take_after(
        &self,
        wanted: usize,
        patience: Duration,
    ) -> Result<Vec<Received>, TooFew> {
        self.wait_for(wanted, patience).await?;
        Ok(self.take())
    }

    /// How many connections there have been.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.shared.connections.load(Ordering::Relaxed)
    }

    /// How many connections are open.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.shared.open.borrow().len()
    }

    /// Waits until no more than `most` connections are open; false if there still are after
    /// `patience`.
    pub async fn wait_for_open(&self, most: usize, patience: Duration) -> bool {
        let mut open = self.shared.open.subscribe();
        let few = open.wait_for(|open| open.len() <= most);
        tokio::time::timeout(patience, few).await.is_ok()
    }

    /// How many clients said QUIT.
    #[must_use]
    pub fn quits(&self) -> usize {
        self.shared.quits.load(Ordering::Relaxed)
    }

    /// Closes every connection that waits for a command or stalls, with `last_words` (such as
    /// `421 4.4.2 idle`) if there are any, and waits until those that were open are closed.
    pub async fn close_idle(&self, last_words: Option<&'static str>) {
        let before = self.connections();
        self.shared.closing.send_replace(last_words);
        let mut open = self.shared.open.subscribe();
        // An error would say that the sink is gone, and here it is.
        let _ = open
            .wait_for(|open| open.first().is_none_or(|&first| first > before))
            .await;
    }
}

impl Drop for SmtpSink {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Shared {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn received(&self) -> MutexGuard<'_, Vec<Received>> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn scripted(&self, point: At, recipient: Option<&str>) -> Option<Behaviour> {
        self.script().at(point, recipient)
    }

    pub(super) fn slow_bytes(&self) -> Option<Duration> {
        self.script().slow_bytes()
    }

    pub(super) fn open_connections(&self) -> usize {
        self.open.borrow().len()
    }

    pub(super) fn accept(&self, message: Received) {
        self.received().push(message);
        self.count.send_modify(|count| *count += 1);
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { return };
                let open = Open::new(&shared);
                connections.spawn(async move {
                    // A client that goes away is no concern of the sink's.
                    let _ = session::serve(stream, open.connection_no, &open.shared).await;
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

/// An open connection, counted as one for as long as this lives.
struct Open {
    connection_no: u64,
    shared: Arc<Shared>,
}

impl Open {
    fn new(shared: &Arc<Shared>) -> Self {
        let connection_no = shared.connections.fetch_add(1, Ordering::Relaxed) + 1;
        shared.open.send_modify(|open| {
            open.insert(connection_no);
        });
        Self {
            connection_no,
            shared: Arc::clone(shared),
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.shared.open.send_modify(|open| {
            open.remove(&self.connection_no);
        });
    }
}
