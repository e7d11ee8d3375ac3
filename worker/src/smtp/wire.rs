//! The byte stream under lettre's dialogue.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// The most that is held back before it is written out, so that a large message is not copied
/// whole once more.
const HELD_BACK_MAX_BYTES: usize = 64 * 1024;

/// The longest piece of a line that is read at once before STARTTLS.
const LINE_PIECE_BYTES: usize = 512;

/// What a connection can still learn about its [`Wire`] after lettre has taken it over.
#[derive(Debug, Default)]
pub(super) struct Progress {
    written: AtomicBool,
    all_sent: AtomicBool,
    line_by_line: AtomicBool,
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

    /// Whether reads end at the end of a line, as they must before STARTTLS: lettre keeps what it
    /// has read beyond a reply, so that lines which somebody on the path slipped in behind the
    /// answer to STARTTLS would pass for answers from inside the encryption. Left in the socket
    /// they make the handshake fail.
    pub(super) fn set_line_by_line(&self, on: bool) {
        self.line_by_line.store(on, Ordering::Relaxed);
    }
}

/// A stream that writes when an answer is awaited.
///
/// lettre writes and flushes every piece by itself: the message, then its final dot. Held back
/// until the next read they leave together, in one packet if they fit.
pub(super) struct Wire {
    carrier: Carrier,
    held_back: Vec<u8>,
    written: usize,
    broken: Option<io::ErrorKind>,
    progress: Arc<Progress>,
}

enum Carrier {
    Tcp(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Wire {
    pub(super) fn over_tcp(stream: TcpStream, progress: Arc<Progress>) -> Self {
        Self::new(Carrier::Tcp(stream), progress)
    }

    pub(super) fn over_tls(stream: TlsStream<TcpStream>, progress: Arc<Progress>) -> Self {
        Self::new(Carrier::Tls(Box::new(stream)), progress)
    }

    fn new(carrier: Carrier, progress: Arc<Progress>) -> Self {
        Self {
            carrier,
            held_back: Vec::new(),
            written: 0,
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
        while let Some(rest) = self
            .held_back
            .get(self.written..)
            .filter(|rest| !rest.is_empty())
        {
            match ready!(self.carrier.poll_write(cx, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.written += count,
            }
        }
        self.carrier.poll_flush(cx)
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
        let filled = buffer.filled().len();
        // Read even if the server does not take the rest: it may say why.
        let read = wire.carrier.poll_read(cx, buffer, &wire.progress);
        match wire.broken {
            Some(kind) if buffer.filled().len() == filled => Poll::Ready(Err(kind.into())),
            _ => read,
        }
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
        wire.carrier.poll_shutdown(cx)
    }
}

impl Carrier {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
        progress: &Progress,
    ) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) if progress.line_by_line.load(Ordering::Relaxed) => {
                poll_read_in_line(stream, cx, buffer)
            }
            Self::Tcp(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Tcp(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

/// Reads no further than the end of the line.
fn poll_read_in_line(
    stream: &mut TcpStream,
    cx: &mut Context<'_>,
    buffer: &mut ReadBuf<'_>,
) -> Poll<io::Result<()>> {
    let mut piece = [0; LINE_PIECE_BYTES];
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
        match &self.carrier {
            Carrier::Tcp(stream) => stream.peer_addr(),
            Carrier::Tls(stream) => stream.get_ref().0.peer_addr(),
        }
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
