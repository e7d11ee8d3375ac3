//! Header fields: encoded words (RFC 2047) and mailboxes.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use lettre::{
    Address,
    message::{
        Mailbox,
        header::{HeaderName, HeaderValue},
    },
};

use super::{clean::one_line, subject::name, view::Party};
use crate::address::EmailAddress;

/// The longest encoded word and the longest line with one (RFC 2047, section 2), less its
/// `=?utf-8?b?` and `?=`.
const WORD_CHARS: usize = 75 - "=?utf-8?b?".len() - "?=".len();

/// A text header on one line of meaning: plain if it is printable ASCII, else all of it as encoded
/// words, one a physical line. Text that itself looks like an encoded word is encoded too, so that
/// it is shown as typed.
pub(super) fn text(field: &'static str, text: &str) -> HeaderValue {
    let taken = field.len() + ": ".len();
    let field = HeaderName::new_from_ascii_str(field);
    let plain = text.bytes().all(|b| matches!(b, b' '..=b'~')) && !text.contains("=?");
    if plain {
        HeaderValue::new(field, text.to_owned())
    } else {
        let encoded = encoded_words(taken, text);
        HeaderValue::dangerous_new_pre_encoded(field, text.to_owned(), encoded)
    }
}

/// A word that the code itself names: `auto-generated`.
pub(super) fn word(field: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(field), value.to_owned())
}

/// Each encoded word holds whole characters (RFC 2047, section 5). The first shares its line with
/// the field's name, which takes `taken` characters.
fn encoded_words(taken: usize, text: &str) -> String {
    // base64 makes four characters of three octets.
    let octets = |chars: usize| chars / 4 * 3;
    let mut room = octets(WORD_CHARS.saturating_sub(taken));
    let mut words = vec![String::new()];
    for c in text.chars() {
        if let Some(word) = words.last_mut()
            && word.len() + c.len_utf8() <= room
        {
            word.push(c);
        } else {
            room = octets(WORD_CHARS - 1);
            words.push(c.to_string());
        }
    }
    let words: Vec<String> = words
        .iter()
        .map(|word| format!("=?utf-8?b?{}?=", STANDARD.encode(word)))
        .collect();
    words.join("\r\n ")
}

/// The address as it travels: an internationalised domain as A-labels (RFC 5891). A local part
/// in other letters stays as it is and needs SMTPUTF8 (RFC 6531).
pub(super) fn wire_address(address: &EmailAddress) -> Option<Address> {
    let (local, domain) = address.as_str().rsplit_once('@')?;
    Address::new(local, idna::domain_to_ascii_strict(domain).ok()?).ok()
}

/// A person for a header, the name as mail shows it; lettre keeps the address outside of the
/// encoded name.
pub(super) fn person(party: &Party) -> Option<Mailbox> {
    mailbox(party, name)
}

/// The operator's own mailbox, its name as configured.
pub(super) fn sender(party: &Party) -> Option<Mailbox> {
    mailbox(party, one_line)
}

fn mailbox(party: &Party, show: fn(&str) -> String) -> Option<Mailbox> {
    let shown = party.name.as_deref().map(show).filter(|n| !n.is_empty());
    Some(Mailbox::new(shown, wire_address(&party.address)?))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::mail::sample::{address, party};

    fn encoded(text: &str) -> String {
        let mut headers = lettre::message::header::Headers::new();
        headers.insert_raw(super::text("Subject", text));
        headers.to_string()
    }

    fn decoded(header: &str) -> String {
        let value = header.strip_prefix("Subject: ").unwrap();
        value
            .split_whitespace()
            .map(|word| {
                let inner = word
                    .strip_prefix("=?utf-8?b?")
                    .and_then(|word| word.strip_suffix("?="))
                    .unwrap();
                // Each word is whole characters, so each decodes by itself.
                String::from_utf8(STANDARD.decode(inner).unwrap()).unwrap()
            })
            .collect()
    }

    #[test]
    fn plain_ascii_stays_plain() {
        assert_eq!(encoded("Confirmed: Intro"), "Subject: Confirmed: Intro\r\n");
    }

    #[test]
    fn everything_else_is_whole_characters_in_short_words() {
        for text in [
            "Zoë",
            "=?utf-8?q?not_a_word?=",
            "预约已确认：一次很长很长的会谈，标题里有许多汉字，所以必须分成好几行才能放得下",
            &"👩‍👩‍👧‍👦 x".repeat(40),
        ] {
            let header = encoded(text);
            assert_eq!(decoded(&header), text);
            for line in header.split_terminator("\r\n") {
                assert!(line.len() <= 76, "{line}");
                assert!(line.is_ascii(), "{line}");
            }
        }
    }

    #[test]
    fn addresses_travel_with_a_labels_outside_of_the_name() {
        let ascii = wire_address(&address("sam@bücher.example")).unwrap();
        assert_eq!(ascii.to_string(), "sam@xn--bcher-kva.example");
        let shown = person(&party("Visit evil.example", "ana@example.com")).unwrap();
        assert_eq!(shown.name.as_deref(), Some("Visit evil. example"));
        let own = sender(&party("Example.com Booking", "b@example.com")).unwrap();
        assert_eq!(own.name.as_deref(), Some("Example.com Booking"));
        let nameless = person(&party(" \r\n", "ana@example.com")).unwrap();
        assert_eq!(nameless.name, None);
    }
}
