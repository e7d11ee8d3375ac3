//! One client's dialogue.

use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::script::{At, Behaviour};
use super::sink::{Received, Shared, Tls};

/// Serves a client until one of the two closes the connection.
pub(super) async fn serve(
    mut stream: TcpStream,
    connection_no: u64,
    shared: &Shared,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let closing = shared.closing.subscribe();
    if shared.settings.tls == Tls::Implicit {
        match shared.scripted(At::Tls, None) {
            None | Some(Behaviour::ReplyAt(..)) => {}
            Some(Behaviour::StallAt(_)) => {
                let mut session = Session::new(&mut stream, shared, connection_no, closing);
                return session.stall().await.map(|_| ());
            }
            Some(_) => return Ok(()),
        }
    } else {
        let mut session = Session::new(&mut stream, shared, connection_no, closing.clone());
        session.greet().await?;
        match session.converse().await? {
            End::Closed => return Ok(()),
            End::Reset => return stream.set_zero_linger(),
            End::StartTls => {}
        }
    }
    let mut stream = shared.acceptor.accept(stream).await?;
    let mut session = Session::new(&mut stream, shared, connection_no, closing);
    session.encrypted = true;
    if shared.settings.tls == Tls::Implicit {
        session.greet().await?;
    }
    if session.converse().await? == End::Reset {
        return stream.get_ref().0.set_zero_linger();
    }
    stream.shutdown().await
}

const GREETING: &str = "220 sink ESMTP";

const GO_AHEAD_WITH_TLS: &str = "220 2.0.0 go ahead";

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Closed,
    /// By RST.
    Reset,
    StartTls,
}

struct Session<'a, S> {
    stream: BufReader<&'a mut S>,
    shared: &'a Shared,
    connection_no: u64,
    closing: watch::Receiver<Option<&'static str>>,
    encrypted: bool,
    signed_in: bool,
    /// The reverse path and the parameters of MAIL.
    from: Option<(String, String)>,
    to: Option<String>,
    /// Replies that were not written yet.
    replies: Vec<u8>,
    ended: Option<End>,
    /// Messages that were accepted or refused on this connection.
    messages: usize,
}

impl<'a, S: AsyncRead + AsyncWrite + Unpin> Session<'a, S> {
    fn new(
        stream: &'a mut S,
        shared: &'a Shared,
        connection_no: u64,
        closing: watch::Receiver<Option<&'static str>>,
    ) -> Self {
        Self {
            stream: BufReader::with_capacity(64 * 1024, stream),
            shared,
            connection_no,
            closing,
            encrypted: false,
            signed_in: false,
            from: None,
            to: None,
            replies: Vec::new(),
            ended: None,
            messages: 0,
        }
    }

    /// The first line, which a client too many gets another one for.
    async fn greet(&mut self) -> io::Result<()> {
        let most = self.shared.settings.most_connections;
        if most.is_some_and(|most| self.shared.open_connections() > most) {
            self.reply("421 4.7.0 too many connections");
            return Ok(());
        }
        self.answer(At::Greeting, GREETING).await.map(|_| ())
    }

    /// Command after command, until the end.
    async fn converse(&mut self) -> io::Result<End> {
        let mut line = Vec::new();
        loop {
            // Commands that came together are answered together.
            if self.ended.is_some() || self.stream.buffer().is_empty() {
                self.write_replies().await?;
            }
            if let Some(end) = self.ended {
                return Ok(end);
            }
            line.clear();
            let read = tokio::select! {
                biased;
                read = self.stream.read_until(b'\n', &mut line) => read?,
                _ = self.closing.changed() => {
                    self.say_last_words();
                    0
                }
            };
            if read == 0 {
                self.ended = Some(End::Closed);
            } else {
                self.obey(&line).await?;
            }
        }
    }

    async fn obey(&mut self, line: &[u8]) -> io::Result<()> {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let settings = &self.shared.settings;
        let must_sign_in = settings.account.is_some() && !self.signed_in;
        match verb.to_ascii_uppercase().as_str() {
            "EHLO" if settings.helo_only => self.reply("502 5.5.1 EHLO? HELO!"),
            "EHLO" => {
                (self.from, self.to) = (None, None);
                let offer = self.offer();
                self.answer(At::Ehlo, &offer).await?;
            }
            "STARTTLS" if settings.tls == Tls::StartTls && !self.encrypted => {
                if self.answer(At::Tls, GO_AHEAD_WITH_TLS).await? {
                    self.ended = Some(End::StartTls);
                }
            }
            "AUTH" => self.sign_in(rest).await?,
            "MAIL" if must_sign_in => self.reply("530 5.7.0 authentication required"),
            "MAIL"
                if settings
                    .most_messages
                    .is_some_and(|most| self.messages >= most) =>
            {
                self.reply("421 4.4.5 enough on this connection");
            }
            "MAIL" if self.from.is_some() => self.reply("503 5.5.1 nested MAIL"),
            "MAIL" => match path(rest, "FROM:<") {
                Some(from) => {
                    if self.answer(At::Mail, "250 2.1.0 ok").await? {
                        self.from = Some(from);
                    }
                }
                None => self.reply("501 5.5.4 syntax"),
            },
            "RCPT" if self.from.is_none() => self.reply("503 5.5.1 MAIL first"),
            // One recipient a message: a second one is a fault of the client under test.
            "RCPT" if self.to.is_some() => self.reply("452 4.5.3 one recipient a message"),
            "RCPT" => match path(rest, "TO:<") {
                Some((to, _)) => {
                    self.to = Some(to);
                    if !self.answer(At::Rcpt, "250 2.1.5 ok").await? {
                        self.to = None;
                    }
                }
                None => self.reply("501 5.5.4 syntax"),
            },
            "DATA" if self.from.is_none() => self.reply("503 5.5.1 MAIL first"),
            "DATA" if self.to.is_none() => self.reply("554 5.5.1 no valid recipients"),
            "DATA" => {
                if self.answer(At::Data, "354 go ahead").await? {
                    self.write_replies().await?;
                    self.read_message().await?;
                }
            }
            "RSET" => {
                (self.from, self.to) = (None, None);
                self.answer(At::Reset, "250 2.0.0 ok").await?;
            }
            "NOOP" => self.reply("250 2.0.0 ok"),
            "QUIT" => {
                self.shared.quits.fetch_add(1, Ordering::Relaxed);
                self.answer(At::Quit, "221 2.0.0 bye").await?;
                self.ended = Some(End::Closed);
            }
            _ => self.reply("500 5.5.2 what?"),
        }
        Ok(())
    }

    /// The answer to EHLO.
    fn offer(&self) -> String {
        let settings = &self.shared.settings;
        let mut offer = String::from("250-sink\r\n");
        for keyword in &settings.keywords {
            offer.push_str(&format!("250-{keyword}\r\n"));
        }
        if settings.tls == Tls::StartTls && !self.encrypted {
            offer.push_str("250-STARTTLS\r\n");
        }
        if settings.account.is_some() {
            offer.push_str(&format!("250-AUTH {}\r\n", settings.mechanisms));
        }
        offer + "250 HELP"
    }

    async fn sign_in(&mut self, request: &str) -> io::Result<()> {
        let Some((user, password)) = &self.shared.settings.account else {
            self.reply("502 5.5.1 no AUTH here");
            return Ok(());
        };
        let (mechanism, initial) = request.split_once(' ').unwrap_or((request, ""));
        let right = match mechanism.to_ascii_uppercase().as_str() {
            "PLAIN" => initial == STANDARD.encode(format!("\0{user}\0{password}")),
            "LOGIN" => {
                let mut right = true;
                for (prompt, wanted) in [("Username:", user), ("Password:", password)] {
                    self.reply(&format!("334 {}", STANDARD.encode(prompt)));
                    self.write_replies().await?;
                    let mut line = String::new();
                    self.stream.read_line(&mut line).await?;
                    right &= line.trim_end() == STANDARD.encode(wanted);
                }
                right
            }
            _ => {
                self.reply("504 5.5.4 no such mechanism");
                return Ok(());
            }
        };
        if right {
            self.signed_in = self.answer(At::Auth, "235 2.7.0 signed in").await?;
        } else {
            self.reply("535 5.7.8 credentials invalid");
        }
        Ok(())
    }

    async fn read_message(&mut self) -> io::Result<()> {
        let recipient = self.to.take();
        match self.shared.scripted(At::Body, recipient.as_deref()) {
            None => {}
            Some(Behaviour::StallAt(_)) => {
                // Unlike elsewhere nothing is read either: the client is to get stuck.
                let _ = self.closing.changed().await;
                self.ended = Some(End::Closed);
                return Ok(());
            }
            Some(behaviour) => {
                // Some of it is read, so that the client is in the middle.
                self.stream.fill_buf().await?;
                if let Behaviour::ReplyAt(_, reply) = &behaviour {
                    self.reply(reply);
                }
                self.ended = Some(match behaviour {
                    Behaviour::ResetAt(_) => End::Reset,
                    _ => End::Closed,
                });
                return Ok(());
            }
        }
        let Some(data) = self.read_until_dot().await? else {
            self.ended = Some(End::Closed);
            return Ok(());
        };
        let behaviour = self.shared.scripted(At::Dot, recipient.as_deref());
        let (from, mail_parameters) = self.from.take().unwrap_or_default();
        let message = Received {
            at: Instant::now(),
            from,
            mail_parameters,
            to: recipient.unwrap_or_default(),
            data,
            connection_no: self.connection_no,
            encrypted: self.encrypted,
            signed_in: self.signed_in,
        };
        let kept = match &behaviour {
            None | Some(Behaviour::LoseAck | Behaviour::DelayAt(..)) => true,
            Some(Behaviour::ReplyAt(_, reply)) => reply.starts_with('2'),
            Some(Behaviour::CutAt(_, reply)) => reply.starts_with('2'),
            Some(Behaviour::RawAt(_, reply)) => reply.starts_with(b"2"),
            Some(_) => false,
        };
        if kept {
            self.shared.accept(message);
        }
        self.messages += 1;
        self.carry_out(behaviour, "250 2.0.0 queued").await?;
        Ok(())
    }

    /// The message without its dot-stuffing, or nothing if the client went away.
    async fn read_until_dot(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut data = Vec::with_capacity(8 * 1024);
        loop {
            let start = data.len();
            if self.stream.read_until(b'\n', &mut data).await? == 0 {
                return Ok(None);
            }
            if data.get(start) == Some(&b'.') {
                if data.get(start..) == Some(b".\r\n") {
                    data.truncate(start);
                    return Ok(Some(data));
                }
                data.remove(start);
            }
        }
    }

    /// The reply at `point`: the usual one, unless the script has another. True if the reply is
    /// positive.
    async fn answer(&mut self, point: At, usual: &str) -> io::Result<bool> {
        let behaviour = self.shared.scripted(point, self.to.as_deref());
        self.carry_out(behaviour, usual).await
    }

    async fn carry_out(&mut self, behaviour: Option<Behaviour>, usual: &str) -> io::Result<bool> {
        match behaviour {
            Some(Behaviour::ReplyAt(_, reply)) => {
                self.reply(&reply);
                Ok(reply.starts_with(['2', '3']))
            }
            Some(Behaviour::StallAt(_)) => {
                self.stall().await?;
                Ok(false)
            }
            Some(Behaviour::ResetAt(_)) => {
                // Else the client may not even have seen that it was connected.
                tokio::time::sleep(Duration::from_millis(20)).await;
                self.ended = Some(End::Reset);
                Ok(false)
            }
            Some(Behaviour::RawAt(_, bytes)) => {
                self.replies.extend_from_slice(&bytes);
                Ok(bytes.starts_with(b"2") || bytes.starts_with(b"3"))
            }
            Some(Behaviour::CutAt(_, beginning)) => {
                self.replies.extend_from_slice(beginning.as_bytes());
                self.ended = Some(End::Closed);
                Ok(false)
            }
            Some(Behaviour::FloodAt(_, bytes)) => {
                self.write_replies().await?;
                let piece = bytes.repeat(4096 / bytes.len());
                let stream = self.stream.get_mut();
                loop {
                    stream.write_all(&piece).await?;
                }
            }
            Some(Behaviour::DelayAt(_, pause)) => {
                self.write_replies().await?;
                tokio::time::sleep(pause).await;
                self.reply(usual);
                Ok(true)
            }
            Some(Behaviour::DropAt(_) | Behaviour::LoseAck) => {
                self.ended = Some(End::Closed);
                Ok(false)
            }
            None | Some(Behaviour::Accept | Behaviour::SlowBytes(_)) => {
                self.reply(usual);
                Ok(true)
            }
        }
    }

    fn reply(&mut self, reply: &str) {
        self.replies.extend_from_slice(reply.as_bytes());
        self.replies.extend_from_slice(b"\r\n");
        if reply.starts_with("421") {
            self.ended = Some(End::Closed);
        }
    }

    /// Answers nothing until the client goes away or the sink closes its idle connections.
    async fn stall(&mut self) -> io::Result<()> {
        self.write_replies().await?;
        self.ended = Some(End::Closed);
        loop {
            tokio::select! {
                read = self.stream.fill_buf() => {
                    let count = read?.len();
                    if count == 0 {
                        return Ok(());
                    }
                    self.stream.consume(count);
                }
                _ = self.closing.changed() => {
                    self.say_last_words();
                    return Ok(());
                }
            }
        }
    }

    fn say_last_words(&mut self) {
        if let Some(words) = *self.closing.borrow_and_update() {
            self.replies.extend_from_slice(words.as_bytes());
            self.replies.extend_from_slice(b"\r\n");
        }
    }

    async fn write_replies(&mut self) -> io::Result<()> {
        if self.replies.is_empty() {
            return Ok(());
        }
        let stream = self.stream.get_mut();
        match self.shared.slow_bytes() {
            None => stream.write_all(&self.replies).await?,
            Some(pause) => {
                for byte in &self.replies {
                    stream.write_all(std::slice::from_ref(byte)).await?;
                    stream.flush().await?;
                    tokio::time::sleep(pause).await;
                }
            }
        }
        self.replies.clear();
        stream.flush().await
    }
}

/// The path in `FROM:<path> parameters`, and the parameters.
fn path(text: &str, prefix: &str) -> Option<(String, String)> {
    let (given, rest) = text.split_at_checked(prefix.len())?;
    if !given.eq_ignore_ascii_case(prefix) {
        return None;
    }
    let (path, parameters) = rest.split_once('>')?;
    Some((path.to_owned(), parameters.trim_start().to_owned()))
}
