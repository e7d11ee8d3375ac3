//! The list of settings and how each is read.

use std::{net::SocketAddr, path::PathBuf};

use super::{Config, Database, Faults, Keys, Limits, Mailbox, Role, reader::Reader};
use crate::{address::EmailAddress, fingerprint::FingerprintKey, seal::SealKeys};

/// One environment variable, as `.env.example` and `admin check-config` list it.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The variable.
    pub name: &'static str,
    /// What holds when it is not set; empty for none.
    pub default: &'static str,
    /// Whether its value is masked, and may be given as a file by `<name>_FILE`.
    pub secret: bool,
    /// What it does.
    pub about: &'static str,
}

const fn setting(name: &'static str, default: &'static str, about: &'static str) -> Setting {
    Setting {
        name,
        default,
        secret: false,
        about,
    }
}

const fn secret(name: &'static str, about: &'static str) -> Setting {
    Setting {
        name,
        default: "",
        secret: true,
        about,
    }
}

/// Every setting, in the order of `.env.example`.
pub const SETTINGS: &[Setting] = &[
    setting(
        "HOLDFAST_ROLE",
        "all",
        "Which half runs: all, web (HTTP only) or worker (mail, reminders, sweeps).",
    ),
    setting(
        "HOLDFAST_LISTEN",
        "127.0.0.1:8080",
        "Address and port of the HTTP listener. A worker's port serves health and metrics; do not publish it.",
    ),
    setting(
        "HOLDFAST_PUBLIC_URL",
        "",
        "The address people reach this under, such as https://book.example.com. Links are built from it. Default in development: http:// and the listener.",
    ),
    setting(
        "HOLDFAST_MANAGE_URL",
        "",
        "Where a booker's links lead, with {token} and {action} in it. Default: <public url>/book/m/{token}?action={action}",
    ),
    secret(
        "DATABASE_URL",
        "PostgreSQL 15 or newer with btree_gist. Not set: a private PostgreSQL in the data directory.",
    ),
    secret(
        "DATABASE_DIRECT_URL",
        "For migrations and LISTEN when DATABASE_URL passes through PgBouncer in transaction mode. Default: DATABASE_URL.",
    ),
    setting(
        "HOLDFAST_DATABASE_CONNECTIONS",
        "",
        "Connections of this process. Default: 15 in role all, 10 in web, 5 in worker.",
    ),
    setting(
        "HOLDFAST_PREPARED_STATEMENTS",
        "true",
        "Named prepared statements; false behind a PgBouncer that cannot keep them.",
    ),
    setting(
        "HOLDFAST_DATA_DIR",
        "./data",
        "Where the private PostgreSQL and the development keys live.",
    ),
    setting(
        "PG_BIN",
        "",
        "Directory of initdb and pg_ctl, if not on PATH or under /usr/lib/postgresql.",
    ),
    setting(
        "HOLDFAST_AUTO_MIGRATE",
        "true",
        "Migrate the schema at start. false: holdfast admin migrate does it, and a process refuses a schema that does not fit.",
    ),
    secret(
        "HOLDFAST_KEYS",
        "Keys that seal personal data: kid:base64 pairs of 32 bytes, by commas; the first seals, all open. The same in every process.",
    ),
    secret(
        "HOLDFAST_FINGERPRINT_KEY",
        "32 bytes in base64; matches addresses and IPs. The same in every process; does not rotate with HOLDFAST_KEYS.",
    ),
    setting(
        "HOLDFAST_DEV",
        "",
        "Development mode: keys in the data directory, a demo page, mail shown at /dev/mail. Default: true without DATABASE_URL on a loopback listener, else false.",
    ),
    setting(
        "HOLDFAST_TZDIR",
        "",
        "A directory with a newer IANA time-zone table. Default: the newer of the bundled one and the system's.",
    ),
    setting(
        "HOLDFAST_TRUSTED_PROXY_HOPS",
        "0",
        "How many proxies in front are trusted to append to X-Forwarded-For.",
    ),
    setting(
        "HOLDFAST_CORS_ORIGINS",
        "",
        "Origins whose scripts may call the public API, by commas. Default: any.",
    ),
    setting(
        "HOLDFAST_SLOT_CONCURRENCY",
        "",
        "Slot computations at once; one more answers 503. Default: 4 per core.",
    ),
    setting(
        "HOLDFAST_HTTP_THREADS",
        "",
        "Threads that serve HTTP. Default: one per core.",
    ),
    setting(
        "HOLDFAST_MAIL_FROM",
        "",
        "The sender of all mail, as address or Name <address>. It receives calendar replies. Default in development: holdfast@localhost.",
    ),
    secret(
        "HOLDFAST_SMTP_URL",
        "smtp://, smtps:// or smtp+starttls://user:password@host:port. Not set in development: mail is kept in memory and shown at /dev/mail.",
    ),
    setting(
        "HOLDFAST_SMTP_CA_FILE",
        "",
        "A PEM file with further root certificates for the mail server.",
    ),
    setting(
        "HOLDFAST_MAIL_CONCURRENCY",
        "4",
        "Mails in flight at once in this process.",
    ),
    setting(
        "HOLDFAST_MAX_REQUESTS_PER_MINUTE",
        "60",
        "Public requests a minute by client IP.",
    ),
    setting(
        "HOLDFAST_MAX_BOOKING_REQUESTS_PER_MINUTE",
        "10",
        "Booking requests a minute by client IP, refused ones included.",
    ),
    setting(
        "HOLDFAST_MAX_OPEN_HOLDS_PER_IP",
        "5",
        "Open holds by client IP.",
    ),
    setting(
        "HOLDFAST_MAX_OPEN_HOLDS_PER_EVENT_TYPE",
        "20",
        "Open holds of one event type.",
    ),
    setting(
        "HOLDFAST_MAX_OPEN_HOLDS_PER_ADDRESS",
        "2",
        "Open holds by the booker's address.",
    ),
    setting(
        "HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_IP",
        "20",
        "Bookings in 24 hours by client IP, whatever became of them.",
    ),
    setting(
        "HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_ADDRESS",
        "6",
        "Bookings in 24 hours by the booker's address, whatever became of them.",
    ),
    setting(
        "HOLDFAST_MAX_BOOKER_RESCHEDULES",
        "5",
        "How often a booker may move one booking; 0 switches it off. Hosts' moves do not count.",
    ),
    setting(
        "HOLDFAST_BOOKING_LEAD_HOURS",
        "0",
        "A floor under every event type's notice, in hours.",
    ),
    setting(
        "HOLDFAST_LOG",
        "info",
        "What is logged: a tracing filter such as info or info,sqlx=warn.",
    ),
];

/// The text of `.env.example`: every setting with its default, commented out.
#[must_use]
pub fn env_example() -> String {
    let mut text = String::from(
        "# Every setting of Holdfast with its default. Secrets may be given as files: NAME_FILE=/run/secrets/name\n",
    );
    for setting in SETTINGS {
        text.push_str("\n# ");
        text.push_str(setting.about);
        text.push_str("\n#");
        text.push_str(setting.name);
        text.push('=');
        text.push_str(setting.default);
        text.push('\n');
    }
    text
}

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
        prepared_statements: reader.flag("HOLDFAST_PREPARED_STATEMENTS", true),
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
        },
        log: reader
            .text("HOLDFAST_LOG")
            .unwrap_or_else(|| "info".to_owned()),
    };
    if reader.faults.is_empty() {
        Ok(config)
    } else {
        Err(Faults(reader.faults))
    }
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
