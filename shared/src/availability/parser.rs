//! Reads an availability text: days, then hours, clause by clause.

use super::clock::Place;
use super::cursor::{Cursor, DayPart, RangeEnd, Timed};
use super::half_day::resolve;
use super::lexer::{Kind, Token};
use super::problem::{Problem, ProblemCode};
use super::window::{Window, merge};

/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 2_000;

/// How much of the text past [`MAX_BYTES`] a problem quotes, in bytes.
const EXCESS_QUOTED: usize = 40;

/// What a text says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The windows that were understood, merged. With problems they are for showing, not for
    /// saving.
    pub windows: Vec<Window>,
    /// Everything that was not understood, in the order of the text. Empty if all was.
    pub problems: Vec<Problem>,
}

/// Reads a text such as "mondays between 12–3, tuesdays 12–2, 5-7".
///
/// Never fails: what is not understood is among the problems, next to the windows that were. An
/// empty text has neither. The time it takes grows with the length of the text, and a text longer
/// than [`MAX_BYTES`] is not read at all.
#[must_use]
pub fn parse(text: &str) -> Parsed {
    if text.len() <= MAX_BYTES {
        return read(text);
    }
    let start = text.floor_char_boundary(MAX_BYTES);
    let end = text.ceil_char_boundary(MAX_BYTES + EXCESS_QUOTED);
    let problem = Problem::new(text, ProblemCode::TooLong, start, end);
    Parsed {
        windows: vec![],
        problems: vec![problem],
    }
}

/// [`parse`] without the limit.
pub(super) fn read(text: &str) -> Parsed {
    let mut parser = Parser {
        text,
        cursor: Cursor::new(text),
        windows: vec![],
        problems: vec![],
        days: Days::None,
        collected: None,
        last_day: None,
        doubtful: false,
        before: Before::Nothing,
    };
    while let Some(token) = parser.cursor.take() {
        parser.step(token);
    }
    if let Some(days) = parser.collected {
        parser.problem(ProblemCode::NoHours, days.start, days.end);
    }
    parser
        .problems
        .sort_by_key(|problem| (problem.start, problem.end));
    Parsed {
        windows: merge(parser.windows),
        problems: parser.problems,
    }
}

/// The days that a range falls on.
#[derive(Clone, Copy)]
enum Days {
    /// None were named yet.
    None,
    /// Those that were named last, as a mask.
    Known(u8),
    /// Something that was not understood stands where they should be. It is a problem already.
    Doubtful,
}

/// What stands before the token, within its clause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Day,
    /// A day and its colon.
    Label,
    /// "and", `&`, `+` or `/`.
    Link,
    Range,
    /// Something that is a problem already.
    Fault,
}

struct Parser<'t> {
    text: &'t str,
    cursor: Cursor,
    windows: Vec<Window>,
    problems: Vec<Problem>,
    days: Days,
    /// The day parts since the last range.
    collected: Option<DayPart>,
    last_day: Option<DayPart>,
    /// Whether something unknown stood since the last range.
    doubtful: bool,
    before: Before,
}

impl Parser<'_> {
    fn step(&mut self, token: Token) {
        match token.kind {
            Kind::Break => self.before = Before::Nothing,
            Kind::Day(_) | Kind::DaySet(_) | Kind::Every | Kind::All => self.day_part(token),
            Kind::Clock(clock) => self.range(Timed { clock, token }, false),
            Kind::Between => self.between(token),
            Kind::And => self.before = Before::Link,
            Kind::Link if self.links() => self.before = Before::Link,
            Kind::Colon if self.before == Before::Day => self.before = Before::Label,
            Kind::Link | Kind::Colon | Kind::Joiner | Kind::Meridiem(_) => self.misplaced(token),
            Kind::DayWord | Kind::DaysWord | Kind::Unknown => {
                self.doubtful = true;
                self.before = Before::Fault;
                self.problem(ProblemCode::NotUnderstood, token.start, token.end);
            }
        }
    }

    fn day_part(&mut self, token: Token) {
        let Some(part) = self.cursor.take_day_part(token) else {
            return self.misplaced(token);
        };
        if let Some(last) = self.last_day
            && matches!(self.before, Before::Day | Before::Label)
        {
            self.problem(ProblemCode::DaysNotJoined, last.start, part.end);
        }
        let start = self.collected.unwrap_or(part);
        self.collected = Some(DayPart {
            mask: start.mask | part.mask,
            end: part.end,
            ..start
        });
        self.last_day = Some(part);
        self.before = Before::Day;
    }

    /// "between" before a clock lets "and" join it to the next one. Between two days it could mean
    /// those two or all from one to the other. Elsewhere it is filler.
    fn between(&mut self, token: Token) {
        if let Some(first) = self.cursor.take_clock() {
            return self.range(first, true);
        }
        if let Some((first, last)) = self.cursor.two_days() {
            let quote = |day: Token| self.text.get(day.start..day.end).unwrap_or_default();
            let suggestions = vec![
                format!("{}-{}", quote(first), quote(last)),
                format!("{} and {}", quote(first), quote(last)),
            ];
            self.suggest(ProblemCode::BetweenDays, token.start, last.end, suggestions);
        }
    }

    /// A range from its first clock on, or the half of one.
    fn range(&mut self, first: Timed, between: bool) {
        self.settle_days();
        self.before = Before::Range;
        match self.cursor.take_range_end(first.token, between) {
            RangeEnd::Clock(last) => self.full_range(first, last),
            RangeEnd::Missing(end) => self.half_range(first, end),
        }
    }

    /// The days of a range: those named since the last range, else those of the range before.
    fn settle_days(&mut self) {
        if let Some(days) = self.collected.take() {
            self.days = Days::Known(days.mask);
        } else if self.doubtful {
            self.days = Days::Doubtful;
        }
        self.doubtful = false;
    }

    fn full_range(&mut self, first: Timed, last: Timed) {
        let start_is_good = self.check(first, Place::Start);
        let end_is_good = self.check(last, Place::End);
        let (start, end) = (first.token.start, last.token.end);
        if matches!(self.days, Days::None) {
            self.problem(ProblemCode::NoDay, start, end);
        }
        if !(start_is_good && end_is_good) {
            return;
        }
        match (resolve(&first.clock, &last.clock), self.days) {
            (Ok((start_min, end_min)), Days::Known(mask)) => {
                let window = |weekday| Window {
                    weekday,
                    start_min,
                    end_min,
                };
                self.windows
                    .extend((0..7).filter(|day| mask & (1 << day) != 0).map(window));
            }
            (Ok(_), Days::None | Days::Doubtful) => {}
            (Err(refusal), _) => self.suggest(refusal.code, start, end, refusal.suggestions),
        }
    }

    fn half_range(&mut self, first: Timed, end: usize) {
        // Which end it would be is not known, and at an end 24:00 has no fault of its own.
        if self.check(first, Place::End) {
            self.problem(ProblemCode::HalfRange, first.token.start, end);
        }
    }

    /// Whether the clock is free of faults; each fault becomes a problem.
    fn check(&mut self, timed: Timed, place: Place) -> bool {
        let faults = timed.clock.faults(place);
        for fault in &faults {
            self.problem(*fault, timed.token.start, timed.token.end);
        }
        faults.is_empty()
    }

    /// Whether `&`, `+` or `/` stands between two days, two ranges, or a range and a day. Beside
    /// something that is a problem already it is let pass: one problem is enough.
    fn links(&self) -> bool {
        let Some(next) = self.cursor.next_kind() else {
            return false;
        };
        let day = matches!(
            next,
            Kind::Day(_) | Kind::DaySet(_) | Kind::Every | Kind::All
        );
        let range = matches!(next, Kind::Clock(_) | Kind::Between);
        match self.before {
            Before::Day => day || next == Kind::Unknown,
            Before::Range | Before::Fault => day || range || next == Kind::Unknown,
            Before::Nothing | Before::Label | Before::Link => false,
        }
    }

    fn misplaced(&mut self, token: Token) {
        self.before = Before::Fault;
        self.problem(ProblemCode::Misplaced, token.start, token.end);
    }

    fn problem(&mut self, code: ProblemCode, start: usize, end: usize) {
        self.problems
            .push(Problem::new(self.text, code, start, end));
    }

    fn suggest(&mut self, code: ProblemCode, start: usize, end: usize, suggestions: Vec<String>) {
        let problem = Problem::new(self.text, code, start, end);
        self.problems.push(Problem {
            suggestions,
            ..problem
        });
    }
}
