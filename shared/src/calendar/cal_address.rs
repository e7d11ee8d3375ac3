//! Calendar addresses (RFC 5545, section 3.3.3): `mailto:` URIs (RFC 6068).

use std::fmt;

use crate::address::EmailAddress;

/// A `mailto:` URI in plain ASCII: the domain as A-labels (RFC 5891), and what a URI cannot hold
/// percent-encoded. Redacted in `Debug`, as the address is.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CalAddress(String);

impl CalAddress {
    /// The calendar address of a mailbox.
    #[must_use]
    pub fn new(address: &EmailAddress) -> Self {
        let (local, domain) = split(address);
        let mut uri = String::from("mailto:");
        push_encoded(&mut uri, local);
        uri.push('@');
        push_encoded(&mut uri, &ascii_domain(domain));
        Self(uri)
    }

    /// The calendar address of somebody whom a calendar file named: a mailbox, or another URI.
    #[must_use]
    pub fn of_stored(stored: &str) -> Self {
        if let Ok(address) = stored.parse() {
            return Self::new(&address);
        }
        let mut uri = if has_scheme(stored) {
            String::new()
        } else {
            String::from("mailto:")
        };
        push_barring(&mut uri, stored, b"!#$%&'()*+,-./:;=?@[]_~");
        Self(uri)
    }

    /// The URI.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for CalAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CalAddress(…)")
    }
}

/// What stands before and after the last `@`.
fn split(address: &EmailAddress) -> (&str, &str) {
    let text = address.as_str();
    text.rsplit_once('@').unwrap_or((text, ""))
}

/// The domain as A-labels, or as given where IDNA has no form for it: an [`EmailAddress`] is only
/// made from a domain that has one.
fn ascii_domain(domain: &str) -> String {
    idna::domain_to_ascii_strict(domain).unwrap_or_else(|_| domain.to_owned())
}

/// Whether the text begins as a URI does (RFC 3986, section 3.1).
fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet))
    })
}

/// Pushes the text with every octet that RFC 6068, section 2, bars from an address percent-encoded.
fn push_encoded(uri: &mut String, text: &str) {
    push_barring(uri, text, b"!$'()*+,-.:_~");
}

/// Pushes the text with every octet percent-encoded that is neither a letter, a digit nor one of
/// these.
fn push_barring(uri: &mut String, text: &str, plain: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for octet in text.bytes() {
        if octet.is_ascii_alphanumeric() || plain.contains(&octet) {
            uri.push(char::from(octet));
        } else {
            uri.push('%');
            uri.push(char::from(HEX[usize::from(octet >> 4)]));
            uri.push(char::from(HEX[usize::from(octet & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn domains_travel_as_a_labels_and_odd_octets_are_encoded() {
        for (address, uri) in [
            ("ana@example.com", "mailto:ana@example.com"),
            // Case mail-09.
            ("sam@bücher.example", "mailto:sam@xn--bcher-kva.example"),
            ("o'neil+x@example.test", "mailto:o'neil+x@example.test"),
            (
                "a&b=c%d/e?f@example.test",
                "mailto:a%26b%3Dc%25d%2Fe%3Ff@example.test",
            ),
            (
                "用户@例子.example",
                "mailto:%E7%94%A8%E6%88%B7@xn--fsqu00a.example",
            ),
        ] {
            let address: EmailAddress = address.parse().unwrap();
            assert_eq!(CalAddress::new(&address).as_str(), uri);
        }
    }

    #[test]
    fn an_address_is_not_shown_by_debug() {
        let address = CalAddress::new(&"ana@example.com".parse().unwrap());
        assert!(!format!("{address:?}").contains("ana"));
    }
}
