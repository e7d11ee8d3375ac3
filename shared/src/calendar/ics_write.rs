//! Writes iCalendar streams (RFC 5545, section 3.1), one content line at a time.
//!
//! A value is an escaped TEXT, an integer, a time, a calendar address or a word that the code itself
//! names; what another file said is written without line breaks. So no user's text can begin a
//! line, a property or a parameter of its own.

mod times;

pub use times::{Period, TimeForm, Yearly, YearlyDay};

use super::cal_address::CalAddress;
use crate::instant::Instant;

/// The longest physical line in octets, without its CRLF (RFC 5545, section 3.1).
const LINE_OCTETS: usize = 75;

/// A parameter of a property.
#[derive(Clone, Copy)]
pub enum Param<'a> {
    /// One of the RFC's own words: `ROLE=CHAIR`.
    Word(&'static str, &'static str),
    /// Text, quoted and encoded (RFC 6868): `CN="Ana Silva"`.
    Text(&'static str, &'a str),
    /// An address: `SENT-BY="mailto:ana@example.com"`.
    Address(&'static str, &'a CalAddress),
}

/// An iCalendar stream that is being written.
#[derive(Default)]
pub struct IcsWriter {
    out: String,
}

impl IcsWriter {
    /// An empty stream.
    #[must_use]
    pub const fn new() -> Self {
        Self { out: String::new() }
    }

    /// Opens a component.
    pub fn begin(&mut self, component: &'static str) {
        self.word("BEGIN", component);
    }

    /// Closes a component.
    pub fn end(&mut self, component: &'static str) {
        self.word("END", component);
    }

    /// A property whose value the code itself names: `METHOD:REQUEST`.
    pub fn word(&mut self, name: &'static str, value: &'static str) {
        self.line(&format!("{name}:{value}"));
    }

    /// A TEXT property (RFC 5545, section 3.3.11).
    pub fn text(&mut self, name: &'static str, text: &str) {
        self.line(&format!("{name}:{}", escape(text)));
    }

    /// An INTEGER property that is never negative: `SEQUENCE:3`.
    pub fn integer(&mut self, name: &'static str, value: u32) {
        self.line(&format!("{name}:{value}"));
    }

    /// A DATE-TIME in UTC (RFC 5545, section 3.3.5, form 2), in whole seconds.
    pub fn instant(&mut self, name: &'static str, at: Instant) {
        let at = at.timestamp().strftime("%Y%m%dT%H%M%SZ");
        self.line(&format!("{name}:{at}"));
    }

    /// A CAL-ADDRESS property with its parameters: `ATTENDEE;CN="Ana":mailto:ana@example.com`.
    pub fn address(&mut self, name: &'static str, params: &[Param<'_>], address: &CalAddress) {
        let mut line = name.to_owned();
        for param in params {
            match param {
                Param::Word(key, value) => line.push_str(&format!(";{key}={value}")),
                Param::Text(key, text) => {
                    line.push_str(&format!(";{key}=\"{}\"", encode_param(text)));
                }
                Param::Address(key, address) => {
                    line.push_str(&format!(";{key}=\"{}\"", address.as_str()));
                }
            }
        }
        line.push(':');
        line.push_str(address.as_str());
        self.line(&line);
    }

    /// A value as another iCalendar file gave it, escapes and all: `RRULE:FREQ=DAILY`. Control
    /// characters and line breaks, which no value holds, become `?`.
    pub fn stored(&mut self, name: &'static str, value: &str) {
        self.line(&format!("{name}:{}", unbroken(value)));
    }

    /// A whole content line as another iCalendar file gave it, unfolded; control characters and
    /// line breaks in it become `?`.
    pub fn kept(&mut self, line: &str) {
        self.line(&unbroken(line));
    }

    /// How much was written since the last time that it was taken.
    #[must_use]
    pub const fn octets(&self) -> usize {
        self.out.len()
    }

    /// What was written since the last time.
    #[must_use]
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// The stream.
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    /// One content line, folded. A fold falls between two characters, so each physical line is
    /// valid UTF-8 by itself.
    fn line(&mut self, line: &str) {
        let mut octets = 0;
        for c in line.chars() {
            if octets + c.len_utf8() > LINE_OCTETS {
                self.out.push_str("\r\n ");
                octets = 1;
            }
            self.out.push(c);
            octets += c.len_utf8();
        }
        self.out.push_str("\r\n");
    }
}

/// A line break of any kind: what a reader of the file might end a line at.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A tab is no control character to a content line.
fn unbroken(text: &str) -> String {
    let breaks = |c: char| is_break(c) || (c.is_control() && c != '\t');
    text.replace(breaks, "?")
}

/// What is left of the text once every kind of line break is a `\n`, a tab is a space and other
/// control characters are gone.
fn printable(text: &str) -> impl Iterator<Item = char> {
    let mut after_cr = false;
    text.chars().filter_map(move |c| {
        let completes_crlf = after_cr && c == '\n';
        after_cr = c == '\r';
        match c {
            _ if completes_crlf => None,
            _ if is_break(c) => Some('\n'),
            '\t' => Some(' '),
            _ => (!c.is_control()).then_some(c),
        }
    })
}

/// TEXT: backslash, semicolon, comma and line break, nothing else, are escaped.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in printable(text) {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// A quoted parameter's inside: RFC 6868 says how a quote, a line break and a caret travel.
///
/// A backslash has no meaning there by the RFC, but readers differ (Python's icalendar takes `\n`
/// in a name for a line break), so it travels as a slash.
fn encode_param(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for c in printable(text) {
        match c {
            '\n' => encoded.push_str("^n"),
            '"' => encoded.push_str("^'"),
            '^' => encoded.push_str("^^"),
            '\\' => encoded.push('/'),
            _ => encoded.push(c),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn summary(text: &str) -> String {
        let mut ics = IcsWriter::new();
        ics.text("SUMMARY", text);
        ics.finish()
    }

    fn unfolded(physical: &str) -> String {
        physical.replace("\r\n ", "")
    }

    /// Every physical line of the stream: at most 75 octets, ended by CRLF and nothing else.
    fn assert_folded(stream: &str) {
        assert!(stream.ends_with("\r\n"));
        assert_eq!(
            stream.matches('\n').count(),
            stream.matches("\r\n").count(),
            "{stream:?}"
        );
        assert_eq!(stream.matches('\r').count(), stream.matches('\n').count());
        for line in stream.split_terminator("\r\n") {
            assert!(line.len() <= 75, "{} octets: {line}", line.len());
        }
    }

    #[test]
    fn out_02_the_letter_n_is_no_line_break() {
        assert_eq!(
            summary("ninth running lesson"),
            "SUMMARY:ninth running lesson\r\n"
        );
    }

    #[test]
    fn out_04_every_line_break_is_one_escaped_n() {
        assert_eq!(
            summary("one\r\ntwo\rthree\nBEGIN:VALARM"),
            "SUMMARY:one\\ntwo\\nthree\\nBEGIN:VALARM\r\n"
        );
        assert_eq!(
            summary("a\u{2028}b\u{2029}c\u{85}d\n\r\n\re"),
            "SUMMARY:a\\nb\\nc\\nd\\n\\n\\ne\r\n"
        );
    }

    #[test]
    fn out_05_quotes_and_colons_are_not_escaped() {
        assert_eq!(
            summary("He said: \"10:30\""),
            "SUMMARY:He said: \"10:30\"\r\n"
        );
        assert_eq!(
            summary(r"a\b;c,d\n"),
            "SUMMARY:a\\\\b\\;c\\,d\\\\n\r\n",
            "backslash, semicolon and comma are"
        );
    }

    #[test]
    fn out_06_a_fold_cuts_no_character() {
        let text = "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF:📞 ok";
        let stream = summary(text);
        assert_folded(&stream);
        assert_eq!(
            stream,
            format!(
                "SUMMARY:{}\r\n {}\r\n",
                &text[..text.find('📞').unwrap()],
                "📞 ok"
            )
        );
        assert_eq!(unfolded(&stream), format!("SUMMARY:{text}\r\n"));
    }

    #[test]
    fn out_08_a_long_run_of_joined_emoji_is_folded() {
        let text = "👩‍👩‍👧‍👦".repeat(12);
        assert_eq!(text.len(), 300);
        let stream = summary(&text);
        assert_folded(&stream);
        assert_eq!(unfolded(&stream), format!("SUMMARY:{text}\r\n"));
    }

    #[test]
    fn a_line_of_exactly_75_octets_is_left_whole() {
        let fits = "x".repeat(75 - "SUMMARY:".len());
        assert_eq!(summary(&fits), format!("SUMMARY:{fits}\r\n"));
        assert_eq!(
            summary(&format!("{fits}yz")),
            format!("SUMMARY:{fits}\r\n yz\r\n")
        );
        assert_folded(&summary(&"z".repeat(1_000)));
    }

    #[test]
    fn control_characters_are_removed() {
        assert_eq!(
            summary("a\0b\u{7}c\u{b}d\u{7f}e\u{9b}f\tg"),
            "SUMMARY:abcdef g\r\n"
        );
    }

    /// Case out-11 at the level of the line: the name stays inside its quotes.
    #[test]
    fn out_11_a_line_break_in_a_name_starts_no_property() {
        let address = CalAddress::new(&"sam@example.test".parse().unwrap());
        let mut ics = IcsWriter::new();
        let name = "Sam \"the ^ man\"\r\nATTACH:https://bad.example.test/x;a=b,c\\n";
        ics.address("ATTENDEE", &[Param::Text("CN", name)], &address);
        let stream = ics.finish();
        assert_folded(&stream);
        assert!(!stream.contains("\nATTACH"), "{stream}");
        assert_eq!(
            unfolded(&stream),
            "ATTENDEE;CN=\"Sam ^'the ^^ man^'^nATTACH:https://bad.example.test/x;a=b,c/n\":mailto:sam@example.test\r\n"
        );
    }

    #[test]
    fn what_another_file_gave_begins_no_line() {
        let mut ics = IcsWriter::new();
        ics.stored("RRULE", "FREQ=DAILY\r\nATTACH:x\u{2028}y");
        ics.kept("X-A;B=\"c\":d\\,e\tf\nEND:VEVENT");
        assert_eq!(
            ics.take(),
            "RRULE:FREQ=DAILY??ATTACH:x?y\r\nX-A;B=\"c\":d\\,e\tf?END:VEVENT\r\n"
        );
        assert_eq!(ics.finish(), "", "taken");
    }

    #[test]
    fn instants_are_written_in_utc_in_whole_seconds() {
        let mut ics = IcsWriter::new();
        ics.instant("DTSTART", "2021-10-05T12:00:00.999999Z".parse().unwrap());
        ics.instant("DTEND", "2021-10-05T14:00:00+02:00".parse().unwrap());
        ics.integer("SEQUENCE", 12);
        assert_eq!(
            ics.finish(),
            "DTSTART:20211005T120000Z\r\nDTEND:20211005T120000Z\r\nSEQUENCE:12\r\n"
        );
    }

    #[test]
    fn addresses_and_words_are_parameters() {
        let ana = CalAddress::new(&"ana@example.com".parse().unwrap());
        let bo = CalAddress::new(&"bo@example.com".parse().unwrap());
        let mut ics = IcsWriter::new();
        ics.begin("VEVENT");
        ics.address(
            "ORGANIZER",
            &[Param::Address("SENT-BY", &bo), Param::Word("ROLE", "CHAIR")],
            &ana,
        );
        ics.end("VEVENT");
        assert_eq!(
            unfolded(&ics.finish()),
            "BEGIN:VEVENT\r\nORGANIZER;SENT-BY=\"mailto:bo@example.com\";ROLE=CHAIR:mailto:ana@example.com\r\nEND:VEVENT\r\n"
        );
    }
}
