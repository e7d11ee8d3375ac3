//! The key first, and only then the rest of a request.

use std::pin::Pin;

use actix_web::{Error, FromRequest, HttpRequest, dev::Payload};

use super::HostKey;

/// An opened key, and what is read of the request after it.
///
/// actix reads the arguments of a handler side by side and answers the first fault; here a request
/// without a good key is 401 before its path, query or body is looked at, and its body is not
/// read. `T` is one extractor or a tuple of them:
///
/// ```ignore
/// async fn cancel(
///     app: Data<App>,
///     Keyed(key, (id, body)): Keyed<(Segments<Uuid>, SignedJson<CancelRequest>)>,
/// )
/// ```
pub struct Keyed<T>(pub HostKey, pub T);

impl<T> FromRequest for Keyed<T>
where
    T: FromRequest + 'static,
    T::Error: Into<Error>,
{
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, mut payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let key = HostKey::extract(&request).await?;
            let rest = T::from_request(&request, &mut payload).await;
            Ok(Self(key, rest.map_err(Into::into)?))
        })
    }
}
