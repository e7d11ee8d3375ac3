#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]
use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::*;

fn read(pairs: &[(&str, &str)]) -> Result<Config, Faults> {
    let map: BTreeMap<String, String> = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    Config::read(&|name| map.get(name).cloned())
}

fn names(faults: &Faults) -> Vec<&str> {
    faults.0.iter().map(|fault| fault.name.as_str()).collect()
}

#[test]
fn nothing_set_is_development_on_loopback() {
    let config = read(&[]).unwrap();
    assert!(config.dev);
    assert_eq!(config.role, Role::All);
    assert_eq!(config.public_url, "http://127.0.0.1:8080");
    assert_eq!(
        config.manage_url,
        "http://127.0.0.1:8080/book/m/{token}?action={action}"
    );
    assert!(config.database == Database::Private { binaries: None });
    assert_eq!(config.database_connections, 15);
    assert!(config.keys.is_none());
    assert_eq!(config.mail_from.address.as_str(), "holdfast@localhost");
    assert_eq!(config.limits.open_holds_per_address, 2);
    assert_eq!(
        config.limits.mail,
        MailBudgets {
            recipient_per_hour: 5,
            recipient_per_day: 20,
            sign_in_per_hour: 5,
            sign_in_per_day: 20,
            per_hour: 100,
        }
    );
}

/// The one budget that can be switched off.
#[test]
fn no_limit_for_the_installations_mail_is_written_0() {
    let config = read(&[("HOLDFAST_MAIL_MAX_PER_HOUR", "0")]).unwrap();
    assert_eq!(config.limits.mail.per_hour, 0);
}

#[test]
fn two_halves_in_one_process_share_its_connections() {
    let shares = |count: &str| {
        let config = read(&[("HOLDFAST_DATABASE_CONNECTIONS", count)]).unwrap();
        (config.web_connections(), config.worker_connections())
    };
    assert_eq!(shares("15"), (10, 5));
    assert_eq!(shares("3"), (2, 1));
    let mut config = read(&[]).unwrap();
    config.role = Role::Web;
    assert_eq!(config.web_connections(), 15);
    config.role = Role::Worker;
    assert_eq!(config.worker_connections(), 15);
}

#[test]
fn a_database_of_ones_own_ends_development_and_asks_for_the_rest_at_once() {
    let faults = read(&[("DATABASE_URL", "postgres://db/holdfast")])
        .err()
        .unwrap();
    assert_eq!(
        names(&faults),
        [
            "HOLDFAST_PUBLIC_URL",
            "HOLDFAST_KEYS",
            "HOLDFAST_FINGERPRINT_KEY",
            "HOLDFAST_MAIL_FROM",
            "HOLDFAST_SMTP_URL"
        ]
    );
    let faults = read(&[("HOLDFAST_LISTEN", "0.0.0.0:80")]).err().unwrap();
    assert!(
        names(&faults).contains(&"HOLDFAST_PUBLIC_URL"),
        "a public listener is not development"
    );
}

#[test]
fn every_fault_is_reported_with_its_name_and_never_its_value() {
    let bad = [
        ("HOLDFAST_ROLE", "everything-xyzzy"),
        ("HOLDFAST_LISTEN", "xyzzy"),
        ("HOLDFAST_PUBLIC_URL", "ftp://xyzzy"),
        ("HOLDFAST_MANAGE_URL", "https://xyzzy"),
        ("DATABASE_URL", "mysql://xyzzy"),
        ("HOLDFAST_DATABASE_CONNECTIONS", "xyzzy"),
        ("HOLDFAST_AUTO_MIGRATE", "xyzzy"),
        ("HOLDFAST_DEV", "xyzzy"),
        ("HOLDFAST_KEYS", "xyzzy"),
        ("HOLDFAST_FINGERPRINT_KEY", "xyzzy"),
        ("HOLDFAST_TRUSTED_PROXY_HOPS", "-1"),
        ("HOLDFAST_CORS_ORIGINS", "xyzzy"),
        ("HOLDFAST_SLOT_CONCURRENCY", "0"),
        ("HOLDFAST_HTTP_THREADS", "0"),
        ("HOLDFAST_MAIL_FROM", "xyzzy"),
        ("HOLDFAST_SMTP_CA_FILE", "/nonexistent/xyzzy"),
        ("HOLDFAST_MAIL_CONCURRENCY", "1"),
        ("HOLDFAST_MAX_REQUESTS_PER_MINUTE", "0"),
        ("HOLDFAST_MAX_BOOKING_REQUESTS_PER_MINUTE", "0"),
        ("HOLDFAST_MAX_OPEN_HOLDS_PER_IP", "0"),
        ("HOLDFAST_MAX_OPEN_HOLDS_PER_EVENT_TYPE", "0"),
        ("HOLDFAST_MAX_OPEN_HOLDS_PER_ADDRESS", "0"),
        ("HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_IP", "0"),
        ("HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_ADDRESS", "0"),
        ("HOLDFAST_MAX_BOOKER_RESCHEDULES", "x"),
        ("HOLDFAST_BOOKING_LEAD_HOURS", "99999"),
        ("HOLDFAST_MAIL_RECIPIENT_MAX_PER_HOUR", "0"),
        ("HOLDFAST_MAIL_RECIPIENT_MAX_PER_DAY", "0"),
        ("HOLDFAST_SIGN_IN_MAIL_MAX_PER_HOUR", "0"),
        ("HOLDFAST_SIGN_IN_MAIL_MAX_PER_DAY", "0"),
        ("HOLDFAST_MAIL_MAX_PER_HOUR", "-1"),
        ("HOLDFAST_LOG", "xyzzy=loud"),
    ];
    let faults = read(&bad).err().unwrap();
    let named = names(&faults);
    for (name, _) in bad {
        assert!(named.contains(&name), "{name} is not among {named:?}");
    }
    assert!(!faults.to_string().contains("xyzzy"));
}

#[test]
fn a_secret_may_come_from_a_file_but_not_from_both() {
    let directory = std::env::temp_dir().join(format!("holdfast-config-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("keys");
    std::fs::write(&path, format!("k1:{}\n", STANDARD.encode([3; 32]))).unwrap();
    let path = path.to_str().unwrap();
    let fingerprint = STANDARD.encode([4; 32]);
    let config = read(&[
        ("HOLDFAST_KEYS_FILE", path),
        ("HOLDFAST_FINGERPRINT_KEY", &fingerprint),
    ])
    .ok();
    assert!(config.expect("reads the file").keys.is_some());
    let both = [
        ("HOLDFAST_KEYS_FILE", path),
        ("HOLDFAST_KEYS", "k1:x"),
        ("HOLDFAST_FINGERPRINT_KEY", &fingerprint),
    ];
    assert!(names(&read(&both).err().unwrap()).contains(&"HOLDFAST_KEYS_FILE"));
    let missing = [("HOLDFAST_KEYS_FILE", "/nonexistent/keys")];
    assert!(names(&read(&missing).err().unwrap()).contains(&"HOLDFAST_KEYS_FILE"));
    // A plain setting has no file form.
    assert_eq!(
        read(&[("HOLDFAST_ROLE_FILE", "/nonexistent")])
            .unwrap()
            .role,
        Role::All
    );
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn a_sender_may_have_a_name() {
    let config = read(&[("HOLDFAST_MAIL_FROM", "\"Ana's Office\" <book@example.com>")]).unwrap();
    assert_eq!(config.mail_from.name.as_deref(), Some("Ana's Office"));
    assert_eq!(config.mail_from.address.as_str(), "book@example.com");
}

#[test]
fn the_worker_needs_a_mail_server_outside_development() {
    assert!(
        names(&read(&[("HOLDFAST_ROLE", "worker")]).err().unwrap()).contains(&"HOLDFAST_SMTP_URL")
    );
    assert!(read(&[("HOLDFAST_ROLE", "web")]).is_ok());
}

#[test]
fn the_example_file_equals_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../.env.example");
    let file = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        file,
        env_example(),
        "write it anew with: holdfast admin check-config --example > .env.example"
    );
}
