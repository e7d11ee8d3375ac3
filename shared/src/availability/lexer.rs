//! Cuts an availability text into tokens. Every byte that is not white space or a filler word
//! belongs to exactly one token, so that nothing can be dropped unseen.

use super::clock::{Clock, Face, Half};

/// A piece of the text: what it is, and where it stands in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A weekday's name: 0 is Sunday.
    Day(u8),
    /// A word for several days: bit 0 is Sunday.
    DaySet(u8),
    /// "every", which stands before a weekday, a set of days, or "day".
    Every,
    /// "all", which stands before "days" or "week".
    All,
    /// "day", as in "every day".
    DayWord,
    /// "days" or "week", as in "all days".
    DaysWord,
    /// A clock, with its am or pm.
    Clock(Clock),
    /// am or pm that does not follow a clock.
    Meridiem(Half),
    /// A dash, "to", "until" or "till".
    Joiner,
    /// "between": filler, but it lets "and" join two clocks.
    Between,
    /// "and": filler, but it also joins days.
    And,
    /// `&`, `+` or `/`, which joins what "and" joins but is no filler.
    Link,
    /// `:` outside a clock.
    Colon,
    /// `,`, `;` or a line break: the end of a clause.
    Break,
    /// Anything else.
    Unknown,
}

const EVERY_DAY: u8 = 0b111_1111;
const WEEKDAYS: u8 = 0b011_1110;
const WEEKENDS: u8 = 0b100_0001;

/// The tokens of a text, in order and without overlap. "from", "on", "at", "the" and "o'clock"
/// leave none.
pub(super) fn lex(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    while let Some(first) = lexer.peek() {
        let start = lexer.at;
        let kind = if is_break(first) {
            lexer.skip(first);
            Some(Kind::Break)
        } else if is_blank(first) {
            lexer.skip(first);
            None
        } else if first.is_ascii_digit() {
            Some(clock(lexer.number()))
        } else if first.is_alphabetic() {
            lexer.word()
        } else {
            Some(lexer.sign(first))
        };
        if let Some(kind) = kind {
            push(
                &mut tokens,
                Token {
                    kind,
                    start,
                    end: lexer.at,
                },
            );
        }
    }
    tokens
}

/// Adds a token; am or pm after a clock in digits becomes part of that clock.
fn push(tokens: &mut Vec<Token>, token: Token) {
    if let Kind::Meridiem(half) = token.kind
        && let Some(Token {
            kind: Kind::Clock(clock),
            end,
            ..
        }) = tokens.last_mut()
        && clock.half.is_none()
        && !matches!(clock.face, Face::Noon | Face::Midnight)
    {
        clock.half = Some(half);
        *end = token.end;
        return;
    }
    tokens.push(token);
}

const fn clock(face: Face) -> Kind {
    Kind::Clock(Clock { face, half: None })
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self, c: char) {
        self.at += c.len_utf8();
    }

    fn skip_while(&mut self, matches: impl Fn(char) -> bool) {
        while let Some(c) = self.peek().filter(|c| matches(*c)) {
            self.skip(c);
        }
    }

    fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Digits, with what belongs to them: ":30", ".30", "h30" and "h". Letters that follow without
    /// a space and are no word of their own ("12th", "9banana") spoil the whole run.
    fn number(&mut self) -> Face {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_digit());
        loop {
            let mut ahead = self.rest().chars();
            let (sign, next) = (ahead.next(), ahead.next());
            match (sign, next) {
                (Some(':' | '.' | 'h' | 'H'), Some(digit)) if digit.is_ascii_digit() => {
                    self.at += 1;
                    self.skip_while(|c| c.is_ascii_digit());
                }
                (Some('h' | 'H'), after) if !after.is_some_and(char::is_alphabetic) => {
                    self.at += 1;
                    break;
                }
                _ => break,
            }
        }
        let face = Face::written(self.since(start));
        if self.peek().is_some_and(char::is_alphabetic) && !self.word_may_touch_a_number() {
            self.skip_while(char::is_alphanumeric);
            return Face::Malformed;
        }
        face
    }

    fn word_may_touch_a_number(&self) -> bool {
        let mut ahead = Self {
            text: self.text,
            at: self.at,
        };
        matches!(
            ahead.word(),
            None | Some(Kind::Meridiem(_) | Kind::Joiner | Kind::And)
        )
    }

    /// A run of letters, with the dots of "tues." and "p.m." and the apostrophe of "o'clock".
    /// `None` for a filler word.
    fn word(&mut self) -> Option<Kind> {
        let start = self.at;
        self.skip_while(char::is_alphabetic);
        self.skip_apostrophe();
        let word = self.since(start).to_lowercase();
        let kind = match word.as_str() {
            "from" | "on" | "at" | "the" | "o'clock" | "o’clock" | "oclock" => return None,
            "every" => Kind::Every,
            "all" => Kind::All,
            "day" => Kind::DayWord,
            "days" | "week" => Kind::DaysWord,
            "everyday" | "daily" => Kind::DaySet(EVERY_DAY),
            "weekday" | "weekdays" => Kind::DaySet(WEEKDAYS),
            "weekend" | "weekends" => Kind::DaySet(WEEKENDS),
            "to" | "until" | "till" => Kind::Joiner,
            "between" => Kind::Between,
            "and" => Kind::And,
            "noon" => clock(Face::Noon),
            "midnight" => clock(Face::Midnight),
            "a" | "am" => self.meridiem(Half::Am, word.len()),
            "p" | "pm" => self.meridiem(Half::Pm, word.len()),
            other => match weekday(other) {
                Some(day) => {
                    self.skip_dot();
                    Kind::Day(day)
                }
                None => Kind::Unknown,
            },
        };
        Some(kind)
    }

    /// The dots of "a.m.", after its first letter or after both.
    fn meridiem(&mut self, half: Half, letters: usize) -> Kind {
        let mut ahead = self.rest().chars();
        let dotted = letters == 1
            && ahead.next() == Some('.')
            && matches!(ahead.next(), Some('m' | 'M'))
            && !ahead.next().is_some_and(char::is_alphabetic);
        if dotted {
            self.at += 2;
        }
        if dotted || letters == 2 {
            self.skip_dot();
        }
        Kind::Meridiem(half)
    }

    fn skip_dot(&mut self) {
        if self.rest().starts_with('.') {
            self.at += 1;
        }
    }

    /// An apostrophe between letters belongs to the word.
    fn skip_apostrophe(&mut self) {
        let mut ahead = self.rest().chars();
        if let (Some(mark @ ('\'' | '’')), Some(letter)) = (ahead.next(), ahead.next())
            && letter.is_alphabetic()
        {
            self.skip(mark);
            self.skip_while(char::is_alphabetic);
        }
    }

    fn sign(&mut self, first: char) -> Kind {
        let kind = known_sign(first).unwrap_or(Kind::Unknown);
        self.skip(first);
        if kind == Kind::Unknown {
            self.skip_while(|c| {
                known_sign(c).is_none()
                    && !c.is_ascii_digit()
                    && !c.is_alphabetic()
                    && !is_blank(c)
                    && !is_break(c)
            });
        }
        kind
    }
}

fn known_sign(c: char) -> Option<Kind> {
    match c {
        '-' | '–' | '—' => Some(Kind::Joiner),
        '&' | '+' | '/' => Some(Kind::Link),
        ':' => Some(Kind::Colon),
        _ => None,
    }
}

const fn is_break(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// White space, and the signs without width that come along with text copied from a page.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}'
        )
}

fn weekday(word: &str) -> Option<u8> {
    match word {
        "su" | "sun" | "sunday" | "sundays" => Some(0),
        "mo" | "mon" | "monday" | "mondays" => Some(1),
        "tu" | "tue" | "tues" | "tuesday" | "tuesdays" => Some(2),
        "we" | "wed" | "weds" | "wednesday" | "wednesdays" => Some(3),
        "th" | "thu" | "thur" | "thurs" | "thursday" | "thursdays" => Some(4),
        "fr" | "fri" | "friday" | "fridays" => Some(5),
        "sa" | "sat" | "saturday" | "saturdays" => Some(6),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, Face, Half, Kind, clock, lex};

    fn pieces(text: &str) -> Vec<(&str, Kind)> {
        lex(text)
            .iter()
            .map(|token| (&text[token.start..token.end], token.kind))
            .collect()
    }

    fn digits(text: &str) -> Kind {
        clock(Face::written(text))
    }

    fn marked(text: &str, half: Half) -> Kind {
        Kind::Clock(Clock {
            face: Face::written(text),
            half: Some(half),
        })
    }

    #[test]
    fn dots_belong_to_day_names_and_meridiems_and_to_clocks_with_minutes() {
        assert_eq!(
            pieces("Tues. 9.30a.m.-10 P.M. 9. a.m x."),
            [
                ("Tues.", Kind::Day(2)),
                ("9.30a.m.", marked("9.30", Half::Am)),
                ("-", Kind::Joiner),
                ("10 P.M.", marked("10", Half::Pm)),
                ("9", digits("9")),
                (".", Kind::Unknown),
                ("a.m", Kind::Meridiem(Half::Am)),
                ("x", Kind::Unknown),
                (".", Kind::Unknown),
            ]
        );
    }

    #[test]
    fn a_clock_takes_one_meridiem_and_noon_takes_none() {
        assert_eq!(
            pieces("9 o'clock p noon am 9am pm"),
            [
                ("9 o'clock p", marked("9", Half::Pm)),
                ("noon", clock(Face::Noon)),
                ("am", Kind::Meridiem(Half::Am)),
                ("9am", marked("9", Half::Am)),
                ("pm", Kind::Meridiem(Half::Pm)),
            ]
        );
    }

    #[test]
    fn letters_that_touch_a_number_spoil_it_unless_they_are_a_word_that_may() {
        assert_eq!(
            pieces("9to5"),
            [("9", digits("9")), ("to", Kind::Joiner), ("5", digits("5"))]
        );
        assert_eq!(pieces("9h"), [("9h", digits("9"))]);
        assert_eq!(pieces("9H30"), [("9H30", digits("9:30"))]);
        for spoilt in [
            "12th", "9banana", "5tue", "9h30m", "9hours", "3pmx", "9amto5",
        ] {
            assert_eq!(pieces(spoilt), [(spoilt, clock(Face::Malformed))]);
        }
    }

    #[test]
    fn fillers_leave_no_token_and_signs_without_width_are_white_space() {
        assert_eq!(pieces("from On AT the o'clock O’Clock oclock"), []);
        assert_eq!(
            pieces("\u{feff}mon\u{200b}\u{a0}\u{202f}"),
            [("mon", Kind::Day(1))]
        );
    }

    #[test]
    fn unknown_words_and_unknown_signs_are_whole_tokens() {
        assert_eq!(
            pieces("monday's!?🎉žluť٣"),
            [
                ("monday's", Kind::Unknown),
                ("!?🎉", Kind::Unknown),
                ("žluť", Kind::Unknown),
                ("٣", Kind::Unknown),
            ]
        );
    }
}
