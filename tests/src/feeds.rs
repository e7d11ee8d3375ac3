//! Servers of other people's calendars, which behave as told, and a worker's means of reading them.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use holdfast_worker::{
    Syncer,
    http_out::{self, HttpOut, Names},
    syncs,
};
use shared::{ops::Context, outbound::Allowlist};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

/// How a server answers.
pub enum Reply {
    /// These bytes, and then it hangs up.
    Bytes(Vec<u8>),
    /// These bytes, then the others again and again at that distance, for ever.
    Drip(Vec<u8>, Vec<u8>, Duration),
    /// Nothing, for ever.
    Silence,
}

type Script = dyn Fn(&str) -> Reply + Send + Sync;

/// A server.
pub struct FeedServer {
    pub address: SocketAddr,
    heard: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Drop for FeedServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl FeedServer {
    /// A server on 127.0.0.1 that answers each request's head.
    pub async fn start(script: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        Self::on("127.0.0.1", script).await
    }

    /// The same on another address of this machine.
    pub async fn on(ip: &str, script: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((ip, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (script, log): (Arc<Script>, _) = (Arc::new(script), heard.clone());
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(answer(stream, script.clone(), log.clone()));
            }
        });
        Self {
            address,
            heard,
            task,
        }
    }

    /// A server whose file can be changed.
    pub async fn with(body: &str) -> (Self, Arc<Mutex<String>>) {
        let file = Arc::new(Mutex::new(body.to_owned()));
        let shown = file.clone();
        let server = Self::start(move |_| {
            let body = shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
            Reply::Bytes(ok("", body.as_bytes()))
        })
        .await;
        (server, file)
    }

    /// An address on it.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The heads of all requests so far.
    pub fn heard(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.clone()
    }
}

async fn answer(mut stream: TcpStream, script: Arc<Script>, log: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte).await.unwrap_or(0) == 0 {
            break;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let reply = script(&head);
    log.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(head);
    match reply {
        Reply::Bytes(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Reply::Drip(first, again, every) => {
            let mut open = stream.write_all(&first).await.is_ok();
            while open {
                tokio::time::sleep(every).await;
                open = stream.write_all(&again).await.is_ok();
            }
        }
        Reply::Silence => tokio::time::sleep(Duration::from_secs(3_600)).await,
    }
}

/// 200 with more header lines, each ended by CRLF.
pub fn ok(headers: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/calendar\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// A status without a body.
pub fn status(line: &str, headers: &str) -> Vec<u8> {
    format!("HTTP/1.1 {line}\r\nContent-Length: 0\r\n{headers}\r\n").into_bytes()
}

/// A calendar file of these lines.
pub fn file(lines: &str) -> String {
    let lines = lines.trim().replace('\n', "\r\n");
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n{lines}\r\nEND:VCALENDAR\r\n")
}

/// A client that reaches what it is told to, beside the public networks.
pub fn client(allow: &str, names: Names) -> HttpOut {
    HttpOut::new(http_out::Settings {
        allow: Allowlist::parse(allow).unwrap(),
        extra_root_pem: None,
        names,
    })
    .unwrap()
}

/// Names that nobody but the test knows.
pub fn names(known: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Names {
    Names::Given(Arc::new(known))
}

/// What a worker reads calendars with: public ones alone.
pub fn syncer(context: &Context) -> Syncer {
    reaching(context, "")
}

/// The same, reaching what it is told to.
pub fn reaching(context: &Context, allow: &str) -> Syncer {
    Syncer {
        context: context.clone(),
        http: client(allow, Names::System),
        poll: Duration::from_secs(900),
    }
}

/// Reads what is due over servers on 127.0.0.1; answers how many calendars that were.
pub async fn sync(context: &Context) -> usize {
    let syncer = reaching(context, "127.0.0.1");
    syncs::step(&syncer, &CancellationToken::new())
        .await
        .unwrap()
}
