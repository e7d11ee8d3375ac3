//! VTIMEZONE (RFC 5545, section 3.6.5): the rules of a zone, for readers without a table of their
//! own.

use jiff::{SignedDuration, Timestamp, civil, tz::Offset};

use crate::{
    calendar::{
        event_clock::CustomZone,
        ics_read,
        ics_write::{IcsWriter, TimeForm, Yearly, YearlyDay},
    },
    instant::Instant,
    zone::Zone,
};

/// Changes of the table are looked at to the end of this year. A rule that holds until then is
/// written as one that holds for ever, as the table has it.
const LAST_YEAR: i16 = 2099;
/// To the end of this year our own reader works out the zone of a file.
const LAST_CUSTOM_YEAR: i16 = ics_read::ZONE_YEARS.1 - 1;
/// Fewer years are no rule.
const FEWEST_YEARS: usize = 4;
/// Before every change that anybody asks for.
const LONG_AGO: civil::DateTime = civil::date(1601, 1, 1).at(0, 0, 0, 0);

/// From when on another offset is in force.
struct Change {
    at: Instant,
    before: Offset,
    after: Offset,
    /// The abbreviation.
    name: Option<String>,
    summer: bool,
}

impl Change {
    /// What the clock shows at that instant by the offset before it: so DTSTART has it.
    fn onset(&self) -> civil::DateTime {
        self.before.to_datetime(self.at.timestamp())
    }

    fn is_like(&self, other: &Self) -> bool {
        self.before == other.before
            && self.after == other.after
            && self.name == other.name
            && self.summer == other.summer
    }
}

/// A zone of the table, from a year on that everything in it happens in or after.
pub(super) fn write_zone(ics: &mut IcsWriter, zone: &Zone, first_year: i16) {
    let from = civil::Date::new(first_year, 1, 1)
        .ok()
        .and_then(|date| Offset::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok())
        // The year begins earlier in some zones.
        .map_or(Instant::new(Timestamp::MIN), |at| {
            Instant::new(at).plus_minutes(-24 * 60)
        });
    let rules = zone.rules();
    let earlier = rules.preceding(from.timestamp()).next();
    let start = earlier
        .as_ref()
        .map_or(from, |change| change.timestamp().into());
    let mut before = rules.to_offset(start.plus(SignedDuration::from_micros(-1)).timestamp());
    let mut changes = Vec::new();
    for change in earlier.into_iter().chain(rules.following(from.timestamp())) {
        let year = Offset::UTC.to_datetime(change.timestamp()).year();
        if year > LAST_YEAR {
            break;
        }
        changes.push(Change {
            at: change.timestamp().into(),
            before,
            after: change.offset(),
            name: Some(change.abbreviation().to_owned()),
            summer: change.dst().is_dst(),
        });
        before = change.offset();
    }
    let begun = rules.to_offset(from.timestamp());
    // The reader takes a name that says no place from the table only if the file does.
    write(
        ics,
        zone.name(),
        Some(zone.name()),
        begun,
        &changes,
        LAST_YEAR,
    );
}

/// A zone that only the file knew in which its events came.
pub(super) fn write_custom(ics: &mut IcsWriter, tzid: &str, zone: &CustomZone) {
    let (_, first, offsets, _) = zone.parts();
    let mut before = first;
    let changes: Vec<Change> = offsets
        .iter()
        .map(|(at, after)| {
            let change = Change {
                at: *at,
                before,
                after: *after,
                name: None,
                summer: before < *after,
            };
            before = *after;
            change
        })
        .collect();
    write(ics, tzid, None, first, &changes, LAST_CUSTOM_YEAR);
}

/// `first` is in force before all changes. What is a rule to the last year goes on.
fn write(
    ics: &mut IcsWriter,
    tzid: &str,
    location: Option<&str>,
    first: Offset,
    changes: &[Change],
    last_year: i16,
) {
    ics.begin("VTIMEZONE");
    ics.text("TZID", tzid);
    if let Some(location) = location {
        ics.text("X-LIC-LOCATION", location);
    }
    let Some(one) = changes.first() else {
        let always = Change {
            at: Instant::new(Timestamp::MIN),
            before: first,
            after: first,
            name: None,
            summer: false,
        };
        observance(ics, &always, LONG_AGO, None);
        ics.end("VTIMEZONE");
        return;
    };
    let mut kinds: Vec<&Change> = vec![one];
    for change in changes {
        if !kinds.iter().any(|kind| kind.is_like(change)) {
            kinds.push(change);
        }
    }
    for kind in kinds {
        let onsets: Vec<civil::DateTime> = changes
            .iter()
            .filter(|change| change.is_like(kind))
            .map(Change::onset)
            .collect();
        let rule = lasting(&onsets, last_year);
        let (single, ruled) = onsets.split_at(rule.map_or(onsets.len(), |(at, _)| at));
        // Not as RDATE: some readers take the first of a list alone, or no DTSTART beside it.
        for onset in single {
            observance(ics, kind, *onset, None);
        }
        if let (Some((_, rule)), Some(onset)) = (rule, ruled.first()) {
            observance(ics, kind, *onset, Some(rule));
        }
    }
    ics.end("VTIMEZONE");
}

fn observance(ics: &mut IcsWriter, kind: &Change, onset: civil::DateTime, rule: Option<Yearly>) {
    let component = if kind.summer { "DAYLIGHT" } else { "STANDARD" };
    ics.begin(component);
    ics.times("DTSTART", TimeForm::Floating, &[onset]);
    ics.offset("TZOFFSETFROM", kind.before);
    ics.offset("TZOFFSETTO", kind.after);
    if let Some(name) = &kind.name {
        ics.text("TZNAME", name);
    }
    if let Some(rule) = rule {
        ics.yearly(rule);
    }
    ics.end(component);
}

/// From which onset on one comes each year, to the last year, by one rule.
fn lasting(onsets: &[civil::DateTime], last_year: i16) -> Option<(usize, Yearly)> {
    if onsets.last()?.year() != last_year {
        return None;
    }
    let mut found = None;
    for at in (0..onsets.len()).rev() {
        let years = onsets.get(at..)?;
        let each_year = match years {
            [first, next, ..] => first.year() + 1 == next.year(),
            _ => true,
        };
        let Some(rule) = each_year.then(|| rule_of(years)).flatten() else {
            break;
        };
        found = (years.len() >= FEWEST_YEARS).then_some((at, rule));
    }
    found
}

fn rule_of(onsets: &[civil::DateTime]) -> Option<Yearly> {
    let first = onsets.first()?;
    let same = |pick: fn(&civil::DateTime) -> i8| onsets.iter().all(|at| pick(at) == pick(first));
    let alike = same(|at| at.month())
        && same(|at| at.weekday().to_monday_zero_offset())
        && onsets.iter().all(|at| at.time() == first.time());
    if !alike {
        return None;
    }
    let is_last = |at: &civil::DateTime| at.day() + 7 > at.days_in_month();
    let days = || onsets.iter().map(|at| at.day());
    let (earliest, latest) = (days().min()?, days().max()?);
    let shortest = if first.month() == 2 {
        28
    } else {
        first.days_in_month()
    };
    let day = if onsets.iter().all(is_last) {
        YearlyDay::Last
    } else if same(|at| (at.day() - 1) / 7) {
        YearlyDay::Nth((first.day() - 1) / 7 + 1)
    } else if latest - earliest < 7 {
        YearlyDay::From(earliest.min(shortest - 6))
    } else {
        return None;
    };
    Some(Yearly {
        month: first.month(),
        weekday: first.weekday(),
        day,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;
    use crate::{
        calendar::{event::Moment, event_clock::Clock, ics_read},
        zone::Zones,
    };

    fn of(name: &str, year: i16) -> String {
        let zone = Zones::bundled().get(name).unwrap();
        let mut ics = IcsWriter::new();
        write_zone(&mut ics, &zone, year);
        ics.finish()
    }

    #[test]
    fn summer_time_is_two_rules() {
        assert_eq!(
            of("Europe/Berlin", 2026),
            "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nX-LIC-LOCATION:Europe/Berlin\r\n\
             BEGIN:STANDARD\r\nDTSTART:20251026T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nTZNAME:CET\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\n\
             BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nTZNAME:CEST\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT\r\n\
             END:VTIMEZONE\r\n"
        );
        assert_eq!(
            of("Asia/Tokyo", 2026),
            "BEGIN:VTIMEZONE\r\nTZID:Asia/Tokyo\r\nX-LIC-LOCATION:Asia/Tokyo\r\n\
             BEGIN:STANDARD\r\nDTSTART:19510909T010000\r\nTZOFFSETFROM:+1000\r\nTZOFFSETTO:+0900\r\nTZNAME:JST\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
        );
    }

    /// Our own reader, which works a VTIMEZONE out by itself when its name is nobody's, places wall
    /// times around every change, and a day of each month, where the table does: in every zone that
    /// there is.
    #[test]
    fn every_zone_of_the_table_is_read_back_as_it_is() {
        let zones = Zones::bundled();
        for zone in zones.all() {
            read_back(&zones, zone, 2019, 2060);
        }
        for name in [
            "America/New_York",
            "Europe/Lisbon",
            "Pacific/Apia",
            "Africa/Monrovia",
        ] {
            read_back(&zones, &zones.get(name).unwrap(), 1930, 2030);
        }
    }

    fn read_back(zones: &Zones, zone: &Zone, from: i16, to: i16) {
        let mut ics = IcsWriter::new();
        write_zone(&mut ics, zone, from);
        let lines = ics.finish();
        let file = lines
            .replace(&format!("TZID:{}", zone.name()), "TZID:nobody's")
            .replace("X-LIC-LOCATION", "X-NOT");
        let event = "BEGIN:VEVENT\r\nDTSTART;TZID=nobody's:20260601T100000\r\nEND:VEVENT\r\n";
        let file = format!("BEGIN:VCALENDAR\r\n{file}{event}END:VCALENDAR\r\n");
        let read = ics_read::read(file.as_bytes(), zones).unwrap();
        let Moment::Time { clock, .. } = &read.series[0].master.start else {
            panic!("{file}");
        };
        assert!(matches!(clock, Clock::Custom(_)), "{file}");
        let table = Clock::Zone(zone.clone());
        let same = |wall| {
            assert_eq!(
                clock.place(wall, zone).map(|placed| placed.at),
                table.place(wall, zone).map(|placed| placed.at),
                "{wall} in {}\n{lines}",
                zone.name()
            );
        };
        let start = civil::date(from, 1, 1).at(0, 0, 0, 0);
        for month in 0..12 * i32::from(to - from) {
            same(start.checked_add(jiff::Span::new().months(month)).unwrap());
        }
        let first = Offset::UTC.to_timestamp(start).unwrap();
        for change in zone.rules().following(first) {
            let wall = zone.wall(change.timestamp().into());
            if wall.year() >= to {
                break;
            }
            for minutes in [-200, -61, -30, -1, 0, 1, 30, 61, 200] {
                same(
                    wall.checked_add(SignedDuration::from_mins(minutes))
                        .unwrap(),
                );
            }
        }
    }
}
