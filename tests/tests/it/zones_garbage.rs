//! Garbage in place of zones, paths and methods: exact refusals, and nothing that grows.

use holdfast_tests::TestApp;
use serde_json::json;
use shared::zone::Zones;

#[tokio::test]
async fn an_unknown_zone_is_400_whatever_it_is_made_of() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let (form, unknown, offset) = (
        "a zone is an IANA name such as Europe/Paris",
        "no such zone in the IANA table",
        "an offset is not a zone; use an IANA name such as Europe/Paris",
    );
    for (zone, words) in [
        ("Moon/Base", unknown),
        ("Etc/Unknown", unknown),
        ("Factory", unknown),
        ("posixrules", unknown),
        ("Europe", unknown),
        ("Europe/", unknown),
        ("%2B02:00", offset),
        ("-0500", offset),
        ("02:00", offset),
        ("", form),
        ("%20", form),
        ("../../../etc/passwd", form),
        ("Europe/Paris%00", form),
        ("Europe%5CParis", form),
        ("Z%C3%BCrich", form),
        ("%F0%9F%8C%8D", form),
        (&"a".repeat(65), form),
        (&"a".repeat(8000), form),
    ] {
        for path in [host.api.as_str(), "/v1/pages/nobody/abcdefgh"] {
            let answer = app.get(&format!("{path}/slots?zone={zone}")).await;
            assert_eq!(
                (answer.status.as_u16(), answer.code().as_str()),
                (400, "unknown_zone"),
                "{zone}"
            );
            assert_eq!(
                answer.json()["errors"],
                json!([{ "pointer": "zone", "code": "unknown_zone", "detail": words }]),
                "{zone}"
            );
        }
    }
    // Bytes that are no text are another fault: the query cannot be read.
    let answer = app.get(&format!("{}/slots?zone=%FF", host.api)).await;
    assert_eq!(answer.status, 400, "{}", answer.text());
    app.end().await;
}

#[tokio::test]
async fn every_zone_of_the_table_can_be_asked_for() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let zones = Zones::bundled();
    assert!(zones.all().count() > 500);
    for zone in zones.all() {
        let answer = app
            .get(&host.slots(
                "2026-06-02T09:00:00Z",
                "2026-06-02T09:30:00Z",
                &zone.name().replace('+', "%2B"),
            ))
            .await;
        assert_eq!(answer.status, 200, "{zone:?}");
        let day = answer.json();
        assert_eq!(day["zone"], zone.name());
        assert_eq!(
            day["days"][0]["date"],
            zone.date("2026-06-02T09:00:00Z".parse().unwrap())
                .to_string(),
            "{zone:?}"
        );
    }
    app.end().await;
}

/// Red when a label is made of what a stranger sends.
#[tokio::test]
async fn strangers_make_no_new_figures() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let hammer = async |from: u32, to: u32| {
        for number in from..to {
            app.get(&format!("/garbage-{number}/{number}")).await;
            app.get(&format!(
                "/v1/pages/garbage-{number}/abcdefgh/slots?zone=Garbage/Zone{number}"
            ))
            .await;
            app.get(&format!("{}/slots?garbage-{number}=1", host.api))
                .await;
            app.send(app.request(format!("GARBAGE{number}").parse().unwrap(), &host.api))
                .await;
            app.send(app.request(format!("GARBAGE{number}").parse().unwrap(), "/nothing/here"))
                .await;
        }
    };
    hammer(0, 3).await;
    hammer(3, 30).await;
    let figures = app.get("/metrics").await.text();
    assert!(
        figures.contains("holdfast_http_requests_total"),
        "{figures}"
    );
    let grown: Vec<&str> = figures
        .lines()
        .filter(|line| line.to_ascii_lowercase().contains("garbage"))
        .collect();
    assert!(grown.is_empty(), "{grown:?}");
    app.end().await;
}
