//! Recurrence rules: expanded over a range and over parts of it.
//!
//! The first bytes of an input choose DTSTART; the rest is the rule.

use std::{ops::RangeInclusive, time::Duration};

use fastrand::Rng;
use jiff::{SignedDuration, civil};
use shared::{
    calendar::{
        event::{Calendar, Event, Kind, Length, Moment, Series, Status, Transparency},
        event_clock::Clock,
        recurrence::{Budget, EVENT_STEPS, Host, IncompleteBusy, occurrences},
    },
    instant::{Instant, Span},
    zone::{Zone, Zones},
};

use super::{Sight, Target, holds, magnitude};
use crate::fuzz::{limit::Limit, timer::Timer};

/// The target.
pub struct Rrule {
    zones: Vec<Zone>,
    ranges: [Span; 3],
}

impl Rrule {
    /// With the bundled table.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it opens a table")]
    pub fn new() -> Self {
        let zones = Zones::bundled();
        let zone = |name| zones.get(name).expect("a zone of the table");
        let at = |text: &str| -> Instant { text.parse().expect("an instant") };
        let range = |from, to| Span::new(at(from), at(to)).expect("a range");
        Self {
            zones: vec![
                zone("UTC"),
                zone("Europe/Dublin"),
                zone("America/Santiago"),
                zone("Pacific/Apia"),
            ],
            ranges: [
                range("2026-02-01T00:00:00Z", "2026-12-01T00:00:00Z"),
                range("2026-03-28T22:00:00Z", "2026-04-30T03:00:00Z"),
                range("2026-09-06T00:00:00Z", "2026-09-06T12:00:00Z"),
            ],
        }
    }

    /// The event that an input describes, and its host's zone.
    fn event(&self, input: &[u8]) -> (Event, &Zone) {
        let mut bytes = input
            .iter()
            .copied()
            .map(usize::from)
            .chain(std::iter::repeat(0));
        let mut pick = |n: usize| bytes.next().unwrap_or_default() % n;
        let years = [
            1, 1_583, 1_700, 1_900, 1_999, 2_015, 2_024, 2_026, 2_400, 9_998,
        ];
        let days = [(1, 1), (2, 28), (3, 29), (9, 6), (12, 31), (6, 15)];
        let (year, (month, day)) = (years[pick(years.len())], days[pick(days.len())]);
        let day = civil::date(year, month, day);
        let wall = day.at([0, 1, 2, 9, 23][pick(5)], [0, 30, 59][pick(3)], 0, 0);
        let zone = &self.zones[pick(self.zones.len())];
        let start = match pick(4) {
            0 => Moment::Date(day),
            1 => Moment::Time {
                wall,
                clock: Clock::Floating,
            },
            _ => Moment::Time {
                wall,
                clock: Clock::Zone(zone.clone()),
            },
        };
        let length = Length::Duration {
            days: [0, 0, 1, 4][pick(4)],
            exact: SignedDuration::from_mins([30, 60, 24 * 60, 0][pick(4)]),
        };
        let rule = input.get(HEAD..).unwrap_or_default();
        let event = Event {
            uid: None,
            line: 1,
            sequence: 0,
            title: String::new(),
            notes: String::new(),
            location: String::new(),
            kind: Kind::Commitment,
            transparency: Transparency::Opaque,
            status: Status::Confirmed,
            start,
            length,
            rrule: Some(String::from_utf8_lossy(rule).into_owned()),
            exdates: Vec::new(),
            rdates: Vec::new(),
            attendees: Vec::new(),
            problems: Vec::new(),
            verbatim: None,
        };
        (event, zone)
    }
}

/// The bytes before the rule.
const HEAD: usize = 9;

const FREQUENCIES: [&str; 7] = [
    "DAILY", "WEEKLY", "MONTHLY", "YEARLY", "HOURLY", "MINUTELY", "SECONDLY",
];
const DAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
/// Parts with whether their values may be negative, and their range.
const PARTS: &[(&str, bool, RangeInclusive<u32>)] = &[
    ("BYMONTH", false, 1..=12),
    ("BYMONTHDAY", true, 1..=31),
    ("BYYEARDAY", true, 1..=366),
    ("BYWEEKNO", true, 1..=53),
    ("BYHOUR", false, 0..=23),
    ("BYMINUTE", false, 0..=59),
    ("BYSECOND", false, 0..=60),
    ("BYSETPOS", true, 1..=8),
];

const WORDS: &[&str] = &[
    "FREQ=",
    "DAILY",
    "WEEKLY",
    "MONTHLY",
    "YEARLY",
    "HOURLY",
    "MINUTELY",
    "SECONDLY",
    ";INTERVAL=",
    ";COUNT=",
    ";UNTIL=",
    ";WKST=",
    ";BYSECOND=",
    ";BYMINUTE=",
    ";BYHOUR=",
    ";BYDAY=",
    ";BYMONTHDAY=",
    ";BYYEARDAY=",
    ";BYWEEKNO=",
    ";BYMONTH=",
    ";BYSETPOS=",
    ";RSCALE=GREGORIAN",
    "MO",
    "TU",
    "WE",
    "TH",
    "FR",
    "SA",
    "SU",
    "1MO",
    "-1FR",
    "5SU",
    "-5SA",
    "53TU",
    "-53WE",
    ",",
    ";",
    "=",
    "-",
    "+",
    "20260901",
    "20260901T120000Z",
    "20260329T013000",
    "17000101",
    "99991231T235959Z",
    ",1,2,3,4,5",
    ",-1,-2,-3",
    "0,1,2,3,4,5,6,7,8,9,10,11",
    "MO,TU,WE,TH,FR,SA,SU",
    "1MO,2TU,3WE,4TH,5FR",
    ";BYMONTH=2;BYMONTHDAY=29,30",
    "366",
    "-366",
];

impl Target for Rrule {
    fn seeds(&self) -> Vec<Vec<u8>> {
        let rules = [
            "FREQ=DAILY",
            "FREQ=DAILY;COUNT=1000000000",
            "FREQ=SECONDLY",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE",
            "FREQ=WEEKLY;WKST=SU;BYDAY=TU,SU;COUNT=4",
            "FREQ=MONTHLY;BYDAY=MO",
            "FREQ=MONTHLY;BYDAY=MO,2TU,-1FR",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "FREQ=MONTHLY;BYMONTHDAY=-1,31",
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            "FREQ=YEARLY",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
            "FREQ=YEARLY;BYDAY=20MO,-53TU",
            "FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=MO",
            "FREQ=YEARLY;BYYEARDAY=1,100,-1",
            "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;BYHOUR=1,2;BYMINUTE=0,30",
            "FREQ=HOURLY;INTERVAL=7;BYHOUR=1,2,3",
            "FREQ=HOURLY;BYYEARDAY=200;BYMINUTE=5,6;BYSETPOS=1",
            "FREQ=DAILY;UNTIL=20260901",
            "FREQ=DAILY;UNTIL=20260329T003000Z",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=DAILY;BYHOUR=0,1,2,3,4,5;BYMINUTE=0,10,20;BYSECOND=0,30;BYSETPOS=-1,5",
        ];
        let mut seeds = Vec::new();
        for (n, rule) in rules.iter().enumerate() {
            for turn in 0..4 {
                let n = u8::try_from(n).expect("few rules");
                let mut seed: Vec<u8> = (0..HEAD)
                    .map(|at| u8::try_from(at).expect("few bytes"))
                    .map(|at| n.wrapping_mul(at + turn) ^ turn)
                    .collect();
                seed.extend(rule.bytes());
                seeds.push(seed);
            }
        }
        seeds
    }

    /// A rule of some parts with some values each, in range or just beside it.
    fn grammatical(&self, rng: &mut Rng) -> Option<Vec<u8>> {
        let frequency = rng.choice(FREQUENCIES)?;
        let mut rule = format!("FREQ={frequency}");
        for (part, signed, values) in PARTS {
            if rng.u8(..4) != 0 {
                continue;
            }
            let list: Vec<String> = (0..=rng.u8(..4))
                .map(|_| {
                    let sign = if *signed && rng.bool() { "-" } else { "" };
                    format!("{sign}{}", rng.u32(values.clone()))
                })
                .collect();
            rule.push_str(&format!(";{part}={}", list.join(",")));
        }
        if rng.bool() {
            let days: Vec<String> = (0..=rng.u8(..4))
                .map(|_| {
                    let numbered = ["MONTHLY", "YEARLY"].contains(&frequency) && rng.bool();
                    let number = if numbered { rng.i32(-5..=5) } else { 0 };
                    let number = if number == 0 {
                        String::new()
                    } else {
                        number.to_string()
                    };
                    format!("{number}{}", rng.choice(DAYS).expect("days"))
                })
                .collect();
            rule.push_str(&format!(";BYDAY={}", days.join(",")));
        }
        rule.push_str(match rng.u8(..6) {
            0 => ";INTERVAL=2",
            1 => ";COUNT=5",
            2 => ";UNTIL=20261101T000000Z",
            3 => ";WKST=SU",
            4 => ";INTERVAL=13;COUNT=500",
            _ => "",
        });
        let mut input: Vec<u8> = (0..HEAD).map(|_| rng.u8(..)).collect();
        input.extend(rule.bytes());
        Some(input)
    }

    fn words(&self) -> &'static [&'static str] {
        WORDS
    }

    fn limit(&self) -> Limit {
        Limit {
            time: Duration::from_millis(100),
            bytes: 32 * 1_024 * 1_024,
            bytes_per_byte: 50,
        }
    }

    fn read(&self, input: &[u8], timer: &mut Timer) -> Result<Sight, String> {
        let (event, zone) = self.event(input);
        let calendar = Calendar {
            series: vec![Series {
                master: event,
                overrides: Vec::new(),
            }],
            ..Calendar::default()
        };
        let host = Host {
            zone,
            addresses: &[],
        };
        let [whole, parts @ ..] = self.ranges;
        let mut expand = |range| timer.of(|| expand(&calendar, &host, range));
        let expanded = expand(whole);
        // What a part of the range shows is what the whole shows there, or one of them is refused.
        let known = expanded
            .iter()
            .flat_map(|all| parts.map(|part| (all, part)));
        for (all, part) in known {
            let Ok(some) = expand(part) else {
                continue;
            };
            let expected: Vec<_> = all
                .iter()
                .copied()
                .filter(|span| overlaps(*span, part))
                .collect();
            holds(some == expected, || {
                format!("in {part:?}: {some:?} but of the whole {expected:?}")
            })?;
        }
        Ok(match &expanded {
            Ok(spans) => {
                // Which days of the week, of the month, and how many: the shape of the rule.
                let shape: Vec<(i8, i8)> = spans
                    .iter()
                    .take(6)
                    .map(|(from, _)| {
                        (
                            zone.date(*from).weekday().to_monday_zero_offset(),
                            zone.wall(*from).hour(),
                        )
                    })
                    .collect();
                Sight::new(true, (magnitude(spans.len()), shape))
            }
            Err(incomplete) => {
                // Which fault it is, without the words of the input.
                let why = format!("{:?}", incomplete.why);
                Sight::new(false, why.split('"').next())
            }
        })
    }
}

type Spans = Vec<(Instant, Instant)>;

fn expand(calendar: &Calendar, host: &Host<'_>, range: Span) -> Result<Spans, IncompleteBusy> {
    let found = occurrences(calendar, host, range, &mut Budget::new(EVENT_STEPS));
    match found.incomplete.into_iter().next() {
        Some(incomplete) => Err(incomplete),
        None => Ok(found
            .occurrences
            .iter()
            .map(|one| (one.from, one.to))
            .collect()),
    }
}

/// As the readers have it: what has no length lies in the range.
fn overlaps((from, to): (Instant, Instant), range: Span) -> bool {
    if from == to {
        return range.from <= from && from < range.to;
    }
    from < range.to && range.from < to
}
