//! Random calendars: every kind of time that an event may have, in four zones of the table, in one
//! that nobody knows, and in none.

use std::fmt::Write as _;

use jiff::civil;

/// A zone that only its file defines, with summer time of half an hour.
const CUSTOM: &str = "BEGIN:VTIMEZONE\nTZID:Atlantis (south)\nBEGIN:STANDARD\nDTSTART:16010101T020000\nTZOFFSETFROM:-0130\nTZOFFSETTO:-0200\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nEND:STANDARD\n\
    BEGIN:DAYLIGHT\nDTSTART:16010101T020000\nTZOFFSETFROM:-0200\nTZOFFSETTO:-0130\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\nEND:DAYLIGHT\nEND:VTIMEZONE\n";
const ZONES: [&str; 5] = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
    "Atlantis (south)",
];
const RULES: [&str; 9] = [
    "FREQ=DAILY;COUNT=40",
    "FREQ=DAILY;INTERVAL=3;UNTIL=20270301T000000Z",
    "FREQ=WEEKLY;BYDAY=MO,WE,FR",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,TH;COUNT=30",
    "FREQ=MONTHLY;BYDAY=-1FR",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
    "FREQ=MONTHLY;BYSETPOS=2;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=YEARLY;BYMONTH=3,10;BYDAY=SU",
    "FREQ=YEARLY",
];
/// With a rule of dates UNTIL is a date.
const DATE_RULES: [&str; 3] = [
    "FREQ=WEEKLY;COUNT=9",
    "FREQ=MONTHLY;BYMONTHDAY=1,15",
    "FREQ=DAILY;INTERVAL=10;UNTIL=20270101",
];
const TITLES: [&str; 6] = [
    "Stand-up",
    "Zahnarzt\\, endlich: 10\\;30",
    "C:\\\\temp\\\\new",
    "two\\nlines",
    "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467} ж\u{304} 金丝雀 and so on until the line is much too long to stand unfolded",
    "\"quoted\" ^n 'more'",
];

/// Numbers from a seed.
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// How the times of an event are written.
#[derive(Clone, Copy)]
enum Form {
    Date,
    Utc,
    Floating,
    Zone(&'static str),
}

impl Form {
    fn line(self, name: &str, wall: civil::DateTime) -> String {
        match self {
            Self::Date => format!("{name};VALUE=DATE:{}", wall.strftime("%Y%m%d")),
            Self::Utc => format!("{name}:{}Z", wall.strftime("%Y%m%dT%H%M%S")),
            Self::Floating => format!("{name}:{}", wall.strftime("%Y%m%dT%H%M%S")),
            Self::Zone(zone) => format!("{name};TZID={zone}:{}", wall.strftime("%Y%m%dT%H%M%S")),
        }
    }
}

/// A calendar of so many series, as lines.
pub fn calendar(random: &mut Random, series: usize) -> String {
    let mut lines = CUSTOM.to_owned();
    for number in 0..series {
        write_series(random, number, &mut lines);
    }
    lines
}

fn write_series(random: &mut Random, number: usize, lines: &mut String) {
    let form = match random.below(8) {
        0 => Form::Date,
        1 => Form::Utc,
        2 => Form::Floating,
        zone => Form::Zone(ZONES[zone - 3]),
    };
    let start = civil::date(2026, 1, 1)
        .at(8, 15 * i8::try_from(random.below(4)).unwrap(), 0, 0)
        .checked_add(
            jiff::Span::new()
                .days(i64::try_from(random.below(300)).unwrap())
                .hours(i64::try_from(random.below(10)).unwrap()),
        )
        .unwrap();
    let is_date = matches!(form, Form::Date);
    let event =
        |lines: &mut String, random: &mut Random, start: civil::DateTime, extra: &[String]| {
            let _ = write!(
                lines,
                "BEGIN:VEVENT\nUID:{number}-random\nSUMMARY:{} {number}\n",
                random.pick(&TITLES)
            );
            lines.push_str(&form.line("DTSTART", start));
            lines.push('\n');
            let days = jiff::Span::new().days(i64::try_from(1 + random.below(3)).unwrap());
            let hours =
                jiff::Span::new().minutes(i64::try_from(15 + 15 * random.below(9)).unwrap());
            let line = match (is_date, random.below(4)) {
                (true, 0) => String::new(),
                (true, 1) => "DURATION:P2D\n".to_owned(),
                (true, _) => form.line("DTEND", start.checked_add(days).unwrap()) + "\n",
                (false, 0) => "DURATION:P1DT90M\n".to_owned(),
                (false, 1) => "DURATION:PT45M\n".to_owned(),
                (false, _) => form.line("DTEND", start.checked_add(hours).unwrap()) + "\n",
            };
            lines.push_str(&line);
            for (once_in, line) in [
                (6, "TRANSP:TRANSPARENT"),
                (6, "STATUS:TENTATIVE"),
                (9, "STATUS:CANCELLED"),
                (6, "SEQUENCE:4"),
                (5, "LOCATION:Room 1\\, left"),
                (5, "DESCRIPTION:A\\nB"),
                (9, "X-MICROSOFT-CDO-BUSYSTATUS:OOF"),
                (
                    5,
                    "ATTENDEE;CN=\"Bo, B\";PARTSTAT=ACCEPTED:mailto:bo@x.test",
                ),
                (7, "ATTENDEE;PARTSTAT=DECLINED:mailto:ana@hosts.test"),
            ] {
                if random.once_in(once_in) {
                    lines.push_str(line);
                    lines.push('\n');
                }
            }
            for line in extra {
                lines.push_str(line);
                lines.push('\n');
            }
            lines.push_str("END:VEVENT\n");
        };
    let later = |days: i64| start.checked_add(jiff::Span::new().days(days)).unwrap();
    if random.once_in(3) {
        event(lines, random, start, &[]);
        return;
    }
    let rule = if is_date {
        random.pick(&DATE_RULES)
    } else {
        random.pick(&RULES)
    };
    let mut extra = vec![format!("RRULE:{rule}")];
    if random.once_in(2) {
        extra.push(form.line("EXDATE", later(7)));
        extra.push(form.line("EXDATE", later(3)));
    }
    if random.once_in(3) {
        extra.push(form.line("RDATE", later(100)));
    }
    if !is_date && random.once_in(5) {
        extra.push(
            "RDATE;VALUE=PERIOD:20260704T120000Z/PT20M,20260705T120000Z/20260705T130000Z".into(),
        );
    }
    event(lines, random, start, &extra);
    if random.once_in(2) {
        let replaces = form.line("RECURRENCE-ID", later(14));
        event(lines, random, later(15), &[replaces]);
    }
    if random.once_in(5) {
        let replaces = form.line("RECURRENCE-ID;RANGE=THISANDFUTURE", later(21));
        event(lines, random, later(22), &[replaces]);
    }
}
