//! The 404: one page for everything unknown, in both languages at once, so that nothing about the
//! request changes a byte of it.

use std::sync::LazyLock;

use askama::Template;
use shared::locale::Locale;

use super::{facts::Reader, frame::Frame};
use crate::pages::words::{Words, words};

#[derive(Template)]
#[template(path = "not_found.html")]
struct View {
    frame: Frame,
    chinese: &'static Words,
}

static PAGE: LazyLock<String> = LazyLock::new(|| {
    let reader = Reader {
        locale: Locale::En,
        lang_asked: false,
    };
    let frame = Frame::new(reader, words(Locale::En).refusal.not_found.title);
    super::html(&View {
        frame,
        chinese: words(Locale::ZhCn),
    })
});

/// The page, for 404; always the same bytes.
#[must_use]
pub fn not_found() -> &'static str {
    &PAGE
}
