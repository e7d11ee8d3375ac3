//! Questions that are refused, and the ends of time.
use super::ask::*;
use crate::{
    availability::Window,
    instant::{Instant, Span},
    slots::{DstPolicy, Limits, Offered, Rule, SlotError, compute_slots, explain_slot, offered},
};

fn refusal(change: impl FnOnce(&mut Rule)) -> SlotError {
    let mut rule = rule("UTC", daily(&["09:00-17:00"]));
    change(&mut rule);
    rule.prepare().unwrap_err()
}

/// Pinned: errors, never an empty list.
#[test]
fn a_rule_that_means_nothing_is_refused_by_name() {
    for (given, code) in [
        (
            refusal(|rule| rule.duration_min = 0),
            "duration_out_of_range",
        ),
        (
            refusal(|rule| rule.duration_min = 481),
            "duration_out_of_range",
        ),
        (refusal(|rule| rule.step_min = 0), "step_out_of_range"),
        (
            refusal(|rule| rule.step_min = u32::MAX),
            "step_out_of_range",
        ),
        (
            refusal(|rule| rule.before_buffer_min = 1441),
            "buffer_out_of_range",
        ),
        (
            refusal(|rule| rule.after_buffer_min = u32::MAX),
            "buffer_out_of_range",
        ),
    ] {
        assert_eq!(given.code(), code, "{given}");
    }
    let window = |weekday, start_min, end_min| Window {
        weekday,
        start_min,
        end_min,
    };
    for (weekday, start_min, end_min) in [
        (1, 600, 600),
        (1, 700, 600),
        (1, 600, 1441),
        (0, 1440, 1440),
    ] {
        let inverted = refusal(|rule| rule.windows.push(window(weekday, start_min, end_min)));
        assert_eq!(
            inverted,
            SlotError::WindowInverted {
                weekday,
                start_min,
                end_min
            }
        );
        let inverted = refusal(|rule| {
            rule.overrides
                .insert(date("2026-12-24"), vec![(start_min, end_min)]);
        });
        let date = date("2026-12-24");
        assert_eq!(
            inverted,
            SlotError::OverrideInverted {
                date,
                start_min,
                end_min
            }
        );
    }
    assert_eq!(
        refusal(|rule| rule.windows.push(window(7, 0, 60))),
        SlotError::WeekdayOutOfRange { weekday: 7 }
    );
    let (from, to) = (at("2026-06-01T10:00:00Z"), at("2026-06-01T10:00:00Z"));
    assert_eq!(
        refusal(|rule| rule.available.push(Span { from, to })),
        SlotError::SpanInverted { from, to }
    );
    let (from, until) = (date("2026-06-02"), date("2026-06-01"));
    assert_eq!(
        refusal(|rule| (rule.bookable_from, rule.bookable_until) = (Some(from), Some(until))),
        SlotError::BookableDatesInverted { from, until }
    );
}

#[test]
fn the_edges_of_every_range_are_allowed() {
    for (duration_min, step_min, buffer, notice_min, horizon_days) in [
        (1, 1, 0, 0, 0),
        (480, 480, 1440, 10_080, 365),
        (480, 1, 1440, u32::MAX, u32::MAX),
    ] {
        let rule = Rule {
            duration_min,
            step_min,
            before_buffer_min: buffer,
            after_buffer_min: buffer,
            notice_min,
            horizon_days,
            ..rule("UTC", daily(&["00:00-24:00"]))
        };
        assert!(rule.prepare().is_ok(), "{rule:?}");
    }
}

#[test]
fn a_range_is_not_empty_and_holds_at_most_400_days() {
    let rule = rule("UTC", daily(&["09:00-17:00"]));
    let from = at("2026-06-01T00:00:00Z");
    let ask = |to: Instant| list(&rule, &free(), from, from, to);
    assert_eq!(ask(from), Err(SlotError::RangeEmpty { from, to: from }));
    let before = from.plus_minutes(-1);
    assert_eq!(ask(before), Err(SlotError::RangeEmpty { from, to: before }));
    let longest = from.plus_minutes(400 * 1440);
    assert!(ask(longest).is_ok());
    assert_eq!(
        ask(longest.plus(jiff::SignedDuration::from_micros(1))),
        Err(SlotError::RangeTooLong)
    );
}

/// A rule without windows is a rule: the host is closed.
#[test]
fn no_windows_is_an_empty_list_and_no_error() {
    assert_eq!(
        starts(
            &rule("UTC", Vec::new()),
            &free(),
            "2026-06-01",
            "2026-06-30"
        ),
        []
    );
}

/// jiff's time ends in the years -9999 and 9999. Nothing panics, loops or overflows there.
#[test]
fn the_ends_of_time_are_quiet() {
    let first = Instant::new(jiff::Timestamp::MIN);
    let last = Instant::new(jiff::Timestamp::MAX);
    let month = 30 * 1440;
    for zone in [
        "UTC",
        "Pacific/Kiritimati",
        "America/New_York",
        "Pacific/Pago_Pago",
    ] {
        for policy in [DstPolicy::Strict, DstPolicy::Elapsed] {
            let mut rule = rule(zone, daily(&["00:00-24:00"]));
            rule.dst_policy = policy;
            rule.cross_midnight = true;
            (rule.before_buffer_min, rule.after_buffer_min) = (1440, 1440);
            rule.limits = Limits {
                per_day: Some(3),
                per_week: Some(9),
                per_month: Some(20),
            };
            rule.available = vec![Span {
                from: first,
                to: last,
            }];
            rule.horizon_days = u32::MAX;
            let rule = rule.prepare().unwrap();
            let labelled = crate::slots::LabelledBusy::default();
            for (now, from, to) in [
                (first, first, first.plus_minutes(month)),
                (last.plus_minutes(-month), last.plus_minutes(-month), last),
                (first, last.plus_minutes(-month), last),
                (last, first, first.plus_minutes(month)),
            ] {
                let slots = compute_slots(&rule, &free(), now, from, to).unwrap();
                assert_eq!(slots.is_empty(), now == last, "{zone} {now} {from} {to}");
                for slot in slots.iter().take(3).chain(slots.iter().rev().take(3)) {
                    assert_eq!(
                        offered(&rule, &free(), now, slot.start),
                        Offered::Free(*slot)
                    );
                    assert_eq!(slot.end.since(slot.start).as_mins(), 60);
                }
                for start in [from, to] {
                    let free_there =
                        matches!(offered(&rule, &free(), now, start), Offered::Free(_));
                    let reasons = explain_slot(&rule, &labelled, now, start);
                    assert_eq!(reasons.is_empty(), free_there, "{zone} {start} {reasons:?}");
                }
            }
        }
    }
}

/// Notice beyond the horizon: nothing, and at once.
#[test]
fn notice_longer_than_the_horizon_offers_nothing() {
    let mut rule = rule("UTC", daily(&["09:00-17:00"]));
    (rule.notice_min, rule.horizon_days) = (7200, 2);
    let now = at("2023-07-04T08:00:00Z");
    assert_eq!(
        list(&rule, &free(), now, now, now.plus_minutes(30 * 1440)),
        Ok(Vec::new())
    );
}
