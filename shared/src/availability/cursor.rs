//! Recognises the pieces of a clause, a day part or a range, at one place among the tokens.

use super::clock::Clock;
use super::lexer::{Kind, Token, lex};

/// A day part, or several that wait for their range: bit 0 of the mask is Sunday.
#[derive(Clone, Copy, Debug)]
pub(super) struct DayPart {
    pub(super) mask: u8,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A clock and the token it was read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timed {
    pub(super) clock: Clock,
    pub(super) token: Token,
}

/// What follows the first clock of a range.
#[derive(Clone, Copy, Debug)]
pub(super) enum RangeEnd {
    /// The last clock.
    Clock(Timed),
    /// None; the half of a range ends at this byte.
    Missing(usize),
}

/// A place among the tokens of a text. What is taken is never looked at again.
pub(super) struct Cursor {
    tokens: Vec<Token>,
    at: usize,
}

impl Cursor {
    pub(super) fn new(text: &str) -> Self {
        Self {
            tokens: lex(text),
            at: 0,
        }
    }

    pub(super) fn take(&mut self) -> Option<Token> {
        let token = self.peek(0)?;
        self.at += 1;
        Some(token)
    }

    fn peek(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).copied()
    }

    fn clock(&self, ahead: usize) -> Option<Timed> {
        let token = self.peek(ahead)?;
        match token.kind {
            Kind::Clock(clock) => Some(Timed { clock, token }),
            _ => None,
        }
    }

    fn day(&self, ahead: usize) -> Option<(u8, Token)> {
        let token = self.peek(ahead)?;
        match token.kind {
            Kind::Day(day) => Some((day, token)),
            _ => None,
        }
    }

    pub(super) fn next_kind(&self) -> Option<Kind> {
        self.peek(0).map(|token| token.kind)
    }

    /// Takes the rest of a day part that begins with `token`: a name, a range of names, or words
    /// for several days. `None`, and nothing is taken, if it is none of them.
    pub(super) fn take_day_part(&mut self, token: Token) -> Option<DayPart> {
        let (mask, last) = match (token.kind, self.next_kind()) {
            (Kind::Every, Some(Kind::DayWord)) | (Kind::All, Some(Kind::DaysWord)) => {
                (walk(0, 6), self.take()?)
            }
            (Kind::Every, Some(Kind::Day(_) | Kind::DaySet(_))) => {
                let day = self.take()?;
                let part = self.take_day_part(day)?;
                return Some(DayPart {
                    start: token.start,
                    ..part
                });
            }
            (Kind::Day(first), Some(Kind::Joiner)) => match self.day(1) {
                Some((last, name)) => {
                    self.at += 2;
                    (walk(first, last), name)
                }
                None => (walk(first, first), token),
            },
            (Kind::Day(day), _) => (walk(day, day), token),
            (Kind::DaySet(mask), _) => (mask, token),
            _ => return None,
        };
        Some(DayPart {
            mask,
            start: token.start,
            end: last.end,
        })
    }

    /// Takes the clock that stands next.
    pub(super) fn take_clock(&mut self) -> Option<Timed> {
        let timed = self.clock(0)?;
        self.at += 1;
        Some(timed)
    }

    /// Takes the rest of a range that begins with `first`: a joiner and a clock, or a joiner that
    /// no clock follows. After "between", "and" is a joiner if a clock follows.
    pub(super) fn take_range_end(&mut self, first: Token, between: bool) -> RangeEnd {
        let is_joiner =
            |token: &Token| token.kind == Kind::Joiner || (between && token.kind == Kind::And);
        match (self.peek(0).filter(is_joiner), self.clock(1)) {
            (Some(_), Some(last)) => {
                self.at += 2;
                RangeEnd::Clock(last)
            }
            (Some(joiner), None) if joiner.kind == Kind::Joiner => {
                self.at += 1;
                RangeEnd::Missing(joiner.end)
            }
            _ => RangeEnd::Missing(first.end),
        }
    }

    /// The two days that stand next with "and" between them. Nothing is taken.
    pub(super) fn two_days(&self) -> Option<(Token, Token)> {
        let and = self.peek(1).filter(|token| token.kind == Kind::And);
        match (self.day(0), and, self.day(2)) {
            (Some((_, first)), Some(_), Some((_, last))) => Some((first, last)),
            _ => None,
        }
    }
}

/// The days from one to the other, walking forward: "fri-mon" is Friday to Monday.
fn walk(first: u8, last: u8) -> u8 {
    (0..=(last + 7 - first) % 7).fold(0, |mask, step| mask | 1 << ((first + step) % 7))
}
