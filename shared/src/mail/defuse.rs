//! Names that look like links are shown as text that no mail client turns into a link, so that a
//! booking form cannot relay a stranger's link to an address of the stranger's choice.
//!
//! A plain space goes after each dot, slash and colon of such a word and around its `@`. Invisible
//! characters would look better and fail: IDNA maps a zero-width space, a word joiner and a one dot
//! leader away (UTS #46), so a generous client would link through them and a browser would open
//! the link.

/// The text with every word that a client might link broken apart. Other words are left alone, and
/// the result has none left to break.
#[must_use]
pub fn defuse(text: &str) -> String {
    let mut defused = String::with_capacity(text.len());
    for piece in text.split_inclusive(char::is_whitespace) {
        if looks_like_link(piece.trim_end()) {
            push_broken(&mut defused, piece);
        } else {
            defused.push_str(piece);
        }
    }
    defused
}

/// Whether a word without white space might become a link: a scheme, an address, a domain, a path
/// on a server, four numbers with dots.
fn looks_like_link(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let numeric_dots = chars
        .windows(3)
        .filter(|w| w[0].is_ascii_digit() && is_dot(w[1]) && w[2].is_ascii_digit())
        .count();
    let inner_at = chars
        .iter()
        .enumerate()
        .any(|(at, c)| is_at(*c) && at > 0 && at + 1 < chars.len());
    inner_at
        || numeric_dots >= 3
        || word.contains("//")
        || word.contains("\\\\")
        || chars
            .windows(2)
            .any(|w| is_dot(w[0]) && may_start_label(w[1]))
        || chars
            .windows(3)
            .any(|w| w[0].is_ascii_alphanumeric() && w[1] == '。' && w[2].is_ascii_alphanumeric())
        || has_scheme(word)
}

/// What browsers take for the dot of a domain, but for the ideographic full stop, which Chinese
/// text needs.
const fn is_dot(c: char) -> bool {
    matches!(c, '.' | '\u{2024}' | '\u{fe52}' | '\u{ff0e}' | '\u{ff61}')
}

const fn is_at(c: char) -> bool {
    matches!(c, '@' | '\u{ff20}' | '\u{fe6b}')
}

/// Whether a label of a domain could follow a dot like this; no top-level domain starts with a
/// digit.
const fn may_start_label(c: char) -> bool {
    !c.is_ascii_digit() && !c.is_ascii_punctuation()
}

/// `mailto:x`, `tel:1`, `javascript:x`: letters, a colon, and more.
fn has_scheme(word: &str) -> bool {
    word.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.len() >= 2
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
            && !rest.is_empty()
    })
}

fn push_broken(defused: &mut String, piece: &str) {
    let mut chars = piece.chars().peekable();
    while let Some(c) = chars.next() {
        let next_is_more = chars.peek().is_some_and(|next| !next.is_whitespace());
        if is_at(c) && !defused.is_empty() && !defused.ends_with(char::is_whitespace) {
            defused.push(' ');
        }
        defused.push(c);
        let breaks = is_dot(c) || is_at(c) || matches!(c, '/' | '\\' | ':' | '。');
        if breaks && next_is_more {
            defused.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_link_is_broken() {
        for (text, want) in [
            ("Visit evil.example now", "Visit evil. example now"),
            ("https://evil.example/a", "https: / / evil. example/ a"),
            ("www.evil.example", "www. evil. example"),
            ("sam@evil.example", "sam @ evil. example"),
            ("mailto:sam", "mailto: sam"),
            ("javascript:alert(1)", "javascript: alert(1)"),
            ("localhost:8080/x", "localhost: 8080/ x"),
            ("//evil/x", "/ / evil/ x"),
            ("\\\\server\\share", "\\ \\ server\\ share"),
            ("10.0.0.1/x", "10. 0. 0. 1/ x"),
            ("evil。example", "evil。 example"),
            ("evil．example", "evil． example"),
            ("evil\u{2024}example", "evil\u{2024} example"),
            ("evil\u{fe52}example", "evil\u{fe52} example"),
            ("evil\u{ff61}example", "evil\u{ff61} example"),
            ("evil.\u{200b}example", "evil. \u{200b}example"),
            ("例子.公司", "例子. 公司"),
            ("J.R.R.Tolkien", "J. R. R. Tolkien"),
        ] {
            assert_eq!(defuse(text), want);
        }
    }

    #[test]
    fn ordinary_names_and_titles_are_left_alone() {
        for text in [
            "Ana Silva",
            "Dr. Sam O'Neil, Jr.",
            "王小明",
            "您好。再见",
            "Q&A v2.0, 10:30",
            "and/or",
            "50% off @ noon",
            "Wait... what?",
            "Re: hello",
            "",
            " a  b ",
        ] {
            assert_eq!(defuse(text), text);
        }
    }

    #[test]
    fn nothing_is_left_to_break() {
        let pieces = [
            "a", "1", ".", "/", ":", "@", " ", "。", "\\", "www", "http", "é", "\u{200b}", "-",
        ];
        let mut seed = 7_usize;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..8 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(pieces[(seed >> 33) % pieces.len()]);
            }
            let once = defuse(&text);
            assert_eq!(defuse(&once), once, "{text:?}");
            assert!(
                !once.split_whitespace().any(looks_like_link),
                "{text:?} {once:?}"
            );
            let bare = |s: &str| s.replace(' ', "");
            assert_eq!(bare(&once), bare(&text), "only spaces are added");
        }
    }
}
