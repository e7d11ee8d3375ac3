//! One series: its rule, its dates, its exceptions and its overrides.

use std::collections::HashSet;

use jiff::{SignedDuration, civil};

use super::{
    budget::{Budget, Steps},
    reach::{self, Start},
    readers::{Host, Occurrence},
    rule::Rule,
    why::{EventRef, IncompleteBusy, Why},
};
use crate::{
    calendar::{
        event::{Event, Length, Moment, Override, Series},
        event_clock::Clock,
    },
    instant::{Instant, Span},
};

/// What an occurrence may reach beyond its start on the wall and its length there. Start and end
/// may be on clocks that are 32 hours apart (16 in each direction: no zone of the table or of a
/// file is further from UTC), and a jump on the way may add as much.
const MARGIN: SignedDuration = SignedDuration::from_hours(72);

/// A series expanded over a range.
pub(super) struct Expanded<'a> {
    pub occurrences: Vec<Occurrence<'a>>,
    /// What keeps its busy time from being exact.
    pub incomplete: Vec<IncompleteBusy>,
    /// What only keeps a view from being whole: nothing of the series is busy.
    pub unshown: Option<IncompleteBusy>,
}

/// Which occurrence of a series: by its original date, or by its original instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    Date(civil::Date),
    At(Instant),
}

/// An occurrence before overrides.
struct Base<'a> {
    key: Key,
    start: Start,
    length: &'a Length,
}

/// An override from its original start on.
struct Future<'a> {
    key: Key,
    event: &'a Event,
    shift: SignedDuration,
}

/// Every occurrence that overlaps the range, and why that may not be all.
pub(super) fn expand<'a>(
    series: &'a Series,
    host: &Host<'_>,
    range: Span,
    budget: &mut Budget,
) -> Expanded<'a> {
    let master = &series.master;
    let mut out = Expanded {
        occurrences: Vec::new(),
        incomplete: Vec::new(),
        unshown: None,
    };
    let parts = || std::iter::once(master).chain(series.overrides.iter().map(|o| &o.event));
    for event in parts().filter(|event| event.is_busy(host.addresses)) {
        if let Some(problem) = event.blocking_problem() {
            out.incomplete
                .push(incomplete(event, Why::Problem(problem.clone())));
        }
    }

    let mut lost = None;
    let mut replaced = HashSet::new();
    let mut futures = Vec::new();
    for change in &series.overrides {
        let Some(key) = key_of(&change.original, master, host) else {
            lost = Some(Why::OutOfRange);
            continue;
        };
        replaced.insert(key);
        if change.and_future {
            match shift(change, master, host) {
                Some(shift) => futures.push(Future {
                    key,
                    event: &change.event,
                    shift,
                }),
                None => lost = Some(Why::OutOfRange),
            }
        }
        // Wherever the series itself stands, an override shows where it was moved.
        match once(
            &change.event,
            &change.event.length,
            place_of(&change.event, host),
            host,
        ) {
            Some(occurrence) => keep(&mut out.occurrences, occurrence, range),
            None => lost = Some(Why::OutOfRange),
        }
    }
    futures.sort_by_key(|future| future.key);

    let mut steps = budget.for_event();
    // A list costs time as well as a rule.
    let listed = master.rdates.len() + master.exdates.len() + series.overrides.len();
    if !steps.take(u64::try_from(listed).unwrap_or(u64::MAX)) {
        lost = Some(Why::Steps);
    }
    let (bases, why) = bases(master, &futures, host, range, &mut steps);
    budget.book(steps);
    lost = lost.or(why);
    let excluded: HashSet<Key> = master
        .exdates
        .iter()
        .filter_map(|exdate| match (exdate, &master.start) {
            // A date among times excludes what starts on it.
            (Moment::Date(date), _) => Some(Key::Date(*date)),
            (exdate, _) => key_of(exdate, master, host),
        })
        .collect();
    for base in bases {
        let on = Key::Date(base.start.wall.date());
        if replaced.contains(&base.key) || excluded.contains(&base.key) || excluded.contains(&on) {
            continue;
        }
        let after = futures.partition_point(|future| future.key <= base.key);
        let changed = after.checked_sub(1).and_then(|last| futures.get(last));
        let occurrence = match changed {
            None => once(master, base.length, Some(base.start), host),
            Some(future) => {
                let start = moved(base.start, future, master, host);
                once(future.event, &future.event.length, start, host)
            }
        };
        match occurrence {
            Some(occurrence) => keep(&mut out.occurrences, occurrence, range),
            None => lost = Some(Why::OutOfRange),
        }
    }
    let counts = master.is_busy(host.addresses)
        || series
            .overrides
            .iter()
            .any(|change| change.event.is_busy(host.addresses));
    match lost.map(|why| incomplete(master, why)) {
        Some(incomplete) if counts => out.incomplete.push(incomplete),
        unshown => out.unshown = unshown,
    }
    out
}

fn incomplete(event: &Event, why: Why) -> IncompleteBusy {
    IncompleteBusy {
        event: Some(EventRef::from(event)),
        why,
    }
}

/// The starts that may matter to the range: DTSTART itself, the rule's and RDATE, each once.
///
/// DTSTART is an occurrence even if its rule does not match it, and then COUNT is filled by the
/// rule's own dates beside it: readers differ there, and no reading may leave out a date.
fn bases<'a>(
    master: &'a Event,
    futures: &[Future<'_>],
    host: &Host<'_>,
    range: Span,
    steps: &mut Steps,
) -> (Vec<Base<'a>>, Option<Why>) {
    let shift = futures
        .iter()
        .map(|future| future.shift.abs())
        .fold(SignedDuration::ZERO, SignedDuration::max);
    let longest = futures
        .iter()
        .map(|future| reach::longest(future.event))
        .fold(reach::longest(master), SignedDuration::max);
    let clock = match &master.start {
        Moment::Date(_) => &Clock::Floating,
        Moment::Time { clock, .. } => clock,
    };
    let around = MARGIN.saturating_add(shift);
    let from = clock
        .wall(range.from, host.zone)
        .saturating_sub(longest.max(SignedDuration::ZERO).saturating_add(around));
    let to = clock.wall(range.to, host.zone).saturating_add(around);

    let mut found = Vec::new();
    let mut lost = None;
    let mut add = |start: Option<Start>, length: &'a Length| match start {
        Some(start) => {
            if (from..to).contains(&start.wall) {
                found.push(Base {
                    key: key_at(&master.start, start),
                    start,
                    length,
                });
            }
        }
        None => lost = Some(Why::OutOfRange),
    };
    add(place_of(master, host), &master.length);
    for rdate in &master.rdates {
        let start = on_series(&rdate.start, master, host);
        add(start, rdate.length.as_ref().unwrap_or(&master.length));
    }
    let why = master.rrule.as_deref().and_then(|text| {
        let dates = matches!(master.start, Moment::Date(_));
        let rule = match Rule::read(text, master.start.wall(), dates) {
            Ok(rule) => rule,
            Err(problem) => return Some(problem.into()),
        };
        let mut walls = Vec::new();
        let why = rule.dates(from, to, steps, &mut walls).err();
        for wall in walls {
            let start = if dates {
                reach::on_date(wall.date(), host)
            } else {
                reach::on_clock(wall, clock, host)
            };
            if start.is_none_or(|start| rule.allows(start.wall, start.at)) {
                add(start, &master.length);
            }
        }
        why
    });
    // Of two at one instant the longer one stays.
    found.sort_by_key(|base| {
        let longest_first = std::cmp::Reverse(reach::reach(&master.start, base.length));
        (base.key, longest_first)
    });
    found.dedup_by_key(|base| base.key);
    (found, why.or(lost))
}

fn place_of(event: &Event, host: &Host<'_>) -> Option<Start> {
    reach::place(&event.start, host)
}

fn key_at(first: &Moment, start: Start) -> Key {
    match first {
        Moment::Date(_) => Key::Date(start.wall.date()),
        Moment::Time { .. } => Key::At(start.at),
    }
}

/// A moment in a series, on the series' clock. Without a zone of its own it is on that clock.
fn on_series(moment: &Moment, master: &Event, host: &Host<'_>) -> Option<Start> {
    match (moment, &master.start) {
        (moment, Moment::Date(_)) => reach::on_date(moment.wall().date(), host),
        (Moment::Date(date), Moment::Time { wall, clock }) => {
            reach::on_clock(date.to_datetime(wall.time()), clock, host)
        }
        (Moment::Time { wall, clock }, Moment::Time { clock: own, .. }) => {
            if clock == own || *clock == Clock::Floating {
                return reach::on_clock(*wall, own, host);
            }
            let at = clock.place(*wall, host.zone)?.at;
            let wall = own.wall(at, host.zone);
            let again = own.place(wall, host.zone)?;
            Some(Start {
                wall,
                at,
                shifted: again.at != at,
            })
        }
    }
}

/// Which occurrence an EXDATE or a RECURRENCE-ID means.
fn key_of(moment: &Moment, master: &Event, host: &Host<'_>) -> Option<Key> {
    on_series(moment, master, host).map(|start| key_at(&master.start, start))
}

/// How far an override moved its occurrence on the wall, seen on the override's clock.
fn shift(change: &Override, master: &Event, host: &Host<'_>) -> Option<SignedDuration> {
    let original = on_series(&change.original, master, host)?;
    let seen = on_clock_of(&change.event, original, master, host);
    Some(change.event.start.wall().duration_since(seen))
}

/// What the clock of another event shows at an occurrence of the series.
fn on_clock_of(event: &Event, start: Start, master: &Event, host: &Host<'_>) -> civil::DateTime {
    match (&event.start, &master.start) {
        (Moment::Time { clock, .. }, Moment::Time { clock: own, .. }) if clock == own => start.wall,
        (Moment::Time { clock, .. }, _) => clock.wall(start.at, host.zone),
        (Moment::Date(_), _) => start.wall.date().at(0, 0, 0, 0),
    }
}

/// The start that an override from an earlier occurrence on gives to this one.
fn moved(start: Start, future: &Future<'_>, master: &Event, host: &Host<'_>) -> Option<Start> {
    let wall = on_clock_of(future.event, start, master, host)
        .checked_add(future.shift)
        .ok()?;
    match &future.event.start {
        Moment::Date(_) => reach::on_date(wall.date(), host),
        Moment::Time { clock, .. } => reach::on_clock(wall, clock, host),
    }
}

fn once<'a>(
    event: &'a Event,
    length: &Length,
    start: Option<Start>,
    host: &Host<'_>,
) -> Option<Occurrence<'a>> {
    let start = start?;
    let to = reach::end(&event.start, length, start, host)?;
    let dates = match event.start {
        Moment::Time { .. } => None,
        Moment::Date(_) => {
            let from = start.wall.date();
            let days = reach::whole_days(&event.start, length);
            let after = from
                .checked_add(jiff::Span::new().try_days(days).ok()?)
                .ok()?;
            Some((from, after))
        }
    };
    Some(Occurrence {
        event,
        from: start.at,
        to,
        dates,
        busy: event.is_busy(host.addresses),
    })
}

fn keep<'a>(out: &mut Vec<Occurrence<'a>>, occurrence: Occurrence<'a>, range: Span) {
    let inside = if occurrence.from == occurrence.to {
        range.from <= occurrence.from && occurrence.from < range.to
    } else {
        occurrence.from < range.to && range.from < occurrence.to
    };
    if inside {
        out.push(occurrence);
    }
}
