//! How each setting is read: typed, with its default, every fault kept.

use std::{net::SocketAddr, path::PathBuf};

use super::{Config, Database, Faults, Keys, Limits, Mailbox, Role, reader::Reader};
use crate::{
    address::EmailAddress, fingerprint::FingerprintKey, mail::budget::MailBudgets,
    outbound::Allowlist, seal::SealKeys,
};

pub(super) fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Config, Faults> {
    let mut reader = Reader::new(variable);
    let role = read_role(&mut reader);
    let default_listen = SocketAddr::from(([127, 0, 0, 1], 8080));
    let listen: SocketAddr = match reader
        .text("HOLDFAST_LISTEN")
        .map(|text| text.trim().parse())
    {
        None => default_listen,
        Some(Ok(listen)) => listen,
        Some(Err(_)) => {
            reader.fault(
                "HOLDFAST_LISTEN",
                "must be an address and a port such as 127.0.0.1:8080",
            );
            default_listen
        }
    };
    let database_url = read_postgres_url(&mut reader, "DATABASE_URL");
    let direct_url = read_postgres_url(&mut reader, "DATABASE_DIRECT_URL");
    let dev = reader.flag(
        "HOLDFAST_DEV",
        database_url.is_none() && listen.ip().is_loopback(),
    );
    let database = match (database_url, direct_url) {
        (Some(pooled), direct) => Database::Url {
            direct: direct.unwrap_or_else(|| pooled.clone()),
            pooled,
        },
        (None, Some(_)) => {
            reader.fault("DATABASE_DIRECT_URL", "needs DATABASE_URL beside it");
            Database::Private { binaries: None }
        }
        (None, None) => Database::Private {
            binaries: reader.text("PG_BIN").map(PathBuf::from),
        },
    };
    let public_url = read_public_url(&mut reader, dev, listen);
    let manage_url = read_manage_url(&mut reader, &public_url);
    let keys = read_keys(&mut reader, dev);
    let mail_from = read_mail_from(&mut reader, dev);
    let smtp_url = reader.text("HOLDFAST_SMTP_URL");
    if role.works() && smtp_url.is_none() && !(dev && role == Role::All) {
        reader.fault("HOLDFAST_SMTP_URL", "is needed by whatever runs the worker half; only development in role all keeps mail in memory");
    }
    let smtp_ca = read_file(&mut reader, "HOLDFAST_SMTP_CA_FILE");
    let outbound_ca = read_file(&mut reader, "HOLDFAST_OUTBOUND_CA_FILE");
    let outbound_allow = read_allow(&mut reader);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let cores = u32::try_from(cores).unwrap_or(1);
    let default_connections = match role {
        Role::All => 15,
        Role::Web => 10,
        Role::Worker => 5,
    };
    let config = Config {
        role,
        dev,
        listen,
        public_url,
        manage_url,
        database,
        database_connections: reader.number(
            "HOLDFAST_DATABASE_CONNECTIONS",
            default_connections,
            3,
            1_000,
        ),
        data_dir: PathBuf::from(
            reader
                .text("HOLDFAST_DATA_DIR")
                .unwrap_or_else(|| "./data".to_owned()),
        ),
        auto_migrate: reader.flag("HOLDFAST_AUTO_MIGRATE", true),
        keys,
        zone_directory: reader.text("HOLDFAST_TZDIR").map(PathBuf::from),
        trusted_proxy_hops: reader.number("HOLDFAST_TRUSTED_PROXY_HOPS", 0, 0, 16),
        cors_origins: read_origins(&mut reader),
        slot_concurrency: reader.number(
            "HOLDFAST_SLOT_CONCURRENCY",
            cores.saturating_mul(4),
            1,
            10_000,
        ),
        http_threads: reader.number("HOLDFAST_HTTP_THREADS", cores, 1, 1_024),
        mail_from,
        smtp_url,
        smtp_ca,
        mail_concurrency: reader.number("HOLDFAST_MAIL_CONCURRENCY", 4, 2, 256),
        calendar_poll_minutes: reader.number("HOLDFAST_CALENDAR_POLL_MINUTES", 15, 5, 1_440),
        outbound_allow,
        outbound_ca,
        limits: Limits {
            requests_per_minute: reader.number(
                "HOLDFAST_MAX_REQUESTS_PER_MINUTE",
                60,
                1,
                1_000_000_000,
            ),
            booking_requests_per_minute: reader.number(
                "HOLDFAST_MAX_BOOKING_REQUESTS_PER_MINUTE",
                10,
                1,
                1_000_000_000,
            ),
            key_requests_per_minute: reader.number(
                "HOLDFAST_MAX_KEY_REQUESTS_PER_MINUTE",
                600,
                1,
                1_000_000_000,
            ),
            open_holds_per_ip: reader.number("HOLDFAST_MAX_OPEN_HOLDS_PER_IP", 5, 1, 1_000_000_000),
            open_holds_per_event_type: reader.number(
                "HOLDFAST_MAX_OPEN_HOLDS_PER_EVENT_TYPE",
                20,
                1,
                1_000_000_000,
            ),
            open_holds_per_address: reader.number(
                "HOLDFAST_MAX_OPEN_HOLDS_PER_ADDRESS",
                2,
                1,
                1_000_000_000,
            ),
            bookings_per_day_per_ip: reader.number(
                "HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_IP",
                20,
                1,
                1_000_000_000,
            ),
            bookings_per_day_per_address: reader.number(
                "HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_ADDRESS",
                6,
                1,
                1_000_000_000,
            ),
            booker_reschedules: reader.number("HOLDFAST_MAX_BOOKER_RESCHEDULES", 5, 0, 1_000_000),
            booking_lead_hours: reader.number("HOLDFAST_BOOKING_LEAD_HOURS", 0, 0, 8_760),
            mail: read_mail_budgets(&mut reader),
        },
        log: read_log(&mut reader),
    };
    if reader.faults.is_empty() {
        Ok(config)
    } else {
        Err(Faults(reader.faults))
    }
}

fn read_mail_budgets(reader: &mut Reader<'_>) -> MailBudgets {
    const MOST: u32 = 1_000_000_000;
    MailBudgets {
        recipient_per_hour: reader.number("HOLDFAST_MAIL_RECIPIENT_MAX_PER_HOUR", 5, 1, MOST),
        recipient_per_day: reader.number("HOLDFAST_MAIL_RECIPIENT_MAX_PER_DAY", 20, 1, MOST),
        sign_in_per_hour: reader.number("HOLDFAST_SIGN_IN_MAIL_MAX_PER_HOUR", 5, 1, MOST),
        sign_in_per_day: reader.number("HOLDFAST_SIGN_IN_MAIL_MAX_PER_DAY", 20, 1, MOST),
        per_hour: reader.number("HOLDFAST_MAIL_MAX_PER_HOUR", 100, 0, MOST),
    }
}

fn read_allow(reader: &mut Reader<'_>) -> Allowlist {
    let text = reader.text("HOLDFAST_OUTBOUND_ALLOW").unwrap_or_default();
    Allowlist::parse(&text).unwrap_or_else(|error| {
        reader.fault("HOLDFAST_OUTBOUND_ALLOW", error);
        Allowlist::default()
    })
}

fn read_log(reader: &mut Reader<'_>) -> String {
    let filter = reader
        .text("HOLDFAST_LOG")
        .unwrap_or_else(|| "info".to_owned());
    if tracing_subscriber::EnvFilter::try_new(filter.trim()).is_err() {
        reader.fault(
            "HOLDFAST_LOG",
            "must be a tracing filter such as info or info,sqlx=warn",
        );
    }
    filter
}

fn read_role(reader: &mut Reader<'_>) -> Role {
    match reader.text("HOLDFAST_ROLE").as_deref().map(str::trim) {
        None | Some("all") => Role::All,
        Some("web") => Role::Web,
        Some("worker") => Role::Worker,
        Some(_) => {
            reader.fault("HOLDFAST_ROLE", "must be all, web or worker");
            Role::All
        }
    }
}

fn read_postgres_url(reader: &mut Reader<'_>, name: &str) -> Option<String> {
    let url = reader.text(name)?;
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Some(url);
    }
    reader.fault(name, "must start with postgres:// or postgresql://");
    // A database was named, even if badly: the private one must not stand in for it.
    Some(String::new())
}

fn read_public_url(reader: &mut Reader<'_>, dev: bool, listen: SocketAddr) -> String {
    match reader.text("HOLDFAST_PUBLIC_URL") {
        Some(url) => {
            let url = url.trim().trim_end_matches('/').to_owned();
            let host = url
                .strip_prefix("https://")
                .or_else(|| url.strip_prefix("http://"));
            if host.is_none_or(|host| host.is_empty() || host.contains(['?', '#', ' ', '@'])) {
                reader.fault(
                    "HOLDFAST_PUBLIC_URL",
                    "must be an address such as https://book.example.com",
                );
            }
            url
        }
        None => {
            if !dev {
                reader.fault(
                    "HOLDFAST_PUBLIC_URL",
                    "is needed: links in mail are built from it",
                );
            }
            format!("http://{listen}")
        }
    }
}

fn read_manage_url(reader: &mut Reader<'_>, public_url: &str) -> String {
    let Some(template) = reader.text("HOLDFAST_MANAGE_URL") else {
        return format!("{public_url}/book/m/{{token}}?action={{action}}");
    };
    if !template.contains("{token}")
        || !(template.starts_with("https://") || template.starts_with("http://"))
    {
        reader.fault(
            "HOLDFAST_MANAGE_URL",
            "must be an address with {token} in it",
        );
    }
    template
}

fn read_keys(reader: &mut Reader<'_>, dev: bool) -> Option<Keys> {
    let how = "is needed; make one with: openssl rand -base64 32";
    let seal = reader
        .text("HOLDFAST_KEYS")
        .map(|text| SealKeys::parse(&text));
    let fingerprint = reader
        .text("HOLDFAST_FINGERPRINT_KEY")
        .map(|text| FingerprintKey::parse(&text));
    if dev && seal.is_none() && fingerprint.is_none() {
        return None;
    }
    match &seal {
        None => reader.fault("HOLDFAST_KEYS", format_args!("{how} (as k1:<that>)")),
        Some(Err(error)) => reader.fault("HOLDFAST_KEYS", error),
        Some(Ok(_)) => {}
    }
    match &fingerprint {
        None => reader.fault("HOLDFAST_FINGERPRINT_KEY", how),
        Some(Err(error)) => reader.fault("HOLDFAST_FINGERPRINT_KEY", error),
        Some(Ok(_)) => {}
    }
    Some(Keys {
        seal: seal?.ok()?,
        fingerprint: fingerprint?.ok()?,
    })
}

fn read_mail_from(reader: &mut Reader<'_>, dev: bool) -> Mailbox {
    let Some(text) = reader.text("HOLDFAST_MAIL_FROM") else {
        if !dev {
            reader.fault(
                "HOLDFAST_MAIL_FROM",
                "is needed: the sender of all mail, and where calendar replies go",
            );
        }
        return local_mailbox();
    };
    let (name, address) = match text
        .trim()
        .strip_suffix('>')
        .and_then(|rest| rest.rsplit_once('<'))
    {
        Some((name, address)) => (
            Some(name.trim().trim_matches('"').to_owned()),
            address.to_owned(),
        ),
        None => (None, text.clone()),
    };
    let name = name.filter(|name| !name.is_empty());
    let clean = name
        .as_deref()
        .is_none_or(|name| !name.chars().any(char::is_control));
    match address.parse::<EmailAddress>() {
        Ok(address) if clean => Mailbox { name, address },
        _ => {
            reader.fault(
                "HOLDFAST_MAIL_FROM",
                "must be an address, or Name <address>",
            );
            local_mailbox()
        }
    }
}

/// The development sender, which also stands in where the setting is faulty.
fn local_mailbox() -> Mailbox {
    Mailbox {
        name: Some("Holdfast".to_owned()),
        address: EmailAddress::at_localhost("holdfast"),
    }
}

fn read_origins(reader: &mut Reader<'_>) -> Vec<String> {
    let text = reader.text("HOLDFAST_CORS_ORIGINS").unwrap_or_default();
    let origins: Vec<String> = text
        .split(',')
        .map(str::trim)
        .filter(|o| !o.is_empty())
        .map(str::to_owned)
        .collect();
    let bad = |origin: &&String| {
        let host = origin
            .strip_prefix("https://")
            .or_else(|| origin.strip_prefix("http://"));
        host.is_none_or(|host| host.is_empty() || host.contains('/'))
    };
    if origins.iter().any(|origin| bad(&origin)) {
        reader.fault(
            "HOLDFAST_CORS_ORIGINS",
            "must be origins such as https://example.com, by commas, without a path",
        );
    }
    origins
}

fn read_file(reader: &mut Reader<'_>, name: &str) -> Option<Vec<u8>> {
    let path = reader.text(name)?;
    match std::fs::read(path.trim()) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            reader.fault(name, format_args!("cannot be read: {}", error.kind()));
            None
        }
    }
}
