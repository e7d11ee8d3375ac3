//! The statements of one booking as a `pgbench` script: what the database alone can do.
//!
//! The texts are the product's own, from the query files that its build checks. Where the program
//! binds a value, the script has an expression, for pgbench's variables are numbers; what the
//! program reads first and uses later, the script does too (`\gset`).

use std::{fmt::Write as _, fs, path::Path, time::Duration};

use tokio::process::Command;

use super::plan::{BASE_CODE, BASE_HANDLE, Plan, SLOT_S, STRIDE};

/// The script's text.
pub fn script(plan: &Plan) -> String {
    let queries = Queries::read();
    let mut script = String::new();
    for (name, expression) in [
        ("i", ":i + 1".to_owned()),
        ("n", ":i * :clients + :client_id".to_owned()),
        ("handle", format!("{BASE_HANDLE} + :n % {}", plan.hosts)),
        ("code", format!("{BASE_CODE} + :n % {}", plan.hosts)),
        (
            "start",
            format!(
                "{} + (:n / {} * {STRIDE}) % {} * {SLOT_S}",
                plan.base_s, plan.hosts, plan.slots
            ),
        ),
        ("day", ":start / 86400".to_owned()),
        ("ip", format!(":n % {}", plan.clients_ips)),
        ("address", ":n + 1000000".to_owned()),
    ] {
        let _ = writeln!(script, "\\set {name} {expression}");
    }
    let at = |seconds: &str| format!("to_timestamp(:start{seconds})");
    let id = |of: &str| format!("md5(:n::text || '{of}')::uuid");
    let sealed = |bytes: u32| format!("decode(repeat('a7', {bytes}), 'hex')");
    let address_fp = "sha256(int8send(:address))".to_owned();
    let ip_fp = "sha256(int8send(:ip))".to_owned();
    let key_scope = format!("uuid_send(:p_event_type_id::uuid) || {address_fp}");
    let key_hash = "sha256(int8send(:n))".to_owned();
    let now = ":l_now".to_owned();
    let null = |kind: &str| format!("NULL::{kind}");
    let text = |value: &str| format!("'{value}'");

    // Before the transaction.
    let page = [
        ":handle::text".to_owned(),
        ":code::text".to_owned(),
        null("uuid"),
        "date '1970-01-01' + (:day - 2)".to_owned(),
        "date '1970-01-01' + (:day + 2)".to_owned(),
    ];
    queries.add(&mut script, "FROM event_types t\n        JOIN hosts h ON h.id = t.owner_host_id\n        JOIN schedules s ON s.id = t.schedule_id\n        WHERE (h.handle", &page, "\\gset p_");
    let busy = [
        ":p_host_id".to_owned(),
        at(" - 87000"),
        at(" + 87060"),
        at(" - 130200"),
        at(" + 87060"),
    ];
    queries.add(
        &mut script,
        "FROM booking_hosts bh JOIN bookings b",
        &busy,
        ";",
    );
    let found = [key_scope.clone(), key_hash.clone(), "now()".to_owned()];
    queries.add(
        &mut script,
        "SELECT request_fp, booking_id, revision FROM idempotency_keys",
        &found,
        ";",
    );

    // The transaction.
    script.push_str("BEGIN;\n");
    let lock = [
        ":p_host_id".to_owned(),
        "ARRAY[:ip, :address]::bigint[]".to_owned(),
        null("timestamptz"),
    ];
    queries.add(&mut script, "pg_advisory_xact_lock", &lock, "\\gset l_");
    let recheck = [
        ":p_event_type_id".to_owned(),
        ip_fp.clone(),
        address_fp.clone(),
        now.clone(),
        ":l_now::timestamptz - interval '24 hours'".to_owned(),
        key_scope.clone(),
        key_hash.clone(),
    ];
    queries.add(&mut script, "CROSS JOIN LATERAL", &recheck, ";");
    queries.add(
        &mut script,
        "FROM booking_hosts bh JOIN bookings b",
        &busy,
        ";",
    );
    let confirmed = plan.instant;
    let insert = [
        id("booking"),
        ":p_event_type_id".to_owned(),
        text(if confirmed { "confirmed" } else { "held" }),
        now.clone(),
        sealed(46),
        sealed(68),
        sealed(49),
        null("bytea"),
        null("bytea"),
        sealed(44),
        sealed(54),
        address_fp.clone(),
        text("Europe/Paris"),
        text("en"),
        sealed(43),
        if confirmed { sealed(86) } else { null("bytea") },
        "30".to_owned(),
        "0".to_owned(),
        "0".to_owned(),
        at(""),
        at(" + 1800"),
        if confirmed {
            null("timestamptz")
        } else {
            ":l_now::timestamptz + interval '30 minutes'".to_owned()
        },
        ip_fp,
        text("booker"),
        id("event"),
        ":l_calendar_id".to_owned(),
        sealed(60),
        null("bytea"),
        "to_timestamp(:start) AT TIME ZONE 'UTC'".to_owned(),
        "to_timestamp(:start + 1800) AT TIME ZONE 'UTC'".to_owned(),
        text("Asia/Tokyo"),
        text(if confirmed { "confirmed" } else { "tentative" }),
        ":p_host_id".to_owned(),
        format!("tstzrange({}, {}, '[)')", at(""), at(" + 1800")),
        "'{}'".to_owned(),
        "'{}'".to_owned(),
        "'{}'".to_owned(),
        "'{}'".to_owned(),
        if confirmed {
            "sha256(int8send(:n + 1))".to_owned()
        } else {
            "NULL".to_owned()
        },
        text(if confirmed { "book" } else { "hold" }),
        key_scope,
        key_hash,
        address_fp,
    ];
    queries.add(&mut script, "INSERT INTO bookings", &insert, ";");
    let mail = if confirmed {
        [
            id("booking"),
            "0".to_owned(),
            now,
            format!("ARRAY[{}, {}, {}, {}]", id("1"), id("2"), id("3"), id("4")),
            "'{confirmed,confirmed,reminder,reminder}'".to_owned(),
            "'{host,booker,host,booker}'".to_owned(),
            "ARRAY[:p_host_id, NULL, :p_host_id, NULL]".to_owned(),
            "'{0,0,1440,1440}'".to_owned(),
            "'{prompt,prompt,reminder,reminder}'".to_owned(),
            "'{0,1,0,1}'".to_owned(),
            format!("ARRAY[NULL, NULL, {0}, {0}]", at(" - 86400")),
            format!("ARRAY[:l_now, :l_now, {0}, {0}]", at(" - 86400")),
        ]
    } else {
        [
            id("booking"),
            "0".to_owned(),
            now,
            format!("ARRAY[{}]", id("1")),
            "'{hold}'".to_owned(),
            "'{booker}'".to_owned(),
            "'{NULL}'".to_owned(),
            "'{0}'".to_owned(),
            "'{prompt}'".to_owned(),
            "'{1}'".to_owned(),
            "'{NULL}'".to_owned(),
            "ARRAY[:l_now]".to_owned(),
        ]
    };
    queries.add(&mut script, "INSERT INTO mail_outbox", &mail, ";");
    script.push_str("COMMIT;\n");
    script
}

/// The texts of the product's queries.
struct Queries(Vec<String>);

impl Queries {
    fn read() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.sqlx");
        let texts = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|file| {
                let bytes = fs::read(file.unwrap().path()).unwrap();
                let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                without_types(json["query"].as_str().unwrap())
            });
        Self(texts.collect())
    }

    /// Adds the one query whose text has `part`, with `values` for its parameters.
    fn add(&self, script: &mut String, part: &str, values: &[String], end: &str) {
        let mut having = self.0.iter().filter(|text| text.contains(part));
        let (Some(query), None) = (having.next(), having.next()) else {
            panic!("not exactly one query has {part:?}");
        };
        let mut text = query.clone();
        assert!(
            !text.contains(&format!("${}", values.len() + 1)),
            "the query with {part:?} has more parameters than the script gives"
        );
        for (position, value) in values.iter().enumerate().rev() {
            let parameter = format!("${}", position + 1);
            assert!(text.contains(&parameter), "{part:?} has no {parameter}");
            text = text.replace(&parameter, value);
        }
        let _ = writeln!(script, "{text}{end}");
    }
}

/// Column names carry their Rust types (`AS "now!"`), which no variable of pgbench can.
fn without_types(query: &str) -> String {
    let parts = query.split('"').enumerate().map(|(position, part)| {
        if position % 2 == 0 {
            part
        } else {
            part.split(['!', '?', ':']).next().unwrap_or(part)
        }
    });
    parts.collect::<Vec<&str>>().join("\"")
}

/// Runs a script for so long, from the booking with the number `first` on; transactions a second.
///
/// # Panics
/// When pgbench is missing or a transaction fails.
pub async fn run(url: &str, script: &str, first: u64, clients: usize, length: Duration) -> f64 {
    let file = std::env::temp_dir().join(format!("holdfast-bench-{}.sql", std::process::id()));
    fs::write(&file, script).unwrap();
    let ran = Command::new(program())
        .args(["--no-vacuum", "--protocol=prepared"])
        // Raised before its first use.
        .arg(format!("--define=i={}", first / clients as u64 - 1))
        .arg(format!("--define=clients={clients}"))
        .arg(format!("--client={clients}"))
        .arg(format!("--time={}", length.as_secs()))
        .arg(format!("--file={}", file.display()))
        .arg(url)
        .output()
        .await
        .unwrap_or_else(|error| panic!("pgbench: {error}"));
    fs::remove_file(&file).unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    let failed = String::from_utf8_lossy(&ran.stderr);
    assert!(
        ran.status.success() && !failed.contains("aborted"),
        "{told}{failed}"
    );
    let rate = told.lines().find_map(|line| {
        let value = line.strip_prefix("tps = ")?;
        value.split_whitespace().next()?.parse().ok()
    });
    rate.unwrap_or_else(|| panic!("no rate in {told}"))
}

/// pgbench from `PG_BIN`, the search path, or Debian's folders.
fn program() -> std::path::PathBuf {
    let given = std::env::var_os("PG_BIN").map(std::path::PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    given
        .into_iter()
        .chain(std::env::split_paths(&path))
        .chain(debian)
        .map(|folder| folder.join("pgbench"))
        .find(|program| program.exists())
        .expect("pgbench, which comes with PostgreSQL's server")
}
