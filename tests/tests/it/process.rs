//! `holdfast` as an operator runs it: starting, refusing to start, stopping.

use std::time::{Duration, Instant};

use holdfast_tests::{
    database::TestDatabase,
    process::{Running, Settings, holdfast},
};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};

const NEWEST: i64 = 99_990_101_000_000;

/// What a process says that refuses to start; it has answered nothing before.
async fn refusal(settings: &Settings) -> String {
    let said = holdfast(settings, &[]).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(!said.stdout.contains("ready"), "{said:?}");
    said.stderr
}

/// Red when migrations run without PostgreSQL's advisory lock.
#[tokio::test]
async fn three_processes_that_start_at_once_on_an_empty_database_all_become_ready() {
    let database = TestDatabase::empty().await;
    let mut all: Vec<Running> = (0..3)
        .map(|_| Running::start(&Settings::web(&database)))
        .collect();
    for process in &mut all {
        process.ready().await;
        let (_, ready) = process.get("/readyz").await;
        let ready: Value = serde_json::from_str(&ready).unwrap();
        assert_eq!(
            (
                ready["status"].clone(),
                ready["database"].clone(),
                ready["schema"].clone()
            ),
            (json!("ready"), json!("reachable"), json!("fits"))
        );
        assert!(
            ready["zones"]["version"]
                .as_str()
                .unwrap()
                .starts_with("20")
        );
    }
    for process in all {
        process.stop().await;
    }
    let rows = database.rows().await;
    let count = |table: &str| rows.iter().find(|(name, _)| name == table).unwrap().1.len();
    assert_eq!(
        (count("instance"), count("hosts")),
        (1, 0),
        "and no demo host outside development"
    );
    database.drop_it().await;
}

#[tokio::test]
async fn a_schema_that_does_not_fit_is_refused_by_name_and_left_alone() {
    let database = TestDatabase::empty().await;
    let settings = Settings::web(&database).with("HOLDFAST_AUTO_MIGRATE", "false");
    let words = refusal(&settings).await;
    assert!(
        words.contains("the database's schema is older than this program; it lacks [2"),
        "{words}"
    );
    assert!(words.contains("run: holdfast admin migrate"), "{words}");
    assert!(database.rows().await.is_empty(), "nothing was made");

    let said = holdfast(&settings, &["admin", "migrate", "--json"]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let count = shared::process::migrate::MIGRATIONS.iter().count();
    assert_eq!(
        serde_json::from_str::<Value>(&said.stdout).unwrap(),
        json!({ "status": "ok", "migrations": count })
    );
    let again = holdfast(&settings, &["admin", "migrate"]).await;
    assert_eq!(
        (again.code, again.stdout),
        (Some(0), format!("the schema fits ({count} migrations)\n"))
    );
    let mut process = Running::start(&settings);
    process.ready().await;

    // A newer Holdfast migrated it meanwhile: the running one says so, another refuses to start.
    database.run(&format!("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES ({NEWEST}, 'of tomorrow', true, '', 0)")).await;
    let (status, ready) = process.get("/readyz").await;
    assert_eq!(
        (
            status,
            serde_json::from_str::<Value>(&ready).unwrap()["schema"].clone()
        ),
        (200, json!("newer"))
    );
    process.stop().await;
    let words = refusal(&settings).await;
    assert!(words.contains(&format!("the database's schema is newer than this program, which does not know [{NEWEST}]; use the newer program")), "{words}");
    let words = refusal(&settings.with("HOLDFAST_AUTO_MIGRATE", "true")).await;
    assert!(words.contains(&NEWEST.to_string()), "{words}");
    database.drop_it().await;
}

#[tokio::test]
async fn keys_that_do_not_fit_the_database_are_refused_by_their_id() {
    let database = TestDatabase::create().await;
    let settings = Settings::web(&database);
    let mut first = Running::start(&settings);
    first.ready().await;
    first.stop().await;
    let other = |byte: char| byte.to_string().repeat(43) + "=";
    for (name, value, want) in [
        (
            "HOLDFAST_KEYS",
            format!("second:{}", other('A')),
            "HOLDFAST_KEYS does not fit this database: it is sealed with key id first, which HOLDFAST_KEYS does not have",
        ),
        (
            "HOLDFAST_KEYS",
            format!("first:{}", other('A')),
            "HOLDFAST_KEYS does not fit this database: it does not open with key id first: damaged, moved, or another key under that id",
        ),
        (
            "HOLDFAST_FINGERPRINT_KEY",
            other('A'),
            "HOLDFAST_FINGERPRINT_KEY is not the key that this database's fingerprints were made with",
        ),
    ] {
        let words = refusal(&settings.clone().with(name, value.as_str())).await;
        assert!(words.contains(want), "{words}");
        assert!(
            !words.contains(&other('A')),
            "the key itself is not shown: {words}"
        );
    }
    // A new key in front of the old one is a rotation.
    let both = format!("second:{},{}", other('A'), settings.get("HOLDFAST_KEYS"));
    let mut rotated = Running::start(&settings.with("HOLDFAST_KEYS", both));
    rotated.ready().await;
    rotated.stop().await;
    database.drop_it().await;
}

#[tokio::test]
async fn every_fault_of_the_configuration_is_said_at_once() {
    let secret = "hunter2";
    let settings = Settings::none()
        .with("HOLDFAST_ROLE", "boss")
        .with("HOLDFAST_LISTEN", "8080")
        .with("HOLDFAST_PUBLIC_URL", "book.example.com")
        .with(
            "DATABASE_URL",
            format!("mysql://{secret}@localhost/holdfast"),
        )
        .with("HOLDFAST_DATABASE_CONNECTIONS", "0")
        .with("HOLDFAST_AUTO_MIGRATE", "maybe")
        .with("HOLDFAST_KEYS", secret)
        .with("HOLDFAST_FINGERPRINT_KEY_FILE", "/nowhere/key")
        .with("HOLDFAST_MAIL_FROM", "nobody")
        .with("HOLDFAST_CORS_ORIGINS", "example.com")
        .with("HOLDFAST_BOOKING_LEAD_HOURS", "-1");
    let want = [
        "HOLDFAST_ROLE: must be all, web or worker",
        "HOLDFAST_LISTEN: must be an address and a port such as 127.0.0.1:8080",
        "HOLDFAST_PUBLIC_URL: must be an address such as https://book.example.com",
        "DATABASE_URL: must start with postgres:// or postgresql://",
        "HOLDFAST_DATABASE_CONNECTIONS: must be a whole number from 3 to 1000",
        "HOLDFAST_AUTO_MIGRATE: must be true or false",
        "HOLDFAST_KEYS: pair 1 is not kid:base64",
        "HOLDFAST_FINGERPRINT_KEY_FILE: cannot be read",
        "HOLDFAST_MAIL_FROM: must be an address, or Name <address>",
        "HOLDFAST_CORS_ORIGINS: must be origins such as https://example.com",
        "HOLDFAST_BOOKING_LEAD_HOURS: must be a whole number from 0 to 8760",
    ];
    let served = holdfast(&settings, &[]).await;
    let checked = holdfast(&settings, &["admin", "check-config"]).await;
    for said in [&served, &checked] {
        assert_eq!(said.code, Some(1), "{said:?}");
        for line in want {
            assert!(said.stderr.contains(line), "{line} is missing: {said:?}");
        }
        assert!(!format!("{said:?}").contains(secret), "{said:?}");
    }
    let listed = holdfast(&settings, &["admin", "check-config", "--json"]).await;
    let faults = serde_json::from_str::<Value>(&listed.stdout).unwrap()["faults"].clone();
    assert_eq!(listed.code, Some(1));
    for line in want {
        let (name, _) = line.split_once(": ").unwrap();
        assert!(
            faults
                .as_array()
                .unwrap()
                .iter()
                .any(|fault| fault["name"] == name),
            "{name}: {faults}"
        );
    }
}

#[tokio::test]
async fn what_the_configuration_needs_is_said_when_it_is_missing() {
    let words =
        refusal(&Settings::none().with("DATABASE_URL", "postgres://localhost/holdfast")).await;
    for name in [
        "HOLDFAST_PUBLIC_URL",
        "HOLDFAST_KEYS",
        "HOLDFAST_FINGERPRINT_KEY",
        "HOLDFAST_MAIL_FROM",
        "HOLDFAST_SMTP_URL",
    ] {
        assert!(
            words.contains(&format!("{name}: is needed")),
            "{name}: {words}"
        );
    }
}

/// Red when the stop does not wait for requests.
#[tokio::test]
async fn sigterm_finishes_a_running_request_and_takes_no_new_one() {
    let database = TestDatabase::create().await;
    let mut process = Running::start(&Settings::web(&database));
    process.ready().await;
    let client = reqwest::Client::new();
    // Kept open by the client, as browsers do.
    assert_eq!(
        client
            .get(format!("{}/healthz", process.url))
            .send()
            .await
            .unwrap()
            .status(),
        200
    );

    let mut lock = PgConnection::connect_with(&database.options())
        .await
        .unwrap();
    lock.execute("BEGIN; LOCK TABLE event_types IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    let waiting = tokio::spawn(reqwest::get(format!(
        "{}/v1/pages/nobody/abcdefgh",
        process.url
    )));
    wait_for_lock(&database).await;
    process.signal("TERM");
    let deadline = Instant::now() + Duration::from_secs(5);
    while reqwest::get(format!("{}/healthz", process.url))
        .await
        .is_ok()
    {
        assert!(Instant::now() < deadline, "it still takes connections");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(process.runs());
    lock.execute("ROLLBACK").await.unwrap();
    assert_eq!(
        waiting.await.unwrap().unwrap().status(),
        404,
        "the answer that it would have got anyway"
    );
    let released = Instant::now();
    let status = process.ended().await;
    assert_eq!(status.code(), Some(0), "{}", process.stderr());
    assert!(
        released.elapsed() < Duration::from_secs(12),
        "{:?}",
        released.elapsed()
    );
    assert!(
        process.stderr().contains("\"stopped\""),
        "{}",
        process.stderr()
    );
    lock.close().await.unwrap();
    database.drop_it().await;
}

/// Waits until somebody waits for a table.
async fn wait_for_lock(database: &TestDatabase) {
    let mut conn = PgConnection::connect_with(&database.options())
        .await
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let waits: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')").fetch_one(&mut conn).await.unwrap();
        if waits {
            return;
        }
        assert!(Instant::now() < deadline, "nobody waits");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn idle_it_stops_within_seconds_and_a_second_signal_ends_it_at_once() {
    let database = TestDatabase::create().await;
    let settings = Settings::web(&database);
    for signal in ["TERM", "INT"] {
        let mut process = Running::start(&settings);
        process.ready().await;
        let asked = Instant::now();
        process.signal(signal);
        assert_eq!(process.ended().await.code(), Some(0), "{signal}");
        assert!(
            asked.elapsed() < Duration::from_secs(5),
            "{signal}: {:?}",
            asked.elapsed()
        );
    }
    let mut process = Running::start(&settings);
    process.ready().await;
    let mut lock = PgConnection::connect_with(&database.options())
        .await
        .unwrap();
    lock.execute("BEGIN; LOCK TABLE event_types IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    let waiting = tokio::spawn(reqwest::get(format!(
        "{}/v1/pages/nobody/abcdefgh",
        process.url
    )));
    wait_for_lock(&database).await;
    process.signal("TERM");
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(process.runs());
    process.signal("TERM");
    assert_eq!(process.ended().await.code(), Some(1));
    assert!(waiting.await.unwrap().is_err());
    lock.close().await.unwrap();
    database.drop_it().await;
}

#[tokio::test]
async fn a_port_that_is_taken_and_a_database_that_is_not_there_are_said() {
    let database = TestDatabase::create().await;
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let words = refusal(&Settings::web(&database).with("HOLDFAST_LISTEN", address.as_str())).await;
    assert!(
        words.contains(&format!("cannot listen on {address}: ")),
        "{words}"
    );
    let url = database.url();
    database.drop_it().await;
    let words = refusal(&Settings::web(&database).with("DATABASE_URL", url)).await;
    assert!(
        words.contains("the database cannot be reached: "),
        "{words}"
    );
    assert!(words.contains("does not exist"), "{words}");
}
