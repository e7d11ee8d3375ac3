//! Questions to the engine as JSON, for `holdfast admin simulate`: whoever doubts an answer can
//! replay it.

use std::collections::BTreeMap;

use jiff::civil;
use serde::{Deserialize, Serialize};

use crate::{
    availability::Window,
    instant::{Instant, Span},
    zone::Zones,
};

use super::{
    busy::{LabelledBusy, LabelledSpan, Source},
    candidates::{Candidate, Visit, offsets_for, walk},
    civil_day,
    compute::compute_slots,
    dst::Clash,
    error::SlotError,
    explain::{Court, word_clash},
    prepare::PreparedRule,
    reason::Reason,
    rule::{DstPolicy, Limits, Rule},
};

/// A file of questions. Other fields beside `vectors` are passed over.
#[derive(Clone, Debug, Deserialize)]
pub struct Vectors {
    /// The questions.
    pub vectors: Vec<Vector>,
}

/// One question. Other fields, such as the answer somebody expects, are passed over.
#[derive(Clone, Debug, Deserialize)]
pub struct Vector {
    /// Repeated in the answer.
    pub name: String,
    /// The rule.
    pub rule: VectorRule,
    /// Calendar occurrences, `[from, to]`, half-open.
    #[serde(default)]
    pub busy: Vec<[Instant; 2]>,
    /// Blocked spans of bookings, `[from, to]`, their own buffers inside.
    #[serde(default)]
    pub booked: Vec<[Instant; 2]>,
    /// Starts of the bookings that limits count; the first instants of `booked` if absent.
    #[serde(default)]
    pub starts: Option<Vec<Instant>>,
    /// The time of asking.
    pub now: Instant,
    /// The first start that is asked for.
    pub from: Instant,
    /// Starts are before here.
    pub to: Instant,
}

/// A rule as JSON. A field that is none of these is an error.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorRule {
    /// An IANA name, any in the table.
    pub zone: String,
    /// `[weekday, start_min, end_min]`, 0 is Sunday.
    pub windows: Vec<(u8, u16, u16)>,
    /// `{"2026-12-24": [[540, 720]]}`; an empty list is a day off.
    #[serde(default)]
    pub overrides: BTreeMap<civil::Date, Vec<(u16, u16)>>,
    /// Available exceptions, `[from, to]`.
    #[serde(default)]
    pub available: Vec<[Instant; 2]>,
    /// Blocked exceptions, `[from, to]`.
    #[serde(default)]
    pub blocked: Vec<[Instant; 2]>,
    /// Whether windows that touch at midnight are one.
    #[serde(default)]
    pub cross_midnight: bool,
    /// Minutes.
    pub duration_min: u32,
    /// Minutes; the duration if absent.
    #[serde(default)]
    pub step_min: Option<u32>,
    /// Minutes.
    #[serde(default)]
    pub before_buffer_min: u32,
    /// Minutes.
    #[serde(default)]
    pub after_buffer_min: u32,
    /// Minutes.
    #[serde(default)]
    pub notice_min: u32,
    /// Calendar days.
    pub horizon_days: u32,
    /// A date of the host's zone.
    #[serde(default)]
    pub bookable_from: Option<civil::Date>,
    /// A date of the host's zone.
    #[serde(default)]
    pub bookable_until: Option<civil::Date>,
    /// `strict` if absent.
    #[serde(default)]
    pub dst_policy: DstPolicy,
    /// None if absent.
    #[serde(default)]
    pub limits: Limits,
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The question's.
    pub name: String,
    /// The starts of the slots, in order.
    pub slots: Vec<Instant>,
}

/// A place on a grid of a question, and what speaks against it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// The wall time of the start in the host's zone.
    pub wall: civil::DateTime,
    /// The start; absent where the clocks allow none.
    pub start: Option<Instant>,
    /// Empty for a slot.
    pub reasons: Vec<Reason>,
}

/// A question that cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the question {name:?} cannot be answered")]
pub struct VectorError {
    /// Which.
    pub name: String,
    /// Why.
    pub source: SlotError,
}

/// Answers one question.
///
/// # Errors
/// A zone that the table does not have, a span that ends before its start, and what
/// [`Rule::prepare`] and [`compute_slots`] refuse.
pub fn answer(zones: &Zones, vector: &Vector) -> Result<Answer, VectorError> {
    let answer = || {
        let rule = vector.rule.read(zones)?.prepare()?;
        let busy = vector.busy()?.unlabelled();
        let slots = compute_slots(&rule, &busy, vector.now, vector.from, vector.to)?;
        Ok(Answer {
            name: vector.name.clone(),
            slots: slots.into_iter().map(|slot| slot.start).collect(),
        })
    };
    answer().map_err(|source| vector.refused(source))
}

/// Every place on a grid from `from` to before `to`, in the order of its wall time, and what speaks
/// against it. Where the clocks allow no slot at all there is a wall time and no start.
///
/// # Errors
/// Those of [`answer`].
pub fn explained(zones: &Zones, vector: &Vector) -> Result<Vec<Explained>, VectorError> {
    let explained = || {
        let rule = vector.rule.read(zones)?.prepare()?;
        let busy = vector.busy()?;
        // The same refusals as for the list.
        compute_slots(
            &rule,
            &busy.unlabelled(),
            vector.now,
            vector.from,
            vector.to,
        )?;
        let (lo, hi) = (vector.from.as_microsecond(), vector.to.as_microsecond());
        let offsets = offsets_for(&rule, lo, hi);
        let mut minutes = Minutes {
            rule: &rule,
            court: Court::sit(&rule, &busy, vector.now, &offsets, lo, hi),
            walls: offsets.walls(lo, hi),
            places: Vec::new(),
        };
        walk(&rule, &offsets, lo, hi, &mut minutes);
        let mut places = minutes.places;
        places.sort_by_key(|place| (place.wall, place.start));
        Ok(places)
    };
    explained().map_err(|source| vector.refused(source))
}

/// The record of a hearing.
struct Minutes<'a> {
    rule: &'a PreparedRule,
    court: Court<'a>,
    walls: (i64, i64),
    places: Vec<Explained>,
}

impl Visit for Minutes<'_> {
    fn candidate(&mut self, candidate: Candidate) {
        self.places.push(Explained {
            wall: civil_day::datetime(candidate.wall),
            start: Some(civil_day::instant(candidate.start)),
            reasons: self.court.hear(&candidate),
        });
    }

    fn clash(&mut self, wall: i64, why: Clash) {
        if (self.walls.0..self.walls.1).contains(&wall) {
            self.places.push(Explained {
                wall: civil_day::datetime(wall),
                start: None,
                reasons: vec![word_clash(self.rule, wall, why)],
            });
        }
    }
}

impl Vector {
    fn refused(&self, source: SlotError) -> VectorError {
        VectorError {
            name: self.name.clone(),
            source,
        }
    }

    fn busy(&self) -> Result<LabelledBusy, SlotError> {
        let mut spans = Vec::new();
        for (pairs, source) in [
            (&self.busy, Source::Event { calendar: None }),
            (&self.rule.blocked, Source::Exception),
            (&self.booked, Source::Booking),
        ] {
            for pair in pairs {
                let source = source.clone();
                spans.push(LabelledSpan {
                    span: span(pair)?,
                    source,
                });
            }
        }
        let starts = match &self.starts {
            Some(starts) => starts.clone(),
            None => self.booked.iter().map(|pair| pair[0]).collect(),
        };
        Ok(LabelledBusy { spans, starts })
    }
}

impl VectorRule {
    fn read(&self, zones: &Zones) -> Result<Rule, SlotError> {
        let window = |&(weekday, start_min, end_min): &(u8, u16, u16)| Window {
            weekday,
            start_min,
            end_min,
        };
        Ok(Rule {
            zone: zones.get(&self.zone)?,
            windows: self.windows.iter().map(window).collect(),
            overrides: self.overrides.clone(),
            available: self.available.iter().map(span).collect::<Result<_, _>>()?,
            cross_midnight: self.cross_midnight,
            duration_min: self.duration_min,
            step_min: self.step_min.unwrap_or(self.duration_min),
            before_buffer_min: self.before_buffer_min,
            after_buffer_min: self.after_buffer_min,
            notice_min: self.notice_min,
            horizon_days: self.horizon_days,
            bookable_from: self.bookable_from,
            bookable_until: self.bookable_until,
            dst_policy: self.dst_policy,
            limits: self.limits,
        })
    }
}

fn span(&[from, to]: &[Instant; 2]) -> Result<Span, SlotError> {
    Span::new(from, to).ok_or(SlotError::SpanInverted { from, to })
}
