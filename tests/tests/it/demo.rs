//! One command from nothing to a working page, and what becomes of it afterwards.

use std::{collections::BTreeMap, path::Path};

use holdfast_server::private_postgres::{self, PrivatePostgres};
use holdfast_tests::{
    database::TestDatabase,
    process::{Running, Scratch, Settings, free_port, holdfast},
};
use jiff::civil::Weekday;
use serde_json::Value;
use shared::{clock::Clock, instant::Instant, zone::Zones};
use sqlx::{Connection as _, PgConnection};

/// Nothing is set but where it lives and listens, which the defaults say too.
fn settings(data: &Path) -> Settings {
    Settings::none()
        .with("HOLDFAST_DATA_DIR", data.to_str().unwrap())
        .with("HOLDFAST_LISTEN", format!("127.0.0.1:{}", free_port()))
}

async fn started(settings: &Settings, scratch: &Scratch) -> Running {
    let mut process = Running::start_in(settings, scratch.path());
    process.ready().await;
    process
}

async fn json(process: &Running, path: &str) -> Value {
    let (status, text) = process.get(path).await;
    assert_eq!(status, 200, "{path}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// The ids of the hosts in the private database.
async fn hosts(data: &Path) -> Vec<String> {
    let connection = PrivatePostgres::find_running(&private_postgres::Settings::new(data))
        .unwrap()
        .unwrap();
    let mut conn = PgConnection::connect(&connection.url()).await.unwrap();
    let found = sqlx::query_scalar("SELECT id::text || handle FROM hosts")
        .fetch_all(&mut conn)
        .await
        .unwrap();
    conn.close().await.unwrap();
    found
}

/// Weekdays 9 to 12 and 1 to 5 in New York, every half hour, by the dates of Tokyo.
fn assert_demo_slots(answer: &Value, now: Instant) {
    let zones = Zones::bundled();
    let (tokyo, new_york) = (
        zones.get("Asia/Tokyo").unwrap(),
        zones.get("America/New_York").unwrap(),
    );
    assert_eq!(answer["zone"], "Asia/Tokyo");
    let mut by_date = BTreeMap::new();
    for day in answer["days"].as_array().unwrap() {
        for slot in day["slots"].as_array().unwrap() {
            let instant = |name: &str| slot[name].as_str().unwrap().parse::<Instant>().unwrap();
            let (start, end) = (instant("start"), instant("end"));
            assert_eq!(end, start.plus_minutes(30), "{slot}");
            assert_eq!(day["date"], tokyo.date(start).to_string(), "{slot}");
            assert!(start >= now.plus_minutes(120), "{slot}: two hours' notice");
            let wall = new_york.wall(start);
            let minute = i32::from(wall.hour()) * 60 + i32::from(wall.minute());
            assert!(
                (540..720).contains(&minute) || (780..1020).contains(&minute),
                "{wall}"
            );
            *by_date.entry(wall.date()).or_insert(0) += 1;
        }
    }
    let today = new_york.date(now);
    for days in 1..59 {
        let date = today
            .checked_add(jiff::SignedDuration::from_hours(24 * days))
            .unwrap();
        let weekend = matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday);
        assert_eq!(
            by_date.get(&date).copied().unwrap_or(0),
            if weekend { 0 } else { 14 },
            "{date}"
        );
    }
}

#[tokio::test]
async fn from_nothing_to_the_demo_page_and_through_a_kill_and_restarts() {
    let scratch = Scratch::new();
    let data = scratch.path().join("data");
    let settings = settings(&data);
    let first = started(&settings, &scratch).await;
    let said = first.stdout();
    for line in [
        format!("Holdfast is ready at {}", first.url),
        format!("  demo page   {}/book/demo/intro30m", first.url),
    ] {
        assert!(said.lines().any(|said| said == line), "{line}: {said}");
    }
    let page = json(&first, "/v1/pages/demo/intro30m").await;
    for (name, want) in [
        ("title", "Introduction"),
        ("zone", "America/New_York"),
        ("confirmation", "email_link"),
    ] {
        assert_eq!(page[name], want);
    }
    assert_eq!(page["duration_min"], 30);
    let now = Clock::system().now();
    assert_demo_slots(
        &json(&first, "/v1/pages/demo/intro30m/slots?zone=Asia/Tokyo").await,
        now,
    );
    let made = hosts(&data).await;
    assert_eq!(made.len(), 1);
    let keys = std::fs::read(data.join("keys")).unwrap();
    let postmasters = scratch.postmasters();
    assert_eq!(postmasters.len(), 1);

    // Another process has no business in this folder.
    let second = Settings::none()
        .with("HOLDFAST_DATA_DIR", data.to_str().unwrap())
        .with("HOLDFAST_LISTEN", format!("127.0.0.1:{}", free_port()));
    let refused = holdfast(&second, &[]).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains(&first.pid().to_string()),
        "it says who has the folder: {refused:?}"
    );
    // A command may work beside it.
    let beside = holdfast(&settings, &["admin", "migrate"]).await;
    assert_eq!(beside.code, Some(0), "{beside:?}");
    assert_eq!(scratch.postmasters(), postmasters);

    let mut first = first;
    first.signal("KILL");
    first.ended().await;
    assert_eq!(
        scratch.postmasters(),
        postmasters,
        "the database outlives a kill"
    );
    let second = started(&settings, &scratch).await;
    assert_eq!(scratch.postmasters(), postmasters, "and is adopted");
    assert_eq!(json(&second, "/v1/pages/demo/intro30m").await, page);
    assert_eq!(hosts(&data).await, made);
    second.stop().await;
    assert!(
        scratch.postmasters().is_empty(),
        "a clean end takes the database along"
    );

    let third = started(&settings, &scratch).await;
    assert_eq!(json(&third, "/v1/pages/demo/intro30m").await, page);
    assert_eq!(hosts(&data).await, made);
    assert_eq!(std::fs::read(data.join("keys")).unwrap(), keys);
    third.stop().await;
    // A command brings the database up for itself and takes it down again.
    let alone = holdfast(
        &settings,
        &[
            "admin",
            "create-host",
            "--handle",
            "ana",
            "--zone",
            "Europe/Paris",
            "--email",
            "ana@hosts.test",
            "--availability",
            "mon 9-5",
            "--page",
            "Talk:30",
        ],
    )
    .await;
    assert_eq!(alone.code, Some(0), "{alone:?}");
    assert!(scratch.postmasters().is_empty());
}

/// Development mode over a database that several processes share; `hosts::of_many_who_make_one_…` is
/// its sharp form.
#[tokio::test]
async fn of_several_processes_that_start_at_once_one_makes_the_demo_host() {
    let database = TestDatabase::create().await;
    let mut all: Vec<Running> = (0..3)
        .map(|_| Running::start(&Settings::web(&database).with("HOLDFAST_DEV", "true")))
        .collect();
    for process in &mut all {
        process.ready().await;
    }
    for process in all {
        process.stop().await;
    }
    let rows = database.rows().await;
    let count = |table: &str| rows.iter().find(|(name, _)| name == table).unwrap().1.len();
    assert_eq!(
        (
            count("users"),
            count("hosts"),
            count("event_types"),
            count("schedules")
        ),
        (1, 1, 1, 1)
    );
    database.drop_it().await;
}
