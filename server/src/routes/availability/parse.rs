//! `POST /v1/availability/parse`: what a text means, and every problem in it. Saves nothing.

use actix_web::{HttpResponse, post};
use serde::{Deserialize, Serialize};
use shared::{
    availability::{self, ProblemCode, Window},
    locale::Locale,
};
use utoipa::ToSchema;

use crate::{
    error::ApiError,
    extract::{Json, Visitor},
};

/// A text to understand.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ParseRequest {
    /// When somebody is free, in plain words; at most 2,000 bytes are understood.
    #[schema(example = "mondays between 12-3, tuesdays 12-2, 5-7")]
    text: String,
    /// The language of the description and of the problems' sentences. Default: English.
    #[schema(value_type = Option<Locale>, example = "en")]
    locale: Option<String>,
}

/// What the text means.
#[derive(Serialize, ToSchema)]
pub struct ParsedAvailability {
    /// The windows that were understood, merged and sorted.
    windows: Vec<Window>,
    /// The windows in words.
    #[schema(example = "Mondays 12:00–15:00; Tuesdays 12:00–14:00 and 17:00–19:00")]
    description: String,
    /// Everything that was not understood; a text with problems cannot be saved.
    problems: Vec<TextProblem>,
}

/// A part of the text that was not understood.
#[derive(Serialize, ToSchema)]
pub struct TextProblem {
    /// What kind of problem.
    code: ProblemCode,
    /// The part, as it stands in the text.
    #[schema(example = "banana")]
    quote: String,
    /// Where it begins, in bytes of UTF-8.
    start: usize,
    /// Where it ends.
    end: usize,
    /// A sentence for people, in the asked language.
    message: String,
}

/// Understand an availability text.
///
/// Answers 200 whether or not there are problems: they are the answer.
#[utoipa::path(
    tag = "availability", operation_id = "parseAvailability",
    request_body = ParseRequest,
    responses((status = 200, description = "What was understood", body = ParsedAvailability)),
)]
#[post("/availability/parse")]
pub async fn parse(
    _visitor: Visitor,
    Json(request): Json<ParseRequest>,
) -> Result<HttpResponse, ApiError> {
    let locale = request
        .locale
        .as_deref()
        .map(Locale::from_tag)
        .unwrap_or_default();
    let parsed = availability::parse(&request.text);
    let problems = parsed.problems.iter().map(|problem| TextProblem {
        code: problem.code,
        quote: problem.quote.clone(),
        start: problem.start,
        end: problem.end,
        message: problem.message(locale),
    });
    let answer = ParsedAvailability {
        description: availability::describe(&parsed.windows, locale),
        problems: problems.collect(),
        windows: parsed.windows,
    };
    Ok(HttpResponse::Ok().json(answer))
}
