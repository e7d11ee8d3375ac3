//! Bodies, read whole and no further than they may be.

use std::future::Future;

use actix_web::{
    HttpRequest,
    body::{BodyStream, to_bytes_limited},
    dev::{Decompress, Payload},
    http::header::{CONTENT_LENGTH, CONTENT_TYPE},
    web::Bytes,
};

use crate::error::{ApiError, Code};

/// Reads a body of at most so many bytes, unpacked. What is announced as longer is not read.
pub(super) fn whole(
    request: &HttpRequest,
    payload: &mut Payload,
    most: usize,
) -> impl Future<Output = Result<Bytes, ApiError>> + use<> {
    let announced = announced(request);
    let body = BodyStream::new(Decompress::from_headers(payload.take(), request.headers()));
    async move {
        let too_large =
            || ApiError::new(Code::BodyTooLarge).detail(format_args!("at most {most} bytes"));
        if announced.is_some_and(|length| length > most) {
            return Err(too_large());
        }
        match to_bytes_limited(body, most).await {
            Ok(Ok(body)) => Ok(body),
            Ok(Err(_)) => {
                Err(ApiError::new(Code::InvalidBody).detail("the body did not arrive whole"))
            }
            Err(_) => Err(too_large()),
        }
    }
}

/// The length that the request says its body has.
fn announced(request: &HttpRequest) -> Option<usize> {
    let value = request.headers().get(CONTENT_LENGTH)?;
    value.to_str().ok()?.parse().ok()
}

/// Whether the request says that its body is of this media type.
pub(super) fn is(request: &HttpRequest, media_type: &str) -> bool {
    let value = request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    value
        .split(';')
        .next()
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case(media_type))
}
