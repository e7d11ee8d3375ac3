//! Around every request: an id, one log line, figures, and the headers that every answer has.
//!
//! Neither path nor query is logged: a path may hold a token. The route's template is.

use std::time::Instant as Stopwatch;

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName,
            HeaderValue, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    middleware::Next,
    web::Data,
};
use shared::id;

use crate::app::App;

/// Pages load their own style and script and nothing else, and nobody frames them.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// Swagger UI styles its own elements.
const DOCS_POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The middleware.
///
/// # Errors
/// What the handler gave.
pub async fn observe(
    mut request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let began = Stopwatch::now();
    let app = request.app_data::<Data<App>>().cloned();
    let request_id = app
        .as_ref()
        .and_then(|app| id::new(app.context.clock.now(), &app.context.random).ok())
        .unwrap_or_default();
    // A HEAD is a GET whose body stays here; the encoder knows from the request line.
    let method = request.method().clone();
    if method == Method::HEAD {
        request.head_mut().method = Method::GET;
    }
    let mut response = next.call(request).await?;
    let route = response
        .request()
        .match_pattern()
        .unwrap_or_else(|| "unmatched".to_owned());
    let status = response.status().as_u16();
    let https = app.is_some_and(|app| app.settings.public_url.starts_with("https://"));
    add_headers(
        response.headers_mut(),
        &route,
        &request_id.to_string(),
        https,
    );
    let seconds = began.elapsed().as_secs_f64();
    let labels = [
        ("route", route.clone()),
        ("method", known(&method).to_owned()),
        ("status", status.to_string()),
    ];
    metrics::counter!("holdfast_http_requests_total", &labels).increment(1);
    metrics::histogram!("holdfast_http_request_duration_seconds", "route" => route.clone())
        .record(seconds);
    tracing::info!(http.route = route, http.method = known(&method), http.status = status, duration_ms = seconds * 1000.0, request_id = %request_id, "request");
    Ok(response)
}

/// The method for figures and logs; clients may invent names, and each would be a series of its own.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn add_headers(headers: &mut HeaderMap, route: &str, request_id: &str, https: bool) {
    let mut set = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set(HeaderName::from_static("x-request-id"), request_id);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "same-origin");
    if https {
        set(STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    let docs = route.starts_with("/docs");
    let is_page = headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    // A handler that shows what somebody else wrote has a stricter policy of its own.
    if is_page && !headers.contains_key(CONTENT_SECURITY_POLICY) {
        let policy = if docs { DOCS_POLICY } else { PAGE_POLICY };
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    }
    // Whatever is not a static file may be personal, or be other a moment later.
    if !headers.contains_key(CACHE_CONTROL) && !docs {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}
