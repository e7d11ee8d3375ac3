//! Pages that refuse, all but the 404.

use askama::Template;

use super::{facts::Reader, frame::Frame};
use crate::pages::words;

/// Why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// 400: an address or a form that cannot be read.
    Malformed,
    /// 403: a form from another site.
    Foreign,
    /// 405
    Method,
    /// 413
    TooLarge,
    /// 415
    ContentType,
    /// 429
    TooMany {
        /// As in `Retry-After`.
        retry_after_s: u64,
    },
    /// 500
    Internal,
    /// 503: free times cannot be worked out. It does not say why: the host hears that.
    TimesUnknown,
    /// 503: too many requests at once, or no database.
    Busy,
}

/// The facts of the page.
#[derive(Clone, Copy, Debug)]
pub struct RefusalPage {
    /// Who reads it.
    pub reader: Reader,
    /// Why it is shown.
    pub refusal: Refusal,
}

#[derive(Template)]
#[template(path = "refusal.html")]
struct View {
    frame: Frame,
    said: &'static words::Said,
    more: Option<String>,
}

impl RefusalPage {
    /// The page, for the status that goes with the refusal.
    #[must_use]
    pub fn html(&self) -> String {
        let frame = Frame::new(self.reader, "");
        let words = &frame.words.refusal;
        let said = match self.refusal {
            Refusal::Malformed => &words.malformed,
            Refusal::Foreign => &words.foreign,
            Refusal::Method => &words.method,
            Refusal::TooLarge => &words.too_large,
            Refusal::ContentType => &words.content_type,
            Refusal::TooMany { .. } => &words.too_many,
            Refusal::Internal => &words.internal,
            Refusal::TimesUnknown => &words.times_unknown,
            Refusal::Busy => &words.busy,
        };
        let more = match self.refusal {
            Refusal::TooMany { retry_after_s } => Some((words.retry_in)(retry_after_s)),
            _ => None,
        };
        super::html(&View {
            said,
            more,
            frame: Frame {
                title: said.title.to_owned(),
                ..frame
            },
        })
    }
}
