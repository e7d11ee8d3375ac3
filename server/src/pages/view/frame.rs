//! The frame around every page: language, title, style, the link to the other language.

use shared::locale::Locale;

use super::{facts::Reader, link::Link};
use crate::pages::{
    assets,
    words::{Words, words},
};

/// A link to this page in another language.
#[derive(Debug)]
pub(super) struct Switch {
    pub(super) href: String,
    pub(super) tag: &'static str,
    pub(super) name: &'static str,
}

/// What `frame.html` shows.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) lang: &'static str,
    pub(super) words: &'static Words,
    pub(super) title: String,
    pub(super) style: &'static str,
    pub(super) script: &'static str,
    pub(super) switches: Vec<Switch>,
    pub(super) indexed: bool,
    /// Where the mark at the top leads.
    pub(super) home: String,
}

impl Frame {
    /// A frame without a language switch, for what answers a POST or has no address of its own.
    pub(super) fn new(reader: Reader, title: impl Into<String>) -> Self {
        Self {
            lang: reader.locale.tag(),
            words: words(reader.locale),
            title: title.into(),
            style: &assets::style().path,
            script: &assets::script().path,
            switches: Vec::new(),
            indexed: false,
            home: reader.keep(Link::to([])).href(),
        }
    }

    /// The frame with links to this page in the other languages.
    #[must_use]
    pub(super) fn switchable(mut self, reader: Reader, here: &Link) -> Self {
        self.switches = Locale::ALL
            .into_iter()
            .filter(|other| *other != reader.locale)
            .map(|other| Switch {
                href: here.clone().with("lang", other.tag()).href(),
                tag: other.tag(),
                name: words(other).frame.own_name,
            })
            .collect();
        self
    }

    /// The frame of a page that search engines may list.
    #[must_use]
    pub(super) fn indexed(mut self) -> Self {
        self.indexed = true;
        self
    }
}

/// A document's title of typed parts. A title has no markup, so a part that could turn the text
/// around is isolated by the characters for it (Unicode, FSI and PDI).
pub(super) fn titled(parts: &[&str]) -> String {
    let parts: Vec<String> = parts
        .iter()
        .map(|part| match part.chars().any(turns) {
            true => format!("\u{2068}{part}\u{2069}"),
            false => (*part).to_owned(),
        })
        .collect();
    parts.join(" · ")
}

/// Letters written from right to left, and the characters that steer direction.
fn turns(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}'
        | '\u{200e}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_that_can_turn_the_title_around_is_isolated() {
        assert_eq!(titled(&["Intro", "Ana"]), "Intro · Ana");
        assert_eq!(titled(&["介绍", "Zoë"]), "介绍 · Zoë");
        assert_eq!(
            titled(&["a\u{202e}b", "Ana"]),
            "\u{2068}a\u{202e}b\u{2069} · Ana"
        );
        assert_eq!(titled(&["שלום"]), "\u{2068}שלום\u{2069}");
    }

    #[test]
    fn the_switch_keeps_the_rest_of_the_address() {
        let reader = Reader {
            locale: Locale::En,
            lang_asked: false,
        };
        let here = Link::to(["book", "ana", "x"]).with("day", "2026-12-01");
        let frame = Frame::new(reader, "t").switchable(reader, &here);
        let hrefs: Vec<_> = frame.switches.iter().map(|s| s.href.as_str()).collect();
        assert_eq!(hrefs, ["/book/ana/x?day=2026-12-01&lang=zh-CN"]);
    }
}
