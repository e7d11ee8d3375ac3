//! Processes: memory at rest, and how long a start takes.

use std::{path::PathBuf, time::Duration};

use super::{
    cpu,
    holdfast::{self, Holdfast},
    report::{Limit, Report, median},
};
use crate::{database::TestDatabase, smtp_sink::SmtpSink};

const REST: Duration = Duration::from_secs(10);
const STARTS: usize = 5;
const MOST_MIB: Limit = Limit::AtMost(60.0);
const MOST_S: Limit = Limit::AtMost(2.0);

/// Measures every role.
pub async fn run(report: &mut Report) {
    private(report).await;
    shared(report).await;
}

/// Role `all` with a private PostgreSQL of its own: one command from nothing.
async fn private(report: &mut Report) {
    let folder = Folder::new();
    let settings = [
        ("HOLDFAST_DATA_DIR", folder.0.display().to_string()),
        ("HOLDFAST_DEV", "true".to_owned()),
    ];
    let first = Holdfast::start("all", &settings).await;
    report.tell("start.all.first", first.ready_in.as_secs_f64(), "s");
    first.stop().await;
    let mut starts = Vec::new();
    for round in 1..=STARTS {
        let server = Holdfast::start("all", &settings).await;
        starts.push(server.ready_in.as_secs_f64());
        if round == STARTS {
            tokio::time::sleep(REST).await;
            let resident = cpu::resident_mib(server.pid());
            report.must("memory.all", resident, "MiB", MOST_MIB);
        }
        server.stop().await;
    }
    report.must("start.all.again", median(&mut starts), "s", MOST_S);
}

/// Roles `web` and `worker` over a PostgreSQL that runs.
async fn shared(report: &mut Report) {
    let database = TestDatabase::create().await;
    let sink = SmtpSink::start().await.unwrap();
    let mut settings = holdfast::over(database.url());
    settings.push(("HOLDFAST_SMTP_URL", sink.url()));
    for role in ["web", "worker"] {
        // The first one finds the schema migrated and writes the instance's row.
        Holdfast::start(role, &settings).await.stop().await;
        let mut starts = Vec::new();
        for round in 1..=STARTS {
            let server = Holdfast::start(role, &settings).await;
            starts.push(server.ready_in.as_secs_f64());
            if round == STARTS {
                tokio::time::sleep(REST).await;
                let resident = cpu::resident_mib(server.pid());
                report.must(format!("memory.{role}"), resident, "MiB", MOST_MIB);
            }
            server.stop().await;
        }
        report.must(
            format!("start.{role}.again"),
            median(&mut starts),
            "s",
            MOST_S,
        );
    }
    database.drop_it().await;
}

/// A data folder that the user who runs a private PostgreSQL can reach; gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let name = format!("holdfast-bench-data-{}", std::process::id());
        Self(PathBuf::from("/tmp").join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
