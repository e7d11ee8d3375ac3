//! What other programs read in our feeds and files: Python's icalendar, ical.js, and libical with its
//! restriction check.

use std::{collections::BTreeMap, env, fs, path::Path, process::Command};

use holdfast_tests::{
    Flow,
    calendar::{put, team},
    feeds,
    python::{self, root},
};
use serde_json::{Value, json};
use shared::{
    calendar::{
        event::{Event, Length, Moment},
        event_clock::Clock,
        ics_read,
    },
    zone::Zone,
};

use super::{
    download, feed,
    random::{Random, calendar},
};

fn answer(command: &mut Command) -> Value {
    let output = command.output().expect("the reader starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What each reader says of each file.
fn read(files: &BTreeMap<&str, Vec<u8>>) -> BTreeMap<&'static str, Value> {
    let folder = env::temp_dir().join(format!("holdfast-published-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    let tests = root().join("tests");
    let script = |path: &str| tests.join(path);
    let ical_js = answer(
        Command::new("node")
            .arg(script("browser/check-feed.mjs"))
            .arg(&folder),
    );
    let python = answer(
        Command::new(python::with("icalendar"))
            .arg("-B")
            .arg(script("python/check_feed.py"))
            .arg(&folder),
    );
    drop(fs::remove_dir_all::<&Path>(&folder));
    BTreeMap::from([
        ("ical.js", ical_js),
        ("icalendar", python["icalendar"].clone()),
        ("libical", python["libical"].clone()),
    ])
}

/// A moment as the readers say it.
fn shown(moment: &Moment) -> String {
    match moment {
        Moment::Date(date) => date.to_string(),
        Moment::Time {
            wall,
            clock: Clock::Floating,
        } => wall.strftime("%Y-%m-%dT%H:%M:%S").to_string(),
        Moment::Time { wall, clock } => {
            let placed = clock.place(*wall, &Zone::utc()).unwrap();
            let at = placed.at.timestamp();
            at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
        }
    }
}

fn facts(event: &Event, replaces: Option<&Moment>) -> Value {
    json!({
        "uid": event.uid,
        "summary": event.title,
        "start": shown(&event.start),
        "end": match &event.length {
            Length::End(end) => Value::String(shown(end)),
            _ => Value::Null,
        },
        "replaces": replaces.map(shown),
    })
}

fn sorted(mut events: Vec<Value>) -> Vec<Value> {
    events.sort_by_key(Value::to_string);
    events
}

/// All three read every event as it was meant, and libical finds nothing that RFC 5546 forbids; in
/// a feed of busy time it misses the organizer, whom that does not name.
#[tokio::test]
async fn other_programs_read_what_was_meant() {
    let flow = Flow::start().await;
    let ana = flow
        .host("ana")
        .name("Ana \"A;B:C\" Silva")
        .email("ana@hosts.test")
        .make()
        .await;
    let key = flow.key(&ana).await;
    let from = team(&flow.context, &ana, &[]).await;
    let mut random = Random::new(0x0FEE_D5EE);
    let lines = calendar(&mut random, 120);
    put(&flow.context, from, lines.trim_end()).await;
    let (_, full) = feed(&flow, &key, from, "full").await;
    let (_, busy) = feed(&flow, &key, from, "busy_only").await;
    let files = BTreeMap::from([
        ("full.ics", flow.get(&full).await.body),
        ("busy.ics", flow.get(&busy).await.body),
        ("file.ics", download(&flow, &key, from).await.body),
    ]);
    let source = ics_read::read(feeds::file(&lines).as_bytes(), &flow.context.zones).unwrap();
    let want = source.series.iter().flat_map(|series| {
        let changes = series.overrides.iter();
        let changes = changes.map(|change| facts(&change.event, Some(&change.original)));
        std::iter::once(facts(&series.master, None)).chain(changes)
    });
    let want = sorted(want.collect());
    for (reader, found) in read(&files) {
        for (name, method) in [("full.ics", json!("PUBLISH")), ("file.ics", Value::Null)] {
            let facts = &found[name];
            assert_eq!(facts["errors"], json!([]), "{reader}, {name}");
            assert_eq!(facts["method"], method, "{reader}, {name}");
            let events = sorted(facts["events"].as_array().expect(reader).clone());
            assert_eq!(events.len(), want.len(), "{reader}, {name}");
            for (event, want) in events.iter().zip(&want) {
                assert_eq!(event, want, "{reader}, {name}");
            }
        }
        let facts = &found["busy.ics"];
        assert_eq!(facts["method"], "PUBLISH", "{reader}");
        let events = facts["events"].as_array().expect(reader);
        assert!(events.len() > 100, "{reader}: {}", events.len());
        assert!(events.iter().all(|event| event["summary"] == "Busy"));
        for error in facts["errors"].as_array().unwrap() {
            let error = error.to_string();
            assert!(error.contains("ORGANIZER"), "{reader}: {error}");
        }
    }
    flow.end().await;
}
