//! E-mail addresses: parsed, and written as calendar addresses.

use std::time::Duration;

use shared::{address::EmailAddress, calendar::cal_address::CalAddress};

use super::{Sight, Target, holds, magnitude};
use crate::fuzz::{limit::Limit, timer::Timer};

/// The target.
pub struct Address;

const WORDS: &[&str] = &[
    "@",
    ".",
    "..",
    "+",
    "\"",
    "\\",
    "<",
    ">",
    "(",
    ")",
    "[127.0.0.1]",
    "xn--",
    "localhost",
    "example.com",
    "b\u{fc}cher.example",
    "\u{5317}\u{4eac}.example",
    "\u{627}\u{644}.example",
    ",",
    ";",
    ":",
    " ",
    "\r\n",
    "%0d%0a",
    "mailto:",
    "?subject=",
    "a.b+tag",
    "o'neil",
    "=?utf-8?q?a?=",
    "\u{3002}",
    "\u{ff20}",
    "\u{ad}",
    "-",
    "_",
    "xn--mgba",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

impl Target for Address {
    fn seeds(&self) -> Vec<Vec<u8>> {
        [
            "ana@example.com",
            " ana@example.com ",
            "demo@localhost",
            "a.b+tag@sub.example.co.uk",
            "sam@b\u{fc}cher.example",
            "a@x.xn--vermgensberatung-pwb",
            "o'neil@example.test",
            "Ana <ana@example.com>",
            "\"a b\"@example.com",
            "ana@[127.0.0.1]",
            "a@b.com, c@d.com",
            "",
            "@",
            "\u{e4}@example.com",
        ]
        .map(|text| text.as_bytes().to_vec())
        .to_vec()
    }

    fn words(&self) -> &'static [&'static str] {
        WORDS
    }

    fn limit(&self) -> Limit {
        Limit {
            time: Duration::from_millis(100),
            bytes: 1_024 * 1_024,
            bytes_per_byte: 200,
        }
    }

    fn read(&self, input: &[u8], timer: &mut Timer) -> Result<Sight, String> {
        let text = String::from_utf8_lossy(input);
        let address: EmailAddress = match timer.of(|| text.parse()) {
            Ok(address) => address,
            Err(refused) => return Ok(Sight::new(false, format!("{refused:?}"))),
        };
        let kept = address.as_str();
        holds(kept == text.trim(), || {
            "another address than the one given".to_owned()
        })?;
        holds(kept.len() <= 254, || {
            "longer than an address may be".to_owned()
        })?;
        holds(!kept.chars().any(char::is_control), || {
            "a control character".to_owned()
        })?;
        let again = kept.parse::<EmailAddress>();
        holds(again.as_ref() == Ok(&address), || {
            format!("refused when it is given again: {again:?}")
        })?;
        let uri = CalAddress::new(&address);
        let uri = uri.as_str();
        // One mailbox in plain ASCII, that a file's line can hold.
        let rest = uri.strip_prefix("mailto:").unwrap_or_default();
        let plain = rest.bytes().all(|byte| byte.is_ascii_graphic());
        holds(
            plain && rest.matches('@').count() == 1 && !rest.contains([',', ';', '?', '"']),
            || format!("not a calendar address: {uri}"),
        )?;
        Ok(Sight::new(
            true,
            (
                magnitude(kept.len()),
                kept.is_ascii(),
                kept.matches('.').count().min(4),
                kept.contains("xn--"),
                rest.contains('%'),
            ),
        ))
    }
}
