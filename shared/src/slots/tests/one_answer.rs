//! What a booking asks: free, taken or not offered.
use super::ask::*;
use crate::{
    instant::Instant,
    slots::{Busy, Limits, Offered, Rule, Slot, offered},
};

fn ask(rule: &Rule, busy: &Busy, start: &str) -> Offered {
    offered(
        &rule.prepare().unwrap(),
        busy,
        at("2026-06-01T00:00:00Z"),
        at(start),
    )
}

#[test]
fn a_start_is_free_taken_or_not_offered() {
    let mut rule = rule("UTC", daily(&["09:00-12:00"]));
    (rule.before_buffer_min, rule.notice_min, rule.horizon_days) = (30, 24 * 60, 7);
    (rule.bookable_from, rule.bookable_until) =
        (Some(date("2026-06-03")), Some(date("2026-06-07")));
    let taken = busy(&[span("2026-06-03T10:00:00Z", "2026-06-03T10:31:00Z")]);
    let (start, end): (Instant, Instant) = (at("2026-06-03T09:00:00Z"), at("2026-06-03T10:00:00Z"));
    assert_eq!(
        ask(&rule, &taken, "2026-06-03T09:00:00Z"),
        Offered::Free(Slot { start, end })
    );
    for (start, why) in [
        ("2026-06-03T10:00:00Z", "itself"),
        ("2026-06-03T11:00:00Z", "its buffer"),
    ] {
        assert_eq!(ask(&rule, &taken, start), Offered::Taken, "{why}");
    }
    for (start, why) in [
        ("2026-06-03T09:30:00Z", "off the grid"),
        ("2026-06-03T09:00:00.000001Z", "off the grid"),
        ("2026-06-03T12:00:00Z", "outside the hours"),
        ("2026-06-01T11:00:00Z", "notice"),
        ("2026-06-02T09:00:00Z", "before the dates"),
        (
            "2026-06-08T09:00:00Z",
            "after the dates, and beyond the horizon",
        ),
    ] {
        assert_eq!(ask(&rule, &taken, start), Offered::NotOffered, "{why}");
    }
}

/// A start that is never offered is not called taken because something is there.
#[test]
fn what_is_not_offered_is_not_taken() {
    let mut rule = rule("UTC", daily(&["09:00-12:00"]));
    rule.horizon_days = 1;
    let taken = busy(&[span("2026-06-01T00:00:00Z", "2026-06-30T00:00:00Z")]);
    assert_eq!(
        ask(&rule, &taken, "2026-06-01T09:30:00Z"),
        Offered::NotOffered
    );
    assert_eq!(
        ask(&rule, &taken, "2026-06-05T09:00:00Z"),
        Offered::NotOffered
    );
    assert_eq!(ask(&rule, &taken, "2026-06-01T09:00:00Z"), Offered::Taken);
}

#[test]
fn a_full_day_is_taken() {
    let mut rule = rule("UTC", daily(&["09:00-12:00"]));
    rule.limits = Limits {
        per_day: Some(1),
        ..Limits::default()
    };
    let booked = Busy::new(Vec::new(), Vec::new(), vec![at("2026-06-03T20:00:00Z")]);
    assert_eq!(ask(&rule, &booked, "2026-06-03T09:00:00Z"), Offered::Taken);
    assert!(matches!(
        ask(&rule, &booked, "2026-06-04T09:00:00Z"),
        Offered::Free(_)
    ));
}

/// Case hor-13: a start at this very instant, without notice, is listed and can be booked.
#[test]
fn now_itself_is_listed_and_bookable() {
    let rule = rule("UTC", daily(&["09:00-17:00"]));
    let now = at("2023-11-29T14:00:00Z");
    assert_eq!(
        list(&rule, &free(), now, now, now.plus_minutes(60)),
        Ok(vec![now])
    );
    let prepared = rule.prepare().unwrap();
    assert!(matches!(
        offered(&prepared, &free(), now, now),
        Offered::Free(_)
    ));
    let late = now.plus(jiff::SignedDuration::from_micros(1));
    assert_eq!(offered(&prepared, &free(), late, now), Offered::NotOffered);
}

/// The tail of a window that the last bookable date owns, and an exception that offers the same
/// start on a date that is not bookable: one yes is enough.
#[test]
fn a_start_offered_twice_is_free_if_one_offer_stands() {
    let windows = [on(1, &["22:00-24:00"]), on(2, &["00:00-02:00"])].concat();
    let mut rule = rule("UTC", windows);
    rule.cross_midnight = true;
    rule.available = vec![span("2026-06-09T00:00:00Z", "2026-06-09T03:00:00Z")];
    rule.bookable_until = Some(date("2026-06-08"));
    assert!(matches!(
        ask(&rule, &free(), "2026-06-09T01:00:00Z"),
        Offered::Free(_)
    ));
    assert_eq!(
        ask(&rule, &free(), "2026-06-09T02:00:00Z"),
        Offered::NotOffered
    );
}
