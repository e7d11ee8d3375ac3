//! Reads messages of our own back, for tests: enough of RFC 5322 and MIME for what we write, and
//! strict about it.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
use base64::{Engine as _, engine::general_purpose::STANDARD};

/// A message or a part of one.
pub(super) struct Part {
    pub(super) headers: Vec<(String, String)>,
    /// Decoded; empty for a multipart.
    pub(super) body: Vec<u8>,
    pub(super) parts: Vec<Self>,
}

impl Part {
    /// The one value of a header; folded lines joined.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self
            .headers
            .iter()
            .filter(|(key, _)| key.eq_ignore_ascii_case(name));
        let value = values.next();
        assert!(values.next().is_none(), "{name} stands twice");
        value.map(|(_, value)| value.as_str())
    }

    /// Every leaf with its type, in order.
    pub(super) fn leaves(&self) -> Vec<(&str, &[u8])> {
        if self.parts.is_empty() {
            return vec![(self.header("Content-Type").unwrap(), &self.body)];
        }
        self.parts.iter().flat_map(Self::leaves).collect()
    }
}

/// Reads a message, or a part.
pub(super) fn read(bytes: &[u8]) -> Part {
    let text = std::str::from_utf8(bytes).unwrap();
    assert_eq!(
        text.matches('\n').count(),
        text.matches("\r\n").count(),
        "a bare LF"
    );
    assert_eq!(text.matches('\r').count(), text.matches('\n').count());
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    for line in text.split("\r\n") {
        assert!(line.len() <= 998, "RFC 5322, section 2.1.1");
    }
    let headers: Vec<(String, String)> = head
        .replace("\r\n ", " ")
        .split("\r\n")
        .map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            assert!(name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-'));
            (name.to_owned(), value.to_owned())
        })
        .collect();
    let mut part = Part {
        headers,
        body: Vec::new(),
        parts: Vec::new(),
    };
    let kind = part.header("Content-Type").unwrap().to_owned();
    if let Some((_, boundary)) = kind.split_once("boundary=\"") {
        let boundary = format!("--{}", boundary.strip_suffix('"').unwrap());
        let mut pieces = body.split(boundary.as_str());
        assert_eq!(pieces.next(), Some(""), "no preamble");
        let mut closed = false;
        for piece in pieces {
            assert!(!closed);
            if let Some(rest) = piece.strip_prefix("--") {
                // The CRLF after it may belong to the delimiter around.
                assert!(rest.is_empty() || rest == "\r\n", "an epilogue");
                closed = true;
            } else {
                let piece = piece.strip_prefix("\r\n").unwrap();
                part.parts
                    .push(read(piece.strip_suffix("\r\n").unwrap().as_bytes()));
            }
        }
        assert!(closed, "no closing boundary");
    } else {
        part.body = match part.header("Content-Transfer-Encoding").unwrap() {
            "base64" => STANDARD.decode(body.replace("\r\n", "")).unwrap(),
            "quoted-printable" => quoted_printable(body),
            other => panic!("{other}"),
        };
    }
    part
}

fn quoted_printable(body: &str) -> Vec<u8> {
    let body = body.replace("=\r\n", "");
    let mut octets = body.bytes();
    let mut decoded = Vec::new();
    while let Some(octet) = octets.next() {
        if octet == b'=' {
            let hex = [octets.next().unwrap(), octets.next().unwrap()];
            let hex = std::str::from_utf8(&hex).unwrap();
            decoded.push(u8::from_str_radix(hex, 16).unwrap());
        } else {
            decoded.push(octet);
        }
    }
    decoded
}
