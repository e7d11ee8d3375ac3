//! JSON bodies: typed, bounded, and refused with the place of the first fault.

use std::{future::Future, pin::Pin};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header::CONTENT_TYPE, web::Bytes};
use serde::de::DeserializeOwned;
use shared::object::Object;

use crate::error::{ApiError, Code};

/// The most bytes that a public body may have.
pub const MAX_BODY_BYTES: usize = 16 * 1024;

/// A body that was read as `T`.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if !is_json(request) {
            return Box::pin(async {
                Err(ApiError::new(Code::UnsupportedMediaType).detail("send application/json"))
            });
        }
        let body = Bytes::from_request(request, payload);
        Box::pin(async move {
            let body = body.await.map_err(|error| {
                match error.as_response_error().status_code().as_u16() {
                    413 => ApiError::new(Code::BodyTooLarge)
                        .detail(format_args!("at most {MAX_BODY_BYTES} bytes")),
                    _ => ApiError::new(Code::InvalidBody).detail("the body did not arrive whole"),
                }
            })?;
            parse(&body).map(Self)
        })
    }
}

fn is_json(request: &HttpRequest) -> bool {
    let value = request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    value
        .split(';')
        .next()
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Reads a body. serde's own words name the fault; the path to it becomes a JSON Pointer.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let Object(value) = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let mut pointer = String::new();
        for segment in error.path() {
            use serde_path_to_error::Segment;
            match segment {
                Segment::Map { key } => {
                    pointer.push('/');
                    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                }
                Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
                Segment::Enum { .. } | Segment::Unknown => {}
            }
        }
        let words = error.inner().to_string();
        ApiError::new(Code::InvalidBody)
            .detail(&words)
            .at(pointer, "invalid_value", words)
    })?;
    deserializer
        .end()
        .map_err(|error| ApiError::new(Code::InvalidBody).detail(error))?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use serde::Deserialize;

    use super::parse;
    use crate::error::{ApiError, Code};

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read by serde alone")]
    struct Body {
        name: String,
        list: Vec<u8>,
    }

    fn fault(text: &str) -> ApiError {
        parse::<Body>(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn the_first_fault_is_named_by_its_pointer() {
        for (text, pointer) in [
            (r#"{"name":1,"list":[]}"#, "/name"),
            (r#"{"name":"a","list":[1,"x"]}"#, "/list/1"),
            (r#"{"name":"a","list":[],"a/b":1}"#, "/a~1b"),
        ] {
            assert_eq!(fault(text).faults()[0].pointer, pointer, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_of_that_shape_is_400() {
        for text in [
            "",
            "{",
            "[]",
            r#"["a",[1]]"#,
            "null",
            r#"{"name":"a"}"#,
            r#"{"name":"a","list":[]} x"#,
            "{\"name\":\"\u{0}\"}",
        ] {
            assert_eq!(fault(text).code(), Code::InvalidBody, "{text}");
        }
    }
}
