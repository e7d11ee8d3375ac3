//! iCalendar files as bodies.

use std::pin::Pin;

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Bytes};
use shared::calendar::ics_read::MAX_BYTES;

use super::body;
use crate::error::{ApiError, Code};

/// The bytes of a file that somebody with a key sent.
pub struct CalendarFile(pub Bytes);

impl FromRequest for CalendarFile {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if !body::is(request, "text/calendar") {
            return Box::pin(async {
                Err(ApiError::new(Code::UnsupportedMediaType).detail("send text/calendar"))
            });
        }
        let body = body::whole(request, payload, MAX_BYTES);
        Box::pin(async move { body.await.map(Self) })
    }
}
