//! What an expansion costs, in steps: the only measure of time that is the same everywhere.

use super::*;
use crate::calendar::recurrence::EVENT_STEPS;

/// Rules whose dates in a window cost the same whatever the age of DTSTART. `?` is its day.
const AGELESS: [&str; 30] = [
    "FREQ=DAILY",
    "FREQ=DAILY;INTERVAL=3",
    "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=DAILY;BYMONTH=9",
    "FREQ=DAILY;COUNT=150000",
    "FREQ=DAILY;COUNT=1000000000",
    "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=150000",
    "FREQ=DAILY;BYMONTHDAY=1,31;COUNT=1000000000",
    "FREQ=DAILY;UNTIL=20990101T000000Z",
    "FREQ=WEEKLY;BYDAY=MO,WE,FR",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,WE",
    "FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=100000",
    "FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=-1;COUNT=1000000000",
    "FREQ=MONTHLY",
    "FREQ=MONTHLY;BYDAY=2TU,-1FR",
    "FREQ=MONTHLY;BYDAY=2TU,4TU;COUNT=10000",
    "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=10000",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=10000",
    "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
    "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=1000000000",
    "FREQ=YEARLY",
    "FREQ=YEARLY;COUNT=5000",
    "FREQ=YEARLY;BYMONTH=9,10;BYDAY=1MO;COUNT=5000",
    "FREQ=YEARLY;BYWEEKNO=38,39;BYDAY=MO;COUNT=5000",
    "FREQ=YEARLY;BYYEARDAY=250,300;COUNT=5000",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
    "FREQ=HOURLY;INTERVAL=6",
    "FREQ=HOURLY;INTERVAL=6;COUNT=1000000",
    "FREQ=HOURLY;BYHOUR=9,15;BYDAY=MO",
];

/// The steps and the starts of a rule in 60 days of 2026.
fn cost(start: &str, rule: &str) -> (u64, Vec<String>) {
    let series = event(&[
        &format!("DTSTART:{start}T090000Z"),
        "DURATION:PT1H",
        &format!("RRULE:{rule}"),
    ]);
    let zone = zone("UTC");
    let host = Host {
        zone: &zone,
        addresses: &[],
    };
    let window = span("2026-09-01T00:00:00Z", "2026-10-31T00:00:00Z");
    let mut budget = Budget::new(1_000_000);
    let found = busy(&series, &host, window, &mut budget).expect(rule);
    let starts = found.iter().map(|span| span.from.to_string()).collect();
    (1_000_000 - budget.left(), starts)
}

/// A window costs what it shows and a little more, whether a series is a year old or three hundred.
///
/// DTSTART is moved by whole cycles of the calendar (28 years between 1901 and 2099, which keep
/// weekdays and leap years; 400 in all), so that the dates are the same. Turns red when `dates`
/// no longer skips whole periods.
#[test]
fn a_window_costs_the_same_whatever_the_age_of_its_series() {
    for rule in AGELESS {
        let (recent, expected) = cost("20240903", rule);
        for older in ["19960903", "19120903"] {
            let (steps, found) = cost(older, rule);
            if !rule.contains("INTERVAL") {
                assert_eq!(found, expected, "{rule} from {older}");
            }
            assert!(
                steps <= recent + 10,
                "{rule}: {recent} steps from 2024, {steps} from {older}"
            );
        }
        for older in ["16240903", "12240903"] {
            let (steps, found) = cost(older, rule);
            if rule.contains("COUNT=1000000000") || !rule.contains("COUNT") {
                assert!(found.len() <= expected.len() + 2, "{rule} from {older}");
            }
            assert!(
                steps <= recent + 10,
                "{rule}: {recent} steps from 2024, {steps} from {older}"
            );
        }
    }
}

/// Where the periods of a rule with COUNT have different numbers of dates, they are counted one
/// by one: the cost grows with the age, up to the limit of an event, and then it is refused.
#[test]
fn an_irregular_count_is_counted_or_refused() {
    let (recent, _) = cost("20250903", "FREQ=MONTHLY;BYMONTHDAY=31;COUNT=5000");
    let (old, found) = cost("17000903", "FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3000");
    assert!(old > recent + 2_000, "{recent} and {old} steps");
    assert_eq!(
        found, ["2026-10-31T09:00:00Z"; 0],
        "the window ends before it"
    );
    let refused = event(&[
        "DTSTART:17000101T090000Z",
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11;COUNT=110000",
    ]);
    let day = span("2026-09-01T00:00:00Z", "2026-09-02T00:00:00Z");
    assert_eq!(busy_in(&refused, "UTC", day).unwrap_err().why, Why::Steps);
}

/// The calendar comes round after 400 years: a rule whose next date is centuries away, or whose
/// interval is, is answered as it is.
#[test]
fn a_rule_with_long_pauses_is_exact() {
    for (start, rule, from, to, expected) in [
        // Three of four centuries have no leap day at their turn.
        (
            "18960229",
            "FREQ=YEARLY",
            "1897",
            "1907",
            vec!["1904-02-29"],
        ),
        (
            "20960229",
            "FREQ=YEARLY",
            "2097",
            "2107",
            vec!["2104-02-29"],
        ),
        (
            "16000101",
            "FREQ=YEARLY;INTERVAL=426",
            "2000",
            "2030",
            vec!["2026-01-01"],
        ),
        (
            "16000101",
            "FREQ=YEARLY;INTERVAL=500",
            "2000",
            "2030",
            vec![],
        ),
        (
            "00010101",
            "FREQ=MONTHLY;INTERVAL=24300",
            "2000",
            "2030",
            vec!["2026-01-01"],
        ),
        (
            "20260101",
            "FREQ=DAILY;INTERVAL=65535",
            "2026",
            "2030",
            vec!["2026-01-01"],
        ),
        (
            "99000101",
            "FREQ=YEARLY;INTERVAL=50",
            "9940",
            "9960",
            vec!["9950-01-01"],
        ),
    ] {
        let series = event(&[
            &format!("DTSTART;VALUE=DATE:{start}"),
            &format!("RRULE:{rule}"),
        ]);
        let range = span(
            &format!("{from}-01-01T00:00:00Z"),
            &format!("{to}-01-01T00:00:00Z"),
        );
        let (found, why) = starts(&series, "UTC", range);
        assert!(why.is_empty(), "{rule}: {why:?}");
        let found: Vec<&str> = found.iter().map(|start| &start[..10]).collect();
        assert_eq!(found, expected, "{start} {rule}");
    }
}

/// Lists cost steps as well: what has more of them than the caller allows is not answered.
#[test]
fn a_long_list_of_dates_takes_its_steps() {
    let dates = vec!["20260901T090000Z"; 5_000].join(",");
    let listed = event(&[
        "DTSTART:20260101T090000Z",
        "DURATION:PT1H",
        &format!("RDATE:{dates}"),
    ]);
    let day = span("2026-09-01T00:00:00Z", "2026-09-02T00:00:00Z");
    let zone = zone("UTC");
    let host = Host {
        zone: &zone,
        addresses: &[],
    };
    let mut enough = Budget::new(EVENT_STEPS);
    assert_eq!(busy(&listed, &host, day, &mut enough).unwrap().len(), 1);
    assert_eq!(EVENT_STEPS - enough.left(), 5_000);
    let few = busy(&listed, &host, day, &mut Budget::new(4_999));
    assert_eq!(few.unwrap_err().why, Why::Steps);
}
