//! Enhanced mail system status codes.

use std::fmt;

/// An enhanced status code (RFC 3463, section 2): class, subject and detail, as in `5.1.1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EnhancedStatus {
    /// 2 for success, 4 for a failure that may pass, 5 for one that will not.
    pub class: u8,
    /// What the code is about: 1 addressing, 2 mailbox, 3 mail system, 4 network and routing,
    /// 5 protocol, 6 content, 7 security and policy.
    pub subject: u16,
    /// The exact condition within the subject.
    pub detail: u16,
}

impl EnhancedStatus {
    /// The code `class.subject.detail`.
    #[must_use]
    pub const fn new(class: u8, subject: u16, detail: u16) -> Self {
        Self {
            class,
            subject,
            detail,
        }
    }

    /// The code that the text of a reply begins with (RFC 2034, section 4), if it begins with one.
    ///
    /// The first word may stand in brackets, after a number sign or before a colon or comma, as
    /// some gateways write it: read as a reply without a code, `550 #5.7.1` would blame the
    /// recipient for a policy of the server.
    #[must_use]
    pub fn at_start_of(text: &str) -> Option<Self> {
        let word = text
            .split_ascii_whitespace()
            .next()?
            .trim_start_matches(['#', '(', '['])
            .trim_end_matches([')', ']', ':', ',', ';']);
        let mut parts = word.split('.');
        let class = match parts.next()? {
            "2" => 2,
            "4" => 4,
            "5" => 5,
            _ => return None,
        };
        let subject = number(parts.next()?)?;
        let detail = number(parts.next()?)?;
        parts.next().is_none().then_some(Self {
            class,
            subject,
            detail,
        })
    }
}

/// One to three digits (RFC 3463, section 2).
fn number(text: &str) -> Option<u16> {
    let digits = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

impl fmt::Display for EnhancedStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.class, self.subject, self.detail)
    }
}

#[cfg(test)]
mod tests {
    use super::EnhancedStatus;

    #[test]
    fn the_first_word_of_a_reply_is_read_and_nothing_else() {
        let cases = [
            ("5.1.1 <a@b.test>: no such user", Some((5, 1, 1))),
            ("2.0.0", Some((2, 0, 0))),
            ("4.7.28 slow down", Some((4, 7, 28))),
            ("5.1.10 not found", Some((5, 1, 10))),
            ("  5.7.1 spaces before", Some((5, 7, 1))),
            ("#5.7.1 a gateway's spelling", Some((5, 7, 1))),
            ("(5.2.2) over quota", Some((5, 2, 2))),
            ("[5.2.1] disabled", Some((5, 2, 1))),
            ("5.1.1: no such user", Some((5, 1, 1))),
            ("", None),
            ("user 5.1.1 unknown", None),
            ("3.1.1 no such class", None),
            ("5.1", None),
            ("5.1.1.1", None),
            ("5..1", None),
            ("5.1.1000", None),
            ("5.+1.1", None),
            ("<gone@5.1.1>", None),
            ("5.1.1@b.test", None),
            ("５.1.1", None),
        ];
        for (text, want) in cases {
            let want =
                want.map(|(class, subject, detail)| EnhancedStatus::new(class, subject, detail));
            assert_eq!(EnhancedStatus::at_start_of(text), want, "{text:?}");
        }
    }

    #[test]
    fn a_code_is_written_as_it_was_read() {
        for text in ["2.0.0", "4.7.28", "5.1.10"] {
            let status = EnhancedStatus::at_start_of(text).map(|status| status.to_string());
            assert_eq!(status.as_deref(), Some(text));
        }
    }
}
