//! The programs themselves, as an operator runs them.

use std::{
    fs::{self, Permissions},
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command as Script, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, Command},
    task::JoinHandle,
};

use crate::database::TestDatabase;

/// How long anything may take that should take a moment: the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The folder of `holdfast` and `holdfast-worker`: `HOLDFAST_BIN_DIR`, else where this test was
/// built.
pub fn binary(name: &str) -> PathBuf {
    let folder = std::env::var_os("HOLDFAST_BIN_DIR").map_or_else(
        || {
            std::env::current_exe()
                .unwrap()
                .parent()
                .and_then(Path::parent)
                .unwrap()
                .to_owned()
        },
        PathBuf::from,
    );
    let path = folder.join(name);
    assert!(
        path.exists(),
        "{} is not built: cargo build --bins",
        path.display()
    );
    path
}

/// A port of this machine that nobody listens on at this moment.
pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// A folder that every user can pass; goes away with every postmaster below it.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder.
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "holdfast-scratch-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = std::env::temp_dir().join(name);
        // An earlier process may have had our id.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file in it.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// The process ids of the postmasters that run in folders below it.
    pub fn postmasters(&self) -> Vec<u32> {
        let mut found = Vec::new();
        collect_postmasters(&self.0, 3, &mut found);
        found
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // After a failed test a postmaster may still run.
        for pid in self.postmasters() {
            tell(pid, "QUIT");
        }
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn collect_postmasters(folder: &Path, depth: u32, found: &mut Vec<u32>) {
    for path in fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
    {
        if path.ends_with("postmaster.pid") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let pid = text.lines().next().and_then(|line| line.parse().ok());
            let lives_here = |pid: &u32| {
                fs::read_link(format!("/proc/{pid}/cwd"))
                    .is_ok_and(|cwd| Some(&*cwd) == path.parent())
            };
            found.extend(pid.filter(lives_here));
        } else if depth > 0 && path.is_dir() && !path.is_symlink() {
            collect_postmasters(&path, depth - 1, found);
        }
    }
}

/// Sends a signal, by the shell's own `kill`: not every machine has the program.
pub(crate) fn tell(pid: u32, signal: &str) -> bool {
    let script = format!("kill -s {signal} -- {pid}");
    Script::new("sh")
        .args(["-c", &script])
        .status()
        .is_ok_and(|status| status.success())
}

/// Settings of a program: names and values.
#[derive(Clone, Debug, Default)]
pub struct Settings(Vec<(String, String)>);

impl Settings {
    /// None at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// Role `web` over a database, with every setting that is needed.
    pub fn web(database: &TestDatabase) -> Self {
        Self::none()
            .with("HOLDFAST_ROLE", "web")
            .with("DATABASE_URL", database.url())
            .with("HOLDFAST_DATABASE_CONNECTIONS", "3")
            .with("HOLDFAST_LISTEN", format!("127.0.0.1:{}", free_port()))
            .with("HOLDFAST_PUBLIC_URL", "https://book.holdfast.test")
            .with(
                "HOLDFAST_KEYS",
                format!("first:{}", STANDARD.encode([7; 32])),
            )
            .with("HOLDFAST_FINGERPRINT_KEY", STANDARD.encode([8; 32]))
            .with("HOLDFAST_MAIL_FROM", "Holdfast <book@holdfast.test>")
            .with("HOLDFAST_MAX_REQUESTS_PER_MINUTE", "1000000")
            .with("HOLDFAST_MAIL_RECIPIENT_MAX_PER_HOUR", "1000000")
            .with("HOLDFAST_MAIL_RECIPIENT_MAX_PER_DAY", "1000000")
            .with("HOLDFAST_MAIL_MAX_PER_HOUR", "1000000")
    }

    /// One more, or another value.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self = self.without(name);
        self.0.push((name.into(), value.into()));
        self
    }

    /// One less.
    pub fn without(mut self, name: &str) -> Self {
        self.0.retain(|(held, _)| held != name);
        self
    }

    /// The value of one.
    pub fn get(&self, name: &str) -> &str {
        self.0
            .iter()
            .find(|(held, _)| held == name)
            .map(|(_, value)| value.as_str())
            .unwrap()
    }

    /// The program with these and nothing else of this process's environment but `PATH`.
    fn command(&self, program: &str, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary(program));
        command
            .args(arguments)
            .env_clear()
            .envs(self.0.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .kill_on_drop(true);
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }
}

/// What a command said.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `holdfast` to its end.
pub async fn holdfast(settings: &Settings, arguments: &[&str]) -> Said {
    holdfast_reading(settings, arguments, "").await
}

/// The same with a text on its standard input.
pub async fn holdfast_reading(settings: &Settings, arguments: &[&str], input: &str) -> Said {
    let scratch = Scratch::new();
    let mut command = settings.command("holdfast", scratch.path(), arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that reads nothing has closed it already.
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .await;
    let output = tokio::time::timeout(PATIENCE, child.wait_with_output())
        .await
        .expect("the command does not end")
        .unwrap();
    Said {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A program that runs until it is told to stop.
pub struct Running {
    child: Child,
    stdout: Heard,
    stderr: Heard,
    hearing: Vec<JoinHandle<()>>,
    /// `http://127.0.0.1:<port>`
    pub url: String,
    _folder: Option<Scratch>,
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Running {
    /// Starts `holdfast` in a folder of its own.
    pub fn start(settings: &Settings) -> Self {
        let folder = Scratch::new();
        let mut running = Self::start_in(settings, folder.path());
        running._folder = Some(folder);
        running
    }

    /// Starts `holdfast-worker` in a folder of its own.
    pub fn start_worker(settings: &Settings) -> Self {
        let folder = Scratch::new();
        let mut running = Self::start_program("holdfast-worker", settings, folder.path());
        running._folder = Some(folder);
        running
    }

    /// Starts `holdfast` in a folder that outlives it.
    pub fn start_in(settings: &Settings, folder: &Path) -> Self {
        Self::start_program("holdfast", settings, folder)
    }

    fn start_program(program: &str, settings: &Settings, folder: &Path) -> Self {
        let mut child = settings
            .command(program, folder, &[])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdout, stderr) = (Heard::default(), Heard::default());
        let hearing = vec![
            stdout.listen(child.stdout.take().unwrap()),
            stderr.listen(child.stderr.take().unwrap()),
        ];
        Self {
            child,
            stdout,
            stderr,
            hearing,
            url: format!("http://{}", settings.get("HOLDFAST_LISTEN")),
            _folder: None,
        }
    }

    /// Waits until it says that it is ready.
    pub async fn ready(&mut self) {
        let client = reqwest::Client::new();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = client.get(format!("{}/readyz", self.url)).send().await;
            if answer.is_ok_and(|answer| answer.status() == 200) {
                return;
            }
            assert!(
                self.child.try_wait().unwrap().is_none(),
                "it ended: {}",
                self.stderr()
            );
            assert!(
                Instant::now() < deadline,
                "it is not ready: {}",
                self.stderr()
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// GET, as text.
    pub async fn get(&self, path: &str) -> (u16, String) {
        let answer = reqwest::get(format!("{}{path}", self.url)).await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// Sends a signal, such as `TERM`.
    pub fn signal(&self, name: &str) {
        assert!(tell(self.pid(), name));
    }

    /// Ends it by SIGKILL, and waits until it is gone.
    pub async fn kill(&mut self) {
        self.child.start_kill().unwrap();
        self.ended().await;
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Whether it has not ended.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for its end, and for the last that it wrote.
    pub async fn ended(&mut self) -> ExitStatus {
        let Ok(status) = tokio::time::timeout(PATIENCE, self.child.wait()).await else {
            panic!("it does not end: {}", self.stderr());
        };
        for hearing in self.hearing.drain(..) {
            // What it left running, such as a database, may hold the other end.
            let _ = tokio::time::timeout(Duration::from_secs(1), hearing).await;
        }
        status.unwrap()
    }

    /// Asks it to end and waits; the end must be a clean one.
    pub async fn stop(mut self) {
        self.signal("TERM");
        let status = self.ended().await;
        assert_eq!(status.code(), Some(0), "{}", self.stderr());
    }

    /// What it wrote to its standard output so far.
    pub fn stdout(&self) -> String {
        self.stdout.text()
    }

    /// What it wrote to its standard error so far.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }
}

impl Heard {
    fn listen(&self, mut from: impl AsyncRead + Send + Unpin + 'static) -> JoinHandle<()> {
        let heard = self.clone();
        tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = from.read(&mut buffer).await {
                heard
                    .0
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .extend_from_slice(&buffer[..length]);
            }
        })
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}
