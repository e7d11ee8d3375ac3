//! Why a start is not offered.

use std::ops::ControlFlow;

use jiff::civil;

use crate::instant::{Day, Instant};

use super::{
    busy::{LabelledBusy, LabelledSpan, Labels},
    candidates::{Candidate, Visit, days, offsets_for, walk},
    civil_day::{self, DAY, MINUTE},
    dst::Clash,
    hours::Open,
    judge::{Judge, Refusal},
    offsets::Offsets,
    prepare::{DAY_MIN, PreparedRule},
    quotas::Quotas,
    reason::{Edge, Reason},
};

/// Everything that speaks against a start; empty exactly if the start is offered and free.
///
/// The same walk and the same judge as [`compute_slots`](super::compute_slots), with the labels of
/// busy time kept. For the host alone: it names calendars and times.
#[must_use]
pub fn explain_slot(
    rule: &PreparedRule,
    busy: &LabelledBusy,
    now: Instant,
    start: Instant,
) -> Vec<Reason> {
    let at = start.as_microsecond();
    let offsets = offsets_for(rule, at, at + 1);
    let wall = at + offsets.at(at, &mut 0).offset;
    let mut inquest = Inquest {
        court: Court::sit(rule, busy, now, &offsets, at, at + 1),
        wall,
        reasons: Vec::new(),
        is_candidate: false,
        is_free: false,
    };
    walk(rule, &offsets, at, at + 1, &mut inquest);
    let Inquest {
        mut court,
        mut reasons,
        is_candidate,
        is_free,
        ..
    } = inquest;
    if is_free {
        return Vec::new();
    }
    if !is_candidate {
        if reasons.is_empty() {
            place(rule, at, wall, &mut reasons);
        }
        let owner = civil_day::of_wall(wall);
        let end = at.saturating_add(rule.duration);
        reasons.extend(court.hear(&Candidate {
            owner,
            wall,
            start: at,
            end,
        }));
    }
    let mut said = Vec::with_capacity(reasons.len());
    for reason in reasons {
        if !said.contains(&reason) {
            said.push(reason);
        }
    }
    said
}

/// A judge who gives reasons.
pub(super) struct Court<'a> {
    rule: &'a PreparedRule,
    judge: Judge<'a, Labels<'a>>,
}

impl<'a> Court<'a> {
    /// For starts from `lo` to before `hi`.
    pub(super) fn sit(
        rule: &'a PreparedRule,
        busy: &'a LabelledBusy,
        now: Instant,
        offsets: &Offsets,
        lo: i64,
        hi: i64,
    ) -> Self {
        let mut starts = busy.starts.clone();
        starts.sort_unstable();
        let quotas = Quotas::count(rule.limits, &starts, offsets, days(rule, offsets, lo, hi));
        Self {
            rule,
            judge: Judge::new(rule, now, quotas, Labels(&busy.spans)),
        }
    }

    /// What speaks against a candidate.
    pub(super) fn hear(&mut self, candidate: &Candidate) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let rule = self.rule;
        let _ = self.judge.judge(candidate, |refusal| {
            reasons.push(word(rule, candidate, refusal));
            ControlFlow::Continue(())
        });
        reasons
    }
}

struct Inquest<'a> {
    court: Court<'a>,
    wall: i64,
    reasons: Vec<Reason>,
    is_candidate: bool,
    is_free: bool,
}

impl Visit for Inquest<'_> {
    fn candidate(&mut self, candidate: Candidate) {
        let reasons = self.court.hear(&candidate);
        self.is_candidate = true;
        self.is_free |= reasons.is_empty() && candidate.slot().is_some();
        self.reasons.extend(reasons);
    }

    fn clash(&mut self, wall: i64, why: Clash) {
        if wall == self.wall {
            self.reasons.push(word_clash(self.court.rule, wall, why));
        }
    }
}

/// The words for what the judge says.
fn word(rule: &PreparedRule, candidate: &Candidate, refusal: Refusal<&LabelledSpan>) -> Reason {
    let day = |number: i64| Day(civil_day::date(number));
    match refusal {
        Refusal::BeforeNotice(earliest) => Reason::BeforeNotice {
            earliest: civil_day::instant(earliest),
        },
        Refusal::BeyondHorizon(latest) => Reason::BeyondHorizon {
            latest: civil_day::instant(latest),
        },
        Refusal::OutsideBookableDates => {
            let (from, until) = rule.bookable;
            Reason::OutsideBookableDates {
                date: day(candidate.owner),
                from: (from != i64::MIN).then(|| day(from)),
                until: (until != i64::MAX).then(|| day(until)),
            }
        }
        Refusal::LimitReached(period, limit, booked) => Reason::LimitReached {
            period,
            limit,
            booked,
        },
        Refusal::Occupied(held) => {
            let (from, to, source) = (held.span.from, held.span.to, held.source.clone());
            if to.as_microsecond() <= candidate.start {
                Reason::BufferBefore { from, to, source }
            } else if candidate.end <= from.as_microsecond() {
                Reason::BufferAfter { from, to, source }
            } else {
                Reason::Busy { from, to, source }
            }
        }
    }
}

/// The words for what the clocks do to a slot that would start at a wall time.
pub(super) fn word_clash(rule: &PreparedRule, wall: i64, why: Clash) -> Reason {
    let at = |wall| civil_day::datetime(wall);
    let end = wall + rule.duration;
    match why {
        Clash::StartSkipped => Reason::DstGap {
            edge: Edge::Start,
            wall: at(wall),
        },
        Clash::StartTwice => Reason::DstFold {
            edge: Edge::Start,
            wall: at(wall),
        },
        Clash::EndSkipped => Reason::DstGap {
            edge: Edge::End,
            wall: at(end),
        },
        Clash::EndTwice => Reason::DstFold {
            edge: Edge::End,
            wall: at(end),
        },
        Clash::Length(elapsed) => Reason::DstLength {
            elapsed_min: elapsed / MINUTE,
        },
        Clash::PastMidnight => Reason::CrossesMidnight {
            midnight: at((civil_day::of_wall(wall) + 1) * DAY),
        },
    }
}

/// Says why no grid has a place at a start.
fn place(rule: &PreparedRule, at: i64, wall: i64, reasons: &mut Vec<Reason>) {
    let day = civil_day::of_wall(wall);
    let mut inside = false;
    for owner in day - i64::from(rule.cross_midnight)..=day {
        for open in rule.open(owner) {
            let midnight = owner * DAY;
            if (midnight + open.opens * MINUTE..midnight + open.starts_until * MINUTE)
                .contains(&wall)
            {
                inside = true;
                place_in_window(rule, owner, open, wall, reasons);
            }
        }
    }
    for &(from, to) in &rule.available {
        if (from..to).contains(&at) {
            inside = true;
            place_in_exception(rule, (from, to), at, reasons);
        }
    }
    if !inside && rule.is_day_off(day) {
        reasons.push(Reason::DayOff {
            date: Day(civil_day::date(day)),
        });
    } else if !inside {
        reasons.push(Reason::OutsideHours {
            wall: civil_day::datetime(wall),
        });
    } else if reasons.is_empty() {
        // A window has a place at this wall time, and it means the other pass of the clock.
        reasons.push(word_clash(rule, wall, Clash::StartTwice));
    }
}

fn place_in_window(
    rule: &PreparedRule,
    owner: i64,
    open: Open,
    wall: i64,
    reasons: &mut Vec<Reason>,
) {
    let midnight = owner * DAY;
    let first = midnight + open.first * MINUTE;
    if wall < first || (wall - first) % rule.step != 0 {
        reasons.push(Reason::OffGrid {
            first_start: civil_day::datetime(first),
            step_min: rule.step / MINUTE,
        });
    }
    let end = midnight + open.ends * MINUTE;
    if wall + rule.duration <= end {
        return;
    }
    let next_midnight = midnight + DAY;
    let goes_on = open.ends == i64::from(DAY_MIN)
        && rule.open(owner + 1).next().is_some_and(|next| {
            next.opens == 0 && wall + rule.duration <= next_midnight + next.ends * MINUTE
        });
    reasons.push(if goes_on {
        Reason::CrossesMidnight {
            midnight: civil_day::datetime(next_midnight),
        }
    } else {
        Reason::PastWindowEnd {
            window_end: civil_day::datetime(end),
        }
    });
}

fn place_in_exception(
    rule: &PreparedRule,
    (from, to): (i64, i64),
    at: i64,
    reasons: &mut Vec<Reason>,
) {
    let wall = |us: i64| -> civil::DateTime { rule.zone.wall(civil_day::instant(us)) };
    if (at - from) % rule.step != 0 {
        reasons.push(Reason::OffGrid {
            first_start: wall(from),
            step_min: rule.step / MINUTE,
        });
    }
    if at + rule.duration > to {
        reasons.push(Reason::PastWindowEnd {
            window_end: wall(to),
        });
    }
}
