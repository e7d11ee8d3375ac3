//! `holdfast admin simulate`: answers slot questions without a database, so that whoever doubts
//! an answer can replay it.

use std::{io::Read as _, path::PathBuf, process::ExitCode};

use clap::Args;
use shared::{
    slots::{Vectors, answer, explained},
    zone::Zones,
};

use super::output;
use crate::error::chain;

#[derive(Args)]
pub struct Arguments {
    /// A JSON file `{"vectors":[{"name","rule","busy","booked","now","from","to"}]}`; - is standard input.
    file: PathBuf,
    /// For each question also say why other starts are not offered.
    #[arg(long)]
    explain: bool,
    /// Print JSON; it is printed anyway, one answer a line.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let text = match read(&arguments.file) {
        Ok(text) => text,
        Err(error) => {
            return output::misuse(
                arguments.json,
                format_args!("{}: {error}", arguments.file.display()),
            );
        }
    };
    let vectors: Vectors = match serde_json::from_str(&text) {
        Ok(vectors) => vectors,
        Err(error) => {
            return output::misuse(
                arguments.json,
                format_args!("{}: {error}", arguments.file.display()),
            );
        }
    };
    let directory = std::env::var_os("HOLDFAST_TZDIR").map(PathBuf::from);
    let zones = match Zones::open(directory.as_deref()) {
        Ok(zones) => zones,
        Err(error) => return output::finding(arguments.json, error),
    };
    let mut faults = 0;
    for vector in &vectors.vectors {
        let line = if arguments.explain {
            explained(&zones, vector).map(|answer| serde_json::to_string(&answer))
        } else {
            answer(&zones, vector).map(|answer| serde_json::to_string(&answer))
        };
        match line {
            Ok(Ok(line)) => output::line(&line),
            Ok(Err(error)) => return output::finding(arguments.json, error),
            Err(error) => {
                faults += 1;
                output::line(
                    &serde_json::json!({ "name": vector.name, "error": chain(&error) }).to_string(),
                );
            }
        }
    }
    if faults == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

fn read(file: &std::path::Path) -> std::io::Result<String> {
    if file.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text)?;
        return Ok(text);
    }
    std::fs::read_to_string(file)
}
