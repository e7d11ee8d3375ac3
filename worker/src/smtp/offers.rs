//! What the server offers, and what a message needs of it.

use lettre::Address;
use lettre::transport::smtp::extension::{MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::Response;

use super::failure::{ErrorClass, Failure, Stage};

/// One message for one recipient.
#[derive(Clone, Copy)]
pub(super) struct Letter<'a> {
    pub(super) from: &'a Address,
    pub(super) recipient: &'a Address,
    pub(super) message: &'a [u8],
}

/// The extensions that matter here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Offers {
    /// RFC 2920.
    pub(super) pipelining: bool,
    /// 8BITMIME, RFC 6152.
    pub(super) eight_bit: bool,
    /// SMTPUTF8, RFC 6531.
    pub(super) utf8: bool,
}

impl Offers {
    /// The keywords of an answer to EHLO, one a line after the server's name, in any case
    /// (RFC 5321, section 4.1.1.1).
    pub(super) fn of(reply: &Response) -> Self {
        let mut offers = Self::default();
        for line in reply.message().skip(1) {
            match line
                .split_ascii_whitespace()
                .next()
                .map(str::to_ascii_uppercase)
                .as_deref()
            {
                Some("PIPELINING") => offers.pipelining = true,
                Some("8BITMIME") => offers.eight_bit = true,
                Some("SMTPUTF8") => offers.utf8 = true,
                _ => {}
            }
        }
        offers
    }

    /// The parameters of MAIL that the letter needs, or why this server cannot take it.
    pub(super) fn parameters(self, letter: Letter<'_>) -> Result<Vec<MailParameter>, Failure> {
        let unfit = |reason| Err(Failure::unanswered(Stage::MailFrom, reason));
        if has_bare_cr_or_lf(letter.message) {
            return unfit(ErrorClass::MessageMalformed);
        }
        let is_ascii = |address: &Address| AsRef::<str>::as_ref(address).is_ascii();
        let eight_bit_needed = !letter.message.is_ascii();
        let utf8_needed = !is_ascii(letter.from)
            || !is_ascii(letter.recipient)
            || (eight_bit_needed && !header_of(letter.message).is_ascii());
        if utf8_needed && !self.utf8 {
            return unfit(ErrorClass::Smtputf8Missing);
        }
        if eight_bit_needed && !self.eight_bit {
            return unfit(ErrorClass::EightBitMissing);
        }
        let mut parameters = Vec::new();
        if eight_bit_needed {
            parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        if utf8_needed {
            parameters.push(MailParameter::SmtpUtfEight);
        }
        Ok(parameters)
    }
}

/// The header section, or all if there is no body.
fn header_of(message: &[u8]) -> &[u8] {
    let end = message.windows(4).position(|window| window == b"\r\n\r\n");
    end.and_then(|end| message.get(..end)).unwrap_or(message)
}

/// True if a CR or LF stands alone (RFC 5321, section 2.3.8): servers disagree about where such a
/// line ends, and so about where the message does.
fn has_bare_cr_or_lf(message: &[u8]) -> bool {
    let mut previous = 0;
    for &byte in message {
        if (previous == b'\r') != (byte == b'\n') {
            return true;
        }
        previous = byte;
    }
    previous == b'\r'
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use lettre::transport::smtp::response::Response;

    use super::{ErrorClass, Letter, Offers, has_bare_cr_or_lf};

    const ALL: Offers = Offers {
        pipelining: true,
        eight_bit: true,
        utf8: true,
    };

    fn parameters(
        offers: Offers,
        from: &str,
        recipient: &str,
        message: &str,
    ) -> Result<String, ErrorClass> {
        let (from, recipient) = (from.parse().unwrap(), recipient.parse().unwrap());
        let letter = Letter {
            from: &from,
            recipient: &recipient,
            message: message.as_bytes(),
        };
        match offers.parameters(letter) {
            Ok(parameters) => {
                let words: Vec<_> = parameters.iter().map(ToString::to_string).collect();
                Ok(words.join(" "))
            }
            Err(failure) => {
                assert!(!failure.uncertain && failure.code.is_none());
                Err(failure.class)
            }
        }
    }

    #[test]
    fn keywords_are_read_in_any_case_and_only_after_the_servers_name() {
        let offers = |text: &str| Offers::of(&text.parse::<Response>().unwrap());
        assert_eq!(
            offers("250-mail.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n"),
            ALL
        );
        assert_eq!(
            offers("250-mail.test\r\n250-pipelining\r\n250-8bitmime x\r\n250 SmtpUtf8\r\n"),
            ALL
        );
        assert_eq!(
            offers("250-PIPELINING\r\n250 SIZE 8BITMIME\r\n"),
            Offers::default()
        );
        assert_eq!(offers("250 mail.test\r\n"), Offers::default());
    }

    #[test]
    fn a_letter_gets_the_parameters_that_it_needs_and_no_others() {
        let (plain, body, header) = (
            "S: x\r\n\r\nplain\r\n",
            "S: x\r\n\r\nmüde\r\n",
            "S: müde\r\n\r\nplain\r\n",
        );
        let cases = [
            ("a@x.test", "b@y.test", plain, ""),
            ("a@x.test", "b@y.test", body, "BODY=8BITMIME"),
            ("a@x.test", "b@y.test", header, "BODY=8BITMIME SMTPUTF8"),
            ("a@x.test", "b@y.test", "S: müde", "BODY=8BITMIME SMTPUTF8"),
            ("a@x.test", "jürgen@y.test", plain, "SMTPUTF8"),
            ("jürgen@x.test", "b@y.test", plain, "SMTPUTF8"),
            ("a@x.test", "b@xn--mnchen-3ya.test", plain, ""),
            ("a@x.test", "b@münchen.test", body, "BODY=8BITMIME SMTPUTF8"),
        ];
        for (from, recipient, message, want) in cases {
            let got = parameters(ALL, from, recipient, message);
            assert_eq!(got.as_deref(), Ok(want), "{from} {recipient} {message:?}");
        }
    }

    #[test]
    fn what_the_server_does_not_offer_is_a_failure_before_anything_is_sent() {
        let none = Offers::default();
        let ascii = "S: x\r\n\r\nplain\r\n";
        assert_eq!(
            parameters(none, "a@x.test", "b@y.test", ascii).as_deref(),
            Ok("")
        );
        let utf8 = parameters(
            Offers { utf8: false, ..ALL },
            "a@x.test",
            "jürgen@y.test",
            ascii,
        );
        assert_eq!(utf8, Err(ErrorClass::Smtputf8Missing));
        let body = parameters(none, "a@x.test", "b@y.test", "S: x\r\n\r\nmüde\r\n");
        assert_eq!(body, Err(ErrorClass::EightBitMissing));
    }

    #[test]
    fn a_cr_or_lf_of_its_own_is_refused() {
        for message in ["", "\r\n", "a\r\nb", "\r\n\r\n", "a\r\n.\r\nb\r\n"] {
            assert!(!has_bare_cr_or_lf(message.as_bytes()), "{message:?}");
        }
        for message in [
            "\n", "\r", "a\nb", "a\rb", "a\r\n\n", "a\r\r\n", "a\r\n.\n", "a\r",
        ] {
            assert!(has_bare_cr_or_lf(message.as_bytes()), "{message:?}");
            let got = parameters(ALL, "a@x.test", "b@y.test", message);
            assert_eq!(got, Err(ErrorClass::MessageMalformed), "{message:?}");
        }
    }
}
