//! A proxy before PostgreSQL: it counts what the program asks, and it can be cut.
//!
//! A round trip is a frontend message that the program waits for: `Query`, or the `Sync` that ends
//! an extended query (PostgreSQL's documentation, "Message Flow").

use std::{
    io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpStream, UnixListener, UnixStream},
    sync::watch,
    task::JoinHandle,
};

use crate::database::TestDatabase;

/// The proxy; gone when it is dropped, with every connection through it.
pub struct Wire {
    options: PgConnectOptions,
    folder: PathBuf,
    asked: Asked,
    whole: watch::Sender<bool>,
    accepting: JoinHandle<()>,
}

/// The types of the frontend messages that came by, in order.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<String>>);

/// Where PostgreSQL is.
#[derive(Clone)]
enum Target {
    Socket(PathBuf),
    Address(String, u16),
}

impl Wire {
    /// A proxy before this database.
    pub async fn before(database: &TestDatabase) -> Self {
        let direct = database.options();
        let socket = direct.get_socket().cloned().or_else(|| {
            direct
                .get_host()
                .starts_with('/')
                .then(|| direct.get_host().into())
        });
        let target = match socket {
            Some(folder) => Target::Socket(folder.join(format!(".s.PGSQL.{}", direct.get_port()))),
            None => Target::Address(direct.get_host().to_owned(), direct.get_port()),
        };
        let folder = std::env::temp_dir().join(format!("holdfast-wire-{}", database.name()));
        std::fs::create_dir_all(&folder).unwrap();
        let own = folder.join(format!(".s.PGSQL.{}", direct.get_port()));
        // An earlier process may have had our id.
        let _ = std::fs::remove_file(&own);
        let listener = UnixListener::bind(own).unwrap();
        let asked = Asked::default();
        let (whole, is_whole) = watch::channel(true);
        let accepting = tokio::spawn(accept(listener, target, asked.clone(), is_whole));
        // The bytes are read on their way, so they must not be encrypted.
        let options = direct.socket(&folder).ssl_mode(PgSslMode::Disable);
        Self {
            options,
            folder,
            asked,
            whole,
            accepting,
        }
    }

    /// How to connect through it.
    pub fn options(&self) -> PgConnectOptions {
        self.options.clone()
    }

    /// Ends every connection and refuses new ones, until [`Wire::mend`].
    pub fn cut(&self) {
        self.whole.send_replace(false);
    }

    /// Lets connections through again.
    pub fn mend(&self) {
        self.whole.send_replace(true);
    }

    /// Forgets what was asked so far.
    pub fn forget(&self) {
        self.asked.lock().clear();
    }

    /// The types of the messages since [`Wire::forget`], a letter each, such as `BECS`.
    pub fn messages(&self) -> String {
        self.asked.lock().clone()
    }

    /// Round trips since [`Wire::forget`].
    pub fn trips(&self) -> usize {
        self.asked
            .lock()
            .chars()
            .filter(|kind| matches!(kind, 'Q' | 'S'))
            .count()
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.accepting.abort();
        self.cut();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Asked {
    fn lock(&self) -> std::sync::MutexGuard<'_, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn accept(
    listener: UnixListener,
    target: Target,
    asked: Asked,
    whole: watch::Receiver<bool>,
) {
    loop {
        let (client, _) = listener.accept().await.unwrap();
        if *whole.borrow() {
            tokio::spawn(carry(client, target.clone(), asked.clone(), whole.clone()));
        }
    }
}

/// Carries one connection until either end or the wire is gone; what becomes of it is the ends'
/// matter.
async fn carry(client: UnixStream, target: Target, asked: Asked, mut whole: watch::Receiver<bool>) {
    let carried = async {
        let (from_client, to_client) = client.into_split();
        match target {
            Target::Socket(path) => {
                let (from_server, to_server) = UnixStream::connect(path).await?.into_split();
                both(from_client, to_client, from_server, to_server, asked).await
            }
            Target::Address(host, port) => {
                let server = TcpStream::connect((host, port)).await?;
                server.set_nodelay(true)?;
                let (from_server, to_server) = server.into_split();
                both(from_client, to_client, from_server, to_server, asked).await
            }
        }
    };
    tokio::select! {
        _ = carried => {}
        _ = whole.wait_for(|whole| !whole) => {}
    }
}

async fn both(
    from_client: impl AsyncRead + Unpin,
    mut to_client: impl AsyncWrite + Unpin,
    mut from_server: impl AsyncRead + Unpin,
    to_server: impl AsyncWrite + Unpin,
    asked: Asked,
) -> io::Result<()> {
    tokio::select! {
        ended = forward(from_client, to_server, asked) => ended,
        ended = tokio::io::copy(&mut from_server, &mut to_client) => ended.map(|_| ()),
    }
}

/// The start-up message has a length and no type; every message after it has both.
async fn forward(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    asked: Asked,
) -> io::Result<()> {
    let startup = body(&mut from).await?;
    to.write_all(&startup).await?;
    loop {
        let kind = from.read_u8().await?;
        let message = body(&mut from).await?;
        asked.lock().push(char::from(kind));
        to.write_u8(kind).await?;
        to.write_all(&message).await?;
    }
}

/// A length, which counts itself, and what it counts.
async fn body(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let length = from.read_u32().await?;
    let rest = length
        .checked_sub(4)
        .and_then(|rest| usize::try_from(rest).ok())
        .ok_or(io::ErrorKind::InvalidData)?;
    let mut message = length.to_be_bytes().to_vec();
    message.resize(4 + rest, 0);
    from.read_exact(&mut message[4..]).await?;
    Ok(message)
}
