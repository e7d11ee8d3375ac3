//! The forms that pages send: from their own page alone, bounded, read strictly.

use std::{future::Future, pin::Pin};

use actix_web::{
    FromRequest, HttpMessage as _, HttpRequest,
    dev::Payload,
    http::header::ORIGIN,
    web::{Bytes, Data, Query},
};
use shared::{instant::Instant, locale::Locale};

use super::{
    asked,
    view::{Answer, Reader},
};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{IdempotencyKey, json::MAX_BODY_BYTES},
};

/// The most bytes that a form may have on its way. Percent-encoding makes three of one; what counts
/// is what it says, which may be as long as the JSON of the same request.
pub(super) const MAX_ENCODED_BYTES: usize = 3 * MAX_BODY_BYTES;

/// What a question's field is called, before its id.
const QUESTION: &str = "q.";

/// The fields of a form, in the order in which they came.
pub(super) struct Form(Vec<(String, String)>);

impl FromRequest for Form {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if !is_from_own_page(request) {
            return refuse(ApiError::new(Code::CrossSite));
        }
        let kind = "application/x-www-form-urlencoded";
        if !request.content_type().eq_ignore_ascii_case(kind) {
            return refuse(ApiError::new(Code::UnsupportedMediaType));
        }
        let request = request.clone();
        let body = Bytes::from_request(&request, payload);
        Box::pin(async move {
            let body = body.await.map_err(|error| {
                match error.as_response_error().status_code().as_u16() {
                    413 => too_large(),
                    _ => malformed("the body did not arrive whole"),
                }
            })?;
            let form = Self::parse(&body)?;
            let reader = form.reader(&request);
            request.extensions_mut().insert(reader);
            Ok(form)
        })
    }
}

fn refuse(error: ApiError) -> Pin<Box<dyn Future<Output = Result<Form, ApiError>>>> {
    Box::pin(async { Err(error) })
}

fn too_large() -> ApiError {
    ApiError::new(Code::BodyTooLarge).detail(format_args!("at most {MAX_BODY_BYTES} bytes"))
}

fn malformed(what: &str) -> ApiError {
    ApiError::new(Code::InvalidBody).detail(what)
}

/// Browsers say by `Sec-Fetch-Site` whose form it is; one that does not names the `Origin` of the
/// page. A request that says neither comes from no page.
fn is_from_own_page(request: &HttpRequest) -> bool {
    let header = |name: &str| request.headers().get(name).map(|value| value.as_bytes());
    if let Some(site) = header("Sec-Fetch-Site") {
        return site == b"same-origin";
    }
    let public_url = request
        .app_data::<Data<App>>()
        .map(|app| origin(&app.settings.public_url));
    match (header(ORIGIN.as_str()), public_url) {
        (Some(origin), Some(public)) => origin == public.as_bytes(),
        _ => false,
    }
}

/// The origin of an address as browsers write it: scheme, host in lower case, and a port unless it
/// is the scheme's own (RFC 6454, section 6.2).
fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    let authority = rest.split('/').next().unwrap_or_default();
    let own_port = if scheme == "https" { ":443" } else { ":80" };
    let host = authority.strip_suffix(own_port).unwrap_or(authority);
    format!("{scheme}://{}", host.to_ascii_lowercase())
}

impl Form {
    fn parse(body: &[u8]) -> Result<Self, ApiError> {
        let text = std::str::from_utf8(body).map_err(|_| malformed("the body is not UTF-8"))?;
        let fields = Query::<Vec<(String, String)>>::from_query(text)
            .map_err(|_| malformed("the body is no form"))?;
        // A text area sends its line breaks as CR and LF.
        let plain = |(name, value): (String, String)| (name, value.replace("\r\n", "\n"));
        let fields: Vec<_> = fields.into_inner().into_iter().map(plain).collect();
        let bytes: usize = fields
            .iter()
            .map(|(name, value)| name.len() + value.len())
            .sum();
        if bytes > MAX_BODY_BYTES {
            return Err(too_large());
        }
        Ok(Self(fields))
    }

    /// Refuses fields that the form does not have, and those that stand twice. Questions may.
    ///
    /// # Errors
    /// `invalid_body`, naming the field.
    pub(super) fn expect(&self, known: &[&str], questions: bool) -> Result<(), ApiError> {
        for (at, (name, _)) in self.0.iter().enumerate() {
            if questions && name.starts_with(QUESTION) {
                continue;
            }
            if !known.contains(&name.as_str()) {
                return Err(malformed("a field is unknown").at(name, "unknown_field", "unknown"));
            }
            if self.0.iter().skip(at + 1).any(|(held, _)| held == name) {
                return Err(malformed("a field stands twice").at(name, "repeated_field", "twice"));
            }
        }
        Ok(())
    }

    /// A field, if it was sent.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let held = self.0.iter().find(|(held, _)| held == name);
        held.map(|(_, value)| value.as_str())
    }

    /// A field; empty if it was not sent.
    pub(super) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The start of a slot.
    ///
    /// # Errors
    /// `invalid_body` if it is missing, or no instant.
    pub(super) fn start(&self) -> Result<Instant, ApiError> {
        Instant::parse_rfc3339(self.text("start"))
            .map_err(|error| malformed("start cannot be read").at("start", "invalid_value", error))
    }

    /// The revision that the form was made at.
    ///
    /// # Errors
    /// `invalid_body` if it is missing, or no number.
    pub(super) fn revision(&self) -> Result<i32, ApiError> {
        let name = "expected_revision";
        self.text(name).parse().map_err(|error| {
            malformed("the revision cannot be read").at(name, "invalid_value", error)
        })
    }

    /// The key that makes a second press the same request.
    ///
    /// # Errors
    /// `invalid_body` if it is missing, or not printable.
    pub(super) fn idempotency_key(&self) -> Result<&str, ApiError> {
        let key = self.text("idempotency_key");
        if IdempotencyKey::is_valid(key) {
            Ok(key)
        } else {
            Err(malformed(
                "idempotency_key is 1 to 255 printable characters",
            ))
        }
    }

    /// The language that the form names.
    pub(super) fn language(&self) -> Option<Locale> {
        self.get("lang").map(Locale::from_tag)
    }

    /// Who reads the answer. The form always names its language; links keep naming it if the
    /// browser would have wished for another one.
    fn reader(&self, request: &HttpRequest) -> Reader {
        let asked = asked::reader(request);
        let locale = self.language().unwrap_or(asked.locale);
        Reader {
            locale,
            lang_asked: asked.lang_asked || locale != asked.locale,
        }
    }

    /// What was sent for questions, in the order of the form.
    pub(super) fn answers(&self) -> Vec<Answer> {
        let mut answers: Vec<Answer> = Vec::new();
        for (name, value) in &self.0 {
            let Some(question) = name.strip_prefix(QUESTION) else {
                continue;
            };
            match answers.iter_mut().find(|held| held.question == question) {
                Some(held) => held.values.push(value.clone()),
                None => answers.push(Answer {
                    question: question.to_owned(),
                    values: vec![value.clone()],
                }),
            }
        }
        answers
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn form(body: &str) -> Form {
        Form::parse(body.as_bytes()).unwrap()
    }

    #[test]
    fn an_origin_is_written_as_browsers_write_it() {
        for (url, want) in [
            ("https://Book.Example.com", "https://book.example.com"),
            ("https://book.example.com:443", "https://book.example.com"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://book.test:80/below", "http://book.test"),
            ("https://book.test:80", "https://book.test:80"),
        ] {
            assert_eq!(origin(url), want);
        }
    }

    #[test]
    fn fields_are_decoded_and_line_breaks_are_plain() {
        let form = form("note=a%0D%0Ab+c&q.x=1&q.y=2&q.x=3&name=");
        assert_eq!(form.text("note"), "a\nb c");
        assert_eq!((form.get("name"), form.get("email")), (Some(""), None));
        let answers: Vec<_> = form
            .answers()
            .into_iter()
            .map(|answer| (answer.question, answer.values))
            .collect();
        let values = |list: &[&str]| list.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            answers,
            [
                ("x".to_owned(), values(&["1", "3"])),
                ("y".to_owned(), values(&["2"]))
            ]
        );
    }

    #[test]
    fn unknown_and_repeated_fields_are_named() {
        let known = ["name", "note"];
        assert!(form("name=a&note=b").expect(&known, false).is_ok());
        assert!(form("name=a&q.1=b&q.1=c").expect(&known, true).is_ok());
        for (body, questions, pointer) in [
            ("name=a&x=b", true, "x"),
            ("name=a&name=b", true, "name"),
            ("q.1=b", false, "q.1"),
        ] {
            let error = form(body).expect(&known, questions).unwrap_err();
            assert_eq!(error.code(), Code::InvalidBody, "{body}");
            assert_eq!(error.faults()[0].pointer, pointer, "{body}");
        }
    }

    #[test]
    fn missing_and_broken_values_are_refused() {
        assert!(form("").start().is_err());
        assert!(form("start=tomorrow").start().is_err());
        assert!(form("start=2026-06-01T09:00:00Z").start().is_ok());
        assert!(form("expected_revision=").revision().is_err());
        assert!(form("expected_revision=1.0").revision().is_err());
        assert_eq!(form("expected_revision=7").revision().unwrap(), 7);
        assert!(form("idempotency_key=").idempotency_key().is_err());
        assert!(form("idempotency_key=%00").idempotency_key().is_err());
        assert!(Form::parse(b"name=\xff").is_err());
    }
}
