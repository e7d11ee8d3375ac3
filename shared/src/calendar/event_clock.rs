//! The clocks on which events are written: UTC, a zone of the table, a zone that a file defines
//! itself, or the host's own.

use std::{fmt, sync::Arc};

use jiff::{civil, tz::Offset};

use crate::{
    instant::Instant,
    zone::{Wall, Zone},
};

/// The clock of a wall time (RFC 5545, section 3.3.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Form 2, with `Z`.
    Utc,
    /// Form 3, a zone of the table.
    Zone(Zone),
    /// Form 3, a zone that only the file defines.
    Custom(Arc<CustomZone>),
    /// Form 1: the same wall time wherever the host is.
    Floating,
}

/// Where a wall time lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The instant: moved forward by a gap, the earlier one of a fold.
    pub at: Instant,
    /// Whether a gap swallowed the wall time.
    pub moved: bool,
}

impl Clock {
    /// The instant of a wall time; `host` is the zone of floating times. `None` outside the years
    /// that the clock knows.
    #[must_use]
    pub fn place(&self, wall: civil::DateTime, host: &Zone) -> Option<Placed> {
        let zone = match self {
            Self::Utc => {
                let at = Offset::UTC.to_timestamp(wall).ok()?.into();
                return Some(Placed { at, moved: false });
            }
            Self::Custom(custom) => return custom.place(wall),
            Self::Zone(zone) => zone,
            Self::Floating => host,
        };
        Some(match zone.resolve(wall).ok()? {
            Wall::One(at) | Wall::Fold { first: at, .. } => Placed { at, moved: false },
            Wall::Gap { forward } => Placed {
                at: forward,
                moved: true,
            },
        })
    }

    /// What the clock shows at an instant.
    #[must_use]
    pub fn wall(&self, at: Instant, host: &Zone) -> civil::DateTime {
        match self {
            Self::Utc => Offset::UTC.to_datetime(at.timestamp()),
            Self::Custom(custom) => custom.offset_at(at).to_datetime(at.timestamp()),
            Self::Zone(zone) => zone.wall(at),
            Self::Floating => host.wall(at),
        }
    }

    /// The zone's name: the table's, or the file's own; none for UTC and floating times.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Utc | Self::Floating => None,
            Self::Zone(zone) => Some(zone.name()),
            Self::Custom(custom) => Some(&custom.name),
        }
    }
}

/// A zone by its offsets alone, as a VTIMEZONE gives them (RFC 5545, section 3.6.5).
#[derive(Clone, PartialEq, Eq)]
pub struct CustomZone {
    name: String,
    /// In force before the first change.
    before: Offset,
    /// When each offset comes into force, in order.
    changes: Vec<(Instant, Offset)>,
    /// Up to when the changes are known.
    known_to: Instant,
}

impl CustomZone {
    /// A zone from its changes, in any order. Of two at one instant the first stays.
    #[must_use]
    pub fn new(
        name: String,
        before: Offset,
        mut changes: Vec<(Instant, Offset)>,
        known_to: Instant,
    ) -> Self {
        changes.sort_by_key(|change| change.0);
        changes.dedup_by_key(|change| change.0);
        Self {
            name,
            before,
            changes,
            known_to,
        }
    }

    /// Its name, the offset before the first change, the changes in order, and up to when they are
    /// known: what [`CustomZone::new`] takes.
    #[must_use]
    pub fn parts(&self) -> (&str, Offset, &[(Instant, Offset)], Instant) {
        (&self.name, self.before, &self.changes, self.known_to)
    }

    fn offset_at(&self, at: Instant) -> Offset {
        let after = self.changes.partition_point(|change| change.0 <= at);
        self.offset_of(after)
    }

    /// The offset after so many changes.
    fn offset_of(&self, changes: usize) -> Offset {
        changes
            .checked_sub(1)
            .and_then(|last| self.changes.get(last))
            .map_or(self.before, |change| change.1)
    }

    fn place(&self, wall: civil::DateTime) -> Option<Placed> {
        // No offset is a whole day, so no change further away than that can matter.
        let near: Instant = Offset::UTC.to_timestamp(wall).ok()?.into();
        let first = self
            .changes
            .partition_point(|change| change.0 <= near.plus_minutes(-25 * 60));
        let mut forward = None;
        let mut found = None;
        for changes in first..=self.changes.len() {
            let from = changes
                .checked_sub(1)
                .and_then(|last| self.changes.get(last))
                .map(|change| change.0);
            if from.is_some_and(|from| from > near.plus_minutes(25 * 60)) {
                break;
            }
            let at: Instant = self.offset_of(changes).to_timestamp(wall).ok()?.into();
            if from.is_some_and(|from| at < from) {
                continue;
            }
            if self.changes.get(changes).is_none_or(|next| at < next.0) {
                found = Some(at);
                break;
            }
            // The offset before the gap gives the later instant.
            forward = Some(at);
        }
        let placed = match (found, forward) {
            (Some(at), _) => Placed { at, moved: false },
            (None, Some(at)) => Placed { at, moved: true },
            (None, None) => return None,
        };
        (placed.at < self.known_to).then_some(placed)
    }
}

impl fmt::Debug for CustomZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::zone::Zones;

    /// A custom zone made of New York's changes answers as New York does, every half hour of two
    /// years.
    #[test]
    fn a_custom_zone_resolves_as_the_table_does() {
        let zone = Zones::bundled().get("America/New_York").unwrap();
        let at = |text: &str| text.parse::<Instant>().unwrap();
        let (winter, summer) = (Offset::constant(-5), Offset::constant(-4));
        let custom = CustomZone::new(
            "made up".into(),
            winter,
            vec![
                (at("2025-11-02T06:00:00Z"), winter),
                (at("2025-03-09T07:00:00Z"), summer),
                (at("2026-03-08T07:00:00Z"), summer),
                (at("2026-11-01T06:00:00Z"), winter),
            ],
            at("2027-03-01T00:00:00Z"),
        );
        let (named, custom) = (Clock::Zone(zone.clone()), Clock::Custom(Arc::new(custom)));
        let mut wall = civil::date(2025, 1, 1).at(0, 0, 0, 0);
        let mut moved = 0;
        while wall < civil::date(2026, 12, 31).at(0, 0, 0, 0) {
            let placed = named.place(wall, &zone).unwrap();
            assert_eq!(custom.place(wall, &zone), Some(placed), "{wall}");
            assert_eq!(
                custom.wall(placed.at, &zone),
                named.wall(placed.at, &zone),
                "{wall}"
            );
            moved += u32::from(placed.moved);
            wall = wall
                .checked_add(jiff::SignedDuration::from_mins(30))
                .unwrap();
        }
        assert_eq!(moved, 4, "two half hours in each of two gaps");
        assert_eq!(
            custom.place(civil::date(2027, 3, 1).at(0, 0, 0, 0), &zone),
            None,
            "nothing is said about what the table does not reach"
        );
    }
}
