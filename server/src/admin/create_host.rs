//! `holdfast admin create-host`.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use shared::{
    locale::Locale,
    ops::{self, CreateHostError, NewHost, NewPage},
};

use super::{output, session};
use crate::{
    error::chain,
    start::{self, CannotStart},
};

#[derive(Args)]
pub struct Arguments {
    /// The first part of the host's addresses: 2 to 32 of a-z, 0-9 and -.
    #[arg(long)]
    handle: String,
    /// The public name. Default: the handle.
    #[arg(long)]
    name: Option<String>,
    /// The host's zone, such as Europe/Paris.
    #[arg(long)]
    zone: String,
    /// The host's address; you vouch for it.
    #[arg(long)]
    email: String,
    /// When the host is free, in plain words, such as "weekdays 9-12, 1-5".
    #[arg(long)]
    availability: String,
    /// The page's title and length, such as "Introduction:30".
    #[arg(long, value_name = "TITLE:MINUTES")]
    page: String,
    /// What the page says under its title.
    #[arg(long, default_value = "")]
    description: String,
    /// The language of the host's mail: en or zh-CN.
    #[arg(long, default_value = "en")]
    locale: String,
    /// Confirm bookings at once instead of by a mailed link.
    #[arg(long)]
    instant: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    let mut config = match start::configuration() {
        Ok(config) => config,
        Err(faults) => return output::finding(arguments.json, CannotStart::from(faults)),
    };
    let zones = match shared::zone::Zones::open(config.zone_directory.as_deref()) {
        Ok(zones) => zones,
        Err(error) => return output::finding(arguments.json, error),
    };
    let new = match read(arguments, &zones) {
        Ok(new) => new,
        Err(faults) => return output::misuse(arguments.json, faults.join("\n")),
    };
    let created = session::with_context(&mut config, async |context| {
        ops::create_host(context, &new).await
    })
    .await;
    match created {
        Ok(Ok(created)) => {
            let url = format!("{}{}", config.public_url, created.path);
            output::answer(
                arguments.json,
                &json!({ "status": "ok", "host_id": created.host_id, "event_type_id": created.event_type_id, "url": url }),
                format_args!("published at {url}"),
            )
        }
        Ok(Err(CreateHostError::Availability(problems))) => {
            let lines: Vec<String> = problems
                .iter()
                .map(|problem| format!("--availability: {}", problem.message(Locale::En)))
                .collect();
            output::misuse(arguments.json, lines.join("\n"))
        }
        Ok(Err(error @ CreateHostError::NoHours)) => {
            output::misuse(arguments.json, format_args!("--availability: {error}"))
        }
        Ok(Err(error)) => output::finding(arguments.json, chain(&error)),
        Err(error) => output::finding(arguments.json, chain(&error)),
    }
}

/// Every fault of the call at once.
fn read(arguments: &Arguments, zones: &shared::zone::Zones) -> Result<NewHost, Vec<String>> {
    let mut faults = Vec::new();
    let mut keep =
        |name: &str, error: &dyn std::fmt::Display| faults.push(format!("--{name}: {error}"));
    let handle = arguments
        .handle
        .parse()
        .map_err(|error| keep("handle", &error))
        .ok();
    let zone = zones
        .get_for_host(&arguments.zone)
        .map_err(|error| keep("zone", &error))
        .ok();
    let email = arguments
        .email
        .parse()
        .map_err(|error| keep("email", &error))
        .ok();
    let name = arguments
        .name
        .clone()
        .unwrap_or_else(|| arguments.handle.clone());
    if name.trim().is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control) {
        keep("name", &"1 to 100 characters without line breaks");
    }
    let page = arguments
        .page
        .rsplit_once(':')
        .and_then(|(title, minutes)| Some((title.trim(), minutes.trim().parse::<u16>().ok()?)));
    let page = page.filter(|(title, minutes)| {
        (5..=480).contains(minutes)
            && !title.is_empty()
            && title.chars().count() <= 200
            && !title.chars().any(char::is_control)
    });
    if page.is_none() {
        keep(
            "page",
            &"give TITLE:MINUTES with a title of 1 to 200 characters and 5 to 480 minutes",
        );
    }
    if arguments.description.chars().count() > 2_000 {
        keep("description", &"at most 2,000 characters");
    }
    let tag = arguments.locale.as_str();
    if !Locale::ALL.iter().any(|locale| locale.tag() == tag) {
        keep("locale", &"en or zh-CN");
    }
    match (handle, zone, email, page) {
        (Some(handle), Some(zone), Some(email), Some((title, duration_min)))
            if faults.is_empty() =>
        {
            Ok(NewHost {
                handle,
                name: name.trim().to_owned(),
                email,
                zone,
                locale: Locale::from_tag(tag),
                availability: arguments.availability.clone(),
                page: NewPage {
                    code: None,
                    title: title.to_owned(),
                    description: arguments.description.clone(),
                    duration_min,
                    horizon_days: 60,
                    instant: arguments.instant,
                },
            })
        }
        _ => Err(faults),
    }
}
