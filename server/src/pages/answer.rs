//! Answers as pages: the headers of a page, and the page that an error becomes.

use actix_web::{
    Error, HttpMessage as _, HttpRequest, HttpResponse, ResponseError as _,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{CONTENT_TYPE, HeaderName, HeaderValue, LOCATION},
    },
    middleware::Next,
};

use super::{
    asked,
    view::{self, Reader, Refusal, RefusalPage},
};
use crate::error::{ApiError, Code};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const NOINDEX: HeaderValue = HeaderValue::from_static("noindex");

/// A page.
pub(super) fn page(status: StatusCode, html: String) -> HttpResponse {
    HttpResponse::build(status).content_type(HTML).body(html)
}

/// A page with the status of an error and the headers that belong to it, such as `Retry-After`.
pub(super) fn page_of(error: &ApiError, html: String) -> HttpResponse {
    let mut answer = error.error_response();
    answer.headers_mut().insert(CONTENT_TYPE, HTML);
    answer.set_body(BoxBody::new(html))
}

/// On to another page, by GET.
pub(super) fn see_other(path: String) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((LOCATION, path))
        .finish()
}

/// The page that an error is, for errors that have no page of their own. What is not found has the
/// same bytes and headers everywhere.
#[must_use]
pub fn refused(request: &HttpRequest, error: &ApiError) -> HttpResponse {
    let html = match refusal(error) {
        Some(refusal) => RefusalPage {
            reader: reader(request),
            refusal,
        }
        .html(),
        None => view::not_found().to_owned(),
    };
    let mut answer = page_of(error, html);
    answer.headers_mut().insert(ROBOTS, NOINDEX);
    answer
}

/// `None` is the 404, which says nothing of its own.
fn refusal(error: &ApiError) -> Option<Refusal> {
    Some(match error.code() {
        Code::NotFound => return None,
        Code::MethodNotAllowed => Refusal::Method,
        Code::CrossSite => Refusal::Foreign,
        Code::BodyTooLarge => Refusal::TooLarge,
        Code::UnsupportedMediaType => Refusal::ContentType,
        Code::RateLimited | Code::TooManyHolds | Code::TooManyBookings => Refusal::TooMany {
            retry_after_s: retry_after_s(error),
        },
        Code::AvailabilityUnknown => Refusal::TimesUnknown,
        Code::Overloaded | Code::Unavailable => Refusal::Busy,
        code if code.status().is_client_error() => Refusal::Malformed,
        _ => Refusal::Internal,
    })
}

pub(super) fn retry_after_s(error: &ApiError) -> u64 {
    u64::from(error.retry_after_s().unwrap_or(1))
}

/// Around every page: an error of a handler or of what it takes becomes a page, and pages behind a
/// booking's link are kept from search engines.
pub(super) async fn as_page(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let response = next.call(request).await?.map_into_boxed_body();
    let mut response = match response.response().error() {
        None => response,
        Some(error) => {
            let answer = match error.as_error::<ApiError>() {
                Some(error) => refused(response.request(), error),
                // The path cannot be read: it leads nowhere.
                None if response.status().is_client_error() => {
                    refused(response.request(), &ApiError::new(Code::NotFound))
                }
                None => refused(response.request(), &ApiError::new(Code::Internal)),
            };
            response.into_response(answer)
        }
    };
    let pattern = response.request().match_pattern().unwrap_or_default();
    if pattern.starts_with("/book/m/") {
        response.headers_mut().insert(ROBOTS, NOINDEX);
    }
    Ok(response)
}

/// Whether a path is a page's, known or not, and not the JSON API's or an operator's.
#[must_use]
pub fn belongs_to_pages(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next();
    !matches!(
        first,
        Some("v1" | "healthz" | "readyz" | "metrics" | "mcp" | "openapi.json")
    )
}

/// Who reads the answer: what a form said, else what the address and the headers say.
pub(super) fn reader(request: &HttpRequest) -> Reader {
    let told = request.extensions().get::<Reader>().copied();
    told.unwrap_or_else(|| asked::reader(request))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_a_refusal_but_not_found() {
        for code in Code::ALL {
            let page = refusal(&ApiError::new(*code));
            assert_eq!(page.is_none(), *code == Code::NotFound, "{code:?}");
            let ours = page == Some(Refusal::Internal);
            assert_eq!(ours, *code == Code::Internal, "{code:?}");
        }
    }

    #[test]
    fn paths_of_the_api_and_of_operators_are_no_pages() {
        for path in ["/v1", "/v1/x", "/healthz", "/readyz", "/metrics", "/mcp"] {
            assert!(!belongs_to_pages(path), "{path}");
        }
        for path in ["/", "/v1x", "/book/a/b", "/static/x", "", "//x"] {
            assert!(belongs_to_pages(path), "{path}");
        }
    }
}
