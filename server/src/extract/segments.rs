//! What a path names.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Path};
use serde::de::DeserializeOwned;

use crate::error::{ApiError, Code};

/// The variable segments of a path: `Segments<Uuid>`, or `Segments<(Uuid, Uuid)>`. A text that is
/// no id names nothing: the same 404 as an id that is nobody's.
pub struct Segments<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Segments<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let read = Path::<T>::from_request(request, payload).into_inner();
        ready(
            read.map(|path| Self(path.into_inner()))
                .map_err(|_| ApiError::new(Code::NotFound)),
        )
    }
}
