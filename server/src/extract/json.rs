//! JSON bodies: typed, bounded, and refused with the place of the first fault.

use std::{future::Future, pin::Pin};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use serde::de::DeserializeOwned;
use shared::object::Object;

use super::body;
use crate::error::{ApiError, Code};

/// The most bytes that a public body may have.
pub const MAX_BODY_BYTES: usize = 16 * 1024;

/// The most bytes that a body may have whose sender presented an API key.
pub const MAX_SIGNED_BODY_BYTES: usize = 1024 * 1024;

/// A body of at most `MAX_BYTES` that was read as `T`.
pub struct Json<T, const MAX_BYTES: usize = MAX_BODY_BYTES>(pub T);

/// A body from whoever presented an API key. Behind [`super::Keyed`]: a stranger's body is not
/// read so far.
pub type SignedJson<T> = Json<T, MAX_SIGNED_BODY_BYTES>;

impl<T: DeserializeOwned + 'static, const MAX_BYTES: usize> FromRequest for Json<T, MAX_BYTES> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if !body::is(request, "application/json") {
            return Box::pin(async {
                Err(ApiError::new(Code::UnsupportedMediaType).detail("send application/json"))
            });
        }
        let body = body::whole(request, payload, MAX_BYTES);
        Box::pin(async move {
            let body = body.await?;
            parse(&body).map(Self)
        })
    }
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
