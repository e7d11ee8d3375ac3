//! The zones that a stream names, and by which TZID.

use std::{collections::BTreeMap, sync::Arc};

use super::vtimezone::{write_custom, write_zone};
use crate::{
    calendar::{
        event::{Length, Moment},
        event_clock::{Clock, CustomZone},
        ics_write::{IcsWriter, TimeForm},
        timing::Timing,
    },
    zone::Zone,
};

/// The zones of a stream's times. They are gathered from all of them before the first is written:
/// many readers look for a zone only among what they have read.
#[derive(Debug, Default)]
pub struct UsedZones {
    /// By name, with the first year that something happens in.
    table: BTreeMap<String, (Zone, i16)>,
    /// With the TZID that each goes by here.
    custom: Vec<(String, Arc<CustomZone>)>,
}

impl UsedZones {
    /// Takes the zones of an event's times.
    pub fn note(&mut self, timing: &Timing) {
        self.note_moment(&timing.start);
        self.note_length(&timing.length);
        timing.exdates.iter().for_each(|at| self.note_moment(at));
        for rdate in &timing.rdates {
            self.note_moment(&rdate.start);
            if let Some(length) = &rdate.length {
                self.note_length(length);
            }
        }
        if let Some((original, _)) = &timing.replaces {
            self.note_moment(original);
        }
    }

    fn note_length(&mut self, length: &Length) {
        if let Length::End(end) = length {
            self.note_moment(end);
        }
    }

    fn note_moment(&mut self, moment: &Moment) {
        let Moment::Time { wall, clock } = moment else {
            return;
        };
        match clock {
            Clock::Utc | Clock::Floating => {}
            Clock::Zone(zone) => {
                let year = wall.year();
                match self.table.get_mut(zone.name()) {
                    Some((_, first)) => *first = (*first).min(year),
                    None => {
                        let entry = (zone.clone(), year);
                        self.table.insert(zone.name().to_owned(), entry);
                    }
                }
            }
            Clock::Custom(zone) => {
                if !self.custom.iter().any(|(_, known)| known == zone) {
                    self.custom.push((String::new(), zone.clone()));
                }
            }
        }
    }

    /// Writes every VTIMEZONE. No more zones are taken after it.
    pub fn write(&mut self, ics: &mut IcsWriter) {
        let mut taken: Vec<String> = self.table.keys().cloned().collect();
        for (number, (tzid, zone)) in (1_u32..).zip(&mut self.custom) {
            // Two files may have meant different zones by one name.
            let (name, ..) = zone.parts();
            *tzid = if is_plain(name) && !taken.iter().any(|known| known == name) {
                name.to_owned()
            } else {
                format!("Custom {number}")
            };
            taken.push(tzid.clone());
        }
        for (zone, first_year) in self.table.values() {
            write_zone(ics, zone, *first_year);
        }
        for (tzid, zone) in &self.custom {
            write_custom(ics, tzid, zone);
        }
    }

    /// How a moment is written. A zone that was not taken has no name here, and its times would be
    /// floating: that cannot be with what [`UsedZones::note`] was given.
    pub(super) fn form<'a>(&'a self, moment: &'a Moment) -> TimeForm<'a> {
        let Moment::Time { clock, .. } = moment else {
            return TimeForm::Date;
        };
        match clock {
            Clock::Utc => TimeForm::Utc,
            Clock::Floating => TimeForm::Floating,
            Clock::Zone(zone) => TimeForm::Zone(zone.name()),
            Clock::Custom(zone) => self
                .custom
                .iter()
                .find(|(_, known)| known == zone)
                .map_or(TimeForm::Floating, |(tzid, _)| TimeForm::Zone(tzid)),
        }
    }
}

/// Whether a name that a file made up can stand as a TZID as it is, for every reader.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || " ()+-_./:".contains(c);
    !name.trim().is_empty() && name.trim() == name && name.len() <= 100 && name.chars().all(plain)
}
