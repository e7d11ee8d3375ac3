//! One connection to the mail server: opened, and used for one message after another.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use lettre::transport::smtp::authentication::DEFAULT_MECHANISMS;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Ehlo, Mail, Rcpt, Rset, Starttls};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::client::TlsStream;

use super::exchange::{answer, expect, status_of};
use super::failure::{Accepted, ErrorClass, Failure, Stage};
use super::offers::{Letter, Offers};
use super::route::Route;
use super::tls::{Protection, Tls};
use super::wire::{Progress, Wire};

pub(super) struct Connection {
    smtp: AsyncSmtpConnection,
    progress: Arc<Progress>,
    offers: Offers,
    command_timeout: Duration,
    state: State,
    /// A message was sent over it.
    used: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Ready for the next MAIL.
    Ready,
    /// A refusal left a transaction open: RSET first.
    InTransaction,
    /// In the middle of something, or done for.
    Unusable,
}

impl Connection {
    /// Connects, with TLS and sign-in as the route says, all before `deadline`.
    pub(super) async fn open(route: &Route, deadline: Instant) -> Result<Self, Failure> {
        let tcp = route.connect(deadline).await?;
        let progress = Arc::new(Progress::default());
        let wire = match &route.protection {
            Protection::Plain => Wire::over_tcp(tcp, Arc::clone(&progress)),
            Protection::Implicit(tls) => {
                let stream = shake_hands(tls, tcp, route, deadline).await?;
                Wire::over_tls(stream, Arc::clone(&progress))
            }
            Protection::StartTls(tls) => {
                let tcp = start_tls(tcp, route, deadline).await?;
                let stream = shake_hands(tls, tcp, route, deadline).await?;
                Wire::after_starttls(stream, Arc::clone(&progress))
            }
        };
        let smtp = greet(wire, &progress, route, deadline).await?;
        let mut connection = Self {
            smtp,
            progress,
            offers: Offers::default(),
            command_timeout: route.command_timeout,
            state: State::Unusable,
            used: false,
        };
        connection.say_hello(route, deadline).await?;
        connection.sign_in(route, deadline).await?;
        connection.state = State::Ready;
        Ok(connection)
    }

    /// An EHLO of our own (a repeated one is welcome, RFC 5321, section 4.1.4): lettre keeps the
    /// answer to its own and does not tell of PIPELINING, which saves two round trips a message.
    async fn say_hello(&mut self, route: &Route, deadline: Instant) -> Result<(), Failure> {
        let hello = self.smtp.command(Ehlo::new(route.hello.clone()));
        let reply = answer(route.command_end(deadline), hello).await;
        let reply = reply.map_err(|trouble| trouble.at(Stage::Ehlo))?;
        expect(&reply, Stage::Ehlo, 2)?;
        self.offers = Offers::of(&reply);
        Ok(())
    }

    /// AUTH PLAIN or LOGIN, if the route has an account.
    async fn sign_in(&mut self, route: &Route, deadline: Instant) -> Result<(), Failure> {
        let Some(credentials) = route.url.credentials() else {
            return Ok(());
        };
        let auth = self.smtp.auth(DEFAULT_MECHANISMS, credentials);
        let reply = answer(route.command_end(deadline), auth).await;
        expect(
            &reply.map_err(|trouble| trouble.at(Stage::Auth))?,
            Stage::Auth,
            2,
        )
    }

    /// True if the connection can take another message.
    pub(super) fn is_usable(&self) -> bool {
        self.state != State::Unusable
    }

    /// Sends one message before `deadline`. Dropping the future, like a timeout, leaves the
    /// connection unusable.
    pub(super) async fn send(
        &mut self,
        letter: Letter<'_>,
        deadline: Instant,
    ) -> Result<Accepted, Failure> {
        let parameters = self.offers.parameters(letter)?;
        let reset_first = self.state == State::InTransaction;
        self.state = State::Unusable;
        if self.spoke_unasked() {
            // Last words before it closed, or an answer too many: what follows would be read in the
            // wrong place.
            let class = if self.used {
                ErrorClass::ConnectionLost
            } else {
                ErrorClass::Protocol
            };
            return Err(Failure::unanswered(Stage::MailFrom, class));
        }
        self.used = true;
        if reset_first {
            self.ask(Stage::MailFrom, 2, Some(&Rset.to_string()), deadline)
                .await?;
        }
        let mail = Mail::new(Some(letter.from.clone()), parameters);
        let rcpt = Rcpt::new(letter.recipient.clone(), Vec::new());
        self.begin(&mail, &rcpt, deadline).await?;
        self.transmit(letter.message, deadline).await
    }

    /// MAIL, RCPT and DATA: in one write if the server offers PIPELINING (RFC 2920), else one by
    /// one. The replies come in order either way, so each failure has its stage.
    async fn begin(&mut self, mail: &Mail, rcpt: &Rcpt, deadline: Instant) -> Result<(), Failure> {
        let together = self.offers.pipelining;
        let commands = if together {
            [Some(format!("{mail}{rcpt}{Data}")), None, None]
        } else {
            [
                Some(mail.to_string()),
                Some(rcpt.to_string()),
                Some(Data.to_string()),
            ]
        };
        let mut refused = None;
        let replies = [(Stage::MailFrom, 2), (Stage::RcptTo, 2), (Stage::Data, 3)];
        for ((stage, severity), command) in replies.into_iter().zip(&commands) {
            match self
                .ask(stage, severity, command.as_deref(), deadline)
                .await
            {
                // The server wants a message though it refused the envelope. Only closing the
                // connection takes DATA back.
                Ok(()) if stage == Stage::Data => return refused.map_or(Ok(()), Err),
                Ok(()) => {}
                Err(failure) => {
                    let first = *refused.get_or_insert(failure);
                    if !failure.leaves_dialogue_open() {
                        return Err(first);
                    }
                    if !together {
                        break;
                    }
                }
            }
        }
        self.state = State::InTransaction;
        refused.map_or(Ok(()), Err)
    }

    /// The message and its final dot.
    ///
    /// The answer to the dot may take all the time until the deadline: giving up early would only
    /// leave more outcomes unknown.
    async fn transmit(&mut self, message: &[u8], deadline: Instant) -> Result<Accepted, Failure> {
        if self.spoke_unasked() {
            // It would pass for the acceptance of a message that has not left.
            self.state = State::Unusable;
            return Err(Failure::unanswered(Stage::Data, ErrorClass::Protocol));
        }
        // lettre ends the last line itself; one that is ended already would get an empty one after
        // it.
        let message = message.strip_suffix(b"\r\n").unwrap_or(message);
        let outcome = answer(deadline, self.smtp.message(message)).await;
        if !self.progress.all_sent() {
            return Err(match outcome {
                Err(trouble) => trouble.at(Stage::Body),
                // Nobody can have accepted what has not left yet.
                Ok(_) => Failure::unanswered(Stage::Body, ErrorClass::Protocol),
            });
        }
        let reply = outcome
            .map_err(|trouble| trouble.at(Stage::AfterDot))
            .and_then(|reply| {
                expect(&reply, Stage::AfterDot, 2)?;
                Ok(Accepted {
                    code: reply.code().into(),
                    status: status_of(&reply),
                })
            });
        if reply
            .as_ref()
            .err()
            .is_none_or(Failure::leaves_dialogue_open)
        {
            self.state = State::Ready;
        }
        reply
    }

    /// Whether something of the server's is there to be read that nobody asked for. What has not come
    /// yet cannot be known.
    fn spoke_unasked(&mut self) -> bool {
        self.smtp.read_response().now_or_never().is_some()
    }

    /// Sends a command, if there is one to send, and reads a reply of the wanted severity.
    async fn ask(
        &mut self,
        stage: Stage,
        severity: u16,
        command: Option<&str>,
        deadline: Instant,
    ) -> Result<(), Failure> {
        let until = deadline.min(Instant::now() + self.command_timeout);
        let reply = match command {
            Some(command) => answer(until, self.smtp.command(command)).await,
            None => answer(until, self.smtp.read_response()).await,
        };
        expect(
            &reply.map_err(|trouble| trouble.at(stage))?,
            stage,
            severity,
        )
    }

    /// Says QUIT and waits for the answer for at most `patience`.
    pub(super) async fn quit(mut self, patience: Duration) {
        // Whatever the answer, the connection is dropped.
        let _ = answer(Instant::now() + patience, self.smtp.quit()).await;
    }
}

/// Greeting and EHLO.
async fn greet(
    wire: Wire,
    progress: &Progress,
    route: &Route,
    deadline: Instant,
) -> Result<AsyncSmtpConnection, Failure> {
    let greeting = AsyncSmtpConnection::connect_with_transport(Box::new(wire), &route.hello);
    let smtp = answer(route.command_end(deadline), greeting).await;
    // lettre takes any 2yz and 3yz for a welcome (RFC 5321, section 4.3.2: it is 220).
    let greeted = progress.greeting();
    if (300..400).contains(&greeted) {
        return Err(Failure::answered(Stage::Greeting, greeted, None));
    }
    smtp.map_err(|trouble| {
        trouble.at(if progress.past_greeting() {
            Stage::Ehlo
        } else {
            Stage::Greeting
        })
    })
}

/// STARTTLS (RFC 3207), up to its answer. A server without it is a failure: going on in the clear
/// would leave the choice to whoever sits on the path.
///
/// lettre would shake hands itself, and then keep the bytes of the dialogue to itself.
async fn start_tls(tcp: TcpStream, route: &Route, deadline: Instant) -> Result<TcpStream, Failure> {
    let progress = Arc::new(Progress::default());
    let wire = Wire::before_tls(tcp, Arc::clone(&progress));
    let mut smtp = greet(wire, &progress, route, deadline).await?;
    if !smtp.can_starttls() {
        return Err(Failure::unanswered(Stage::Tls, ErrorClass::Tls));
    }
    let asked = answer(route.command_end(deadline), smtp.command(Starttls)).await;
    expect(
        &asked.map_err(|trouble| trouble.at(Stage::Tls))?,
        Stage::Tls,
        2,
    )?;
    drop(smtp);
    progress
        .take_stream()
        .ok_or(Failure::unanswered(Stage::Tls, ErrorClass::Tls))
}

async fn shake_hands(
    tls: &Tls,
    tcp: TcpStream,
    route: &Route,
    deadline: Instant,
) -> Result<TlsStream<TcpStream>, Failure> {
    let handshake = tls.connector.connect(tls.name.clone(), tcp);
    timeout_at(route.command_end(deadline), handshake)
        .await
        .map_err(|_| Failure::unanswered(Stage::Tls, ErrorClass::Timeout))?
        .map_err(|_| Failure::unanswered(Stage::Tls, ErrorClass::Tls))
}
