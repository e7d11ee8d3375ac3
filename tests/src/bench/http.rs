//! A small HTTP/1.1 client: what it costs is taken from the server that it measures, on the same
//! cores.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// One connection, kept open.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(64 * 1024),
        })
    }

    /// Sends a request and reads its answer whole: status and body.
    ///
    /// # Panics
    /// When the answer is not HTTP/1.1 with a `Content-Length`, which is how the server answers.
    pub async fn send(&mut self, request: &[u8]) -> std::io::Result<(u16, &[u8])> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let head = loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(end) = self.buffer.windows(4).position(|w| w == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let (status, length) = read_head(&self.buffer[..head]);
        while self.buffer.len() < head + length {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok((status, &self.buffer[head..]))
    }
}

fn read_head(head: &[u8]) -> (u16, usize) {
    let text = std::str::from_utf8(head).expect("a head in ASCII");
    let status = text.get(9..12).and_then(|code| code.parse().ok());
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().ok())?
    });
    (
        status.expect("a status line"),
        length.expect("a Content-Length"),
    )
}

/// A GET.
pub fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n").into_bytes()
}

/// A POST of JSON, with further header lines, each ended.
pub fn post(path: &str, headers: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
