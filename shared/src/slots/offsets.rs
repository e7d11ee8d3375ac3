//! A zone's offsets over a range, looked up once.
//!
//! A look-up in jiff costs about 50 ns; a page of slots would make thousands. Between two
//! transitions an offset is constant, so the range is cut into stretches and the rest is addition.

use crate::{instant::Instant, zone::Zone};

/// Instants with one offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The first instant.
    from: i64,
    /// The first instant after it.
    to: i64,
    /// Wall time minus UTC.
    pub offset: i64,
    /// Walls from here on ...
    pub clear_from: i64,
    /// ... to before here are shown in this stretch and in no other.
    pub clear_to: i64,
}

/// The stretches of a range, in order, without holes. The first reaches back for ever and the last
/// forward, so callers ask for a margin.
#[derive(Debug)]
pub(super) struct Offsets {
    stretches: Vec<Stretch>,
}

/// What a wall time means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// At one instant.
    Once(i64),
    /// At no instant.
    Never,
    /// At several; the first is given.
    Twice(i64),
}

impl Offsets {
    /// The offsets from `lo` to `hi`, instants in microseconds.
    pub(super) fn over(zone: &Zone, lo: i64, hi: i64) -> Self {
        let first = Instant::from_microsecond(lo).map_or(jiff::Timestamp::MIN, Instant::timestamp);
        let us = |offset: jiff::tz::Offset| i64::from(offset.seconds()) * 1_000_000;
        let mut stretches = Vec::with_capacity(4);
        let mut open = Stretch {
            from: i64::MIN,
            to: i64::MAX,
            offset: us(zone.rules().to_offset(first)),
            clear_from: i64::MIN,
            clear_to: i64::MAX,
        };
        for transition in zone.rules().following(first) {
            let at = transition.timestamp().as_microsecond();
            if at >= hi {
                break;
            }
            let offset = us(transition.offset());
            // Some transitions change only the abbreviation.
            if offset != open.offset {
                stretches.push(Stretch { to: at, ..open });
                open = Stretch {
                    from: at,
                    offset,
                    ..open
                };
            }
        }
        stretches.push(open);
        mark_clear(&mut stretches);
        Self { stretches }
    }

    /// The stretch of an instant. `cursor` is where the last search ended: 0 at first.
    pub(super) fn at(&self, instant: i64, cursor: &mut usize) -> &Stretch {
        while *cursor + 1 < self.stretches.len() && instant >= self.stretches[*cursor].to {
            *cursor += 1;
        }
        while *cursor > 0 && instant < self.stretches[*cursor].from {
            *cursor -= 1;
        }
        &self.stretches[*cursor]
    }

    /// The stretch in which a wall time could be: the first that has not ended before it.
    pub(super) fn near(&self, wall: i64, cursor: &mut usize) -> &Stretch {
        while *cursor > 0 && wall < self.stretches[*cursor].clear_from {
            *cursor -= 1;
        }
        while *cursor + 1 < self.stretches.len() && wall >= self.stretches[*cursor].clear_to {
            *cursor += 1;
        }
        &self.stretches[*cursor]
    }

    /// What a wall time means, by looking at every stretch. There are few.
    pub(super) fn resolve(&self, wall: i64) -> Shown {
        let mut shown = Shown::Never;
        for stretch in &self.stretches {
            let at = wall - stretch.offset;
            if at >= stretch.from && at < stretch.to {
                shown = match shown {
                    Shown::Never => Shown::Once(at),
                    Shown::Once(first) | Shown::Twice(first) => Shown::Twice(first),
                };
            }
        }
        shown
    }

    /// The wall times that instants from `lo` to before `hi` can show: from the first to before
    /// the second.
    pub(super) fn walls(&self, lo: i64, hi: i64) -> (i64, i64) {
        let mut walls = (i64::MAX, i64::MIN);
        for stretch in &self.stretches {
            if lo < stretch.to && stretch.from < hi {
                walls.0 = walls.0.min(lo.max(stretch.from) + stretch.offset);
                walls.1 = walls.1.max(hi.min(stretch.to) + stretch.offset);
            }
        }
        walls
    }
}

/// Finds the walls that each stretch shows alone.
fn mark_clear(stretches: &mut [Stretch]) {
    let mut latest = i64::MIN;
    for stretch in stretches.iter_mut() {
        stretch.clear_from = latest.max(stretch.from.saturating_add(stretch.offset));
        latest = latest.max(stretch.to.saturating_add(stretch.offset));
    }
    let mut earliest = i64::MAX;
    for stretch in stretches.iter_mut().rev() {
        stretch.clear_to = earliest.min(stretch.to.saturating_add(stretch.offset));
        earliest = earliest.min(stretch.from.saturating_add(stretch.offset));
    }
}
