//! `fuzz [--inputs N] [--seed S] [--patience N] [TARGET…]` gives random inputs to the readers of what strangers write,
//! and says how long and how much memory the worst took. Without a target it runs all.
//!
//! `fuzz TARGET --file FILE` reads one input again.
//!
//! It ends with status 1 at the first fault, whose input it keeps beside the build's folder, in
//! `fuzz-findings/`.
#![expect(clippy::expect_used, reason = "a fuzzer fails by panicking")]

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use holdfast_tests::fuzz::{
    search::{self, Memory},
    target::{self, Target},
    timer::Timer,
};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What a shell answers for bad usage.
const BAD_USAGE: u8 = 2;

struct Counted;

impl Memory for Counted {
    fn held(&self) -> usize {
        ALLOCATOR.current_usage()
    }

    fn peak(&self) -> usize {
        ALLOCATOR.peak_usage()
    }

    fn reset(&self) {
        ALLOCATOR.reset_peak_usage();
    }
}

struct Asked {
    inputs: u64,
    seed: u64,
    /// Multiplies the limit of time: a build that is not optimised is slower.
    patience: u32,
    file: Option<PathBuf>,
    targets: Vec<String>,
}

fn main() -> ExitCode {
    let asked = match read() {
        Ok(asked) => asked,
        Err(wrong) => {
            say(&format!("fuzz: {wrong}"));
            return ExitCode::from(BAD_USAGE);
        }
    };
    let this = std::env::current_exe().expect("a program has a file");
    let folder = this
        .ancestors()
        .nth(2)
        .unwrap_or(&this)
        .join("fuzz-findings");
    for (name, target) in target::all() {
        if !asked.targets.is_empty() && !asked.targets.iter().any(|asked| asked == name) {
            continue;
        }
        if !one(name, target.as_ref(), &asked, &folder) {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Runs a target; false after a fault.
fn one(name: &str, target: &dyn Target, asked: &Asked, folder: &Path) -> bool {
    if let Some(file) = &asked.file {
        let input = std::fs::read(file).expect("the file can be read");
        let mut timer = Timer::default();
        let seen = target.read(&input, &mut timer);
        say(&format!(
            "{name}: {seen:?}, longest call {:?}",
            timer.longest()
        ));
        return seen.is_ok();
    }
    let run = search::run(
        target,
        asked.inputs,
        asked.seed,
        asked.patience,
        &Counted,
        folder,
    );
    match run {
        Ok(outcome) => {
            let (bytes, length) = outcome.largest;
            say(&format!(
                "{name:<14} {:>9} inputs, {:>3.0} % understood, {:>5} kept, slowest {:>8.2} ms, most memory {:>9.1} KiB (for {length} bytes), {:.0} s",
                outcome.inputs,
                100.0 * outcome.understood as f64 / outcome.inputs as f64,
                outcome.kept,
                outcome.slowest.as_secs_f64() * 1e3,
                bytes as f64 / 1_024.0,
                outcome.took.as_secs_f64(),
            ));
            true
        }
        Err(found) => {
            say(&format!(
                "{name}: seed {}: {}: {}",
                asked.seed,
                found.what,
                found.file.display()
            ));
            false
        }
    }
}

fn read() -> Result<Asked, String> {
    let mut asked = Asked {
        inputs: 100_000,
        seed: 5545,
        patience: 1,
        file: None,
        targets: Vec::new(),
    };
    let names: Vec<&str> = target::all().iter().map(|(name, _)| *name).collect();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || -> Result<u64, String> {
            let value = arguments.next().unwrap_or_default();
            value
                .parse()
                .map_err(|_| format!("{argument} is a number, not {value:?}"))
        };
        match argument.as_str() {
            "--inputs" => asked.inputs = number()?,
            "--seed" => asked.seed = number()?,
            "--patience" => asked.patience = number()?.try_into().unwrap_or(u32::MAX),
            "--file" => asked.file = arguments.next().map(PathBuf::from),
            name if names.contains(&name) => asked.targets.push(argument),
            _ => {
                return Err(format!(
                    "no target {argument}; there are: {}",
                    names.join(" ")
                ));
            }
        }
    }
    Ok(asked)
}

fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
