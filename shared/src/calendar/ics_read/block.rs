//! Components (RFC 5545, section 3.6): the events and zones of a file.

use super::{
    MAX_EVENTS, MAX_LINES,
    line::{ContentLine, MAX_LINE},
    unfold::Logical,
};
use crate::calendar::problem::{Fault, Problem};

/// How deep components are followed: a VALARM in a VEVENT in a VCALENDAR is three.
const MAX_DEPTH: usize = 8;

/// A component with its own properties.
pub(super) struct Block<'a> {
    /// VEVENT, VTIMEZONE, or STANDARD and DAYLIGHT (of the VTIMEZONE before them).
    pub name: &'static str,
    /// Where it begins in the file.
    pub line: u32,
    /// Which VCALENDAR of the file it is in: names of zones are that calendar's own.
    pub calendar: usize,
    /// The properties.
    pub lines: Vec<ContentLine<'a>>,
    /// What was wrong with its lines.
    pub problems: Vec<Problem>,
    /// The first of its content lines and the one after the last.
    pub span: (usize, usize),
}

/// A file in components.
pub(super) struct File<'a> {
    pub blocks: Vec<Block<'a>>,
    pub problems: Vec<Problem>,
    /// Whether there was a VCALENDAR.
    pub found: bool,
}

/// The components that matter. Others (VTODO, VALARM, …) are passed over with all they hold.
const KEPT: [&str; 4] = ["VEVENT", "VTIMEZONE", "STANDARD", "DAYLIGHT"];

/// A component that is open.
struct Open {
    name: String,
    /// Its place in the blocks, if it is kept.
    block: Option<usize>,
}

/// Splits the content lines into components.
pub(super) fn split(lines: &[Logical]) -> File<'_> {
    let mut file = File {
        blocks: Vec::new(),
        problems: Vec::new(),
        found: false,
    };
    let mut open: Vec<Open> = Vec::new();
    let (mut calendars, mut events) = (0, 0);
    // Whether the last property may decide when an event is: its lost continuation matters.
    let mut decides = false;
    for (index, line) in lines.iter().enumerate() {
        let problem = |what, blocking| Problem {
            line: line.number,
            what,
            blocking,
        };
        if index == MAX_LINES {
            file.problems
                .push(problem(Fault::TooManyLines(MAX_LINES), true));
            break;
        }
        let read = if line.text.len() > MAX_LINE {
            let deciding = deciding(line.text.split([':', ';']).next().unwrap_or_default());
            Err(problem(Fault::LineTooLong(MAX_LINE), deciding))
        } else {
            ContentLine::read(line).ok_or_else(|| problem(Fault::NotAProperty, decides))
        };
        let current = open.last().and_then(|open| open.block);
        let read = match read {
            Ok(read) => read,
            Err(problem) => {
                // Inside an alarm or a task nothing matters.
                match current.and_then(|at| file.blocks.get_mut(at)) {
                    Some(block) => block.problems.push(problem),
                    None if open.len() < 2 && file.found => file.problems.push(Problem {
                        blocking: false,
                        ..problem
                    }),
                    None => {}
                }
                continue;
            }
        };
        match read.name.as_str() {
            "BEGIN" => {
                decides = false;
                let name = read.value.trim().to_ascii_uppercase();
                if open.len() == MAX_DEPTH {
                    file.problems.push(problem(Fault::TooDeep(MAX_DEPTH), true));
                    break;
                }
                if name == "VCALENDAR" {
                    file.found = true;
                    calendars += 1;
                }
                // Neither stands inside an event, nor a calendar in another: an END is missing.
                if name == "VEVENT" || name == "VCALENDAR" {
                    while let Some(last) =
                        open.pop_if(|open| name == "VCALENDAR" || open.name != "VCALENDAR")
                    {
                        unended(&mut file, &last, (index, line.number));
                    }
                }
                if name == "VEVENT" {
                    events += 1;
                    if events > MAX_EVENTS {
                        file.problems
                            .push(problem(Fault::TooManyEvents(MAX_EVENTS), true));
                        break;
                    }
                }
                if name == "VFREEBUSY" {
                    file.problems.push(problem(Fault::FreeBusy, true));
                }
                let kept = KEPT.iter().find(|kept| **kept == name && file.found);
                let block = kept.map(|name| {
                    file.blocks.push(Block {
                        name,
                        line: line.number,
                        calendar: calendars,
                        lines: Vec::new(),
                        problems: Vec::new(),
                        span: (index, index + 1),
                    });
                    file.blocks.len() - 1
                });
                open.push(Open { name, block });
            }
            "END" => {
                decides = false;
                let name = read.value.trim().to_ascii_uppercase();
                let Some(at) = open.iter().rposition(|open| open.name == name) else {
                    if file.found {
                        file.problems.push(problem(Fault::StrayEnd, false));
                    }
                    continue;
                };
                for inner in open.drain(at + 1..).collect::<Vec<_>>() {
                    unended(&mut file, &inner, (index, line.number));
                }
                let block = open.pop().and_then(|open| open.block);
                if let Some(block) = block.and_then(|at| file.blocks.get_mut(at)) {
                    block.span.1 = index + 1;
                }
            }
            _ => {
                decides = deciding(&read.name);
                if let Some(block) = current.and_then(|at| file.blocks.get_mut(at)) {
                    block.lines.push(read);
                }
            }
        }
    }
    let end = (
        lines.len().min(MAX_LINES),
        lines.last().map_or(0, |line| line.number),
    );
    while let Some(left) = open.pop() {
        unended(&mut file, &left, end);
    }
    file
}

/// A component that was cut short, before a content line (its index and its number in the file):
/// it may have lost what says when something is.
fn unended(file: &mut File<'_>, open: &Open, (index, number): (usize, u32)) {
    if open.name == "VCALENDAR" {
        file.problems.push(Problem {
            line: number,
            what: Fault::NotEnded("VCALENDAR"),
            blocking: true,
        });
    }
    let Some(block) = open.block.and_then(|at| file.blocks.get_mut(at)) else {
        return;
    };
    block.span.1 = index;
    block.problems.push(Problem {
        line: block.line,
        what: Fault::NotEnded(block.name),
        blocking: true,
    });
}

/// Whether a property may decide when, or whether, an event takes time.
fn deciding(name: &str) -> bool {
    const NAMES: [&str; 8] = [
        "DTSTART",
        "DTEND",
        "DURATION",
        "RRULE",
        "RDATE",
        "EXDATE",
        "EXRULE",
        "RECURRENCE-ID",
    ];
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}
