//! The examples of RFC 5545, section 3.8.5.3, with the dates that it gives for them, and what
//! section 3.3.10 rules out.

use jiff::civil;

use super::*;

/// How a list of dates ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// With its last.
    Here,
    /// It goes on.
    Forever,
}
use End::{Forever, Here};

/// DTSTART (at 9:00 in New York), rule, the days by month, how it ends.
type Example = (&'static str, &'static str, &'static str, End);

#[rustfmt::skip]
const EXAMPLES: [Example; 45] = [
    ("19970902", "FREQ=DAILY;COUNT=10", "199709:2-11", Here),
    ("19970902", "FREQ=DAILY;UNTIL=19971224T000000Z", "199709:2-30 199710:1-31 199711:1-30 199712:1-23", Here),
    ("19970902", "FREQ=DAILY;INTERVAL=2", "199709:2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 199710:2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 199711:1,3,5", Forever),
    ("19970902", "FREQ=DAILY;INTERVAL=10;COUNT=5", "199709:2,12,22 199710:2,12", Here),
    ("19980101", "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "199801:1-31 199901:1-31 200001:1-31", Here),
    ("19980101", "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "199801:1-31 199901:1-31 200001:1-31", Here),
    ("19970902", "FREQ=WEEKLY;COUNT=10", "199709:2,9,16,23,30 199710:7,14,21,28 199711:4", Here),
    ("19970902", "FREQ=WEEKLY;UNTIL=19971224T000000Z", "199709:2,9,16,23,30 199710:7,14,21,28 199711:4,11,18,25 199712:2,9,16,23", Here),
    ("19970902", "FREQ=WEEKLY;INTERVAL=2;WKST=SU", "199709:2,16,30 199710:14,28 199711:11,25 199712:9,23 199801:6,20", Forever),
    ("19970902", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "199709:2,4,9,11,16,18,23,25,30 199710:2", Here),
    ("19970902", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "199709:2,4,9,11,16,18,23,25,30 199710:2", Here),
    ("19970901", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", "199709:1,3,5,15,17,19,29 199710:1,3,13,15,17,27,29,31 199711:10,12,14,24,26,28 199712:8,10,12,22", Here),
    ("19970902", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "199709:2,4,16,18,30 199710:2,14,16", Here),
    ("19970905", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "199709:5 199710:3 199711:7 199712:5 199801:2 199802:6 199803:6 199804:3 199805:1 199806:5", Here),
    ("19970905", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "199709:5 199710:3 199711:7 199712:5", Here),
    ("19970907", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "199709:7,28 199711:2,30 199801:4,25 199803:1,29 199805:3,31", Here),
    ("19970922", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "199709:22 199710:20 199711:17 199712:22 199801:19 199802:16", Here),
    ("19970928", "FREQ=MONTHLY;BYMONTHDAY=-3", "199709:28 199710:29 199711:28 199712:29 199801:29 199802:26", Forever),
    ("19970902", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "199709:2,15 199710:2,15 199711:2,15 199712:2,15 199801:2,15", Here),
    ("19970930", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "199709:30 199710:1,31 199711:1,30 199712:1,31 199801:1,31 199802:1", Here),
    ("19970910", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "199709:10-15 199903:10-13", Here),
    ("19970902", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "199709:2,9,16,23,30 199711:4,11,18,25 199801:6,13,20,27 199803:3,10,17,24,31", Forever),
    ("19970610", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "199706:10 199707:10 199806:10 199807:10 199906:10 199907:10 200006:10 200007:10 200106:10 200107:10", Here),
    ("19970310", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", "199703:10 199901:10 199902:10 199903:10 200101:10 200102:10 200103:10 200301:10 200302:10 200303:10", Here),
    ("19970101", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", "199701:1 199704:10 199707:19 200001:1 200004:9 200007:18 200301:1 200304:10 200307:19 200601:1", Here),
    ("19970519", "FREQ=YEARLY;BYDAY=20MO", "199705:19 199805:18 199905:17", Forever),
    ("19970512", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "199705:12 199805:11 199905:17", Forever),
    ("19970313", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "199703:13,20,27 199803:5,12,19,26 199903:4,11,18,25", Forever),
    ("19970605", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", "199706:5,12,19,26 199707:3,10,17,24,31 199708:7,14,21,28 199806:4,11,18,25 199807:2,9,16,23,30 199808:6,13,20,27 199906:3,10,17,24 199907:1,8,15,22,29 199908:5,12,19,26", Forever),
    ("19980213", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "199802:13 199803:13 199811:13 199908:13 200010:13", Forever),
    ("19970913", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "199709:13 199710:11 199711:8 199712:13 199801:10 199802:7 199803:7 199804:11 199805:9 199806:13", Forever),
    ("19961105", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "199611:5 200011:7 200411:2", Forever),
    ("19970904", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "199709:4 199710:7 199711:6", Here),
    ("19970929", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "199709:29 199710:30 199711:27 199712:30 199801:29 199802:26 199803:30", Forever),
    // With times of the day: the days stand for each of them.
    ("19970902", "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40", "199709:2-4", Forever),
    ("19970902", "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", "199709:2", Here),
    ("19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "199708:5,10,19,24", Here),
    ("19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "199708:5,17,19,31", Here),
    ("20070115", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "200701:15,30 200702:15 200703:15,30", Here),
    // Section 3.3.10, in the text.
    ("19970105", "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30", "199701:5,12,19,26 199901:3,10,17,24,31", Forever),
    ("19970930", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "199709:30 199710:31 199711:28 199712:31 199801:30", Forever),
    ("20240229", "FREQ=YEARLY", "202402:29 202802:29 203202:29", Forever),
    ("20260131", "FREQ=MONTHLY", "202601:31 202603:31 202605:31 202607:31", Forever),
    ("20261228", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO", "202612:28 203212:27 203712:28", Forever),
    ("20270101", "FREQ=YEARLY;BYWEEKNO=53", "202701:1 203212:31", Forever),
];

/// The days that a text names.
fn days(text: &str) -> Vec<civil::Date> {
    let mut dates = Vec::new();
    for month in text.split(' ') {
        let (month, days) = month.split_once(':').unwrap();
        let (year, month) = month.split_at(4);
        for days in days.split(',') {
            let (first, last) = days.split_once('-').unwrap_or((days, days));
            for day in first.parse().unwrap()..=last.parse().unwrap() {
                dates.push(civil::date(
                    year.parse().unwrap(),
                    month.parse().unwrap(),
                    day,
                ));
            }
        }
    }
    dates
}

#[test]
fn the_examples_of_the_standard_have_its_dates() {
    let new_york = zone("America/New_York");
    for (start, rule, expected, end) in EXAMPLES {
        let series = event(&[
            &format!("DTSTART;TZID=America/New_York:{start}T090000"),
            "DURATION:PT5M",
            &format!("RRULE:{rule}"),
        ]);
        let expected = days(expected);
        // What goes on is looked at up to the last day that is told.
        let to = match end {
            Here => civil::date(2100, 1, 1),
            Forever => expected.last().unwrap().tomorrow().unwrap(),
        };
        let range = Span::new(
            at("1990-01-01T00:00:00Z"),
            new_york.instant(to.at(0, 0, 0, 0)).unwrap(),
        );
        let (found, why) = starts(&series, "UTC", range.unwrap());
        assert!(why.is_empty(), "{rule}: {why:?}");
        let mut found: Vec<civil::Date> = found.iter().map(|s| new_york.date(at(s))).collect();
        found.dedup();
        assert_eq!(found, expected, "{start} {rule}");
    }
}

/// The times of day of the examples above.
#[test]
fn the_examples_of_the_standard_have_its_times() {
    let shown = |rule: &str, day: &str| {
        let series = event(&[
            "DTSTART:19970902T090000",
            "DURATION:PT5M",
            &format!("RRULE:{rule}"),
        ]);
        let next = format!("{day}T23:59:59Z");
        let (found, why) = starts(&series, "UTC", span(&format!("{day}T00:00:00Z"), &next));
        assert!(why.is_empty());
        let times: Vec<String> = found.iter().map(|s| s[11..16].to_owned()).collect();
        times.join(" ")
    };
    assert_eq!(
        shown(
            "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z",
            "1997-09-02"
        ),
        "09:00 12:00 15:00"
    );
    assert_eq!(
        shown(
            "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
            "1997-09-03"
        ),
        "09:00 09:20 09:40 10:00 10:20 10:40 11:00 11:20 11:40 12:00 12:20 12:40 13:00 13:20 13:40 \
         14:00 14:20 14:40 15:00 15:20 15:40 16:00 16:20 16:40"
    );
    assert_eq!(
        shown("FREQ=DAILY;BYHOUR=8;BYMINUTE=30;BYSECOND=60", "1997-09-03"),
        "08:30"
    );
}

/// The examples of the standard whose frequency is no calendar's are refused, not guessed at.
#[test]
fn the_examples_that_recur_every_few_minutes_are_refused() {
    for rule in [
        "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
        "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
        "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
    ] {
        let series = event(&[
            "DTSTART;TZID=America/New_York:19970902T090000",
            "DURATION:PT5M",
            &format!("RRULE:{rule}"),
        ]);
        let day = span("1997-09-02T00:00:00Z", "1997-09-03T00:00:00Z");
        let why = busy_in(&series, "UTC", day).unwrap_err().why;
        assert_eq!(why, Why::Rule(RuleProblem::TooOften), "{rule}");
    }
}

/// The MUST NOTs of section 3.3.10, and numbers out of their ranges.
#[test]
fn what_the_standard_rules_out_is_refused() {
    for rule in [
        "FREQ=DAILY;BYDAY=1MO",
        "FREQ=WEEKLY;BYDAY=-1FR",
        "FREQ=HOURLY;BYDAY=2TU",
        "FREQ=YEARLY;BYWEEKNO=10;BYDAY=1MO",
        "FREQ=WEEKLY;BYMONTHDAY=1",
        "FREQ=DAILY;BYYEARDAY=1",
        "FREQ=WEEKLY;BYYEARDAY=1",
        "FREQ=MONTHLY;BYYEARDAY=1",
        "FREQ=DAILY;BYWEEKNO=1",
        "FREQ=WEEKLY;BYWEEKNO=1",
        "FREQ=MONTHLY;BYWEEKNO=1",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=MONTHLY;BYMONTHDAY=-32",
        "FREQ=MONTHLY;BYDAY=0MO",
        "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=YEARLY;BYDAY=54MO",
        "FREQ=YEARLY;BYDAY=-32768MO",
        "FREQ=YEARLY;BYYEARDAY=0",
        "FREQ=YEARLY;BYYEARDAY=367",
        "FREQ=YEARLY;BYWEEKNO=0",
        "FREQ=YEARLY;BYWEEKNO=54",
        "FREQ=YEARLY;BYMONTH=0",
        "FREQ=YEARLY;BYMONTH=13",
        "FREQ=DAILY;BYHOUR=24",
        "FREQ=DAILY;BYMINUTE=60",
        "FREQ=DAILY;BYSECOND=61",
        "FREQ=DAILY;WKST=1MO",
        "FREQ=DAILY;COUNT=-1",
        "FREQ=DAILY;INTERVAL=1.5",
        "FREQ=DAILY;UNTIL=20260101T0000",
    ] {
        let series = event(&[
            "DTSTART:20260105T090000Z",
            "DURATION:PT1H",
            &format!("RRULE:{rule}"),
        ]);
        let week = span("2026-01-05T00:00:00Z", "2026-01-12T00:00:00Z");
        let refused = busy_in(&series, "UTC", week).expect_err(rule);
        assert!(matches!(refused.why, Why::Rule(_)), "{rule}: {refused}");
    }
}
