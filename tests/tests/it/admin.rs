//! `holdfast admin …`: what each command answers, and its exit status.

use holdfast_tests::{
    database::TestDatabase,
    process::{Running, Said, Scratch, Settings, holdfast, holdfast_reading},
    source,
};
use serde_json::{Value, json};

#[tokio::test]
async fn check_config_shows_what_is_in_force_and_no_secret() {
    let database = TestDatabase::create().await;
    let settings = Settings::web(&database);
    let scratch = Scratch::new();
    let file = scratch.file("fingerprint", settings.get("HOLDFAST_FINGERPRINT_KEY"));
    let secrets = ["DATABASE_URL", "HOLDFAST_KEYS", "HOLDFAST_FINGERPRINT_KEY"]
        .map(|name| settings.get(name).to_owned());
    let settings = settings
        .without("HOLDFAST_FINGERPRINT_KEY")
        .with("HOLDFAST_FINGERPRINT_KEY_FILE", file.to_str().unwrap())
        .with("HOLDFAST_LOG", "debug");
    let said = holdfast(&settings, &["admin", "check-config"]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let lines: Vec<&str> = said.stdout.lines().collect();
    for line in [
        "HOLDFAST_ROLE=web",
        "HOLDFAST_LOG=debug",
        "HOLDFAST_MAX_OPEN_HOLDS_PER_IP=5",
        "DATABASE_URL=********",
        "HOLDFAST_KEYS=********",
        "HOLDFAST_FINGERPRINT_KEY=******** (from a file)",
    ] {
        assert!(lines.contains(&line), "{line}: {said:?}");
    }
    for secret in secrets {
        assert!(!format!("{said:?}").contains(&secret), "{said:?}");
    }
    let example = holdfast(&Settings::none(), &["admin", "check-config", "--example"]).await;
    assert_eq!(
        (example.code, example.stdout),
        (Some(0), source::read(".env.example"))
    );
    database.drop_it().await;
}

#[tokio::test]
async fn health_is_the_processs_own_answer() {
    let database = TestDatabase::create().await;
    let settings = Settings::web(&database);
    // It needs the listener's address and nothing else of the settings.
    let listener = Settings::none().with("HOLDFAST_LISTEN", settings.get("HOLDFAST_LISTEN"));
    let nobody = holdfast(&listener, &["admin", "health"]).await;
    assert_eq!(nobody.code, Some(1));
    assert!(
        nobody.stderr.starts_with(&format!(
            "holdfast: no answer on {}: ",
            settings.get("HOLDFAST_LISTEN")
        )),
        "{nobody:?}"
    );

    let mut process = Running::start(&settings);
    process.ready().await;
    let said = holdfast(&listener, &["admin", "health"]).await;
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "ready\n"));
    let said = holdfast(&listener, &["admin", "health", "--json"]).await;
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (Some(0), "{\"status\":\"ok\"}\n")
    );
    let anywhere = listener
        .get("HOLDFAST_LISTEN")
        .replace("127.0.0.1", "0.0.0.0");
    assert_eq!(
        holdfast(
            &Settings::none().with("HOLDFAST_LISTEN", anywhere),
            &["admin", "health"]
        )
        .await
        .code,
        Some(0)
    );

    database.drop_it().await;
    let said = holdfast(&listener, &["admin", "health"]).await;
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (Some(1), "holdfast: not ready: /readyz answers 503\n")
    );
    assert_eq!(
        process.get("/healthz").await.0,
        200,
        "the process itself is well"
    );
    process.stop().await;
    let said = holdfast(
        &Settings::none().with("HOLDFAST_LISTEN", "here"),
        &["admin", "health"],
    )
    .await;
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (
            Some(2),
            "holdfast: HOLDFAST_LISTEN: must be an address and a port such as 127.0.0.1:8080\n"
        )
    );
}

#[tokio::test]
async fn usage_is_shown_and_bad_usage_is_2() {
    let none = Settings::none();
    for arguments in [
        vec!["--help"],
        vec!["admin", "--help"],
        vec!["admin", "health", "--help"],
        vec!["admin", "migrate", "--help"],
        vec!["admin", "create-host", "--help"],
        vec!["admin", "create-key", "--help"],
        vec!["admin", "list-keys", "--help"],
        vec!["admin", "revoke-key", "--help"],
        vec!["admin", "check-config", "--help"],
        vec!["admin", "simulate", "--help"],
        vec!["admin", "list-mail", "--help"],
        vec!["admin", "retry-mail", "--help"],
    ] {
        let said = holdfast(&none, &arguments).await;
        assert_eq!(said.code, Some(0), "{arguments:?}");
        assert!(
            said.stdout.contains("Usage: holdfast"),
            "{arguments:?}: {said:?}"
        );
    }
    for arguments in [
        vec!["serve"],
        vec!["admin"],
        vec!["admin", "nothing"],
        vec!["admin", "simulate"],
        vec!["admin", "create-host", "--handle", "ana"],
        vec!["admin", "create-key"],
        vec!["admin", "revoke-key"],
        vec!["admin", "list-mail", "--outcome", "sent"],
        vec!["admin", "list-mail", "--limit", "0"],
        vec!["admin", "retry-mail"],
        vec!["admin", "retry-mail", "--id", "all"],
        vec!["--nothing"],
    ] {
        let said = holdfast(&none, &arguments).await;
        assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
    }
}

/// `admin create-host` with one argument replaced.
async fn create_host(settings: &Settings, replaced: (&str, &str), more: &[&str]) -> Said {
    let mut arguments = vec!["admin", "create-host"];
    for (name, value) in [
        ("--handle", "ana"),
        ("--zone", "Europe/Paris"),
        ("--email", "ana@hosts.test"),
        ("--availability", "weekdays 9-12, 1-5"),
        ("--page", "Introduction:30"),
    ] {
        arguments.extend([
            name,
            if name == replaced.0 {
                replaced.1
            } else {
                value
            },
        ]);
    }
    holdfast(settings, &[&arguments, more].concat()).await
}

#[tokio::test]
async fn create_host_publishes_a_page_once() {
    let database = TestDatabase::empty().await;
    let settings = Settings::web(&database);
    let said = create_host(&settings, ("", ""), &["--name", "Ana Novak", "--json"]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let made: Value = serde_json::from_str(&said.stdout).unwrap();
    let path = made["url"]
        .as_str()
        .unwrap()
        .strip_prefix("https://book.holdfast.test/book/")
        .unwrap();

    let mut process = Running::start(&settings);
    process.ready().await;
    let (status, page) = process.get(&format!("/v1/pages/{path}")).await;
    let page: Value = serde_json::from_str(&page).unwrap();
    assert_eq!(
        (
            status,
            page["title"].as_str(),
            page["host"]["name"].as_str(),
            page["zone"].as_str(),
            page["duration_min"].as_u64()
        ),
        (
            200,
            Some("Introduction"),
            Some("Ana Novak"),
            Some("Europe/Paris"),
            Some(30)
        )
    );
    let (_, found) = process.get(&format!("/v1/pages/{path}/slots")).await;
    assert!(
        !serde_json::from_str::<Value>(&found).unwrap()["days"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    process.stop().await;

    let before = database.rows().await;
    let said = create_host(&settings, ("", ""), &[]).await;
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (Some(1), "holdfast: the handle ana is taken\n")
    );
    let said = create_host(&settings, ("--handle", "ben"), &[]).await;
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (Some(1), "holdfast: this address already has a host\n")
    );
    assert_eq!(database.rows().await, before);
    let said = create_host(
        &settings,
        ("--handle", "ben"),
        &["--email", "ben@hosts.test"],
    )
    .await;
    assert_eq!(said.code, Some(2), "an argument stands once: {said:?}");
    database.drop_it().await;
}

#[tokio::test]
async fn create_host_says_exactly_what_is_wrong_and_makes_nothing() {
    let database = TestDatabase::create().await;
    let settings = Settings::web(&database);
    let long = "a".repeat(201);
    let page =
        "--page: give TITLE:MINUTES with a title of 1 to 200 characters and 5 to 480 minutes";
    for (name, value, words) in [
        (
            "--handle",
            "Ana",
            "--handle: a handle is 2 to 32 lower-case letters, digits and hyphens",
        ),
        ("--handle", "healthz", "--handle: this handle is reserved"),
        (
            "--zone",
            "Europe/Pari",
            "--zone: no such zone in the IANA table",
        ),
        (
            "--zone",
            "Paris",
            "--zone: no such zone in the IANA table; did you mean Europe/Paris?",
        ),
        (
            "--zone",
            "EST",
            "--zone: a host's zone must be a place such as America/New_York, or UTC; fixed offsets and abbreviations have no summer time; did you mean America/New_York?",
        ),
        (
            "--zone",
            "+01:00",
            "--zone: an offset is not a zone; use an IANA name such as Europe/Paris",
        ),
        ("--page", "Introduction", page),
        ("--page", "Introduction:4", page),
        ("--page", "Introduction:481", page),
        ("--page", "Introduction:half", page),
        ("--page", ":30", page),
        ("--page", &format!("{long}:30"), page),
        (
            "--availability",
            "someday",
            "--availability: \"someday\" is not understood.",
        ),
        (
            "--availability",
            "mon 25-26",
            "--availability: \"25\" is not a time; hours are 0 to 24.",
        ),
    ] {
        let said = create_host(&settings, (name, value), &[]).await;
        assert_eq!(said.code, Some(2), "{name} {value}: {said:?}");
        assert!(
            said.stderr
                .lines()
                .any(|line| line.trim_start_matches("holdfast: ") == words),
            "{name} {value}: {said:?}"
        );
    }
    let said = create_host(
        &settings,
        ("--email", "ana"),
        &[
            "--name",
            "",
            "--locale",
            "fr",
            "--description",
            &"b".repeat(2001),
        ],
    )
    .await;
    assert_eq!(said.code, Some(2));
    for line in [
        "--email: ",
        "--name: 1 to 100 characters without line breaks",
        "--locale: en or zh-CN",
        "--description: at most 2,000 characters",
    ] {
        assert!(said.stderr.contains(line), "{line}: {said:?}");
    }
    let empty = create_host(&settings, ("--availability", ""), &[]).await;
    assert_eq!(
        (empty.code, empty.stderr.as_str()),
        (
            Some(2),
            "holdfast: --availability: the availability text names no hours\n"
        )
    );
    let rows = database.rows().await;
    assert!(
        rows.iter().all(|(table, rows)| rows.is_empty()
            || ["_sqlx_migrations", "instance"].contains(&table.as_str())),
        "{rows:?}"
    );
    database.drop_it().await;
}

#[tokio::test]
async fn simulate_answers_all_150_vectors_exactly() {
    let path = source::root().join("tests/data/slot-vectors.json");
    let file: Value = serde_json::from_str(&source::read("tests/data/slot-vectors.json")).unwrap();
    let vectors = file["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 150);
    let said = holdfast(
        &Settings::none(),
        &["admin", "simulate", path.to_str().unwrap()],
    )
    .await;
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let answers: Vec<Value> = said
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), vectors.len());
    for (answer, vector) in answers.iter().zip(vectors) {
        assert_eq!(
            (&answer["name"], &answer["slots"]),
            (&vector["name"], &vector["slots"])
        );
    }
    let from_input = holdfast_reading(
        &Settings::none(),
        &["admin", "simulate", "-"],
        &source::read("tests/data/slot-vectors.json"),
    )
    .await;
    assert_eq!(from_input.stdout, said.stdout);
    let explained = holdfast_reading(
        &Settings::none(),
        &["admin", "simulate", "--explain", "-"],
        &json!({ "vectors": [vectors[0]] }).to_string(),
    )
    .await;
    let places: Vec<Value> = serde_json::from_str(&explained.stdout).unwrap();
    let free: Vec<&Value> = places
        .iter()
        .filter(|place| place["reasons"] == json!([]))
        .map(|place| &place["start"])
        .collect();
    assert_eq!(
        free,
        vectors[0]["slots"]
            .as_array()
            .unwrap()
            .iter()
            .collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn simulate_refuses_bad_files_with_2_and_bad_questions_with_1() {
    let scratch = Scratch::new();
    let missing = scratch.path().join("missing.json");
    for (path, words) in [
        (missing, "No such file or directory"),
        (scratch.path().to_owned(), "Is a directory"),
        (
            scratch.file("no.json", "vectors"),
            "expected value at line 1 column 1",
        ),
        (
            scratch.file("other.json", "{\"questions\":[]}"),
            "missing field `vectors` at line 1 column 16",
        ),
        (
            scratch.file(
                "field.json",
                "{\"vectors\":[{\"name\":\"a\",\"rule\":{\"zon\":\"UTC\"}}]}",
            ),
            "unknown field `zon`",
        ),
    ] {
        let said = holdfast(
            &Settings::none(),
            &["admin", "simulate", path.to_str().unwrap()],
        )
        .await;
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said:?}");
        assert!(
            said.stderr
                .starts_with(&format!("holdfast: {}: ", path.display())),
            "{said:?}"
        );
        assert!(said.stderr.contains(words), "{said:?}");
    }
    let vector = |name: &str, zone: &str, duration: u32| json!({ "name": name, "rule": { "zone": zone, "windows": [[1, 540, 600]], "duration_min": duration, "horizon_days": 7 }, "now": "2026-06-01T00:00:00Z", "from": "2026-06-01T00:00:00Z", "to": "2026-06-02T00:00:00Z" });
    let questions = json!({ "vectors": [vector("good", "UTC", 60), vector("zone", "Moon/Base", 60), vector("length", "UTC", 0)] }).to_string();
    let said = holdfast_reading(&Settings::none(), &["admin", "simulate", "-"], &questions).await;
    assert_eq!(said.code, Some(1));
    let lines: Vec<Value> = said
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        lines[0],
        json!({ "name": "good", "slots": ["2026-06-01T09:00:00Z"] })
    );
    for (line, words) in [(&lines[1], "no such zone"), (&lines[2], "1 to 480 minutes")] {
        assert!(line["error"].as_str().unwrap().contains(words), "{line}");
    }
}

/// Made, shown once, listed without the key, used, and revoked.
#[tokio::test]
async fn keys_are_made_listed_and_revoked() {
    let database = TestDatabase::create().await;
    let settings = Settings::web(&database);
    assert_eq!(create_host(&settings, ("", ""), &[]).await.code, Some(0));
    let run = async |arguments: &[&str]| holdfast(&settings, arguments).await;

    let none = run(&["admin", "list-keys", "--handle", "ana"]).await;
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), "no keys\n"));
    let said = run(&["admin", "create-key", "--handle", "ana"]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let (first, key) = said.stdout.trim_end().split_once('\n').unwrap();
    let id = first
        .strip_prefix("key ")
        .and_then(|rest| rest.strip_suffix(" of ana, shown this once:"))
        .unwrap();
    let digits = key.strip_prefix("hf_key_").unwrap();
    assert!(digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let said = run(&[
        "admin",
        "create-key",
        "--handle",
        "ana",
        "--name",
        " The agent ",
        "--json",
    ])
    .await;
    let named: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((said.code, &named["status"]), (Some(0), &json!("ok")));
    let named_key = named["key"].as_str().unwrap();
    assert_ne!(named_key, key);

    let mut process = Running::start(&settings);
    process.ready().await;
    let status = async |key: &str| {
        let url = format!("http://{}/v1/me", settings.get("HOLDFAST_LISTEN"));
        let request = reqwest::Client::new().get(url).bearer_auth(key);
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(status(key).await, 200);

    let listed = run(&["admin", "list-keys", "--handle", "ana"]).await;
    let lines: Vec<&str> = listed.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{listed:?}");
    assert!(lines[0].starts_with(&format!("{id} made ")) && lines[0].contains(", last used "));
    assert!(lines[1].ends_with(", never used: The agent"), "{listed:?}");
    for secret in [digits, named_key.strip_prefix("hf_key_").unwrap()] {
        assert!(!listed.stdout.contains(secret));
    }

    let revoke = ["admin", "revoke-key", "--id", id];
    let said = run(&revoke).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.stdout
            .starts_with(&format!("key {id} is revoked since ")),
        "{said:?}"
    );
    assert_eq!((status(key).await, status(named_key).await), (401, 200));
    let again = run(&revoke).await;
    assert_eq!(again.code, Some(0));
    assert!(
        again
            .stdout
            .starts_with(&format!("key {id} was revoked already, at ")),
        "{again:?}"
    );
    let listed = run(&["admin", "list-keys", "--handle", "ana", "--json"]).await;
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!(listed["keys"][0]["id"], id);
    assert!(listed["keys"][0]["revoked_at"].is_string());
    assert!(listed["keys"][0]["last_used_at"].is_string());
    assert_eq!(listed["keys"][1]["name"], "The agent");
    assert!(listed["keys"][1]["revoked_at"].is_null());
    process.stop().await;
    database.drop_it().await;
}

#[tokio::test]
async fn key_commands_say_exactly_what_is_wrong_and_make_nothing() {
    let database = TestDatabase::create().await;
    let settings = Settings::web(&database);
    assert_eq!(create_host(&settings, ("", ""), &[]).await.code, Some(0));
    let before = database.rows().await;
    let long = "a".repeat(101);
    let name = "holdfast: --name: a key's name is 1 to 100 characters without line breaks\n";
    let handle = "holdfast: --handle: a handle is 2 to 32 lower-case letters, digits and hyphens\n";
    let nobody = "01900000-0000-7000-8000-000000000000";
    for (arguments, code, words) in [
        (
            vec!["create-key", "--handle", "ben"],
            1,
            "holdfast: no host has the handle ben\n",
        ),
        (
            vec!["list-keys", "--handle", "ben"],
            1,
            "holdfast: no host has the handle ben\n",
        ),
        (vec!["create-key", "--handle", "Ana"], 2, handle),
        (vec!["list-keys", "--handle", "Ana"], 2, handle),
        (
            vec!["create-key", "--handle", "ana", "--name", " "],
            2,
            name,
        ),
        (
            vec!["create-key", "--handle", "ana", "--name", "a\nb"],
            2,
            name,
        ),
        (
            vec!["create-key", "--handle", "ana", "--name", &long],
            2,
            name,
        ),
        (
            vec!["revoke-key", "--id", nobody],
            1,
            "holdfast: no key has the id 01900000-0000-7000-8000-000000000000\n",
        ),
    ] {
        let arguments: Vec<&str> = ["admin"].into_iter().chain(arguments).collect();
        let said = holdfast(&settings, &arguments).await;
        assert_eq!(
            (said.code, said.stderr.as_str()),
            (Some(code), words),
            "{arguments:?}"
        );
    }
    let said = holdfast(&settings, &["admin", "revoke-key", "--id", "first"]).await;
    assert_eq!(said.code, Some(2), "{said:?}");
    assert_eq!(database.rows().await, before);
    database
        .run("UPDATE hosts SET is_active = false WHERE handle = 'ana'")
        .await;
    let said = holdfast(&settings, &["admin", "create-key", "--handle", "ana"]).await;
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (
            Some(1),
            "holdfast: the host ana is inactive: its keys would open nothing\n"
        )
    );
    database.drop_it().await;
}
