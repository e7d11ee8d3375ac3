//! An API key that was opened: a host's authority over what is theirs.

use std::pin::Pin;

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header::AUTHORIZATION, web::Data};
use shared::{
    fingerprint::Purpose,
    ops::{self, KeyHolder},
    token,
};
use uuid::Uuid;

use super::client_ip;
use crate::{
    app::App,
    error::{ApiError, Code},
};

/// Every handler that serves a host takes one: it cannot be made but by presenting a key that is
/// known, not revoked, and of an active host. Everything else is one and the same 401, whatever
/// else is wrong with the request, and never a fallback to a stranger's rights.
///
/// A handler that takes more than the key takes it through [`super::Keyed`], which opens the key
/// before it reads anything else.
#[derive(Clone, Copy, Debug)]
pub struct HostKey(KeyHolder);

impl HostKey {
    /// The host whose things the key opens: what every look-up of theirs is bound by.
    #[must_use]
    pub const fn host(self) -> Uuid {
        self.0.host
    }

    /// The key's own id.
    #[must_use]
    pub const fn id(self) -> Uuid {
        self.0.key
    }

    /// Opens what the request presents. A key that opens counts at a gate of its own; one that
    /// does not counts at the gate of strangers, by client IP.
    async fn open(request: &HttpRequest) -> Result<Self, ApiError> {
        let app = request
            .app_data::<Data<App>>()
            .ok_or_else(|| ApiError::new(Code::Internal))?;
        let presented = presented(request);
        let opened = ops::open_key(&app.context, presented).await?;
        let now = app.context.clock.now();
        let (gate, client) = match opened {
            Some(_) => (&app.key_gate, token::hash(presented)),
            None => {
                let client = client_ip(request, app.settings.trusted_proxy_hops);
                let client = app.context.keys.fingerprint.of(Purpose::Ip, &client);
                (&app.gate, client)
            }
        };
        gate.pass(&client, now)
            .map_err(|closed| ApiError::new(Code::RateLimited).retry_after(closed.retry_after_s))?;
        opened
            .map(Self)
            .ok_or_else(|| ApiError::new(Code::Unauthenticated))
    }
}

/// What stands after `Bearer` (RFC 6750, section 2.1; the scheme's case does not matter, RFC 9110,
/// section 11.1). Everything else is an empty text, which is looked up like any other: a missing
/// header, another scheme, two headers.
fn presented(request: &HttpRequest) -> &str {
    let mut headers = request.headers().get_all(AUTHORIZATION);
    let (Some(value), None) = (headers.next(), headers.next()) else {
        return "";
    };
    match value.to_str().ok().and_then(|text| text.split_once(' ')) {
        Some((scheme, key)) if scheme.eq_ignore_ascii_case("bearer") => key.trim(),
        _ => "",
    }
}

impl FromRequest for HostKey {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Self::open(&request).await })
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::presented;

    fn of(headers: &[&str]) -> String {
        let request = headers
            .iter()
            .fold(TestRequest::default(), |request, value| {
                request.append_header(("Authorization", *value))
            });
        presented(&request.to_http_request()).to_owned()
    }

    #[test]
    fn the_scheme_is_read_in_any_case_and_the_key_as_it_is() {
        for value in ["Bearer hf_key_1", "bearer hf_key_1", "BEARER  hf_key_1 "] {
            assert_eq!(of(&[value]), "hf_key_1", "{value}");
        }
        assert_eq!(of(&["Bearer HF_KEY_1"]), "HF_KEY_1");
    }

    #[test]
    fn anything_else_is_an_empty_text() {
        for headers in [
            &[][..],
            &[""],
            &["Bearer"],
            &["Bearer "],
            &["hf_key_1"],
            &["Basic hf_key_1"],
            &["Bearer=hf_key_1"],
            &["Bearer hf_key_1", "Bearer hf_key_1"],
        ] {
            assert_eq!(of(headers), "", "{headers:?}");
        }
    }
}
