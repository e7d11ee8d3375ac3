//! One content line: name, parameters, value (RFC 5545, section 3.1).

use super::unfold::Logical;

/// The most parameters of one property.
const MAX_PARAMETERS: usize = 64;
/// The longest line that is looked into, in bytes.
pub(super) const MAX_LINE: usize = 1_024 * 1_024;

/// A content line in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContentLine<'a> {
    /// Where it begins in the file.
    pub number: u32,
    /// The name, in upper case.
    pub name: String,
    /// Names in upper case, with their first value (quotes gone).
    parameters: Vec<(String, &'a str)>,
    /// What follows the colon.
    pub value: &'a str,
}

impl<'a> ContentLine<'a> {
    /// The first value of a parameter; `name` in upper case.
    pub fn parameter(&self, name: &str) -> Option<&'a str> {
        self.parameters
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| *value)
    }

    /// Splits a line. `None` if it is not one.
    pub fn read(line: &'a Logical) -> Option<Self> {
        let text = line.text.as_str();
        let end = text.find([':', ';'])?;
        let (name, mut rest) = text.split_at_checked(end)?;
        let name = name.trim_end();
        if !is_name(name) {
            return None;
        }
        let mut parameters = Vec::new();
        while let Some(parameter) = rest.strip_prefix(';') {
            if parameters.len() == MAX_PARAMETERS {
                return None;
            }
            let end = outside_quotes(parameter, &[';', ':'])?;
            let (parameter, after) = parameter.split_at_checked(end)?;
            rest = after;
            let (name, values) = parameter.split_once('=').unwrap_or((parameter, ""));
            let first = outside_quotes(values, &[',']).unwrap_or(values.len());
            let value = values.get(..first).unwrap_or(values).trim();
            let value = value
                .strip_prefix('"')
                .map_or(value, |value| value.strip_suffix('"').unwrap_or(value));
            parameters.push((name.trim().to_ascii_uppercase(), value));
        }
        Some(Self {
            number: line.number,
            name: name.to_ascii_uppercase(),
            parameters,
            value: rest.strip_prefix(':')?,
        })
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// The first of the characters that stands outside quotes. A quote that is never closed is taken
/// for an ordinary character.
fn outside_quotes(text: &str, ends: &[char]) -> Option<usize> {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if quoted => quoted = false,
            '"' => quoted = text.get(at + 1..).is_some_and(|rest| rest.contains('"')),
            _ if !quoted && ends.contains(&c) => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn logical(text: &str) -> Logical {
        Logical {
            number: 1,
            text: text.to_owned(),
        }
    }

    #[test]
    fn tz_12_a_colon_or_comma_in_quotes_ends_nothing() {
        let line = logical(
            "attendee;MEMBER=\"mailto:a@example.test\",\"mailto:b@example.test\";PartStat=DECLINED:mailto:host@example.test",
        );
        let read = ContentLine::read(&line).unwrap();
        assert_eq!(read.name, "ATTENDEE");
        assert_eq!(read.parameter("MEMBER"), Some("mailto:a@example.test"));
        assert_eq!(read.parameter("PARTSTAT"), Some("DECLINED"));
        assert_eq!(read.value, "mailto:host@example.test");
    }

    #[test]
    fn what_is_no_line_is_refused() {
        for text in [
            "no colon",
            ":value",
            ";A=1:value",
            "A B:1",
            "NAME;A=1",
            "ÄNAME:1",
        ] {
            assert_eq!(ContentLine::read(&logical(text)), None, "{text}");
        }
        let many = format!("A{}:1", ";P=1".repeat(65));
        assert_eq!(ContentLine::read(&logical(&many)), None);
    }

    #[test]
    fn a_quote_that_never_closes_is_a_character() {
        let line = logical("X;P=12\" nails;Q=2:v\u{e4}");
        let read = ContentLine::read(&line).unwrap();
        assert_eq!(read.parameter("P"), Some("12\" nails"));
        assert_eq!(read.parameter("Q"), Some("2"));
        assert_eq!(read.value, "v\u{e4}");
    }
}
