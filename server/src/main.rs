//! `holdfast`: serves, or does one administrative thing.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use holdfast_server::{admin, serve};

/// Self-hosted scheduling. Without a command it serves, as the environment says (.env.example).
#[derive(Parser)]
#[command(name = "holdfast", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Do one administrative thing and end.
    #[command(subcommand)]
    Admin(admin::Command),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    let Ok(runtime) = runtime else {
        return ExitCode::FAILURE;
    };
    let code = runtime.block_on(async {
        match arguments.command {
            None => serve::serve().await,
            Some(Command::Admin(command)) => admin::run(command).await,
        }
    });
    // Background threads that still wait on something must not hold the process.
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    code
}
