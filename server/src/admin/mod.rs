//! `holdfast admin …`: one thing each. Exit status 0 is well, 1 a finding, 2 bad usage.

use std::process::ExitCode;

use clap::Subcommand;

mod check_config;
mod create_host;
mod create_key;
mod expand;
mod health;
mod list_keys;
mod list_mail;
mod migrate;
mod openapi;
mod output;
mod retry_mail;
mod revoke_key;
mod session;
mod set_reminders;
mod set_substitute;
mod simulate;

/// The administrative commands.
#[derive(Subcommand)]
pub enum Command {
    /// Ask the running process whether it is ready. The HEALTHCHECK of every role.
    Health(health::Arguments),
    /// Migrate the database's schema, or say that it fits.
    Migrate(migrate::Arguments),
    /// Make a host with a schedule and a published page.
    CreateHost(create_host::Arguments),
    /// Make an API key of a host, and show it once.
    CreateKey(create_key::Arguments),
    /// List a host's API keys.
    ListKeys(list_keys::Arguments),
    /// Revoke an API key for good.
    RevokeKey(revoke_key::Arguments),
    /// Say when a page reminds whom, or print it.
    SetReminders(set_reminders::Arguments),
    /// Let a host take over bookings of another's page, or no more.
    SetSubstitute(set_substitute::Arguments),
    /// Read the configuration and print it, secrets masked.
    CheckConfig(check_config::Arguments),
    /// Answer slot questions from a JSON file, without a database.
    Simulate(simulate::Arguments),
    /// Print when the events of a calendar file take place, without a database.
    Expand(expand::Arguments),
    /// List the mail that was not delivered.
    ListMail(list_mail::Arguments),
    /// Try one mail again whose attempts were used up.
    RetryMail(retry_mail::Arguments),
    /// Print the OpenAPI document.
    #[command(hide = true)]
    Openapi,
}

/// Runs one command.
pub async fn run(command: Command) -> ExitCode {
    match command {
        Command::Health(arguments) => health::run(&arguments).await,
        Command::Migrate(arguments) => migrate::run(&arguments).await,
        Command::CreateHost(arguments) => create_host::run(&arguments).await,
        Command::CreateKey(arguments) => create_key::run(&arguments).await,
        Command::ListKeys(arguments) => list_keys::run(&arguments).await,
        Command::RevokeKey(arguments) => revoke_key::run(&arguments).await,
        Command::SetReminders(arguments) => set_reminders::run(&arguments).await,
        Command::SetSubstitute(arguments) => set_substitute::run(&arguments).await,
        Command::CheckConfig(arguments) => check_config::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Expand(arguments) => expand::run(&arguments),
        Command::ListMail(arguments) => list_mail::run(&arguments).await,
        Command::RetryMail(arguments) => retry_mail::run(&arguments).await,
        Command::Openapi => openapi::run(),
    }
}
