//! The `Idempotency-Key` header.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};

use crate::error::{ApiError, Code};

/// 1 to 255 printable ASCII characters, if the header is there.
pub struct IdempotencyKey(pub Option<String>);

impl IdempotencyKey {
    /// Whether a text may be a key.
    #[must_use]
    pub fn is_valid(text: &str) -> bool {
        (1..=255).contains(&text.len()) && text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
    }
}

impl FromRequest for IdempotencyKey {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(match request.headers().get("Idempotency-Key") {
            None => Ok(Self(None)),
            Some(value) => match value.to_str() {
                Ok(text) if Self::is_valid(text) => Ok(Self(Some(text.to_owned()))),
                _ => {
                    let what = "Idempotency-Key is 1 to 255 printable ASCII characters";
                    Err(ApiError::new(Code::InvalidHeader).detail(what).at(
                        "Idempotency-Key",
                        "invalid_header",
                        what,
                    ))
                }
            },
        })
    }
}
