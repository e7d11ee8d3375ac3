//! `bench [SECTION…]` measures a release build under `with-postgres --fsync` and prints a table;
//! `bench.json`, beside the build's folder, has the same figures.
//!
//! Without a section it measures all. It ends with status 1 if a figure misses what it must reach.
#![expect(clippy::expect_used, reason = "a benchmark fails by panicking")]

use std::process::ExitCode;

use holdfast_tests::bench::{
    booking, claim, outbox, process, recurrence,
    report::{Limit, Report, say},
    slots, slots_endpoint,
};
use shared::zone::Zones;

const SECTIONS: [&str; 7] = [
    "slots",
    "recurrence",
    "slots-endpoint",
    "booking",
    "outbox",
    "claim",
    "process",
];
/// What a shell answers for bad usage.
const BAD_USAGE: u8 = 2;

/// One thread, so that clients and mail server never have more than one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = asked.iter().find(|name| !SECTIONS.contains(&name.as_str())) {
        say(&format!(
            "bench: no section {unknown}; there are: {}",
            SECTIONS.join(" ")
        ));
        return ExitCode::from(BAD_USAGE);
    }
    if cfg!(debug_assertions) {
        say("bench: this is a debug build; its figures mean nothing");
        return ExitCode::from(BAD_USAGE);
    }
    let mut report = Report::default();
    for section in SECTIONS {
        if asked.is_empty() || asked.iter().any(|name| name == section) {
            run(section, &mut report).await;
        }
    }
    let missed = report.missed();
    if !missed.is_empty() {
        say(&format!("missed: {}", missed.join(", ")));
    }
    match write(&report) {
        Err(error) => {
            say(&format!("bench: the JSON cannot be written: {error}"));
            ExitCode::FAILURE
        }
        Ok(()) if missed.is_empty() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
    }
}

async fn run(section: &str, report: &mut Report) {
    match section {
        "slots" => kernel(report),
        "recurrence" => recurrence::run(report),
        "slots-endpoint" => slots_endpoint::run(report).await,
        "booking" => booking::run(report).await,
        "outbox" => outbox::run(report).await,
        "claim" => claim::run(report).await,
        _ => process::run(report).await,
    }
}

/// The slot kernel: microseconds of one computation.
fn kernel(report: &mut Report) {
    let rows = slots::run(&Zones::bundled()).expect("the benchmark's rule is a rule");
    let us = |days: u32, busy: u32| {
        let row = rows.iter().find(|row| (row.days, row.busy) == (days, busy));
        row.expect("a cell of the matrix").compute_ns as f64 / 1e3
    };
    for row in &rows {
        let name = row.name();
        let compute_us = row.compute_ns as f64 / 1e3;
        if (row.days, row.busy) == (60, 200) {
            report.must(name, compute_us, "us", Limit::AtMost(25.0));
        } else {
            report.tell(name, compute_us, "us");
        }
    }
    report.must(
        "slots.kernel.365d_of_60d.200busy",
        us(365, 200) / us(60, 200),
        "",
        Limit::AtMost(7.0),
    );
    for days in slots::HORIZONS {
        report.must(
            format!("slots.kernel.{days}d.10000busy_of_none"),
            us(days, 10_000) / us(days, 0),
            "",
            Limit::AtMost(6.0),
        );
    }
}

/// `target/bench.json`: two folders above this program.
fn write(report: &Report) -> std::io::Result<()> {
    let this = std::env::current_exe()?;
    let target = this.ancestors().nth(2).unwrap_or(&this);
    report.write(&target.join("bench.json"))
}
