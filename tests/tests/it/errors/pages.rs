//! Refusals of the calls below `/v1/pages`.

use futures::future::{FutureExt as _, LocalBoxFuture};
use holdfast_server::error::Code;
use holdfast_tests::{TestApp, app::Options};
use reqwest::{Method, RequestBuilder};

use super::{Good, How, Row, Scene, Stage, play};

/// A statement then names a column that is not there: a fault of ours, whatever was asked.
const NO_HANDLES: &str = "ALTER TABLE hosts RENAME COLUMN handle TO gone";

pub const ROWS: &[Row] = &[
    Row::new(
        "listPages",
        Code::NotFound,
        How::Asked(|stage| get(stage, "/v1/pages/nobody")),
    ),
    Row::new("listPages", Code::RateLimited, How::RateLimited(list)),
    // A name that was sealed for another place does not open.
    Row::new(
        "listPages",
        Code::Internal,
        How::Internal(
            list,
            "UPDATE hosts SET display_name_sealed = contact_email_sealed",
        ),
    ),
    Row::new("listPages", Code::Unavailable, How::Unavailable(list)),
    Row::new(
        "showPage",
        Code::NotFound,
        How::Asked(|stage| get(stage, "/v1/pages/ana/00000000")),
    ),
    Row::new(
        "showPage",
        Code::AvailabilityUnknown,
        How::Scene(|| lost(show)),
    ),
    Row::new("showPage", Code::RateLimited, How::RateLimited(show)),
    Row::new("showPage", Code::Internal, How::Internal(show, NO_HANDLES)),
    Row::new("showPage", Code::Unavailable, How::Unavailable(show)),
    Row::new(
        "findSlots",
        Code::InvalidParameter,
        How::Asked(|stage| slots_of(stage, "?from=tomorrow")),
    ),
    Row::new(
        "findSlots",
        Code::UnknownZone,
        How::Asked(|stage| slots_of(stage, "?zone=Moon/Base")),
    ),
    Row::new(
        "findSlots",
        Code::NotFound,
        How::Asked(|stage| get(stage, "/v1/pages/ana/00000000/slots")),
    ),
    Row::new(
        "findSlots",
        Code::RangeTooLong,
        How::Asked(|stage| slots_of(stage, "?from=2026-06-01T00:00:00Z&to=2026-09-01T00:00:00Z")),
    ),
    Row::new(
        "findSlots",
        Code::RangeInverted,
        How::Asked(|stage| slots_of(stage, "?from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z")),
    ),
    Row::new(
        "findSlots",
        Code::AvailabilityUnknown,
        How::Scene(|| lost(slots)),
    ),
    Row::new("findSlots", Code::Overloaded, How::Scene(overloaded)),
    Row::new("findSlots", Code::RateLimited, How::RateLimited(slots)),
    Row::new(
        "findSlots",
        Code::Internal,
        How::Internal(slots, NO_HANDLES),
    ),
    Row::new("findSlots", Code::Unavailable, How::Unavailable(slots)),
];

fn get(stage: &Stage, path: &str) -> RequestBuilder {
    stage.app.request(Method::GET, path)
}

fn list(stage: &Stage) -> RequestBuilder {
    get(stage, "/v1/pages/ana")
}

fn show(stage: &Stage) -> RequestBuilder {
    get(stage, &stage.host.api)
}

fn slots(stage: &Stage) -> RequestBuilder {
    slots_of(stage, "")
}

fn slots_of(stage: &Stage, query: &str) -> RequestBuilder {
    get(stage, &format!("{}/slots{query}", stage.host.api))
}

/// A host whose zone is in no table.
fn lost(good: Good) -> LocalBoxFuture<'static, Scene> {
    async move {
        let stage = Stage::confirmed(Options::default()).await;
        stage
            .app
            .database
            .run("UPDATE hosts SET zone = 'Moon/Base'")
            .await;
        let request = good(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

fn overloaded() -> LocalBoxFuture<'static, Scene> {
    async {
        let stage = Stage::confirmed(Options {
            slot_concurrency: 1,
            ..Options::default()
        })
        .await;
        stage
            .app
            .state
            .slot_permits
            .acquire()
            .await
            .unwrap()
            .forget();
        let request = slots(&stage);
        stage.scene(request)
    }
    .boxed_local()
}

#[tokio::test]
async fn every_refusal_of_a_page_call() {
    play(ROWS).await;
}

#[tokio::test]
async fn each_fault_of_the_query_is_named() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let form = "not an RFC 3339 date and time such as 2026-03-29T01:30:00Z";
    for (query, code, pointer, words) in [
        ("from=tomorrow", "invalid_instant", "from", form),
        ("to=2026-06-01", "invalid_instant", "to", form),
        ("from=2026-06-01T00:00:00", "invalid_instant", "from", form),
        ("from=2026-06-01T00:00Z", "invalid_instant", "from", form),
        ("from=2026-02-30T00:00:00Z", "invalid_instant", "from", form),
        ("from=", "invalid_instant", "from", form),
        (
            "form=2026-06-01T00:00:00Z",
            "invalid_parameter",
            "form",
            "unknown field `form`, expected one of `from`, `to`, `zone`",
        ),
        (
            "zone=UTC&zone=UTC",
            "invalid_parameter",
            "zone",
            "duplicate field `zone`",
        ),
        (
            "zone=Moon/Base",
            "unknown_zone",
            "zone",
            "no such zone in the IANA table",
        ),
        (
            "zone=Mars/Paris",
            "unknown_zone",
            "zone",
            "no such zone in the IANA table; did you mean Europe/Paris?",
        ),
        (
            "zone=%2B02:00",
            "unknown_zone",
            "zone",
            "an offset is not a zone; use an IANA name such as Europe/Paris",
        ),
        (
            "zone=",
            "unknown_zone",
            "zone",
            "a zone is an IANA name such as Europe/Paris",
        ),
    ] {
        let answer = app.get(&format!("{}/slots?{query}", host.api)).await;
        assert_eq!(answer.status, 400, "{query}: {}", answer.text());
        let want = serde_json::json!([{ "pointer": pointer, "code": code, "detail": words }]);
        assert_eq!(answer.json()["errors"], want, "{query}");
    }
    app.end().await;
}

/// Connections that died while the database was away are not handed out for ever.
#[tokio::test]
async fn the_service_comes_back_by_itself_when_the_database_does() {
    let database = holdfast_tests::database::TestDatabase::create().await;
    let wire = holdfast_tests::Wire::before(&database).await;
    let app = TestApp::on(
        database,
        Options {
            connect: Some(wire.options()),
            connections: 3,
            ..Options::default()
        },
    )
    .await;
    let host = app.host("ana").make().await;
    let many = async || futures::future::join_all((0..6).map(|_| app.get(&host.api))).await;
    assert!(many().await.iter().all(|answer| answer.status == 200));
    wire.cut();
    assert!(many().await.iter().all(|answer| answer.status == 503));
    wire.mend();
    assert!(
        many().await.iter().all(|answer| answer.status == 200),
        "dead connections were thrown away while it was gone"
    );
    app.end().await;
}
