//! The language of a page: its `lang` parameter, else the browser's wish.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header::ACCEPT_LANGUAGE};
use shared::locale::Locale;

/// The reader's language.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// The language to write in.
    pub locale: Locale,
    /// Whether the address names it.
    pub asked: bool,
}

impl Language {
    /// The language asked for by the request.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        let asked = form_urlencoded_value(request.query_string(), "lang");
        let header = || {
            request
                .headers()
                .get(ACCEPT_LANGUAGE)
                .and_then(|value| value.to_str().ok())
        };
        Self {
            locale: match asked {
                Some(tag) => Locale::from_tag(tag),
                None => header()
                    .map(Locale::from_accept_language)
                    .unwrap_or_default(),
            },
            asked: asked.is_some(),
        }
    }
}

/// A query value that needs no decoding: language tags are plain.
fn form_urlencoded_value<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query.split('&').find_map(|pair| {
        pair.split_once('=')
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| value)
    })
}

impl FromRequest for Language {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}
