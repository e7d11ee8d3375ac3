//! The list of settings, as `.env.example` has it.

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
        "HOLDFAST_MAIL_RECIPIENT_MAX_PER_HOUR",
        "5",
        "Mails to one booker's or guest's address in a rolling hour, across all bookings and hosts. What is over is never sent.",
    ),
    setting(
        "HOLDFAST_MAIL_RECIPIENT_MAX_PER_DAY",
        "20",
        "The same in a rolling day.",
    ),
    setting(
        "HOLDFAST_SIGN_IN_MAIL_MAX_PER_HOUR",
        "5",
        "Sign-in mails to one address in a rolling hour.",
    ),
    setting(
        "HOLDFAST_SIGN_IN_MAIL_MAX_PER_DAY",
        "20",
        "The same in a rolling day.",
    ),
    setting(
        "HOLDFAST_MAIL_MAX_PER_HOUR",
        "100",
        "All mail over this database in a rolling hour; hosts' and sign-in mail may use 20 percent more. 0: no limit.",
    ),
    setting(
        "HOLDFAST_CALENDAR_POLL_MINUTES",
        "15",
        "How often a subscribed calendar is read, from 5 to 1440.",
    ),
    setting(
        "HOLDFAST_OUTBOUND_ALLOW",
        "",
        "What requests to other servers may reach although it is not public: networks such as 10.0.0.0/8 and host names, between commas.",
    ),
    setting(
        "HOLDFAST_OUTBOUND_CA_FILE",
        "",
        "More root certificates for other servers, PEM, beside Mozilla's.",
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
        "HOLDFAST_MAX_KEY_REQUESTS_PER_MINUTE",
        "600",
        "Requests a minute with one API key. Requests with a key that opens nothing count by client IP.",
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
