//! The engine once more, slowly and from the words of the design: every date, every place on every
//! grid, every busy span, and a look-up in jiff for each wall time. The properties compare the two.
use jiff::{SignedDuration, civil};

use crate::{
    instant::{Instant, Span},
    slots::{DstPolicy, Rule, Slot},
    zone::Wall,
};

/// Everything a question is made of.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub rule: Rule,
    pub busy: Vec<Span>,
    pub blocked: Vec<Span>,
    pub starts: Vec<Instant>,
    pub now: Instant,
    pub from: Instant,
    pub to: Instant,
}

/// Wall minutes since 1970 on the wall.
type Minutes = i64;

#[derive(Clone, Copy, Debug)]
struct Window {
    owner: civil::Date,
    anchor: Minutes,
    starts_from: Minutes,
    starts_until: Minutes,
    ends: Minutes,
}

const EPOCH: civil::Date = civil::date(1970, 1, 1);
const DAY: Minutes = 1440;

fn midnight(date: civil::Date) -> Minutes {
    date.duration_since(EPOCH).as_mins()
}

fn wall(minutes: Minutes) -> civil::DateTime {
    EPOCH.at(0, 0, 0, 0) + SignedDuration::from_mins(minutes)
}

pub(super) fn slots(asked: &Asked) -> Vec<Slot> {
    let rule = &asked.rule;
    let mut found = Vec::new();
    for window in windows(asked) {
        let step = Minutes::from(rule.step_min);
        let length = Minutes::from(rule.duration_min);
        let mut place = window.anchor;
        while place < window.starts_until && place + length <= window.ends {
            if place >= window.starts_from
                && let Some(start) = settled(rule, wall(place))
                && (rule.cross_midnight || ends_by_midnight(rule, start, window.owner))
            {
                found.push((start, window.owner));
            }
            place += step;
        }
    }
    for exception in &rule.available {
        let mut start = exception.from;
        while start.plus_minutes(i64::from(rule.duration_min)) <= exception.to {
            let shown = rule.zone.wall(start);
            if settled(rule, shown) == Some(start) {
                found.push((start, shown.date()));
            }
            start = start.plus_minutes(i64::from(rule.step_min));
        }
    }
    let mut slots: Vec<Slot> = found
        .into_iter()
        .map(|(start, owner)| {
            let end = start.plus_minutes(i64::from(rule.duration_min));
            (Slot { start, end }, owner)
        })
        .filter(|&(slot, owner)| allowed(asked, slot, owner))
        .map(|(slot, _)| slot)
        .collect();
    slots.sort();
    slots.dedup();
    slots
}

/// A start, if the policy lets a slot begin at a wall time.
fn settled(rule: &Rule, start: civil::DateTime) -> Option<Instant> {
    let length = SignedDuration::from_mins(i64::from(rule.duration_min));
    match (rule.dst_policy, rule.zone.resolve(start).unwrap()) {
        (DstPolicy::Elapsed, Wall::One(at) | Wall::Fold { first: at, .. }) => Some(at),
        (DstPolicy::Strict, Wall::One(at)) => {
            let end = rule.zone.resolve(start + length).unwrap();
            (end == Wall::One(at.plus(length))).then_some(at)
        }
        _ => None,
    }
}

fn ends_by_midnight(rule: &Rule, start: Instant, owner: civil::Date) -> bool {
    let next = rule.zone.day_start(owner.tomorrow().unwrap()).unwrap();
    start.plus_minutes(i64::from(rule.duration_min)) <= next
}

fn allowed(asked: &Asked, slot: Slot, owner: civil::Date) -> bool {
    let Asked {
        rule,
        busy,
        blocked,
        starts,
        now,
        from,
        to,
    } = asked;
    let ahead = SignedDuration::from_hours(24 * i64::from(rule.horizon_days));
    let latest = rule.zone.instant(rule.zone.wall(*now) + ahead).unwrap();
    let kept = Span {
        from: slot.start.plus_minutes(-i64::from(rule.before_buffer_min)),
        to: slot.end.plus_minutes(i64::from(rule.after_buffer_min)),
    };
    let date = rule.zone.date(slot.start);
    let count = |same: &dyn Fn(civil::Date) -> bool| {
        starts
            .iter()
            .filter(|&&start| same(rule.zone.date(start)))
            .count()
    };
    let full = |limit: Option<u32>, same: &dyn Fn(civil::Date) -> bool| {
        limit.is_some_and(|limit| count(same) >= usize::try_from(limit).unwrap())
    };
    slot.start >= now.plus_minutes(i64::from(rule.notice_min))
        && slot.start >= *from
        && slot.start < *to
        && slot.end <= latest
        && rule.bookable_from.is_none_or(|first| owner >= first)
        && rule.bookable_until.is_none_or(|last| owner <= last)
        && !busy.iter().chain(blocked).any(|span| span.overlaps(kept))
        && !full(rule.limits.per_day, &|other| other == date)
        && !full(rule.limits.per_week, &|other| {
            let monday = |date: civil::Date| {
                midnight(date) / DAY - i64::from(date.weekday().to_monday_zero_offset())
            };
            monday(other) == monday(date)
        })
        && !full(rule.limits.per_month, &|other| {
            other.first_of_month() == date.first_of_month()
        })
}

/// What is open on one date, before midnight is looked at; a tail stands on its own date with the
/// date before as its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    from: Minutes,
    to: Minutes,
    owner: civil::Date,
}

fn windows(asked: &Asked) -> Vec<Window> {
    let rule = &asked.rule;
    let mut pieces = Vec::new();
    let mut date = rule
        .zone
        .date(asked.from)
        .checked_sub(SignedDuration::from_hours(24 * 12))
        .unwrap();
    let last = rule
        .zone
        .date(asked.to)
        .checked_add(SignedDuration::from_hours(24 * 3))
        .unwrap();
    while date <= last {
        pieces.extend(pieces_of(rule, date));
        date = date.tomorrow().unwrap();
    }
    let whole = |piece: &Piece| piece.from % DAY == 0 && piece.to == piece.from + DAY;
    let until = |at: Minutes| pieces.iter().find(|piece| at % DAY == 0 && piece.to == at);
    let mut windows = Vec::new();
    for piece in &pieces {
        let mut window = Window {
            owner: piece.owner,
            anchor: piece.from,
            starts_from: piece.from,
            starts_until: piece.to,
            ends: piece.to,
        };
        if rule.cross_midnight {
            if whole(piece) {
                // Back to the true start, if it lies within seven days.
                let mut anchor = piece.from;
                for _ in 0..7 {
                    match until(anchor) {
                        Some(before) if whole(before) => anchor = before.from,
                        Some(before) => {
                            anchor = before.from;
                            break;
                        }
                        None => break,
                    }
                }
                let endless = anchor % DAY == 0 && until(anchor).is_some();
                window.anchor = if endless { piece.from } else { anchor };
            } else if until(piece.from).is_some() {
                continue;
            }
            for next in pieces
                .iter()
                .filter(|next| piece.to % DAY == 0 && next.from == piece.to)
            {
                window.ends = window.ends.max(next.to);
                if !whole(next) {
                    window.starts_until = window.starts_until.max(next.to);
                }
            }
            if window.ends == piece.to + DAY {
                window.starts_until = piece.to;
            }
        }
        windows.push(window);
    }
    windows
}

fn pieces_of(rule: &Rule, date: civil::Date) -> Vec<Piece> {
    let yesterday = date.yesterday().unwrap();
    let weekly = |date: civil::Date| {
        let weekday = u8::try_from(date.weekday().to_sunday_zero_offset()).unwrap();
        let ranges = rule
            .windows
            .iter()
            .filter(|window| window.weekday == weekday);
        joined(
            ranges
                .map(|window| (window.start_min, window.end_min))
                .collect(),
        )
    };
    let piece = |owner: civil::Date| {
        move |(start, end): (u16, u16)| Piece {
            from: midnight(date) + i64::from(start),
            to: midnight(date) + i64::from(end),
            owner,
        }
    };
    let night_before = weekly(yesterday)
        .last()
        .is_some_and(|&(_, end)| end == 1440);
    let (tails, own): (Vec<_>, Vec<_>) = weekly(date)
        .into_iter()
        .partition(|&(start, end)| rule.cross_midnight && night_before && start == 0 && end < 1440);
    let mut pieces = Vec::new();
    if !rule.overrides.contains_key(&yesterday) {
        pieces.extend(tails.into_iter().map(piece(yesterday)));
    }
    let own = match rule.overrides.get(&date) {
        Some(ranges) => joined(ranges.clone()),
        None => own,
    };
    pieces.extend(own.into_iter().map(piece(date)));
    pieces
}

fn joined(mut ranges: Vec<(u16, u16)>) -> Vec<(u16, u16)> {
    ranges.sort_unstable();
    let mut whole: Vec<(u16, u16)> = Vec::new();
    for (start, end) in ranges {
        match whole.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => whole.push((start, end)),
        }
    }
    whole
}
