//! The private PostgreSQL: it starts, survives what happens to servers, and says exactly what is
//! wrong. Tests that need root return at once without it, since only root meets what they test; as
//! root, `an_ordinary_user_…` covers the other side as the user `nobody`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use holdfast_server::private_postgres::{Error, PrivatePostgres, Settings};
use sqlx::{Connection, PgConnection};

/// Tells the process that [`holder`] runs in which data folder to hold.
const HOLDER_DIR: &str = "HOLDFAST_TEST_HOLDER_DIR";
/// Debian's `nobody`.
const NOBODY: u32 = 65534;

/// A folder that every user can pass; goes away with every postmaster below it.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("hf-{}-{number}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        // An earlier process may have had our id.
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir(&dir).unwrap();
        fs::set_permissions(&dir, Permissions::from_mode(0o755)).unwrap();
        Self(dir)
    }

    /// The data folder that most tests use.
    fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    fn settings(&self) -> Settings {
        self.settings_for(self.data())
    }

    fn settings_for(&self, data: PathBuf) -> Settings {
        let mut settings = Settings::new(data);
        settings.fsync = false;
        settings.path = std::env::var_os("PATH");
        settings.fallback_dir = self.0.join("fallback");
        settings
    }

    fn is_root(&self) -> bool {
        fs::metadata(&self.0).unwrap().uid() == 0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        stop_all_below(&self.0, 4);
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// After a failed test a postmaster may still run.
fn stop_all_below(dir: &Path, depth: u32) {
    let entries = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    for path in entries.map(|entry| entry.path()) {
        if path.ends_with("postmaster.pid") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let pid = text.lines().next().unwrap_or_default();
            if fs::read_link(format!("/proc/{pid}/cwd"))
                .is_ok_and(|cwd| Some(&*cwd) == path.parent())
            {
                tell("QUIT", pid);
            }
        } else if depth > 0 && path.is_dir() && !path.is_symlink() {
            stop_all_below(&path, depth - 1);
        }
    }
}

fn signal(name: &str, target: &str) {
    assert!(tell(name, target), "kill -s {name} -- {target}");
}

/// The shell's own `kill`: not every machine has the program.
fn tell(name: &str, target: &str) -> bool {
    let script = format!("kill -s {name} -- {target}");
    let status = Command::new("sh").args(["-c", &script]).status();
    status.is_ok_and(|status| status.success())
}

fn is_alive(pid: u32) -> bool {
    // A dead process that nobody has reaped has no working directory.
    fs::metadata(format!("/proc/{pid}/cwd")).is_ok()
}

async fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "{what} did not happen");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn connect(postgres: &PrivatePostgres) -> PgConnection {
    PgConnection::connect(&postgres.url()).await.unwrap()
}

async fn run(connection: &mut PgConnection, sql: &'static str) {
    sqlx::query(sql).execute(connection).await.unwrap();
}

async fn text(connection: &mut PgConnection, sql: &'static str) -> String {
    sqlx::query_scalar(sql).fetch_one(connection).await.unwrap()
}

async fn write_fact(postgres: &PrivatePostgres) {
    let mut connection = connect(postgres).await;
    run(&mut connection, "CREATE TABLE facts (fact text)").await;
    run(&mut connection, "INSERT INTO facts VALUES ('kept')").await;
    connection.close().await.unwrap();
}

async fn assert_fact_is_kept(postgres: &PrivatePostgres) {
    let mut connection = connect(postgres).await;
    assert_eq!(
        text(&mut connection, "SELECT fact FROM facts").await,
        "kept"
    );
    connection.close().await.unwrap();
}

/// A server that is killed without a word: starts PostgreSQL in a process of its own, writes a fact,
/// tells its postmaster's id in a file, and waits for its end.
#[tokio::test]
#[ignore = "a process of its own, run by other tests"]
async fn holder() {
    let Some(dir) = std::env::var_os(HOLDER_DIR).map(PathBuf::from) else {
        return;
    };
    let mut settings = Settings::new(dir.join("data"));
    settings.fsync = false;
    settings.path = std::env::var_os("PATH");
    let postgres = PrivatePostgres::start(&settings).await.unwrap();
    write_fact(&postgres).await;
    fs::write(dir.join("held.new"), postgres.pid().to_string()).unwrap();
    fs::rename(dir.join("held.new"), dir.join("held")).unwrap();
    std::future::pending().await
}

/// A holder, which does not outlive its test.
struct Holder(Child);

impl Holder {
    /// As `kill -9` does, without waiting for the end.
    fn kill(&mut self) {
        self.0.kill().unwrap();
    }

    fn wait(mut self) {
        self.0.wait().unwrap();
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn run_holder(program: &Path, dir: &Path, user: Option<u32>) -> Holder {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut command = Command::new(program);
    command
        .args([
            "--exact",
            "--ignored",
            "--nocapture",
            &format!("{module}::holder"),
        ])
        .env(HOLDER_DIR, dir)
        .env("HOLDFAST_KEYS", "canary-of-a-key")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .process_group(0);
    if let Some(uid) = user {
        command.uid(uid).gid(uid);
    }
    Holder(command.spawn().unwrap())
}

async fn held(dir: &Path) -> u32 {
    wait_for("the start of the holder", || dir.join("held").exists()).await;
    fs::read_to_string(dir.join("held"))
        .unwrap()
        .parse()
        .unwrap()
}

#[tokio::test]
async fn a_restart_keeps_the_data_and_a_stop_leaves_nothing_running() {
    let scratch = Scratch::new();
    let settings = scratch.settings();
    assert_eq!(PrivatePostgres::find_running(&settings).unwrap(), None);
    let first = PrivatePostgres::start(&settings).await.unwrap();
    assert!(!first.adopted());
    assert_eq!(first.note(), None);
    assert_eq!(
        PrivatePostgres::find_running(&settings).unwrap().as_ref(),
        Some(first.connection())
    );
    write_fact(&first).await;
    let pid = first.pid();
    first.stop().await.unwrap();
    assert!(!is_alive(pid));
    assert_eq!(PrivatePostgres::find_running(&settings).unwrap(), None);

    let second = PrivatePostgres::start(&settings).await.unwrap();
    assert!(!second.adopted());
    assert_fact_is_kept(&second).await;
    second.stop().await.unwrap();
}

#[tokio::test]
async fn a_stop_does_not_wait_for_idle_sessions() {
    let scratch = Scratch::new();
    let postgres = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    let mut session = connect(&postgres).await;
    run(&mut session, "BEGIN").await;
    let begun = Instant::now();
    postgres.stop().await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(8));
    assert!(sqlx::query("SELECT 1").execute(&mut session).await.is_err());
}

#[tokio::test]
async fn only_its_user_and_root_can_reach_it() {
    let scratch = Scratch::new();
    let postgres = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    let folder = fs::metadata(&postgres.connection().socket_dir).unwrap();
    assert_eq!(folder.mode() & 0o777, 0o700);
    let process = fs::metadata(format!("/proc/{}", postgres.pid())).unwrap();
    assert_eq!(folder.uid(), process.uid());
    assert_ne!(process.uid(), 0);

    let mut session = connect(&postgres).await;
    assert_eq!(text(&mut session, "SHOW listen_addresses").await, "");
    assert_eq!(text(&mut session, "SHOW server_encoding").await, "UTF8");
    assert_eq!(text(&mut session, "SHOW TimeZone").await, "UTC");
    assert_eq!(
        text(&mut session, "SELECT current_database()::text").await,
        "holdfast"
    );
    assert_eq!(
        text(&mut session, "SELECT upper('straße é')").await,
        "STRAßE É"
    );
    if scratch.is_root() {
        let socket = postgres.connection().socket_dir.join(".s.PGSQL.5432");
        let stranger = |uid| {
            Command::new("test")
                .arg("-e")
                .arg(&socket)
                .uid(uid)
                .status()
                .unwrap()
        };
        assert!(!stranger(NOBODY).success());
        assert!(stranger(0).success());
    }
    postgres.stop().await.unwrap();
}

/// Red without `fsync = true` reaching PostgreSQL, and without `fsync = false` doing so.
#[tokio::test]
async fn commits_reach_the_disk_unless_tests_say_otherwise() {
    for (fsync, expected) in [(true, "on on on"), (false, "off on off")] {
        let scratch = Scratch::new();
        let mut settings = scratch.settings();
        settings.fsync = fsync;
        settings.max_connections = 37;
        let postgres = PrivatePostgres::start(&settings).await.unwrap();
        let mut session = connect(&postgres).await;
        let all = "SELECT concat_ws(' ', current_setting('fsync'), current_setting('synchronous_commit'), \
                   current_setting('full_page_writes'))";
        assert_eq!(text(&mut session, all).await, expected);
        assert_eq!(text(&mut session, "SHOW max_connections").await, "37");
        postgres.stop().await.unwrap();
    }
}

/// Red with PostgreSQL's own logging settings.
#[tokio::test]
async fn what_people_typed_is_not_in_the_log() {
    let scratch = Scratch::new();
    let postgres = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    let mut session = connect(&postgres).await;
    run(&mut session, "CREATE TABLE people (name text UNIQUE)").await;
    run(&mut session, "INSERT INTO people VALUES ('canary')").await;
    for refused in [
        "INSERT INTO people VALUES ('canary')",
        "SELECT 'canary'::integer",
    ] {
        assert!(sqlx::query(refused).execute(&mut session).await.is_err());
    }
    postgres.stop().await.unwrap();
    let log = fs::read_to_string(scratch.data().join("postgres.log")).unwrap();
    assert!(log.contains("database system is ready"), "{log}");
    assert!(!log.contains("canary"), "{log}");
}

#[tokio::test]
async fn a_killed_server_leaves_a_postmaster_that_the_next_one_adopts_and_stops() {
    let scratch = Scratch::new();
    let mut server = run_holder(&std::env::current_exe().unwrap(), &scratch.0, None);
    let pid = held(&scratch.0).await;
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap();
    assert!(!String::from_utf8_lossy(&environment).contains("canary-of-a-key"));
    server.kill();

    // No wait: the restart must bear that the killed process still holds the lock for a moment.
    let next = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    server.wait();
    assert!(next.adopted());
    assert_eq!(next.pid(), pid);
    assert_fact_is_kept(&next).await;
    next.stop().await.unwrap();
    assert!(!is_alive(pid));
}

/// Red without the process group of its own.
#[tokio::test]
async fn ctrl_c_in_the_terminal_does_not_reach_the_postmaster() {
    let scratch = Scratch::new();
    let server = run_holder(&std::env::current_exe().unwrap(), &scratch.0, None);
    let pid = held(&scratch.0).await;
    signal("INT", &format!("-{}", server.0.id()));
    server.wait();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(is_alive(pid));
    let next = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    assert!(next.adopted());
    next.stop().await.unwrap();
}

#[tokio::test]
async fn a_server_killed_while_it_makes_the_cluster_leaves_nothing_in_the_way() {
    let scratch = Scratch::new();
    let mut server = run_holder(&std::env::current_exe().unwrap(), &scratch.0, None);
    let unfinished = || {
        let entries = fs::read_dir(scratch.data())
            .into_iter()
            .flatten()
            .filter_map(Result::ok);
        entries
            .filter(|entry| {
                entry
                    .file_name()
                    .to_string_lossy()
                    .starts_with("postgres.new.")
            })
            .count()
    };
    wait_for("the start of initdb", || unfinished() > 0).await;
    server.kill();
    server.wait();
    assert!(!scratch.data().join("postgres").exists());

    let next = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    write_fact(&next).await;
    next.stop().await.unwrap();
    let last = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    assert_fact_is_kept(&last).await;
    last.stop().await.unwrap();
}

#[tokio::test]
async fn a_killed_postmaster_is_recovered() {
    let scratch = Scratch::new();
    let first = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    write_fact(&first).await;
    // A session that is busy notices late that its postmaster is gone.
    let url = first.url();
    let busy = tokio::spawn(async move {
        let mut session = PgConnection::connect(&url).await.unwrap();
        let _ = sqlx::query("SELECT count(*) FROM generate_series(1, 5000000)")
            .execute(&mut session)
            .await;
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    signal("KILL", &first.pid().to_string());
    // On a busy machine it takes a moment until it is gone.
    let command = format!("/proc/{}/cmdline", first.pid());
    while fs::read(&command).is_ok_and(|words| !words.is_empty()) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(first);
    assert!(scratch.data().join("postgres/postmaster.pid").exists());

    let second = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    assert!(!second.adopted());
    assert_fact_is_kept(&second).await;
    second.stop().await.unwrap();
    busy.await.unwrap();
}

/// PostgreSQL itself refuses to start then: red without the removal of both files.
#[tokio::test]
async fn a_pid_file_whose_process_is_another_program_is_not_in_the_way() {
    let scratch = Scratch::new();
    let first = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    write_fact(&first).await;
    let cluster = scratch.data().join("postgres");
    let owner = fs::metadata(&cluster).unwrap();
    let files = [
        cluster.join("postmaster.pid"),
        cluster.join(".s.PGSQL.5432.lock"),
    ];
    let texts = files
        .each_ref()
        .map(|file| fs::read_to_string(file).unwrap());
    let old = first.pid().to_string();
    first.stop().await.unwrap();

    let mut command = Command::new("sleep");
    command.arg("60").current_dir("/");
    if scratch.is_root() {
        command.uid(owner.uid());
    }
    let mut other = command.spawn().unwrap();
    for (file, text) in files.iter().zip(&texts) {
        assert!(text.starts_with(&old));
        fs::write(file, text.replacen(&old, &other.id().to_string(), 1)).unwrap();
        chown(file, Some(owner.uid()), Some(owner.gid())).unwrap();
    }

    let second = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    assert!(!second.adopted());
    assert_fact_is_kept(&second).await;
    assert!(is_alive(other.id()));
    second.stop().await.unwrap();
    other.kill().unwrap();
    other.wait().unwrap();
}

#[tokio::test]
async fn a_postmaster_that_lost_its_socket_is_started_anew() {
    let scratch = Scratch::new();
    let first = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    write_fact(&first).await;
    let pid = first.pid();
    fs::remove_file(first.connection().socket_dir.join(".s.PGSQL.5432")).unwrap();
    drop(first);
    let second = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    assert_ne!(second.pid(), pid);
    assert!(!is_alive(pid));
    assert_fact_is_kept(&second).await;
    second.stop().await.unwrap();
}

/// Red without the lock.
#[tokio::test]
async fn of_two_starts_at_once_one_wins_and_the_other_names_it() {
    let scratch = Scratch::new();
    let settings = scratch.settings();
    let (one, other) = tokio::join!(
        PrivatePostgres::start(&settings),
        PrivatePostgres::start(&settings)
    );
    let (winner, error) = match (one, other) {
        (Ok(winner), Err(error)) | (Err(error), Ok(winner)) => (winner, error),
        (one, other) => panic!("{one:?} and {other:?}"),
    };
    let Error::InUse { pid, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(*pid, Some(std::process::id()));
    let message = error.to_string();
    assert!(
        message.contains(&format!("is in use by process {}", std::process::id())),
        "{message}"
    );
    write_fact(&winner).await;
    winner.stop().await.unwrap();
}

#[tokio::test]
async fn a_start_waits_for_a_stop_that_is_under_way() {
    let scratch = Scratch::new();
    let first = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    write_fact(&first).await;
    let stop = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        first.stop().await
    });
    let second = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    stop.await.unwrap().unwrap();
    assert_fact_is_kept(&second).await;
    second.stop().await.unwrap();
}

#[tokio::test]
async fn a_path_too_long_for_a_socket_gets_a_short_one_that_goes_away() {
    let scratch = Scratch::new();
    let settings = scratch.settings_for(scratch.0.join("a".repeat(70)).join("b".repeat(70)));
    let first = PrivatePostgres::start(&settings).await.unwrap();
    let folder = first.connection().socket_dir.clone();
    assert!(folder.as_os_str().len() < 40, "{}", folder.display());
    assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    write_fact(&first).await;
    drop(first);

    let second = PrivatePostgres::start(&settings).await.unwrap();
    assert!(second.adopted());
    assert_eq!(second.connection().socket_dir, folder);
    second.stop().await.unwrap();
    assert!(!folder.exists());

    // Nothing in its place is used that somebody else made or could pass.
    let cluster = settings.data_dir.join("postgres");
    let owner = fs::metadata(&cluster).unwrap().uid();
    let mut traps = vec![(0o755, owner), (0o710, owner)];
    if scratch.is_root() {
        traps.extend([(0o700, NOBODY), (0o755, 0)]);
    }
    for (mode, uid) in traps {
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(mode)).unwrap();
        chown(&folder, Some(uid), None).unwrap();
        let refusal = PrivatePostgres::start(&settings).await.unwrap_err();
        fs::remove_dir(&folder).unwrap();
        assert!(
            matches!(refusal, Error::SocketFolderUnsafe { .. }),
            "{mode:o} {uid}: {refusal}"
        );
    }
    symlink(&cluster, &folder).unwrap();
    let refusal = PrivatePostgres::start(&settings).await.unwrap_err();
    fs::remove_file(&folder).unwrap();
    assert!(
        matches!(refusal, Error::SocketFolderUnsafe { .. }),
        "{refusal}"
    );
}

#[tokio::test]
async fn any_path_will_do() {
    let scratch = Scratch::new();
    let strange = r#"it's "a" $HOME `x` \ 50% & é,#?=+"#;
    let settings = scratch.settings_for(scratch.0.join(strange));
    let first = PrivatePostgres::start(&settings).await.unwrap();
    write_fact(&first).await;
    drop(first);
    let second = PrivatePostgres::start(&settings).await.unwrap();
    assert!(second.adopted());
    second.stop().await.unwrap();
    let third = PrivatePostgres::start(&settings).await.unwrap();
    assert_fact_is_kept(&third).await;
    third.stop().await.unwrap();
}

#[tokio::test]
async fn missing_programs_are_named_with_the_package() {
    let scratch = Scratch::new();
    let empty = scratch.0.join("empty");
    fs::create_dir(&empty).unwrap();

    let mut nowhere = scratch.settings();
    nowhere.path = Some(empty.clone().into());
    nowhere.library_dir.clone_from(&empty);
    let message = PrivatePostgres::start(&nowhere)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("no PostgreSQL 15 or newer was found"),
        "{message}"
    );
    assert!(
        message.contains("`apt-get install postgresql`"),
        "{message}"
    );

    let mut wrong = scratch.settings();
    wrong.pg_bin = Some(empty.clone());
    let message = PrivatePostgres::start(&wrong)
        .await
        .unwrap_err()
        .to_string();
    let expected = format!(
        "PG_BIN is {}, where there is no program `initdb`",
        empty.display()
    );
    assert_eq!(message, expected);

    // Too old is as good as none.
    for program in ["initdb", "pg_ctl", "postgres"] {
        script(&empty.join(program), "echo 'postgres (PostgreSQL) 14.9'");
    }
    let refusal = PrivatePostgres::start(&wrong).await.unwrap_err();
    assert!(
        matches!(refusal, Error::BinariesMissing { .. }),
        "{refusal}"
    );
    assert!(!scratch.data().exists());
}

fn script(path: &Path, line: &str) {
    fs::write(path, format!("#!/bin/sh\n{line}\n")).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn pg_bin_is_used_alone() {
    let scratch = Scratch::new();
    let mut settings = scratch.settings();
    settings.pg_bin = Some(real_programs(&scratch).await);
    settings.path = None;
    settings.library_dir = scratch.0.join("none");
    let postgres = PrivatePostgres::start(&settings).await.unwrap();
    write_fact(&postgres).await;
    postgres.stop().await.unwrap();
}

/// The folder of the programs that are used without `PG_BIN`.
async fn real_programs(scratch: &Scratch) -> PathBuf {
    let settings = scratch.settings_for(scratch.0.join("probe"));
    let postgres = PrivatePostgres::start(&settings).await.unwrap();
    let program = fs::read_link(format!("/proc/{}/exe", postgres.pid())).unwrap();
    postgres.stop().await.unwrap();
    program.parent().unwrap().to_owned()
}

#[tokio::test]
async fn a_failing_initdb_is_quoted_and_leaves_no_cluster() {
    let scratch = Scratch::new();
    let real = real_programs(&scratch).await;
    let bin = scratch.0.join("bin");
    fs::create_dir(&bin).unwrap();
    for name in ["pg_ctl", "postgres"] {
        symlink(real.join(name), bin.join(name)).unwrap();
    }
    script(
        &bin.join("initdb"),
        "echo 'initdb: error: no room' >&2; exit 3",
    );
    let mut settings = scratch.settings();
    settings.pg_bin = Some(bin);
    let message = PrivatePostgres::start(&settings)
        .await
        .unwrap_err()
        .to_string();
    assert_eq!(
        message,
        "initdb failed (exit status: 3); it ended with:\ninitdb: error: no room"
    );
    assert!(!scratch.data().join("postgres").exists());

    let after = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    after.stop().await.unwrap();
}

/// Red without `exit_on_error`: PostgreSQL's single-user mode ends well whatever happened.
#[tokio::test]
async fn a_database_that_cannot_be_made_is_an_error_and_leaves_no_cluster() {
    let scratch = Scratch::new();
    let real = real_programs(&scratch).await;
    let bin = scratch.0.join("bin");
    fs::create_dir(&bin).unwrap();
    for name in ["pg_ctl", "initdb"] {
        symlink(real.join(name), bin.join(name)).unwrap();
    }
    let postgres = real.join("postgres").display().to_string();
    let line = format!(
        "[ \"$1\" = --single ] || exec {postgres} \"$@\"\n\
         echo 'CREATE DATABASE holdfast TEMPLATE missing' | {postgres} \"$@\""
    );
    script(&bin.join("postgres"), &line);
    let mut settings = scratch.settings();
    settings.pg_bin = Some(bin);
    let message = PrivatePostgres::start(&settings)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        message.starts_with("making the database `holdfast` failed (exit status: "),
        "{message}"
    );
    assert!(
        message.contains("template database \"missing\" does not exist"),
        "{message}"
    );
    assert!(!scratch.data().join("postgres").exists());
}

#[tokio::test]
async fn a_start_that_fails_shows_the_end_of_the_log() {
    let scratch = Scratch::new();
    PrivatePostgres::start(&scratch.settings())
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
    let configuration = scratch.data().join("postgres/postgresql.conf");
    let text = fs::read_to_string(&configuration).unwrap();
    fs::write(&configuration, format!("{text}\nno_such_setting = 1\n")).unwrap();
    let begun = Instant::now();
    let message = PrivatePostgres::start(&scratch.settings())
        .await
        .unwrap_err()
        .to_string();
    assert!(
        message.starts_with("PostgreSQL did not start (exit status: 1)"),
        "{message}"
    );
    assert!(
        message.contains("unrecognized configuration parameter \"no_such_setting\""),
        "{message}"
    );
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_cluster_of_another_version_or_none_at_all_is_refused() {
    let scratch = Scratch::new();
    let cluster = scratch.data().join("postgres");
    fs::create_dir_all(&cluster).unwrap();
    fs::write(cluster.join("note.txt"), "mine").unwrap();
    let refusal = PrivatePostgres::start(&scratch.settings())
        .await
        .unwrap_err();
    assert!(matches!(refusal, Error::NotACluster { .. }), "{refusal}");

    fs::write(cluster.join("PG_VERSION"), "12\n").unwrap();
    let message = PrivatePostgres::start(&scratch.settings())
        .await
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("was made by PostgreSQL 12, which is not installed"),
        "{message}"
    );
    assert!(
        message.contains("`apt-get install postgresql-12`"),
        "{message}"
    );
    assert_eq!(
        fs::read_to_string(cluster.join("note.txt")).unwrap(),
        "mine"
    );
}

#[tokio::test]
async fn as_root_an_unreachable_folder_sends_the_database_elsewhere_for_good() {
    let scratch = Scratch::new();
    if !scratch.is_root() {
        return;
    }
    let home = scratch.0.join("home");
    fs::create_dir(&home).unwrap();
    fs::set_permissions(&home, Permissions::from_mode(0o700)).unwrap();
    let settings = scratch.settings_for(home.join("clone/data"));
    let first = PrivatePostgres::start(&settings).await.unwrap();
    let place = first.connection().socket_dir.clone();
    assert!(
        place.starts_with(scratch.0.join("fallback")),
        "{}",
        place.display()
    );
    let note = first.note().unwrap().to_owned();
    assert!(
        note.contains(&*home.join("clone/data").to_string_lossy()),
        "{note}"
    );
    assert!(
        note.contains(&*place.parent().unwrap().to_string_lossy()),
        "{note}"
    );
    write_fact(&first).await;
    assert_eq!(
        PrivatePostgres::find_running(&settings).unwrap().as_ref(),
        Some(first.connection())
    );
    drop(first);

    // Adopted there; and it stays there when the folder becomes reachable.
    fs::set_permissions(&home, Permissions::from_mode(0o755)).unwrap();
    let second = PrivatePostgres::start(&settings).await.unwrap();
    assert!(second.adopted());
    assert_fact_is_kept(&second).await;
    second.stop().await.unwrap();

    // A clone made anew has no key for the old database, so it must not find it.
    fs::set_permissions(&home, Permissions::from_mode(0o700)).unwrap();
    fs::remove_dir_all(home.join("clone")).unwrap();
    let third = PrivatePostgres::start(&settings).await.unwrap();
    assert_ne!(third.connection().socket_dir, place);
    let mut session = connect(&third).await;
    let found = text(&mut session, "SELECT (to_regclass('facts') IS NULL)::text").await;
    assert_eq!(found, "true");
    third.stop().await.unwrap();
}

#[tokio::test]
async fn as_root_a_cluster_that_moved_out_of_reach_is_not_replaced_by_an_empty_one() {
    let scratch = Scratch::new();
    if !scratch.is_root() {
        return;
    }
    PrivatePostgres::start(&scratch.settings())
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
    let home = scratch.0.join("home");
    fs::create_dir(&home).unwrap();
    fs::set_permissions(&home, Permissions::from_mode(0o700)).unwrap();
    fs::rename(scratch.data(), home.join("data")).unwrap();
    let settings = scratch.settings_for(home.join("data"));
    let refusal = PrivatePostgres::start(&settings).await.unwrap_err();
    assert!(matches!(refusal, Error::Unreachable { .. }), "{refusal}");
    assert!(refusal.to_string().contains("chmod o+x"), "{refusal}");
}

#[tokio::test]
async fn as_root_a_cluster_that_root_restored_is_given_back() {
    let scratch = Scratch::new();
    if !scratch.is_root() {
        return;
    }
    let first = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    write_fact(&first).await;
    first.stop().await.unwrap();
    let data = scratch.data();
    let status = Command::new("chown")
        .args(["-R", "root:root"])
        .arg(&data)
        .status()
        .unwrap();
    assert!(status.success());
    let second = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    assert_fact_is_kept(&second).await;
    second.stop().await.unwrap();
}

#[tokio::test]
async fn as_root_without_the_user_postgres_the_message_says_what_to_do() {
    let scratch = Scratch::new();
    if !scratch.is_root() {
        return;
    }
    for user in ["no-such-user", "root"] {
        let mut settings = scratch.settings();
        settings.root_runs_as = user.to_owned();
        let message = PrivatePostgres::start(&settings)
            .await
            .unwrap_err()
            .to_string();
        assert!(
            message.contains(&format!("there is no user `{user}` to run it as")),
            "{message}"
        );
        assert!(
            message.contains("`apt-get install postgresql` makes that user"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn an_ordinary_user_runs_it_as_itself_and_root_can_take_over() {
    let scratch = Scratch::new();
    if !scratch.is_root() {
        // Every other test is this test then.
        return;
    }
    // The build folder may be closed to that user.
    let program = scratch.0.join("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    chown(&scratch.0, Some(NOBODY), Some(NOBODY)).unwrap();
    let mut server = run_holder(&program, &scratch.0, Some(NOBODY));
    let pid = held(&scratch.0).await;
    assert_eq!(fs::metadata(format!("/proc/{pid}")).unwrap().uid(), NOBODY);
    server.kill();
    server.wait();

    let adopted = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    assert!(adopted.adopted());
    adopted.stop().await.unwrap();
    let again = PrivatePostgres::start(&scratch.settings()).await.unwrap();
    assert_eq!(
        fs::metadata(format!("/proc/{}", again.pid()))
            .unwrap()
            .uid(),
        NOBODY
    );
    assert_fact_is_kept(&again).await;
    again.stop().await.unwrap();
}
