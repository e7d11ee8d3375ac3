//! The byte stream under lettre's dialogue.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use super::replies::Replies;

/// The most that is held back before it is written out, so that a large message is not copied
/// whole once more.
const HELD_BACK_MAX_BYTES: usize = 64 * 1024;

/// The most that is read at a time.
const PIECE_BYTES: usize = 2 * 1024;

/// The most that is read for what was written last, in bytes and in lines: the replies to three
/// commands that left together, of lines of 512 octets at most (RFC 5321, section 4.5.3.1.5). lettre
/// limits a line only once it has seen its end, and reads a reply of many lines anew with each line.
const ANSWER_MAX_BYTES: usize = 16 * 1024;
const ANSWER_MAX_LINES: usize = 128;

/// What a connection can still learn about its [`Wire`] after lettre has taken it over.
#[derive(Debug, Default)]
pub(super) struct Progress {
    written: AtomicBool,
    all_sent: AtomicBool,
    first_code: AtomicU16,
    /// The stream of a wire that is gone.
    returned: Mutex<Option<TcpStream>>,
}

impl Progress {
    /// True once anything was written: the dialogue is past the server's greeting.
    pub(super) fn past_greeting(&self) -> bool {
        self.written.load(Ordering::Relaxed)
    }

    /// True if the system has taken every byte that was written. While it is false the other side
    /// cannot have seen the end of what was written last.
    pub(super) fn all_sent(&self) -> bool {
        self.all_sent.load(Ordering::Relaxed)
    }

    /// The reply code of the greeting; 0 before it came.
    pub(super) fn greeting(&self) -> u16 {
        self.first_code.load(Ordering::Relaxed)
    }

    /// The stream, once its wire was dropped: for STARTTLS, whose handshake begins on the bare stream.
    pub(super) fn take_stream(&self) -> Option<TcpStream> {
        self.returned().take()
    }

    fn returned(&self) -> std::sync::MutexGuard<'_, Option<TcpStream>> {
        self.returned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream that writes when an answer is awaited.
///
/// lettre writes and flushes every piece by itself: the message, then its final dot. Held back
/// until the next read they leave together, in one packet if they fit.
pub(super) struct Wire {
    /// `None` once it was handed back.
    carrier: Option<Carrier>,
    held_back: Vec<u8>,
    written: usize,
    /// Bytes and lines that were read since something was written.
    answered: (usize, usize),
    replies: Replies,
    broken: Option<io::ErrorKind>,
    progress: Arc<Progress>,
}

enum Carrier {
    /// Before STARTTLS reads end at the end of a line. What somebody on the path slipped in behind the
    /// answer to STARTTLS stays in the socket then, and makes the handshake fail.
    Lines(TcpStream),
    Tcp(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Wire {
    pub(super) fn over_tcp(stream: TcpStream, progress: Arc<Progress>) -> Self {
        Self::new(Carrier::Tcp(stream), Replies::default(), progress)
    }

    /// For the dialogue before STARTTLS; the stream comes back through `progress`.
    pub(super) fn before_tls(stream: TcpStream, progress: Arc<Progress>) -> Self {
        Self::new(Carrier::Lines(stream), Replies::default(), progress)
    }

    pub(super) fn over_tls(stream: TlsStream<TcpStream>, progress: Arc<Progress>) -> Self {
        Self::new(Carrier::Tls(Box::new(stream)), Replies::default(), progress)
    }

    /// After STARTTLS. The server does not greet again (RFC 3207, section 4.2), and lettre expects it
    /// to.
    pub(super) fn after_starttls(stream: TlsStream<TcpStream>, progress: Arc<Progress>) -> Self {
        let greeted = Replies::beginning_with(b"220 go on\r\n");
        Self::new(Carrier::Tls(Box::new(stream)), greeted, progress)
    }

    fn new(carrier: Carrier, replies: Replies, progress: Arc<Progress>) -> Self {
        Self {
            carrier: Some(carrier),
            held_back: Vec::new(),
            written: 0,
            answered: (0, 0),
            replies,
            broken: None,
            progress,
        }
    }

    /// Hands what was held back to the system. A connection that broke is remembered, not
    /// reported: the server's reason may still be there to be read.
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.broken.is_none()
            && let Err(error) = ready!(self.poll_write_out(cx))
        {
            self.broken = Some(error.kind());
        }
        self.held_back.clear();
        self.written = 0;
        Poll::Ready(())
    }

    fn poll_write_out(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let carrier = self.carrier.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        while let Some(rest) = self
            .held_back
            .get(self.written..)
            .filter(|rest| !rest.is_empty())
        {
            match ready!(carrier.poll_write(cx, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.written += count,
            }
        }
        carrier.poll_flush(cx)
    }

    /// Reads some of what the server says, and counts it.
    fn poll_hear(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let carrier = self.carrier.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        let mut piece = [0; PIECE_BYTES];
        let mut heard = ReadBuf::new(&mut piece);
        let read = ready!(carrier.poll_read(cx, &mut heard));
        let heard = heard.filled();
        self.answered.0 += heard.len();
        self.answered.1 += heard.iter().filter(|byte| **byte == b'\n').count();
        self.replies.hear(heard);
        if let Some(code) = self.replies.first_code() {
            self.progress.first_code.store(code, Ordering::Relaxed);
        }
        match self.broken {
            _ if self.answered.0 > ANSWER_MAX_BYTES || self.answered.1 > ANSWER_MAX_LINES => {
                Poll::Ready(Err(io::ErrorKind::InvalidData.into()))
            }
            Some(kind) if heard.is_empty() => Poll::Ready(Err(kind.into())),
            _ => Poll::Ready(read),
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        let sent = wire.poll_send(cx).is_ready();
        wire.progress
            .all_sent
            .store(sent && wire.broken.is_none(), Ordering::Relaxed);
        if wire.replies.is_empty() {
            // Read even if the server does not take the rest: it may say why.
            ready!(wire.poll_hear(cx))?;
        }
        wire.replies.tell(buffer);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        wire.progress.written.store(true, Ordering::Relaxed);
        wire.progress.all_sent.store(false, Ordering::Relaxed);
        wire.answered = (0, 0);
        if wire.held_back.len() >= HELD_BACK_MAX_BYTES {
            ready!(wire.poll_send(cx));
        }
        if wire.broken.is_some() {
            return Poll::Ready(Ok(bytes.len()));
        }
        let room = HELD_BACK_MAX_BYTES - wire.held_back.len();
        let taken = bytes.get(..room).unwrap_or(bytes);
        wire.held_back.extend_from_slice(taken);
        Poll::Ready(Ok(taken.len()))
    }

    /// Does nothing: the read of the answer flushes, see [`Wire`].
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        ready!(wire.poll_send(cx));
        match &mut wire.carrier {
            Some(carrier) => carrier.poll_shutdown(cx),
            None => Poll::Ready(Ok(())),
        }
    }
}

/// A stream that only spoke the dialogue before STARTTLS is handed back.
impl Drop for Wire {
    fn drop(&mut self) {
        if let Some(Carrier::Lines(stream)) = self.carrier.take() {
            *self.progress.returned() = Some(stream);
        }
    }
}

impl Carrier {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self {
            Self::Lines(stream) => poll_read_in_line(stream, cx, buffer),
            Self::Tcp(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Lines(stream) | Self::Tcp(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Lines(stream) | Self::Tcp(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Lines(stream) | Self::Tcp(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }

    fn socket(&self) -> &TcpStream {
        match self {
            Self::Lines(stream) | Self::Tcp(stream) => stream,
            Self::Tls(stream) => stream.get_ref().0,
        }
    }
}

/// Reads no further than the end of the line.
fn poll_read_in_line(
    stream: &mut TcpStream,
    cx: &mut Context<'_>,
    buffer: &mut ReadBuf<'_>,
) -> Poll<io::Result<()>> {
    let mut piece = [0; PIECE_BYTES];
    let longest = buffer.remaining().min(piece.len());
    let mut ahead = ReadBuf::new(&mut piece);
    ready!(stream.poll_peek(cx, &mut ahead))?;
    let end = match ahead.filled().iter().position(|&byte| byte == b'\n') {
        Some(newline) => newline + 1,
        None => ahead.filled().len(),
    };
    let (line, _) = piece.split_at_mut(end.min(longest));
    let mut line = ReadBuf::new(line);
    ready!(Pin::new(stream).poll_read(cx, &mut line))?;
    buffer.put_slice(line.filled());
    Poll::Ready(Ok(()))
}

impl AsyncTokioStream for Wire {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        let carrier = self.carrier.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        carrier.socket().peer_addr()
    }
}

/// Shows nothing of what is held back: it holds addresses and passwords.
impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wire")
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}
