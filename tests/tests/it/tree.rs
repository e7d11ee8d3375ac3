//! The walls of the house, read from its source.
//!
//! Each test was seen red once: with an `async fn` in `shared/src/slots`, a `Timestamp::now` in
//! `shared/src/booking`, a `sqlx::query` in `server/src/routes`, a pool in `shared/src/store`, an
//! `AT TIME ZONE` in a statement, a `use holdfast_server` in the worker, 600 lines more in a file, a
//! folder `utils`, and without a reserved word that the router knows.

use std::collections::BTreeSet;

use holdfast_server::{pages, router};
use holdfast_tests::source::{self, Source};
use shared::handle::RESERVED;

/// The crates that are shipped.
fn shipped() -> Vec<Source> {
    ["shared/src", "server/src", "worker/src"]
        .iter()
        .flat_map(|folder| source::files(folder, ".rs"))
        .collect()
}

/// The code lines of some files that hold one of the words, as `path:line: text`.
fn found<'a>(files: impl IntoIterator<Item = &'a Source>, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        for (number, line) in file.code() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{number}: {}", file.path, line.trim()));
            }
        }
    }
    found
}

fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// What is in `shared` and not among these is pure: values in, values out.
const IMPURE: [&str; 4] = [
    "shared/src/store/",
    "shared/src/ops/",
    "shared/src/process/",
    "shared/src/wake.rs",
];

#[test]
fn pure_rooms_wait_for_nothing_and_ask_no_database() {
    let files = source::files("shared/src", ".rs");
    let pure: Vec<&Source> = files
        .iter()
        .filter(|file| !IMPURE.iter().any(|path| file.path.starts_with(path)))
        .collect();
    for room in [
        "availability/",
        "slots/",
        "calendar/",
        "booking/",
        "mail/",
        "zone.rs",
        "seal.rs",
        "token.rs",
        "fingerprint.rs",
    ] {
        assert!(
            pure.iter().any(|file| file
                .path
                .strip_prefix("shared/src/")
                .is_some_and(|path| path.starts_with(room))),
            "{room} is gone: say here what is pure"
        );
    }
    assert_none(&found(
        pure,
        &[
            "async ",
            ".await",
            "tokio::",
            "sqlx::query",
            "query!",
            "query_as!",
            "query_scalar!",
            "PgConnection",
            "PgPool",
            "Transaction<",
        ],
    ));
}

#[test]
fn time_and_randomness_are_read_in_one_place_each() {
    let all = shipped();
    let elsewhere = |place: &str| {
        all.iter()
            .filter(|file| file.path != place)
            .collect::<Vec<_>>()
    };
    assert_none(&found(
        elsewhere("shared/src/clock.rs"),
        &[
            "Timestamp::now",
            "Zoned::now",
            "SystemTime::now",
            "Utc::now",
        ],
    ));
    assert_none(&found(
        elsewhere("shared/src/random.rs"),
        &[
            "SystemRandom::new",
            "rand::",
            "Uuid::new_v4",
            "Uuid::now_v7",
        ],
    ));
}

#[test]
fn sql_is_written_in_the_store_alone() {
    let all = shipped();
    // The migrator's own table is read beside the migrator.
    let outside = all.iter().filter(|file| {
        !file.path.starts_with("shared/src/store/") && file.path != "shared/src/process/migrate.rs"
    });
    assert_none(&found(
        outside,
        &[
            "sqlx::query",
            "query!",
            "query_as!",
            "query_scalar!",
            "raw_sql",
            "QueryBuilder",
            ".execute(",
            ".fetch_one(",
            ".fetch_all(",
            ".fetch_optional(",
        ],
    ));
}

#[test]
fn the_store_never_takes_a_pool() {
    let store = source::files("shared/src/store", ".rs");
    // These two make a pool and begin on it; nothing else can be outside somebody's transaction.
    let functions = store.iter().filter(|file| {
        !["pool.rs", "begin.rs"]
            .iter()
            .any(|name| file.path.ends_with(name))
    });
    assert_none(&found(functions, &["PgPool", "Pool<", ".begin("]));
}

#[test]
fn no_statement_reckons_with_time_zones() {
    let mut files = shipped();
    files.extend(source::files("migrations", ".sql"));
    let mut offending = Vec::new();
    for file in &files {
        let flat = file
            .text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .to_ascii_uppercase();
        if flat.contains("AT TIME ZONE") || flat.contains("TIMEZONE(") {
            offending.push(file.path.clone());
        }
    }
    assert_none(&offending);
}

#[test]
fn the_worker_never_imports_the_server_and_shared_imports_neither() {
    let worker = source::files("worker/src", ".rs");
    assert_none(&found(&worker, &["holdfast_server"]));
    let shared = source::files("shared/src", ".rs");
    assert_none(&found(&shared, &["holdfast_server", "holdfast_worker"]));
    for (manifest, never) in [
        ("worker/Cargo.toml", vec!["holdfast-server"]),
        (
            "shared/Cargo.toml",
            vec!["holdfast-server", "holdfast-worker"],
        ),
    ] {
        let text = source::read(manifest);
        assert!(never.iter().all(|name| !text.contains(name)), "{manifest}");
    }
}

#[test]
fn no_file_is_longer_than_600_lines_without_its_tests() {
    let mut long = Vec::new();
    for file in shipped().iter().filter(|file| !file.is_test()) {
        let tests = file
            .text
            .find("\n#[cfg(test)]\nmod tests {")
            .unwrap_or(file.text.len());
        let lines = file.text[..tests].lines().count();
        if lines > 600 {
            long.push(format!("{}: {lines}", file.path));
        }
    }
    assert_none(&long);
}

#[test]
fn modules_have_names_that_say_something() {
    let vague = [
        "util", "utils", "common", "helper", "helpers", "manager", "service", "services", "models",
        "misc",
    ];
    let named: Vec<String> = shipped()
        .into_iter()
        .map(|file| file.path)
        .filter(|path| {
            path.trim_end_matches(".rs")
                .split('/')
                .any(|part| vague.contains(&part))
        })
        .collect();
    assert_none(&named);
}

/// Words that are kept from hosts although the router knows no path that begins with them: design
/// names the first three, the others are parts of the product that are still to come.
const KEPT: [&str; 9] = [
    "m", "new", "static", "book", "dev", "feed", "mcp", "sign-in", "widget",
];

/// A handle is the first segment of a host's page: it must never hide, or be hidden by, one of ours.
#[test]
fn handles_reserve_the_first_segments_that_the_router_knows() {
    let document = router::document();
    let paths = document
        .paths
        .paths
        .keys()
        .map(String::as_str)
        .chain(pages::PATHS.iter().map(|(path, _)| *path))
        .chain(["/docs", "/openapi.json"]);
    // A handle has no dot.
    let known: BTreeSet<String> = paths
        .map(|path| path.split('/').nth(1).unwrap().replace('.', "-"))
        .filter(|first| !first.is_empty() && !first.starts_with('{'))
        .collect();
    let reserved: BTreeSet<String> = RESERVED.iter().map(|word| (*word).to_owned()).collect();
    assert_eq!(reserved.len(), RESERVED.len(), "a word stands twice");
    let free: Vec<_> = known.difference(&reserved).collect();
    assert!(free.is_empty(), "a host could take {free:?}");
    let for_nothing: Vec<_> = reserved
        .iter()
        .filter(|word| !known.contains(*word) && !KEPT.contains(&word.as_str()))
        .collect();
    assert!(
        for_nothing.is_empty(),
        "reserved for nothing: {for_nothing:?}"
    );
}
