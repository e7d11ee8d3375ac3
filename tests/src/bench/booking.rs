//! The booking endpoint, beside pgbench with the same statements in the same run.
//!
//! Each round runs both over fresh copies of one database. Every booking has a client, an address,
//! a time and an idempotency key of its own. Nothing sends mail meanwhile.

use std::{sync::Arc, time::Duration};

use shared::store::pool;

use super::{
    cpu,
    holdfast::{self, Holdfast},
    load::{self, Until::After},
    pgbench,
    plan::Plan,
    report::{Limit, Report, median},
};
use crate::database::TestDatabase;

const CLIENTS: usize = 16;
const ROUNDS: usize = 5;
const LENGTH: Duration = Duration::from_secs(5);
/// A multiple of the clients, as pgbench counts.
const ALREADY: u64 = 3_200;

/// One side of a round.
struct Side {
    rate: f64,
    server_us: f64,
    postgres_us: f64,
    median_ms: f64,
    p99_ms: f64,
}

/// Measures all three.
pub async fn run(report: &mut Report) {
    for (name, plan) in [
        ("1host.instant", Plan::new(1, true, ALREADY)),
        ("1000hosts.instant", Plan::new(1_000, true, ALREADY)),
        ("1000hosts.hold", Plan::new(1_000, false, ALREADY)),
    ] {
        measure(report, name, Arc::new(plan)).await;
    }
}

async fn measure(report: &mut Report, name: &str, plan: Arc<Plan>) {
    let original = plan.set_up().await;
    let script = pgbench::script(&plan);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        theirs.push(pgbench_round(&original, &plan, &script).await);
        ours.push(endpoint_round(&original, &plan).await);
    }
    original.drop_it().await;
    let of = |sides: &[Side], pick: fn(&Side) -> f64| {
        median(&mut sides.iter().map(pick).collect::<Vec<f64>>())
    };
    let mut ratios: Vec<f64> = ours
        .iter()
        .zip(&theirs)
        .map(|(ours, theirs)| ours.rate / theirs.rate)
        .collect();
    let mut shares: Vec<f64> = ours
        .iter()
        .map(|side| side.server_us / side.postgres_us)
        .collect();
    let (ratio, share) = (median(&mut ratios), median(&mut shares));
    let key = |what: &str| format!("booking.{name}.{what}");
    if plan.hosts == 1 {
        report.tell(key("of_pgbench"), ratio, "");
        report.tell(key("cpu_server_of_postgres"), share, "");
    } else {
        report.must(key("of_pgbench"), ratio, "", Limit::AtLeast(0.6));
        report.must(key("cpu_server_of_postgres"), share, "", Limit::AtMost(1.0));
    }
    report.tell(key("rate"), of(&ours, |side| side.rate), "/s");
    report.tell(key("median"), of(&ours, |side| side.median_ms), "ms");
    report.tell(key("p99"), of(&ours, |side| side.p99_ms), "ms");
    report.tell(key("cpu_server"), of(&ours, |side| side.server_us), "us");
    report.tell(
        key("cpu_postgres"),
        of(&ours, |side| side.postgres_us),
        "us",
    );
    report.tell(key("pgbench.rate"), of(&theirs, |side| side.rate), "/s");
    report.tell(
        key("pgbench.cpu_postgres"),
        of(&theirs, |side| side.postgres_us),
        "us",
    );
}

async fn endpoint_round(original: &TestDatabase, plan: &Arc<Plan>) -> Side {
    let database = original.copy_of().await;
    let postmaster = cpu::postmaster(&database.options()).await;
    let mut settings = holdfast::over(database.url());
    settings.extend(holdfast::without_limits());
    // As many as pgbench has.
    settings.push(("HOLDFAST_DATABASE_CONNECTIONS", CLIENTS.to_string()));
    let server = Holdfast::start("web", &settings).await;
    let plan = plan.clone();
    let requests: load::Requests = Arc::new(move |n| plan.request(n));
    let before = (cpu::of(server.pid()), cpu::of_postgres(postmaster));
    let outcome = load::run(server.address, CLIENTS, After(LENGTH), 201, &requests).await;
    let after = (cpu::of(server.pid()), cpu::of_postgres(postmaster));
    server.stop().await;
    database.drop_it().await;
    Side {
        rate: outcome.rate(),
        server_us: outcome.us_each(after.0 - before.0),
        postgres_us: outcome.us_each(after.1 - before.1),
        median_ms: outcome.quantile_ms(0.5),
        p99_ms: outcome.quantile_ms(0.99),
    }
}

async fn pgbench_round(original: &TestDatabase, plan: &Plan, script: &str) -> Side {
    let database = original.copy_of().await;
    let postmaster = cpu::postmaster(&database.options()).await;
    let before = cpu::of_postgres(postmaster);
    let rate = pgbench::run(&database.url(), script, plan.already, CLIENTS, LENGTH).await;
    let cpu = cpu::of_postgres(postmaster) - before;
    let pool = pool::open(database.options(), 1);
    let there: i64 = sqlx::query_scalar("SELECT count(*) FROM bookings")
        .fetch_one(&pool)
        .await
        .unwrap();
    pool.close().await;
    database.drop_it().await;
    let made = u64::try_from(there).unwrap() - plan.already;
    Side {
        rate,
        server_us: 0.0,
        postgres_us: cpu.as_secs_f64() * 1e6 / made as f64,
        median_ms: 0.0,
        p99_ms: 0.0,
    }
}
