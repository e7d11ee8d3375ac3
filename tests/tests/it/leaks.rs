//! What people type is nowhere but where it belongs: not in the database's bytes, the logs or the
//! figures.

use std::fmt::Write as _;

use holdfast_tests::{Answer, TestApp, host::TestHost, logs};
use reqwest::Method;
use serde_json::json;
use shared::{
    store::bookings,
    token::{ManageToken, hex},
};

/// Something personal of each kind, which stands nowhere else in this program or its tests.
const NAME: &str = "Canaria Zwitscher 金丝雀";
const FAMILY_NAME: &str = "Zwitscher";
const SIGNS: &str = "金丝雀";
const ADDRESS: &str = "canary-host-7f3a@hosts.test";
const MAILBOX: &str = "canary-host-7f3a";
const TITLE: &str = "Canary title 4c1d";
const DESCRIPTION: &str = "Canary description 9b2e: bring the yellow folder";
const LABEL: &str = "Canary question 51aa?";
const OPTION: &str = "Canary option 77c0";
/// The windows that it means are no secret; the words are.
const AVAILABILITY: &str = "mondays between 12-3, tuesdays 12-2, 5-7";
const TYPED: &str = "canary typed 3e8f banana";
const PATH: &str = "canary-path-60d4";
const QUERY: &str = "Canary/Query91ce";
const CLIENT: &str = "203.0.113.213";
const HEADER: &str = "canary-header-2b5d";
const TOKEN: &str = "canary-token-c4f6";

const BOOKER: &str = "Canaria Gelbfink 黄雀";
const BOOKER_ADDRESS: &str = "canary-booker-15e7@guests.test";
const GUEST: &str = "Canaria Hanfling";
const GUEST_ADDRESS: &str = "canary-guest-a03b@guests.test";
const NOTE: &str = "Canary note d2f9: I sing at dawn";
const ANSWER: &str = "Canary answer 6c58";
const REASON: &str = "Canary reason 0e94: moulting";
const KEY: &str = "canary-key-b7a1";
const WRONG_ADDRESS: &str = "canary wrong address 2ad6";

const ALL: [&str; 25] = [
    NAME,
    FAMILY_NAME,
    SIGNS,
    ADDRESS,
    MAILBOX,
    TITLE,
    DESCRIPTION,
    LABEL,
    OPTION,
    AVAILABILITY,
    TYPED,
    PATH,
    QUERY,
    CLIENT,
    HEADER,
    TOKEN,
    BOOKER,
    BOOKER_ADDRESS,
    GUEST,
    GUEST_ADDRESS,
    NOTE,
    ANSWER,
    REASON,
    KEY,
    WRONG_ADDRESS,
];

/// The forms that a text can take in what is searched: as it is, in JSON, in a URL, in hexadecimal.
pub fn forms(canary: &str) -> Vec<String> {
    let url = canary.bytes().fold(String::new(), |mut url, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
        url
    });
    let json = serde_json::to_string(canary).unwrap();
    vec![
        canary.to_owned(),
        json.trim_matches('"').to_owned(),
        url,
        hex(canary.as_bytes()),
    ]
}

pub fn assert_absent<'a>(what: &str, text: &str, canaries: impl IntoIterator<Item = &'a str>) {
    for canary in canaries {
        for form in forms(canary) {
            if let Some(at) = text.find(&form) {
                let (from, to) = (
                    text.floor_char_boundary(at.saturating_sub(200)),
                    text.ceil_char_boundary((at + 200).min(text.len())),
                );
                panic!("{form} is in {what}: …{}…", &text[from..to]);
            }
        }
    }
}

/// A host with everything personal that there is a place for.
async fn host(app: &TestApp) -> TestHost {
    let host = app
        .host("leaks")
        .name(NAME)
        .email(ADDRESS)
        .free(AVAILABILITY)
        .titled(TITLE, DESCRIPTION)
        .ask(LABEL, "choice", true, &[OPTION, "Other"])
        .ask("Anything else?", "long_text", false, &[])
        .guests()
        .set("listed", "true".into())
        .make()
        .await;
    host.busy(&app.context, "2026-06-02T12:00:00Z", "2026-06-02T12:30:00Z")
        .await;
    host
}

/// Every call that exists, well and badly asked.
async fn everything(app: &TestApp, host: &TestHost) -> Vec<u16> {
    let headers = [
        ("X-Forwarded-For", CLIENT),
        ("User-Agent", HEADER),
        ("Referer", HEADER),
        ("X-Manage-Token", TOKEN),
        ("Idempotency-Key", HEADER),
        ("Authorization", TOKEN),
        ("Cookie", TOKEN),
    ];
    let request = |method: Method, path: String| {
        headers
            .iter()
            .fold(app.request(method, &path), |request, (name, value)| {
                request.header(*name, *value)
            })
    };
    let parse = |body: serde_json::Value| {
        request(Method::POST, "/v1/availability/parse".into()).json(&body)
    };
    let requests = [
        request(Method::GET, "/v1/pages/leaks".into()),
        request(Method::GET, host.api.clone()),
        request(Method::GET, format!("{}/slots?zone=Asia/Tokyo", host.api)),
        request(Method::GET, format!("/v1/pages/{PATH}")),
        request(Method::GET, format!("/v1/pages/leaks/{PATH}")),
        request(Method::GET, format!("/{PATH}/{TOKEN}")),
        request(Method::GET, format!("/book/m/{TOKEN}")),
        request(Method::GET, format!("{}/slots?zone={QUERY}", host.api)),
        request(Method::GET, format!("{}/slots?from={QUERY}", host.api)),
        request(Method::GET, format!("{}/slots?{PATH}=1", host.api)),
        request(Method::DELETE, format!("{}?q={QUERY}", host.api)),
        request(HEADER.parse().unwrap(), host.api.clone()),
        parse(json!({ "text": AVAILABILITY })),
        parse(json!({ "text": TYPED })),
        parse(json!({ "text": TYPED, "locale": "zh-CN" })),
        parse(json!({ "text": 1, TYPED: true })),
        request(Method::POST, "/v1/availability/parse".into())
            .header("Content-Type", "application/json")
            .body(TYPED),
        request(Method::POST, "/v1/availability/parse".into())
            .header("Content-Type", "text/plain")
            .body(TYPED),
        request(Method::GET, "/readyz".into()),
    ];
    let mut statuses = Vec::new();
    for request in requests {
        statuses.push(app.send(request).await.status.as_u16());
    }
    statuses
}

/// Books, moves and cancels; and a hold that is confirmed. Answers the tokens.
async fn book(app: &TestApp, host: &TestHost) -> Vec<String> {
    let body = |start: &str| {
        json!({
            "start": start, "zone": "Asia/Tokyo", "name": BOOKER, "email": BOOKER_ADDRESS, "note": NOTE,
            "guests": [{ "email": GUEST_ADDRESS, "name": GUEST }],
            "answers": { host.questions[0].to_string(): OPTION, host.questions[1].to_string(): ANSWER },
        })
    };
    let post = async |body: &serde_json::Value| {
        let request = app.request(Method::POST, &format!("{}/bookings", host.api));
        app.send(
            request
                .header("X-Forwarded-For", CLIENT)
                .header("Idempotency-Key", KEY)
                .json(body),
        )
        .await
    };
    let made = post(&body("2026-06-08T12:00:00Z")).await;
    assert_eq!(made.status, 201, "{}", made.text());
    for canary in [BOOKER, BOOKER_ADDRESS, NOTE, GUEST_ADDRESS] {
        assert!(
            made.text().contains(canary),
            "{canary} is shown to whoever typed it: {}",
            made.text()
        );
    }
    let replayed = post(&body("2026-06-08T12:00:00Z")).await;
    let token = |answer: &Answer| answer.json()["manage_token"].as_str().unwrap().to_owned();
    let mut tokens = vec![token(&made), token(&replayed)];
    let manage = async |method: Method, path: &str, body: Option<serde_json::Value>| {
        let request = app
            .request(method, &format!("/v1/manage{path}"))
            .header("X-Manage-Token", &tokens[0]);
        app.send(match body {
            Some(body) => request.json(&body),
            None => request,
        })
        .await
        .status
        .as_u16()
    };
    assert_eq!(manage(Method::GET, "", None).await, 200);
    assert_eq!(manage(Method::GET, "/slots", None).await, 200);
    assert_eq!(manage(Method::GET, "/calendar.ics", None).await, 200);
    assert_eq!(manage(Method::POST, "/confirm", Some(json!({}))).await, 200);
    assert_eq!(
        manage(
            Method::POST,
            "/reschedule",
            Some(json!({ "start": "2026-06-08T13:00:00Z", "expected_revision": 0 }))
        )
        .await,
        200
    );
    assert_eq!(
        manage(
            Method::POST,
            "/cancel",
            Some(json!({ "reason": REASON, "expected_revision": 7 }))
        )
        .await,
        409
    );
    assert_eq!(
        manage(Method::POST, "/cancel", Some(json!({ "reason": REASON }))).await,
        200
    );
    assert_eq!(
        manage(Method::POST, "/cancel", Some(json!({ "why": REASON }))).await,
        400
    );

    app.database
        .run("UPDATE event_types SET confirmation = 'email_link'")
        .await;
    // Another key: the scope of one is the page and the address.
    let held = app
        .post(
            &format!("{}/bookings", host.api),
            &body("2026-06-15T12:00:00Z"),
        )
        .await;
    assert_eq!(held.json()["state"], "held", "{}", held.text());
    let minted = ManageToken::mint(&app.context.random).unwrap();
    let mut conn = app.context.pool.acquire().await.unwrap();
    let id = held.json()["id"].as_str().unwrap().parse().unwrap();
    bookings::add_token(&mut conn, &minted.hash(), id, None)
        .await
        .unwrap();
    let confirm = app
        .request(Method::POST, "/v1/manage/confirm")
        .header("X-Manage-Token", minted.as_str())
        .json(&json!({}));
    assert_eq!(app.send(confirm).await.status, 200);
    tokens.push(minted.as_str().to_owned());

    let mut wrong = body("2026-06-15T12:00:00Z");
    wrong["email"] = json!(WRONG_ADDRESS);
    assert_eq!(post(&wrong).await.status, 422);
    wrong["email"] = json!(7);
    assert_eq!(post(&wrong).await.status, 400);
    let taken = app
        .post(
            &format!("{}/bookings", host.api),
            &body("2026-06-15T12:00:00Z"),
        )
        .await;
    assert_eq!(taken.status, 409, "{}", taken.text());
    tokens
}

#[tokio::test]
async fn nothing_personal_is_in_the_database_the_logs_or_the_figures() {
    let app = TestApp::start().await;
    let host = host(&app).await;
    let shown = app.get(&host.api).await.text();
    for canary in [NAME, TITLE, DESCRIPTION, LABEL, OPTION] {
        assert!(
            shown.contains(canary),
            "{canary} is shown where it belongs: {shown}"
        );
    }
    let statuses = everything(&app, &host).await;
    let tokens = book(&app, &host).await;
    let canaries = || ALL.into_iter().chain(tokens.iter().map(String::as_str));
    for status in [200, 400, 404, 405, 415] {
        assert!(statuses.contains(&status), "{statuses:?}");
    }
    // Faults are logged with their causes: of the sealing, of the rule, of the database.
    for (sql, path, status) in [
        (
            "UPDATE event_types SET title_sealed = description_sealed",
            host.api.as_str(),
            503,
        ),
        (
            "UPDATE hosts SET zone = 'Moon/Base'",
            host.api.as_str(),
            503,
        ),
        (
            "UPDATE hosts SET display_name_sealed = contact_email_sealed",
            "/v1/pages/leaks",
            500,
        ),
        (
            "ALTER TABLE event_types RENAME COLUMN code TO gone",
            host.api.as_str(),
            500,
        ),
    ] {
        app.database.run(sql).await;
        assert_eq!(app.get(path).await.status, status, "{sql}");
    }

    for (table, rows) in app.database.rows().await {
        for row in rows {
            assert_absent(&format!("table {table}"), &row, canaries());
        }
    }
    let log = logs::capture().text();
    assert!(
        log.contains("\"http.route\":\"/v1/pages/{handle}/{code}\""),
        "requests are logged"
    );
    assert!(
        log.contains("\"level\":\"DEBUG\""),
        "down to the debug level"
    );
    assert!(
        log.contains("request failed") && log.contains("availability unknown"),
        "faults are logged"
    );
    assert_absent("the log", &log, canaries());
    let figures = app.get("/metrics").await.text();
    assert!(
        figures.contains("route=\"/v1/pages/{handle}/{code}\""),
        "{figures}"
    );
    assert_absent("the figures", &figures, canaries());
    app.end().await;
}

/// The search finds what it looks for, in each place: without this the test above proves nothing.
#[tokio::test]
async fn the_search_finds_a_canary_in_each_place() {
    let app = TestApp::start().await;
    let planted = "planted canary e41c";
    let host = app.host("plants").make().await;
    app.database.run(&format!("UPDATE event_types SET location_sealed = convert_to('{planted}', 'UTF8') WHERE id = '{}'", host.event_type)).await;
    tracing::debug!(text = planted, "planted");
    let rows = app.database.rows().await;
    let row = rows
        .into_iter()
        .find(|(table, _)| table == "event_types")
        .unwrap()
        .1
        .remove(0);
    for text in [row, logs::capture().text()] {
        assert!(forms(planted).iter().any(|form| text.contains(form)));
    }
    app.end().await;
}
