//! Rules that are made to take long, or that nobody can follow: an exact answer or a refusal.

use std::time::{Duration, Instant as Clock};

use super::*;
use crate::calendar::recurrence::EventRef;

fn day() -> Span {
    span("2026-09-10T00:00:00Z", "2026-09-11T00:00:00Z")
}

/// Runs it, and sees that it was quick even unoptimised on a busy machine.
fn quickly<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let began = Clock::now();
    let out = run();
    let took = began.elapsed();
    assert!(took < Duration::from_secs(5), "{what} took {took:?}");
    out
}

fn with_rule(start: &str, rule: &str) -> Calendar {
    event(&[
        &format!("DTSTART:{start}"),
        "DURATION:PT1H",
        &format!("RRULE:{rule}"),
    ])
}

#[test]
fn an_old_rule_is_answered_exactly_whatever_its_age() {
    for rule in [
        "FREQ=DAILY",
        "FREQ=DAILY;COUNT=1000000000",
        "FREQ=DAILY;UNTIL=20991231T000000Z",
        "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU",
        "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=900000000",
        "FREQ=MONTHLY;BYMONTHDAY=10",
        "FREQ=MONTHLY;BYDAY=2TH",
        "FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=10",
        "FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=10;COUNT=400",
        "FREQ=HOURLY;BYHOUR=9",
    ] {
        let calendar = with_rule("17000101T090000Z", rule);
        let found = quickly(rule, || busy_in(&calendar, "UTC", day()));
        assert_eq!(
            found.unwrap(),
            pairs(&[("2026-09-10T09:00:00Z", "2026-09-10T10:00:00Z")]),
            "{rule}"
        );
    }
}

/// COUNT is exhausted before the range, at the very day, and one day later.
#[test]
fn a_skipped_count_is_exact() {
    // From 1 January 1700 the 10th of September 2026 is day number 119,323.
    let start = jiff::civil::date(1700, 1, 1);
    let number = jiff::civil::date(2026, 9, 10)
        .duration_since(start)
        .as_hours()
        / 24
        + 1;
    for (count, expected) in [(number - 1, 0), (number, 1), (number + 1, 1)] {
        let calendar = with_rule("17000101T090000Z", &format!("FREQ=DAILY;COUNT={count}"));
        assert_eq!(
            busy_in(&calendar, "UTC", day()).unwrap().len(),
            expected,
            "{count}"
        );
    }
    // From a Wednesday: of its own week only Wednesday and Friday count.
    for (count, expected) in [
        (2, vec!["02", "04"]),
        (5, vec!["02", "04", "07", "09", "11"]),
        (6, vec!["02", "04", "07", "09", "11", "14"]),
    ] {
        let rule = format!("FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT={count}");
        let calendar = with_rule("20260902T090000Z", &rule);
        for first in 0..expected.len() {
            let from = format!("2026-09-{}T00:00:00Z", expected[first]);
            let (found, _) = starts(&calendar, "UTC", span(&from, "2026-10-30T00:00:00Z"));
            let days: Vec<String> = expected[first..]
                .iter()
                .map(|day| format!("2026-09-{day}T09:00:00Z"))
                .collect();
            assert_eq!(found, days, "{rule} from {from}");
        }
    }
}

#[test]
fn a_rule_that_recurs_too_often_or_never_or_not_by_the_book_is_incomplete() {
    let all_times = format!(
        "FREQ=DAILY;BYHOUR={};BYMINUTE={};BYSECOND={}",
        numbers(0, 23),
        numbers(0, 59),
        numbers(0, 59)
    );
    let positions = format!(
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYSETPOS={}",
        numbers(1, 366)
    );
    let long = format!("FREQ=DAILY;BYMONTHDAY={}", numbers(1, 31).repeat(60));
    for rule in [
        "FREQ=SECONDLY",
        "FREQ=MINUTELY;INTERVAL=60",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=HOURLY;INTERVAL=2;BYHOUR=4",
        "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2",
        "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=WEEKLY;BYMONTHDAY=3",
        "FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO",
        "FREQ=DAILY;BYSETPOS=2",
        "FREQ=MONTHLY;BYDAY=-5MO,1TU",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=99999999999999999999",
        "FREQ=DAILY;INTERVAL=-1",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;UNTIL=tomorrow",
        "FREQ=DAILY;FREQ=WEEKLY",
        "FREQ=DAILY;BYEASTER=0",
        "FREQ=DAILY;BYHOUR=25",
        "FREQ=FORTNIGHTLY",
        "RSCALE=CHINESE;FREQ=YEARLY",
        "DAILY",
        "BYDAY=MO",
        "",
        &all_times,
        &positions,
        &long,
    ] {
        let calendar = with_rule("17000101T090100Z", rule);
        let refused = quickly(rule, || busy_in(&calendar, "UTC", day())).unwrap_err();
        assert_eq!(
            refused.event,
            Some(EventRef {
                uid: Some("a1@example.test".to_owned()),
                line: 3
            }),
            "{rule}"
        );
        assert!(
            matches!(refused.why, Why::Rule(_) | Why::NeverMatches | Why::Steps),
            "{rule}: {refused}"
        );
        // A view still shows its first occurrence, and says so.
        let first = span("1699-12-31T00:00:00Z", "1700-01-02T00:00:00Z");
        let (shown, why) = quickly(rule, || starts(&calendar, "UTC", first));
        assert_eq!(shown, ["1700-01-01T09:01:00Z"], "{rule}");
        assert!(why.len() <= 1);
    }
}

fn numbers(from: u32, to: u32) -> String {
    let numbers: Vec<String> = (from..=to).map(|n| n.to_string()).collect();
    numbers.join(",")
}

#[test]
fn the_reason_is_told() {
    let why = |rule: &str| {
        let calendar = with_rule("20260901T090000Z", rule);
        busy_in(&calendar, "UTC", day()).unwrap_err().why
    };
    assert_eq!(why("FREQ=SECONDLY"), Why::Rule(RuleProblem::TooOften));
    assert_eq!(
        why("FREQ=DAILY;X-MORE=1"),
        Why::Rule(RuleProblem::Unknown("X-MORE".into()))
    );
    assert_eq!(
        why("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
        Why::NeverMatches
    );
    let calendar = with_rule("20260901T090000Z", "FREQ=DAILY;BYDAY=XX");
    assert_eq!(
        busy_in(&calendar, "UTC", day()).unwrap_err().to_string(),
        "event a1@example.test (line 3): the rule cannot be followed: BYDAY cannot be XX"
    );
}

/// An event that takes no time may have any rule.
#[test]
fn what_is_free_needs_no_exact_rule() {
    let free = event(&[
        "DTSTART:17000101T090000Z",
        "RRULE:FREQ=SECONDLY",
        "TRANSP:TRANSPARENT",
    ]);
    assert_eq!(busy_in(&free, "UTC", day()).unwrap(), []);
}

/// The step budget ends an expansion, of one event and of many, and never shortens it in silence.
#[test]
fn steps_run_out_before_patience_does() {
    let long = event(&[
        "DTSTART:17000101T090000Z",
        "DURATION:P200000D",
        "RRULE:FREQ=DAILY",
    ]);
    let refused = quickly("a long event", || busy_in(&long, "UTC", day()));
    assert_eq!(refused.unwrap_err().why, Why::Steps);

    let mut lines = Vec::new();
    for _ in 0..2_000 {
        lines.extend([
            "BEGIN:VEVENT",
            "DTSTART:20260101T090000Z",
            "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "END:VEVENT",
        ]);
    }
    let many = calendar(&lines);
    let (shown, why) = quickly("two thousand impossible rules", || {
        starts(
            &many,
            "UTC",
            span("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
        )
    });
    assert_eq!((shown.len(), why.len()), (2_000, 2_000));
}

/// The budget is the caller's: with fewer steps the same series is refused.
#[test]
fn the_caller_says_how_many_steps() {
    let daily = with_rule("20260901T090000Z", "FREQ=DAILY");
    let zone = zone("UTC");
    let host = Host {
        zone: &zone,
        addresses: &[],
    };
    let month = span("2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z");
    assert_eq!(
        busy(&daily, &host, month, &mut Budget::new(20))
            .unwrap_err()
            .why,
        Why::Steps
    );
    assert_eq!(
        busy(&daily, &host, month, &mut Budget::new(50))
            .unwrap()
            .len(),
        31
    );
}
