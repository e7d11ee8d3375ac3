//! The order of refusals on manage calls: token (404), body (400), state and revision (409).

use holdfast_tests::{
    Answer, Flow,
    flow::{SAM, by_host},
};
use reqwest::Method;
use shared::ops;

use super::refused;

const NOBODY: &str = "0000000000000000000000000000000000000000000000000000000000000000";

async fn post(
    flow: &Flow,
    verb: &str,
    token: &str,
    body: &str,
    headers: &[(&str, &str)],
) -> Answer {
    let request = flow
        .request(Method::POST, &format!("/v1/manage/{verb}"))
        .header("X-Manage-Token", token)
        .header("Content-Type", "application/json");
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    flow.send(request.body(body.to_owned())).await
}

#[tokio::test]
async fn the_token_comes_before_the_body_and_the_body_before_the_state() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    // Whatever is asked of it is refused by its state.
    let booking = flow.look("", &token).await.json();
    ops::cancel(&flow.context, by_host(&host, &booking), None, None)
        .await
        .unwrap();
    flow.mail.drain().await;
    let before = flow.database.rows().await;
    let long = format!(r#"{{"reason":"{}"}}"#, "r".repeat(2001));
    let huge = format!(r#"{{"reason":"{}"}}"#, "r".repeat(17_000));
    for (verb, body, headers, status, code) in [
        ("confirm", "", &[][..], 400, "invalid_body"),
        ("confirm", "[]", &[], 400, "invalid_body"),
        (
            "confirm",
            r#"{"expected_revision":"0"}"#,
            &[],
            400,
            "invalid_body",
        ),
        ("confirm", r#"{"x":1}"#, &[], 400, "invalid_body"),
        ("cancel", "{", &[], 400, "invalid_body"),
        ("cancel", r#"{"reason":7}"#, &[], 400, "invalid_body"),
        ("cancel", long.as_str(), &[], 422, "validation_failed"),
        (
            "cancel",
            r#"{"reason":"a\u0000b"}"#,
            &[],
            422,
            "validation_failed",
        ),
        ("cancel", huge.as_str(), &[], 413, "body_too_large"),
        ("reschedule", "{}", &[], 400, "invalid_body"),
        (
            "reschedule",
            r#"{"start":"tomorrow","expected_revision":0}"#,
            &[],
            400,
            "invalid_body",
        ),
        (
            "reschedule",
            r#"{"start":"2026-06-02T14:00:00Z"}"#,
            &[],
            400,
            "invalid_body",
        ),
        (
            "reschedule",
            r#"{"start":"2026-06-02T14:00:00Z","expected_revision":0,"zone":"Moon/Base"}"#,
            &[],
            400,
            "unknown_zone",
        ),
        (
            "reschedule",
            r#"{"start":"2026-06-02T14:00:00Z","expected_revision":0}"#,
            &[("Idempotency-Key", "")],
            400,
            "invalid_header",
        ),
    ] {
        let stranger = post(&flow, verb, NOBODY, body, headers).await;
        assert_eq!(
            refused(&stranger),
            (404, "not_found".into()),
            "{verb} {body:.60}"
        );
        let known = post(&flow, verb, &token, body, headers).await;
        assert_eq!(refused(&known), (status, code.into()), "{verb} {body:.60}");
    }
    for (verb, body) in [
        ("confirm", r#"{"expected_revision":99}"#),
        (
            "reschedule",
            r#"{"start":"2026-06-02T14:00:01Z","expected_revision":99}"#,
        ),
        (
            "reschedule",
            r#"{"start":"2020-01-01T00:00:00Z","expected_revision":1}"#,
        ),
    ] {
        let known = post(&flow, verb, &token, body, &[]).await;
        assert_eq!(refused(&known), (409, "booking_cancelled".into()), "{verb}");
        assert_eq!(known.json()["booking"]["state"], "cancelled");
        assert_eq!(known.json()["booking"]["cancelled_by"], "host");
    }
    // The query of the times to move to stands where the body does.
    let query = "/slots?from=nonsense";
    assert_eq!(
        refused(&flow.look(query, NOBODY).await),
        (404, "not_found".into())
    );
    assert_eq!(
        refused(&flow.look(query, &token).await),
        (400, "invalid_parameter".into())
    );
    assert_eq!(
        refused(&flow.look("/slots", &token).await),
        (409, "booking_cancelled".into())
    );
    assert_eq!(flow.database.rows().await, before);
    flow.end().await;
}

/// What the state allows, the rules may still refuse: 409 for the revision comes before 422 and
/// 409 for the time.
#[tokio::test]
async fn the_revision_comes_before_the_time() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    flow.booked(&host, "2026-06-02T12:00:00Z").await;
    for (start, revision, code) in [
        ("2026-06-02T10:30:00Z", 1, "revision_conflict"),
        ("2026-06-02T10:00:00Z", 1, "revision_conflict"),
        ("2026-06-02T12:00:00Z", 1, "revision_conflict"),
        ("2026-06-02T10:00:00Z", 0, "unchanged"),
        ("2026-06-02T10:30:00Z", 0, "slot_not_offered"),
        ("2026-06-02T12:00:00Z", 0, "slot_taken"),
    ] {
        let answer = flow.reschedule(&token, start, revision).await;
        let status = if code == "slot_not_offered" { 422 } else { 409 };
        assert_eq!(refused(&answer), (status, code.into()), "{start}");
    }
    flow.end().await;
}
