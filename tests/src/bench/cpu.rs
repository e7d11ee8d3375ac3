//! What processes cost, from `/proc`.

use std::{fs, time::Duration};

use sqlx::{ConnectOptions as _, postgres::PgConnectOptions};

/// Linux counts in hundredths of a second towards programs, whatever its own clock does.
const TICK_MS: u64 = 10;

/// CPU time of a process so far, its own threads alone.
pub fn of(pid: u32) -> Duration {
    let [user, system, ..] = times(pid).expect("the process runs");
    Duration::from_millis((user + system) * TICK_MS)
}

/// CPU time of a PostgreSQL so far: the postmaster, its children, and those that ended.
pub fn of_postgres(postmaster: u32) -> Duration {
    let own: u64 = times(postmaster).expect("the postmaster runs").iter().sum();
    let children: u64 = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| parent(*pid) == Some(postmaster))
        .filter_map(times)
        .map(|[user, system, ..]| user + system)
        .sum();
    Duration::from_millis((own + children) * TICK_MS)
}

/// The process id of the postmaster behind a connection. It must run on this machine.
pub async fn postmaster(options: &PgConnectOptions) -> u32 {
    let mut conn = options.connect().await.unwrap();
    let backend: i32 = sqlx::query_scalar("SELECT pg_backend_pid()")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    let backend = u32::try_from(backend).unwrap();
    parent(backend).expect("PostgreSQL runs on this machine")
}

/// Resident memory of a process, in MiB.
pub fn resident_mib(pid: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    kib / 1024.0
}

/// User and system time, and those of children that ended, in ticks.
fn times(pid: u32) -> Option<[u64; 4]> {
    let fields = stat(pid)?;
    let mut ticks = fields.iter().skip(11).map(|field| field.parse().ok());
    Some([
        ticks.next()??,
        ticks.next()??,
        ticks.next()??,
        ticks.next()??,
    ])
}

fn parent(pid: u32) -> Option<u32> {
    stat(pid)?.get(1)?.parse().ok()
}

/// The fields of `/proc/<pid>/stat` after the name, which may hold spaces.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}
