//! `GET /v1/pages/{handle}/{code}/slots`.
use holdfast_tests::{TestApp, host::starts};

#[tokio::test]
async fn free_times_are_grouped_by_the_date_of_the_asked_zone() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .zone("America/New_York")
        .free("mon 17:00-19:00")
        .make()
        .await;
    let answer = app
        .get(&host.slots("2026-06-01T00:00:00Z", "2026-06-03T00:00:00Z", "Asia/Tokyo"))
        .await;
    let json = answer.json();
    assert_eq!(json["zone"], "Asia/Tokyo");
    assert_eq!(json["days"][0]["date"], "2026-06-02");
    assert_eq!(starts(&json).len(), 2);
    app.end().await;
}
