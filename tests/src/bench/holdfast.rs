//! The release build of `holdfast`, as a process of its own.

use std::{
    fs::File,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    time::{Duration, Instant as Stopwatch},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio::process::{Child, Command};

use super::http::{self, Connection};

/// A start that takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `holdfast`.
pub struct Holdfast {
    child: Child,
    pub address: SocketAddr,
    /// From the start of the process until it said that it is ready.
    pub ready_in: Duration,
}

/// What a process is started with, beside what every benchmark sets.
pub type Settings<'a> = &'a [(&'a str, String)];

/// Settings under which no limit against strangers is in the way. Each request may name another
/// client.
pub fn without_limits() -> Vec<(&'static str, String)> {
    let many = "1000000".to_owned();
    vec![
        ("HOLDFAST_TRUSTED_PROXY_HOPS", "1".to_owned()),
        ("HOLDFAST_SLOT_CONCURRENCY", "1000".to_owned()),
        ("HOLDFAST_MAX_REQUESTS_PER_MINUTE", many.clone()),
        ("HOLDFAST_MAX_BOOKING_REQUESTS_PER_MINUTE", many.clone()),
        ("HOLDFAST_MAX_OPEN_HOLDS_PER_IP", many.clone()),
        ("HOLDFAST_MAX_OPEN_HOLDS_PER_EVENT_TYPE", many.clone()),
        ("HOLDFAST_MAX_OPEN_HOLDS_PER_ADDRESS", many.clone()),
        ("HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_IP", many.clone()),
        ("HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_ADDRESS", many.clone()),
        ("HOLDFAST_MAIL_RECIPIENT_MAX_PER_HOUR", many.clone()),
        ("HOLDFAST_MAIL_RECIPIENT_MAX_PER_DAY", many.clone()),
        ("HOLDFAST_MAIL_MAX_PER_HOUR", many),
    ]
}

/// The settings of a process over somebody's database: the address and the keys of
/// [`crate::app::keys`].
pub fn over(database_url: String) -> Vec<(&'static str, String)> {
    vec![
        ("DATABASE_URL", database_url),
        (
            "HOLDFAST_KEYS",
            format!("test:{}", STANDARD.encode([7; 32])),
        ),
        ("HOLDFAST_FINGERPRINT_KEY", STANDARD.encode([8; 32])),
        (
            "HOLDFAST_PUBLIC_URL",
            "https://book.holdfast.test".to_owned(),
        ),
        ("HOLDFAST_MAIL_FROM", "book@holdfast.test".to_owned()),
    ]
}

impl Holdfast {
    /// Starts it in a role and waits until it is ready.
    ///
    /// # Panics
    /// When it does not become ready; its log is shown.
    pub async fn start(role: &str, settings: Settings<'_>) -> Self {
        let program = beside_this("holdfast");
        let address = free_address();
        let log = std::env::temp_dir().join(format!("holdfast-bench-{}.log", address.port()));
        let began = Stopwatch::now();
        let mut child = Command::new(&program)
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .envs(std::env::var_os("PG_BIN").map(|path| ("PG_BIN", path)))
            .env("HOLDFAST_ROLE", role)
            .env("HOLDFAST_LISTEN", address.to_string())
            .envs(settings.iter().map(|(name, value)| (name, value)))
            .stdout(std::process::Stdio::null())
            .stderr(File::create(&log).unwrap())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        while !is_ready(address).await {
            assert!(
                began.elapsed() < PATIENCE && child.try_wait().unwrap().is_none(),
                "holdfast is not ready: {}",
                std::fs::read_to_string(&log).unwrap_or_default()
            );
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let ready_in = began.elapsed();
        // It goes on writing; the name is no longer needed.
        let _ = std::fs::remove_file(&log);
        Self {
            child,
            address,
            ready_in,
        }
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Stops it by SIGTERM and waits for its end.
    ///
    /// # Panics
    /// When it does not end with success.
    pub async fn stop(mut self) {
        let kill = format!("kill -s TERM {}", self.pid());
        Command::new("sh")
            .args(["-c", &kill])
            .status()
            .await
            .unwrap();
        let status = self.child.wait().await.unwrap();
        assert!(status.success(), "holdfast ended with {status}");
    }
}

async fn is_ready(address: SocketAddr) -> bool {
    let Ok(mut connection) = Connection::open(address).await else {
        return false;
    };
    matches!(connection.send(&http::get("/readyz")).await, Ok((200, _)))
}

/// A program of the same build.
fn beside_this(name: &str) -> PathBuf {
    let this = std::env::current_exe().unwrap();
    this.parent().unwrap_or(Path::new("")).join(name)
}

/// A port that is free now; nobody else is expected to take it in the next moment.
fn free_address() -> SocketAddr {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .unwrap()
        .local_addr()
        .unwrap()
}
