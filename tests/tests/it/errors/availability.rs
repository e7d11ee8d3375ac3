//! Refusals of `POST /v1/availability/parse`.

use holdfast_server::error::Code;
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use super::{How, Row, Stage, play};

const OPERATION: &str = "parseAvailability";

pub const ROWS: &[Row] = &[
    Row::new(
        OPERATION,
        Code::InvalidBody,
        How::Asked(|stage| post(stage).json(&json!({ "text": 1 }))),
    ),
    Row::new(
        OPERATION,
        Code::BodyTooLarge,
        How::Asked(|stage| post(stage).json(&json!({ "text": "a".repeat(16 * 1024) }))),
    ),
    Row::new(
        OPERATION,
        Code::UnsupportedMediaType,
        How::Asked(|stage| {
            post(stage)
                .header("Content-Type", "text/plain")
                .body("{\"text\":\"mon 9-5\"}")
        }),
    ),
    Row::new(
        OPERATION,
        Code::RateLimited,
        How::RateLimited(|stage| post(stage).json(&json!({ "text": "mon 9-5" }))),
    ),
];

fn post(stage: &Stage) -> RequestBuilder {
    stage.app.request(Method::POST, "/v1/availability/parse")
}

#[tokio::test]
async fn every_refusal_of_a_text() {
    play(ROWS).await;
}
