//! `holdfast admin set-substitute`.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use shared::ops;

use super::{output, session};
use crate::{
    error::chain,
    start::{self, CannotStart},
};

#[derive(Args)]
pub struct Arguments {
    /// The handle of the page's host.
    #[arg(long)]
    handle: String,
    /// The page's code or slug.
    #[arg(long)]
    page: String,
    /// The handle of the host who may take over its bookings.
    #[arg(long)]
    host: String,
    /// No more.
    #[arg(long)]
    remove: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    let json = arguments.json;
    let mut config = match start::configuration() {
        Ok(config) => config,
        Err(faults) => return output::finding(json, CannotStart::from(faults)),
    };
    let (page, host) = ((&*arguments.handle, &*arguments.page), &*arguments.host);
    let may = !arguments.remove;
    let set = session::with_context(&mut config, async |context| {
        ops::set_substitute(context, page, host, may).await
    })
    .await;
    match set {
        Ok(Ok(true)) => output::answer(
            json,
            &json!({ "status": "ok", "host": host, "may_take_over": may }),
            format_args!(
                "{host} {} take over bookings of /book/{}/{}",
                if may { "may" } else { "may not" },
                page.0,
                page.1
            ),
        ),
        Ok(Ok(false)) => output::finding(
            json,
            format_args!("there is no such page, or no other host of that handle"),
        ),
        Ok(Err(failure)) => output::finding(json, chain(&failure)),
        Err(error) => output::finding(json, chain(&error)),
    }
}
