//! The free times of a day, by part of the day.

use shared::{instant::Instant, locale::Locale, zone::Zone};

use super::{days::DaySlots, link::Link};
use crate::pages::{dates, words::words};

/// A list this short needs no parts of the day.
const SHORT_LIST: usize = 6;

/// What the macros `times` and `time_buttons` show.
#[derive(Debug)]
pub(super) struct DayTimes {
    pub(super) date: String,
    pub(super) parts: Vec<DayPart>,
    /// To the rest of the day's times: address and words.
    pub(super) more: Option<(String, String)>,
}

/// The times of a part of a day.
#[derive(Debug)]
pub(super) struct DayPart {
    /// `Morning`; `None` where the list is short.
    pub(super) name: Option<&'static str>,
    pub(super) times: Vec<Time>,
}

/// A time that can be chosen.
#[derive(Debug)]
pub(super) struct Time {
    /// `09:00`
    pub(super) clock: String,
    /// The offset, where the clocks show this time twice.
    pub(super) offset: Option<String>,
    /// The start for machines, RFC 3339 in UTC.
    pub(super) value: String,
    pub(super) href: String,
}

impl DayTimes {
    /// All times of a day; `link` is the page's address, to which the start is added.
    pub(super) fn all(locale: Locale, zone: &Zone, day: &DaySlots, link: &Link) -> Self {
        let said = &words(locale).choose;
        let names = [said.night, said.morning, said.afternoon, said.evening];
        let link = link.clone().with("day", day.date.0.to_string());
        let mut parts: Vec<DayPart> = Vec::new();
        for start in &day.starts {
            let hour = zone.wall(*start).hour();
            let name = match day.starts.len() > SHORT_LIST {
                true => usize::try_from(hour / 6)
                    .ok()
                    .and_then(|at| names.get(at))
                    .copied(),
                false => None,
            };
            let time = Time::new(zone, *start, &link);
            match parts.last_mut() {
                Some(part) if part.name == name => part.times.push(time),
                _ => parts.push(DayPart {
                    name,
                    times: vec![time],
                }),
            }
        }
        Self {
            date: dates::date_near(locale, day.date.0),
            parts,
            more: None,
        }
    }

    /// The first times of a day, and a link to the rest.
    pub(super) fn first(locale: Locale, zone: &Zone, day: &DaySlots, link: &Link) -> Self {
        let count = day.starts.len();
        let shown = DaySlots {
            date: day.date,
            starts: day.starts.iter().copied().take(SHORT_LIST).collect(),
        };
        let mut times = Self::all(locale, zone, &shown, link);
        times.more = (count > SHORT_LIST).then(|| {
            let all = link.clone().with("day", day.date.0.to_string());
            (all.href(), (words(locale).choose.all_times)(count))
        });
        times
    }
}

impl Time {
    fn new(zone: &Zone, start: Instant, link: &Link) -> Self {
        let value = start.to_string();
        Self {
            clock: dates::time(zone.wall(start)),
            offset: dates::is_ambiguous(zone, start).then(|| dates::offset(zone, start)),
            href: link.clone().with("start", value.as_str()).href(),
            value,
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use jiff::civil::date;
    use shared::{instant::Day, zone::Zones};

    use super::*;

    fn day(first: &str, count: i64) -> DaySlots {
        let first: Instant = first.parse().unwrap();
        DaySlots {
            date: Day(date(2026, 10, 25)),
            starts: (0..count).map(|n| first.plus_minutes(60 * n)).collect(),
        }
    }

    #[test]
    fn long_lists_are_parted_by_the_time_of_day() {
        let zone = Zones::bundled().get("Asia/Tokyo").unwrap();
        // 05:00 to 18:00 in Tokyo.
        let slots = day("2026-10-24T20:00:00Z", 14);
        let times = DayTimes::all(Locale::En, &zone, &slots, &Link::to(["x"]));
        let parts: Vec<_> = times
            .parts
            .iter()
            .map(|part| (part.name.unwrap(), part.times.len()))
            .collect();
        assert_eq!(
            parts,
            [
                ("Night", 1),
                ("Morning", 6),
                ("Afternoon", 6),
                ("Evening", 1)
            ]
        );
    }

    #[test]
    fn a_time_that_happens_twice_has_its_offset_beside_it() {
        let zone = Zones::bundled().get("Europe/Paris").unwrap();
        let slots = day("2026-10-24T23:30:00Z", 4);
        let times = DayTimes::all(Locale::En, &zone, &slots, &Link::to(["x"]));
        let shown: Vec<_> = times.parts[0]
            .times
            .iter()
            .map(|time| (time.clock.as_str(), time.offset.as_deref()))
            .collect();
        assert_eq!(
            shown,
            [
                ("01:30", None),
                ("02:30", Some("UTC+2")),
                ("02:30", Some("UTC+1")),
                ("03:30", None)
            ]
        );
        assert_eq!(
            times.parts[0].times[1].href,
            "/x?day=2026-10-25&start=2026-10-25T00:30:00Z"
        );
    }

    #[test]
    fn the_first_times_lead_to_the_rest() {
        let zone = Zones::bundled().get("UTC").unwrap();
        let link = Link::to(["x"]);
        let few = DayTimes::first(Locale::En, &zone, &day("2026-10-25T08:00:00Z", 6), &link);
        assert_eq!(few.more, None);
        let many = DayTimes::first(Locale::En, &zone, &day("2026-10-25T08:00:00Z", 7), &link);
        assert_eq!(many.parts[0].times.len(), 6);
        assert_eq!(
            many.more,
            Some((
                "/x?day=2026-10-25".to_owned(),
                "All 7 times of this day".to_owned()
            ))
        );
    }
}
