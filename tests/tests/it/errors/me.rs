//! Refusals of `GET /v1/me`.

use holdfast_server::error::Code;
use reqwest::{Method, RequestBuilder};

use super::{How, Row, Stage, play};

/// The name now was sealed for another column, and does not open.
const MIXED_UP: &str = "UPDATE hosts SET display_name_sealed = contact_email_sealed";

/// `GET /v1/me`.
pub const ROWS: &[Row] = &[
    Row::new(
        "showMe",
        Code::Unauthenticated,
        How::Asked(|stage| stage.app.request(Method::GET, "/v1/me")),
    ),
    Row::new("showMe", Code::RateLimited, How::RateLimited(show)),
    Row::new("showMe", Code::Internal, How::Internal(show, MIXED_UP)),
    Row::new("showMe", Code::Unavailable, How::Unavailable(show)),
];

fn show(stage: &Stage) -> RequestBuilder {
    stage.signed(Method::GET, "/v1/me")
}

#[tokio::test]
async fn refusals_of_showing_whom_a_key_stands_for() {
    play(ROWS).await;
}
