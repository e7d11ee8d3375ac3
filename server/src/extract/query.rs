//! Query parameters: unknown and repeated ones are refused by name.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use serde::de::DeserializeOwned;

use crate::error::{ApiError, Code};

/// The parameters of a request, as `T` names them.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let parsed = web::Query::<T>::from_query(request.query_string());
        ready(
            parsed
                .map(|query| Self(query.into_inner()))
                .map_err(|error| {
                    let words = match &error {
                        actix_web::error::QueryPayloadError::Deserialize(error) => {
                            error.to_string()
                        }
                        _ => "the query cannot be read".to_owned(),
                    };
                    let name = words.split('`').nth(1).unwrap_or_default().to_owned();
                    ApiError::new(Code::InvalidParameter).detail(&words).at(
                        name,
                        "invalid_parameter",
                        &words,
                    )
                }),
        )
    }
}
