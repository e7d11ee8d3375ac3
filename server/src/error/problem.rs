//! The problem document (RFC 9457) and the error that becomes one.

use std::fmt;

use actix_web::{
    HttpResponse, ResponseError,
    http::{
        StatusCode,
        header::{CACHE_CONTROL, RETRY_AFTER, WWW_AUTHENTICATE},
    },
};
use serde::Serialize;
use shared::store::constraint;
use utoipa::ToSchema;

use super::Code;

/// One fault of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldProblem {
    /// Where: a JSON Pointer (RFC 6901) into the body, or the name of a query parameter.
    #[schema(example = "/email")]
    pub pointer: String,
    /// What kind of fault, stable, in `snake_case`.
    #[schema(example = "invalid_email")]
    pub code: String,
    /// A sentence for people.
    pub detail: String,
}

/// An error answer, `application/problem+json` (RFC 9457).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// A URI for the kind of problem: `urn:holdfast:problem:` and the code.
    #[schema(example = "urn:holdfast:problem:slot_taken")]
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in a sentence.
    pub title: String,
    /// The HTTP status again.
    #[schema(example = 409)]
    pub status: u16,
    /// What is wrong with this request.
    pub detail: String,
    /// The stable code.
    #[schema(example = "slot_taken")]
    pub code: String,
    /// Each fault: the first one with 400, all of them with 422.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
    /// The current booking, with 409 on a booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub booking: Option<serde_json::Value>,
}

/// An error on its way out.
#[derive(Debug)]
pub struct ApiError {
    code: Code,
    detail: Option<String>,
    errors: Vec<FieldProblem>,
    booking: Option<Box<serde_json::Value>>,
    retry_after_s: Option<u32>,
    allow: Option<String>,
}

impl ApiError {
    /// The error with nothing but its code.
    #[must_use]
    pub const fn new(code: Code) -> Self {
        Self {
            code,
            detail: None,
            errors: Vec::new(),
            booking: None,
            retry_after_s: None,
            allow: None,
        }
    }

    /// With a sentence about this request.
    #[must_use]
    pub fn detail(mut self, detail: impl fmt::Display) -> Self {
        self.detail = Some(detail.to_string());
        self
    }

    /// With one more fault.
    #[must_use]
    pub fn at(
        mut self,
        pointer: impl Into<String>,
        code: impl Into<String>,
        detail: impl fmt::Display,
    ) -> Self {
        self.errors.push(FieldProblem {
            pointer: pointer.into(),
            code: code.into(),
            detail: detail.to_string(),
        });
        self
    }

    /// With the current booking.
    #[must_use]
    pub fn booking(mut self, booking: impl Serialize) -> Self {
        self.booking = serde_json::to_value(booking).ok().map(Box::new);
        self
    }

    /// With seconds to wait.
    #[must_use]
    pub const fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// With the methods that the path does have.
    #[must_use]
    pub fn allow(mut self, methods: String) -> Self {
        self.allow = Some(methods);
        self
    }

    /// The code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The faults, for a page that shows them beside its fields.
    #[must_use]
    pub fn faults(&self) -> &[FieldProblem] {
        &self.errors
    }

    /// Seconds to wait, if the answer says so.
    #[must_use]
    pub const fn retry_after_s(&self) -> Option<u32> {
        self.retry_after_s
    }

    /// A fault of ours: logged here, once, with its chain; the caller hears nothing of it.
    #[must_use]
    pub fn internal(error: &dyn std::error::Error) -> Self {
        tracing::error!(error = chain(error), "request failed");
        Self::new(Code::Internal)
    }

    /// The document.
    #[must_use]
    pub fn problem(&self) -> Problem {
        Problem {
            kind: format!("urn:holdfast:problem:{}", self.code.as_str()),
            title: self.code.title().to_owned(),
            status: self.code.status().as_u16(),
            detail: self
                .detail
                .clone()
                .unwrap_or_else(|| self.code.title().to_owned()),
            code: self.code.as_str().to_owned(),
            errors: self.errors.clone(),
            booking: self.booking.as_deref().cloned(),
        }
    }
}

/// An error's sentence and those of its causes, one after the other.
#[must_use]
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_words = cause.to_string();
        // Some sentences hold their cause's already.
        if !words.ends_with(&cause_words) {
            words.push_str(": ");
            words.push_str(&cause_words);
        }
        source = cause.source();
    }
    words
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.as_str())
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse {
        let mut answer = HttpResponse::build(self.code.status());
        answer.insert_header((CACHE_CONTROL, "no-store"));
        if self.code.status() == StatusCode::UNAUTHORIZED {
            answer.insert_header((WWW_AUTHENTICATE, "Bearer"));
        }
        if let Some(seconds) = self.retry_after_s {
            answer.insert_header((RETRY_AFTER, seconds.to_string()));
        }
        if let Some(methods) = &self.allow {
            answer.insert_header(("Allow", methods.as_str()));
        }
        answer
            .content_type("application/problem+json")
            .json(self.problem())
    }
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        if constraint::unavailable(&error) {
            tracing::error!(%error, "the database is not available");
            return Self::new(Code::Unavailable).retry_after(5);
        }
        Self::internal(&error)
    }
}
