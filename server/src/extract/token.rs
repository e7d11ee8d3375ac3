//! The `X-Manage-Token` header.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};

/// What the caller presents as a token. A missing one is an empty text: it is looked up like any
/// other, and answers the same 404.
pub struct PresentedToken(pub String);

impl FromRequest for PresentedToken {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let value = request
            .headers()
            .get("X-Manage-Token")
            .and_then(|value| value.to_str().ok());
        ready(Ok(Self(value.unwrap_or_default().to_owned())))
    }
}
