//! A stranger who passed the gate.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Data};
use shared::fingerprint::{Fingerprint, Purpose};

use super::client_ip;
use crate::{
    app::App,
    error::{ApiError, Code},
};

/// Every public handler takes one: having it means that the gate let the request through.
pub struct Visitor {
    /// The client's IP as a fingerprint.
    pub ip: Fingerprint,
}

impl Visitor {
    fn admit(request: &HttpRequest) -> Result<Self, ApiError> {
        let app = request
            .app_data::<Data<App>>()
            .ok_or_else(|| ApiError::new(Code::Internal))?;
        let client = client_ip(request, app.settings.trusted_proxy_hops);
        let ip = app.context.keys.fingerprint.of(Purpose::Ip, &client);
        match app.gate.pass(&ip, app.context.clock.now()) {
            Ok(()) => Ok(Self { ip }),
            Err(closed) => Err(ApiError::new(Code::RateLimited).retry_after(closed.retry_after_s)),
        }
    }
}

impl FromRequest for Visitor {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::admit(request))
    }
}
