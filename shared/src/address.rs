//! E-mail addresses.

use std::{fmt, str::FromStr};

use email_address::{EmailAddress as Parsed, Options};

/// One mailbox's address: no display name, no quoted local part, no address literal, at most 254
/// bytes (RFC 5321, section 4.5.3.1.3) with at most 64 before the `@`.
///
/// Kept as given, trimmed; an internationalised domain stays in its own letters. Redacted in
/// `Debug`, so that it reaches no log by accident.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EmailAddress(String);

/// The text is no usable e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAddress {
    /// Nothing but white space.
    #[error("an e-mail address is needed")]
    Missing,
    /// Over 254 bytes, or over 64 before the `@`.
    #[error("the e-mail address is too long")]
    TooLong,
    /// No address, or a form that is not taken (display name, quotes, address literal).
    #[error("this is not an e-mail address such as ana@example.com")]
    Malformed,
}

impl EmailAddress {
    /// The address of a local user on this machine, for development: `<local>@localhost`.
    #[must_use]
    pub fn at_localhost(local: &'static str) -> Self {
        Self(format!("{local}@localhost"))
    }

    /// The address as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The domain as it travels: A-labels (RFC 5890, section 2.3.2.1) in lower case.
    #[must_use]
    pub fn domain(&self) -> String {
        let domain = self.0.rsplit('@').next().unwrap_or_default();
        // It was read by the same rule when the address was.
        idna::domain_to_ascii_strict(domain).unwrap_or_else(|_| domain.to_lowercase())
    }

    /// What addresses are compared by: lower case, nothing more. Dots and tags are the mail
    /// server's business.
    #[must_use]
    pub fn matching_key(&self) -> String {
        self.0.to_lowercase()
    }
}

impl FromStr for EmailAddress {
    type Err = InvalidAddress;

    fn from_str(text: &str) -> Result<Self, InvalidAddress> {
        let text = text.trim();
        if text.is_empty() {
            return Err(InvalidAddress::Missing);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(InvalidAddress::Malformed)?;
        // The domain travels as A-labels (RFC 5891), so that form is measured.
        let ascii = idna::domain_to_ascii_strict(domain).map_err(|_| InvalidAddress::Malformed);
        let wire_length = local.len() + 1 + ascii.as_ref().map_or(domain.len(), String::len);
        if local.len() > 64 || text.len().max(wire_length) > 254 {
            return Err(InvalidAddress::TooLong);
        }
        let domain = ascii?;
        let options = Options::default()
            .with_required_tld()
            .without_display_text()
            .without_domain_literal();
        // `localhost` is where the demo host lives; it is no public domain and gets no TLD.
        let local_host = domain == "localhost" && !local.is_empty();
        let probe = if local_host {
            format!("{local}@localhost.test")
        } else {
            format!("{local}@{domain}")
        };
        let well_formed = Parsed::parse_with_options(&probe, options).is_ok();
        if !well_formed || local.starts_with('"') || text.chars().any(forbidden) {
            return Err(InvalidAddress::Malformed);
        }
        Ok(Self(text.to_owned()))
    }
}

/// Characters that no address of ours holds: controls, white space, and what turns a line round.
fn forbidden(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EmailAddress(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_and_unusual_addresses_are_taken() {
        let long = format!("a@{}.{}.example", "d".repeat(60), "e".repeat(59));
        for address in [
            "ana@example.com",
            " ana@example.com ",
            "demo@localhost",
            "a.b+tag@sub.example.co.uk",
            // Cases mail-09 and mail-11.
            "sam@bücher.example",
            "a@shop.homes",
            "a@x.photography",
            "a@x.xn--vermgensberatung-pwb",
            "o'neil@example.test",
            long.as_str(),
        ] {
            assert!(address.parse::<EmailAddress>().is_ok(), "{address}");
        }
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        // Case mail-12.
        let local = format!("{}@example.test", "a".repeat(65));
        let total = format!("a@{0}.{0}.{0}.{0}.example", "b".repeat(63));
        for (address, reason) in [
            ("", InvalidAddress::Missing),
            ("  ", InvalidAddress::Missing),
            (local.as_str(), InvalidAddress::TooLong),
            (total.as_str(), InvalidAddress::TooLong),
            ("ana", InvalidAddress::Malformed),
            ("ana@", InvalidAddress::Malformed),
            ("@example.com", InvalidAddress::Malformed),
            ("ana@example", InvalidAddress::Malformed),
            ("Ana <ana@example.com>", InvalidAddress::Malformed),
            ("\"a b\"@example.com", InvalidAddress::Malformed),
            ("\"ab\"@example.com", InvalidAddress::Malformed),
            ("ana@[127.0.0.1]", InvalidAddress::Malformed),
            ("a@b.com, c@d.com", InvalidAddress::Malformed),
            ("a@b.com\r\nBcc: c@d.com", InvalidAddress::Malformed),
            ("a\u{202e}b@example.com", InvalidAddress::Malformed),
            ("ana@exa mple.com", InvalidAddress::Malformed),
            ("ana@-.com", InvalidAddress::Malformed),
            ("ana..b@example.com", InvalidAddress::Malformed),
        ] {
            assert_eq!(address.parse::<EmailAddress>(), Err(reason), "{address:?}");
        }
    }

    #[test]
    fn an_address_is_not_shown_by_debug() {
        let address: Result<EmailAddress, _> = "ana@example.com".parse();
        assert!(!format!("{address:?}").contains("ana"));
    }
}
