//! Connections to addresses that were judged.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use rustls::pki_types::ServerName;
use shared::outbound::OutboundUrl;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{TlsConnector, client::TlsStream};

use super::OutError;

/// With TLS or without.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Connects to the first of the addresses that answers: to these and to no other, whatever the
/// name means by now.
pub(super) async fn connect(
    url: &OutboundUrl,
    addresses: &[IpAddr],
    tls: &TlsConnector,
    limit: Duration,
) -> Result<Stream, OutError> {
    let mut failed = OutError::Connect;
    for ip in addresses {
        let address = SocketAddr::new(*ip, url.port());
        match timeout(limit, open(url, address, tls)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => failed = error,
            Err(_) => failed = OutError::TimedOut,
        }
    }
    Err(failed)
}

async fn open(
    url: &OutboundUrl,
    address: SocketAddr,
    tls: &TlsConnector,
) -> Result<Stream, OutError> {
    let stream = TcpStream::connect(address)
        .await
        .map_err(|_| OutError::Connect)?;
    // What is at the other end is what was judged.
    if stream.peer_addr().map(|peer| peer.ip()).ok() != Some(address.ip()) {
        return Err(OutError::Connect);
    }
    let _ = stream.set_nodelay(true);
    if !url.is_https() {
        return Ok(Stream::Plain(stream));
    }
    let name = ServerName::try_from(url.host()).map_err(|_| OutError::Tls)?;
    let stream = tls.connect(name, stream).await.map_err(|_| OutError::Tls)?;
    Ok(Stream::Tls(Box::new(stream)))
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
