//! One VEVENT (RFC 5545, section 3.6.1).

use super::{
    block::Block,
    dates::{self, end_beside, follows},
    line::ContentLine,
    unfold::Logical,
    value,
    vtimezone::FileZones,
};
use crate::calendar::{
    event::{
        Answer, Attendee, Event, Kind, Length, Moment, Override, Rdate, Status, Transparency,
        Unreadable,
    },
    problem::{Fault, Problem, excerpt},
};

/// The most attendees that are kept: an answer that is not kept does not free the time.
const MAX_ATTENDEES: usize = 1_000;
/// The most characters of a title or a place.
const MAX_TITLE: usize = 1_000;
/// The most characters of notes.
const MAX_NOTES: usize = 20_000;

/// What a VEVENT turned out to be.
pub(super) enum Read {
    Master(Box<Event>),
    Override(Box<Override>),
    Unreadable(Box<Unreadable>),
}

/// What the lines have said so far.
#[derive(Default)]
struct Draft {
    uid: Option<String>,
    sequence: u32,
    title: String,
    notes: String,
    location: String,
    transparency: Option<Transparency>,
    status: Option<Status>,
    /// X-MICROSOFT-CDO-BUSYSTATUS, in upper case.
    microsoft: Option<String>,
    start: Once<Moment>,
    end: Once<Moment>,
    duration: Once<Length>,
    rrule: Once<String>,
    original: Once<Moment>,
    and_future: bool,
    exdates: Vec<Moment>,
    rdates: Vec<Rdate>,
    attendees: Vec<Attendee>,
}

/// A property that may stand once.
struct Once<T> {
    value: Option<T>,
    /// Whether it stood there, readable or not.
    seen: bool,
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self {
            value: None,
            seen: false,
        }
    }
}

impl<T: PartialEq> Once<T> {
    fn set(&mut self, name: &'static str, read: Result<T, Fault>) -> Result<(), Fault> {
        self.seen = true;
        let read = read?;
        match &self.value {
            Some(held) if *held != read => Err(Fault::Twice(name)),
            _ => {
                self.value = Some(read);
                Ok(())
            }
        }
    }
}

/// Reads a component. `lines` are those of the whole file, for keeping it verbatim.
pub(super) fn read(block: &Block<'_>, lines: &[Logical], zones: &mut FileZones<'_>) -> Read {
    let mut draft = Draft::default();
    let mut problems = block.problems.clone();
    for line in &block.lines {
        if let Err((what, blocking)) = take(&mut draft, line, zones, block.calendar) {
            problems.push(Problem {
                line: line.number,
                what,
                blocking,
            });
        }
    }
    let mut blocking = |what| {
        problems.push(Problem {
            line: block.line,
            what,
            blocking: true,
        });
    };
    let length = match (draft.end.value, draft.duration.value) {
        (Some(_), Some(_)) => {
            blocking(Fault::Twice("DTEND or DURATION"));
            Length::Unsaid
        }
        (Some(end), None) => match &draft.start.value {
            Some(start) => {
                let end = end_beside(start, end);
                if follows(start, &end) {
                    Length::End(end)
                } else {
                    blocking(Fault::End);
                    Length::Unsaid
                }
            }
            None => Length::End(end),
        },
        (None, Some(duration)) => duration,
        (None, None) => Length::Unsaid,
    };
    if !draft.start.seen {
        blocking(Fault::NoStart);
    }
    let verbatim = (!problems.is_empty()).then(|| {
        let (from, to) = block.span;
        let own = lines.get(from..to).unwrap_or_default();
        own.iter()
            .map(|line| line.text.as_str())
            .collect::<Vec<_>>()
            .join("\r\n")
    });
    let microsoft = draft.microsoft.as_deref();
    let transparency = draft.transparency.unwrap_or(match microsoft {
        Some("FREE") => Transparency::Transparent,
        _ => Transparency::Opaque,
    });
    let status = draft.status.unwrap_or(match microsoft {
        Some("TENTATIVE") => Status::Tentative,
        _ => Status::Confirmed,
    });
    let kind = match microsoft {
        Some("OOF") => Kind::OutOfOffice,
        _ if draft.attendees.is_empty() => Kind::Commitment,
        _ => Kind::Meeting,
    };
    let start = draft.start.value;
    let lost_original = draft.original.seen && draft.original.value.is_none();
    let (Some(start), false) = (start, lost_original) else {
        return Read::Unreadable(Box::new(Unreadable {
            uid: draft.uid,
            line: block.line,
            title: draft.title,
            busy: transparency == Transparency::Opaque && status != Status::Cancelled,
            verbatim: verbatim.unwrap_or_default(),
            problems,
        }));
    };
    let event = Event {
        uid: draft.uid,
        line: block.line,
        sequence: draft.sequence,
        title: draft.title,
        notes: draft.notes,
        location: draft.location,
        kind,
        transparency,
        status,
        start,
        length,
        rrule: draft.rrule.value,
        exdates: draft.exdates,
        rdates: draft.rdates,
        attendees: draft.attendees,
        problems,
        verbatim,
    };
    match draft.original.value {
        None => Read::Master(Box::new(event)),
        Some(original) => Read::Override(Box::new(Override {
            original,
            and_future: draft.and_future,
            event,
        })),
    }
}

/// Takes one property; a fault comes with whether it may decide when the host is busy.
fn take(
    draft: &mut Draft,
    line: &ContentLine<'_>,
    zones: &mut FileZones<'_>,
    calendar: usize,
) -> Result<(), (Fault, bool)> {
    let word = || line.value.trim().to_ascii_uppercase();
    let mut moment = |name| dates::moment(line.value, name, line, zones, calendar);
    let deciding = match line.name.as_str() {
        "DTSTART" => draft.start.set("DTSTART", moment("DTSTART")),
        "DTEND" => draft.end.set("DTEND", moment("DTEND")),
        "RECURRENCE-ID" => {
            let range = line.parameter("RANGE").unwrap_or_default();
            draft.and_future = range.eq_ignore_ascii_case("THISANDFUTURE");
            let read = draft.original.set("RECURRENCE-ID", moment("RECURRENCE-ID"));
            if range.is_empty() || draft.and_future {
                read
            } else {
                // THISANDPRIOR of RFC 2445.
                read.and(Err(Fault::Withdrawn("a RANGE other than THISANDFUTURE")))
            }
        }
        "DURATION" => {
            let read = value::duration(line.value).ok_or_else(|| fault("DURATION", line.value));
            draft.duration.set("DURATION", read)
        }
        "RRULE" => draft.rrule.set("RRULE", Ok(line.value.to_owned())),
        "EXDATE" => dates::exdates(line, zones, calendar, &mut draft.exdates),
        "RDATE" => dates::rdates(line, zones, calendar, &mut draft.rdates),
        "EXRULE" => Err(Fault::Withdrawn("EXRULE")),
        "UID" => {
            draft.uid = Some(line.value.trim().to_owned()).filter(|uid| !uid.is_empty());
            Ok(())
        }
        "SUMMARY" => {
            draft.title = value::text(line.value, MAX_TITLE);
            Ok(())
        }
        "DESCRIPTION" => {
            draft.notes = value::text(line.value, MAX_NOTES);
            Ok(())
        }
        "LOCATION" => {
            draft.location = value::text(line.value, MAX_TITLE);
            Ok(())
        }
        "TRANSP" => {
            draft.transparency = match word().as_str() {
                "TRANSPARENT" => Some(Transparency::Transparent),
                "OPAQUE" => Some(Transparency::Opaque),
                _ => return Err((fault("TRANSP", line.value), false)),
            };
            Ok(())
        }
        "STATUS" => {
            draft.status = match word().as_str() {
                "TENTATIVE" => Some(Status::Tentative),
                "CONFIRMED" => Some(Status::Confirmed),
                "CANCELLED" => Some(Status::Cancelled),
                _ => return Err((fault("STATUS", line.value), false)),
            };
            Ok(())
        }
        "X-MICROSOFT-CDO-BUSYSTATUS" => {
            draft.microsoft = Some(word());
            Ok(())
        }
        "SEQUENCE" => match line.value.trim().parse() {
            Ok(sequence) => {
                draft.sequence = sequence;
                Ok(())
            }
            Err(_) => return Err((fault("SEQUENCE", line.value), false)),
        },
        "ATTENDEE" if draft.attendees.len() < MAX_ATTENDEES => {
            draft.attendees.push(attendee(line));
            Ok(())
        }
        _ => Ok(()),
    };
    deciding.map_err(|what| (what, true))
}

fn fault(property: &'static str, value: &str) -> Fault {
    Fault::Value {
        property,
        value: excerpt(value),
    }
}

fn attendee(line: &ContentLine<'_>) -> Attendee {
    let uri = line.value.trim();
    let mailbox = uri
        .split_at_checked("mailto:".len())
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("mailto:"))
        .map(|(_, mailbox)| mailbox);
    // Some writers give an address of their own and the mailbox beside it (RFC 7986, section 6.2).
    let address = mailbox.or_else(|| line.parameter("EMAIL")).unwrap_or(uri);
    let answer = line.parameter("PARTSTAT").unwrap_or_default();
    Attendee {
        address: address.trim().to_lowercase(),
        name: line.parameter("CN").map(caret_decoded),
        answer: match answer.to_ascii_uppercase().as_str() {
            "ACCEPTED" => Answer::Accepted,
            "DECLINED" => Answer::Declined,
            "TENTATIVE" => Answer::Tentative,
            "DELEGATED" => Answer::Delegated,
            _ => Answer::NeedsAction,
        },
    }
}

/// RFC 6868: how a quote, a line break and a caret travel in a parameter.
fn caret_decoded(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let meant = match (c, chars.peek()) {
            ('^', Some('n')) => Some('\n'),
            ('^', Some('\'')) => Some('"'),
            ('^', Some('^')) => Some('^'),
            _ => None,
        };
        if meant.is_some() {
            chars.next();
        }
        plain.push(meant.unwrap_or(c));
    }
    plain
}
