//! What a stranger may not see answers like what never was: the same status, bytes and queries.
//! And what a slots request costs.

use std::time::Duration;

use holdfast_tests::{Answer, TestApp, Wire, app::Options, database::TestDatabase, host::TestHost};

/// One connection, so that every statement is prepared once it was used.
async fn wired() -> (TestApp, Wire) {
    let database = TestDatabase::create().await;
    let wire = Wire::before(&database).await;
    let options = Options {
        connect: Some(wire.options()),
        connections: 1,
        ..Options::default()
    };
    (TestApp::on(database, options).await, wire)
}

/// Does something, and answers the messages that it took as well, to the last one: a connection
/// that goes back to its pool is asked for a sign of life, which nobody waits for.
async fn heard(app: &TestApp, wire: &Wire, path: &str) -> (Answer, String) {
    let idle = async || {
        while app.context.pool.num_idle() != 1 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    idle().await;
    wire.forget();
    let answer = app.get(path).await;
    idle().await;
    (answer, wire.messages())
}

/// An answer without what names this one request, the lists in its headers in order.
fn anonymous(mut answer: Answer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    for name in ["x-request-id", "date"] {
        answer.headers.remove(name).unwrap();
    }
    let sorted = |value: &str| {
        let mut words: Vec<&str> = value.split(", ").collect();
        words.sort_unstable();
        words.join(", ")
    };
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), sorted(value.to_str().unwrap())))
        .collect();
    headers.sort();
    (answer.status.as_u16(), headers, answer.body)
}

/// Paths of pages that must not be told apart, with why.
async fn hidden_pages(app: &TestApp) -> Vec<(&'static str, String)> {
    let page = async |handle: &str, sql: &str| {
        let host = app.host(handle).set("listed", "true".into()).make().await;
        app.database
            .run(
                &sql.replace("$type", &format!("'{}'", host.event_type))
                    .replace("$host", &format!("'{}'", host.id)),
            )
            .await;
        host.api
    };
    let seen = app.host("seen").make().await;
    vec![
        ("an unknown host", "/v1/pages/nobody/abcdefgh".into()),
        (
            "an unknown code",
            format!("/v1/pages/{}/00000000", seen.handle),
        ),
        (
            "a handle in capitals",
            seen.api.to_uppercase().replace("/V1/PAGES/", "/v1/pages/"),
        ),
        ("no handle at all", "/v1/pages/%20/%20".into()),
        (
            "a very long handle",
            format!("/v1/pages/{}/{}", "a".repeat(3000), "b".repeat(3000)),
        ),
        (
            "an unpublished page",
            page(
                "unpublished",
                "UPDATE event_types SET published_at = NULL WHERE id = $type",
            )
            .await,
        ),
        (
            "an inactive host",
            page(
                "inactive",
                "UPDATE hosts SET is_active = false WHERE id = $host",
            )
            .await,
        ),
        (
            "an unverified address",
            page(
                "unverified",
                "UPDATE hosts SET contact_verified_at = NULL WHERE id = $host",
            )
            .await,
        ),
    ]
}

/// Red when a condition of `store::pages::find` is left out.
#[tokio::test]
async fn a_page_that_nobody_may_see_is_not_told_from_one_that_never_was() {
    let (app, wire) = wired().await;
    let pages = hidden_pages(&app).await;
    for suffix in [
        "",
        "/slots",
        "/slots?zone=Asia/Tokyo&from=2026-06-02T00:00:00Z",
    ] {
        app.get(&format!("{}{suffix}", pages[0].1)).await;
        let (first, work) = heard(&app, &wire, &format!("{}{suffix}", pages[0].1)).await;
        let first = anonymous(first);
        assert_eq!(first.0, 404);
        assert!(work.contains('S'), "the database was asked: {work}");
        for (why, path) in &pages[1..] {
            let (answer, same_work) = heard(&app, &wire, &format!("{path}{suffix}")).await;
            assert_eq!(anonymous(answer), first, "{why} {suffix}");
            assert_eq!(same_work, work, "{why} {suffix}");
        }
    }
    app.end().await;
}

#[tokio::test]
async fn a_host_who_lists_nothing_is_not_told_from_one_who_never_was() {
    let (app, wire) = wired().await;
    let pages = hidden_pages(&app).await;
    app.get("/v1/pages/nobody").await;
    let (first, work) = heard(&app, &wire, "/v1/pages/nobody").await;
    let first = anonymous(first);
    assert_eq!(first.0, 404);
    // Among them one whose page is there and not listed.
    for (why, path) in pages
        .iter()
        .map(|(why, path)| (why, path.rsplit_once('/').unwrap().0))
        .chain([(&"a page that is not listed", "/v1/pages/seen")])
    {
        let (answer, same_work) = heard(&app, &wire, path).await;
        assert_eq!(anonymous(answer), first, "{why}");
        assert_eq!(same_work, work, "{why}");
    }
    app.end().await;
}

#[tokio::test]
async fn the_routers_own_404_is_the_same_answer() {
    let app = TestApp::start().await;
    let page = anonymous(app.get("/v1/pages/nobody/abcdefgh").await);
    for path in [
        "/v1/",
        "/v1/nothing",
        "/v1/pages",
        "/v1/pages/nobody/abcdefgh/nothing",
        "/v1/pages//abcdefgh",
    ] {
        assert_eq!(anonymous(app.get(path).await), page, "{path}");
    }
    app.end().await;
}

/// What cannot stand in the database's text, or in text at all, names nothing either.
#[tokio::test]
async fn bytes_that_no_address_has_are_404() {
    let app = TestApp::start().await;
    let page = anonymous(app.get("/v1/pages/nobody/abcdefgh").await);
    let host = app.host("ana").make().await;
    for path in [
        "/v1/pages/a%00b",
        "/v1/pages/ana/%00",
        "/v1/pages/%FF%FE/abcdefgh",
        "/v1/pages/ana/%C3/slots",
        "/v1/pages/ana/a%2Fb",
        "/v1/pages/%ED%A0%80",
    ] {
        assert_eq!(anonymous(app.get(path).await), page, "{path}");
    }
    assert_eq!(app.get(&host.api).await.status, 200);
    app.end().await;
}

#[tokio::test]
async fn a_slots_request_takes_at_most_three_round_trips_whatever_there_is_to_read() {
    let (app, wire) = wired().await;
    let host = app
        .host("ana")
        .ask("Why?", "choice", true, &["A", "B"])
        .set("limit_per_month", "30".into())
        .make()
        .await;
    for day in 2..30 {
        host.busy(
            &app.context,
            &format!("2026-06-{day:02}T09:00:00Z"),
            &format!("2026-06-{day:02}T10:00:00Z"),
        )
        .await;
        host.override_date(&app.context, &format!("2026-07-{day:02}"), "{[540,600)}")
            .await;
    }
    host.except(
        &app.context,
        "available",
        "2026-06-02T20:00:00Z",
        "2026-06-02T22:00:00Z",
    )
    .await;
    let path = format!("{}/slots", host.api);
    app.get(&path).await;
    for _ in 0..3 {
        let (answer, work) = heard(&app, &wire, &path).await;
        assert_eq!(answer.status, 200);
        assert!(wire.trips() <= 3, "{work}");
        // Exactly: the page, what is in the way, and the pool's own sign of life. Nothing is
        // prepared anew.
        assert_eq!(work, "BECSBECSS");
    }
    app.end().await;
}

#[tokio::test]
async fn a_page_takes_one_round_trip() {
    let (app, wire) = wired().await;
    let host: TestHost = app.host("ana").set("listed", "true".into()).make().await;
    for path in [host.api.as_str(), "/v1/pages/ana"] {
        app.get(path).await;
        let (answer, work) = heard(&app, &wire, path).await;
        assert_eq!(
            (answer.status.as_u16(), work.as_str()),
            (200, "BECSS"),
            "{path}"
        );
    }
    app.end().await;
}
