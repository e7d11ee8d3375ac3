//! Reasons, one by one.
use super::ask::*;
use crate::{
    availability::Window,
    instant::Day,
    slots::{
        DstPolicy, Edge, LabelledBusy, LabelledSpan, Limits, Period, Reason, Rule, Source,
        explain_slot,
    },
};

fn explain(rule: &Rule, busy: &LabelledBusy, start: &str) -> Vec<Reason> {
    explain_slot(
        &rule.prepare().unwrap(),
        busy,
        at("2026-03-01T00:00:00Z"),
        at(start),
    )
}

fn quiet(rule: &Rule, start: &str) -> Vec<Reason> {
    explain(rule, &LabelledBusy::default(), start)
}

fn wall(text: &str) -> jiff::civil::DateTime {
    text.parse().unwrap()
}

fn labelled(from: &str, to: &str, source: Source) -> LabelledBusy {
    LabelledBusy {
        spans: vec![LabelledSpan {
            span: span(from, to),
            source,
        }],
        starts: Vec::new(),
    }
}

#[test]
fn an_offered_start_has_no_reasons() {
    assert_eq!(
        quiet(
            &rule("UTC", daily(&["09:00-12:00"])),
            "2026-06-01T09:00:00Z"
        ),
        []
    );
}

#[test]
fn hours_and_grid() {
    let weekly = rule("Asia/Tokyo", daily(&["09:15-12:00", "13:00-17:00"]));
    let rule = with_override(weekly, "2026-06-02", &[]);
    assert_eq!(
        quiet(&rule, "2026-06-01T03:30:00Z"),
        [Reason::OutsideHours {
            wall: wall("2026-06-01T12:30")
        }]
    );
    assert_eq!(
        quiet(&rule, "2026-06-02T01:15:00Z"),
        [Reason::DayOff {
            date: Day(date("2026-06-02"))
        }]
    );
    assert_eq!(
        quiet(&rule, "2026-06-01T01:00:00Z"),
        [Reason::OffGrid {
            first_start: wall("2026-06-01T09:15"),
            step_min: 60
        }]
    );
    assert_eq!(
        quiet(&rule, "2026-06-01T02:15:00Z"),
        [Reason::PastWindowEnd {
            window_end: wall("2026-06-01T12:00")
        }]
    );
}

#[test]
fn an_exception_has_a_grid_and_an_end_too() {
    let mut rule = every(rule("UTC", Vec::new()), 30, 30);
    rule.available = vec![span("2026-06-01T20:10:00Z", "2026-06-01T21:00:00Z")];
    assert_eq!(quiet(&rule, "2026-06-01T20:10:00Z"), []);
    assert_eq!(
        quiet(&rule, "2026-06-01T20:20:00Z"),
        [Reason::OffGrid {
            first_start: wall("2026-06-01T20:10"),
            step_min: 30
        }]
    );
    assert_eq!(
        quiet(&rule, "2026-06-01T20:40:00Z"),
        [Reason::PastWindowEnd {
            window_end: wall("2026-06-01T21:00")
        }]
    );
}

#[test]
fn midnight() {
    let windows = [on(1, &["22:00-24:00"]), on(2, &["00:00-02:00"])].concat();
    let rule = every(rule("Asia/Tokyo", windows), 60, 30);
    let crosses = Reason::CrossesMidnight {
        midnight: wall("2026-06-02T00:00"),
    };
    assert_eq!(quiet(&rule, "2026-06-01T14:30:00Z"), [crosses]);
    let allowed = Rule {
        cross_midnight: true,
        ..rule.clone()
    };
    assert_eq!(quiet(&allowed, "2026-06-01T14:30:00Z"), []);
    assert_eq!(quiet(&allowed, "2026-06-01T15:30:00Z"), []);
    assert_eq!(
        quiet(&allowed, "2026-06-01T15:40:00Z"),
        [Reason::OffGrid {
            first_start: wall("2026-06-01T22:00"),
            step_min: 30
        }]
    );
    // Nothing opens at midnight: the window simply ends.
    let closed = with_override(rule, "2026-06-02", &[]);
    assert_eq!(
        quiet(&closed, "2026-06-01T14:30:00Z"),
        [Reason::PastWindowEnd {
            window_end: wall("2026-06-02T00:00")
        }]
    );
    let elapsed = Rule {
        dst_policy: DstPolicy::Elapsed,
        ..every(
            super::ask::rule("America/Nuuk", daily(&["21:00-24:00"])),
            60,
            30,
        )
    };
    let crosses = Reason::CrossesMidnight {
        midnight: wall("2026-03-29T00:00"),
    };
    assert_eq!(quiet(&elapsed, "2026-03-29T00:30:00Z"), [crosses]);
}

#[test]
fn gap_fold_and_length() {
    let new_york = every(rule("America/New_York", daily(&["00:00-05:00"])), 30, 30);
    let reason = |rule: &Rule, start: &str| quiet(rule, start);
    // 01:30 EST ends at a 02:00 that is skipped.
    let end_skipped = Reason::DstGap {
        edge: Edge::End,
        wall: wall("2026-03-08T02:00"),
    };
    assert_eq!(reason(&new_york, "2026-03-08T06:30:00Z"), [end_skipped]);
    let end_twice = Reason::DstFold {
        edge: Edge::End,
        wall: wall("2026-11-01T01:00"),
    };
    assert_eq!(reason(&new_york, "2026-11-01T04:30:00Z"), [end_twice]);
    for pass in ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"] {
        let start_twice = Reason::DstFold {
            edge: Edge::Start,
            wall: wall("2026-11-01T01:30"),
        };
        assert_eq!(reason(&new_york, pass), [start_twice], "{pass}");
    }
    let hours = every(new_york.clone(), 120, 30);
    assert_eq!(
        reason(&hours, "2026-03-08T06:30:00Z"),
        [Reason::DstLength { elapsed_min: 60 }]
    );
    assert_eq!(
        reason(&hours, "2026-11-01T04:30:00Z"),
        [Reason::DstLength { elapsed_min: 180 }]
    );
    // Elapsed: the second pass is no start, the first is.
    let elapsed = Rule {
        dst_policy: DstPolicy::Elapsed,
        ..new_york
    };
    let start_twice = Reason::DstFold {
        edge: Edge::Start,
        wall: wall("2026-11-01T01:30"),
    };
    assert_eq!(reason(&elapsed, "2026-11-01T06:30:00Z"), [start_twice]);
    assert_eq!(reason(&elapsed, "2026-11-01T05:30:00Z"), []);
}

#[test]
fn notice_horizon_and_dates() {
    let mut rule = rule("Asia/Tokyo", daily(&["09:00-17:00"]));
    (rule.notice_min, rule.horizon_days) = (120, 2);
    rule.bookable_from = Some(date("2026-03-03"));
    // 09:00 in Tokyo is now.
    assert_eq!(
        quiet(&rule, "2026-03-01T01:00:00Z"),
        [
            Reason::BeforeNotice {
                earliest: at("2026-03-01T02:00:00Z")
            },
            Reason::OutsideBookableDates {
                date: Day(date("2026-03-01")),
                from: Some(Day(date("2026-03-03"))),
                until: None,
            },
        ]
    );
    assert_eq!(
        quiet(&rule, "2026-03-04T00:30:00Z"),
        [
            Reason::OffGrid {
                first_start: wall("2026-03-04T09:00"),
                step_min: 60
            },
            Reason::BeyondHorizon {
                latest: at("2026-03-03T00:00:00Z")
            },
        ]
    );
}

#[test]
fn busy_and_buffers_name_the_span_and_its_source() {
    let mut rule = rule("UTC", daily(&["09:00-12:00"]));
    (rule.before_buffer_min, rule.after_buffer_min) = (10, 20);
    let calendar = Source::Event {
        calendar: Some("Home".to_owned()),
    };
    for (from, to, source) in [
        (
            "2026-06-01T10:59:00Z",
            "2026-06-01T11:30:00Z",
            calendar.clone(),
        ),
        (
            "2026-06-01T09:00:00Z",
            "2026-06-01T10:01:00Z",
            Source::Booking,
        ),
    ] {
        let reasons = explain(
            &rule,
            &labelled(from, to, source.clone()),
            "2026-06-01T10:00:00Z",
        );
        assert_eq!(
            reasons,
            [Reason::Busy {
                from: at(from),
                to: at(to),
                source
            }]
        );
    }
    let (from, to) = ("2026-06-01T09:30:00Z", "2026-06-01T09:50:01Z");
    let source = Source::Exception;
    let reasons = explain(
        &rule,
        &labelled(from, to, source.clone()),
        "2026-06-01T10:00:00Z",
    );
    assert_eq!(
        reasons,
        [Reason::BufferBefore {
            from: at(from),
            to: at(to),
            source
        }]
    );
    let (from, to) = ("2026-06-01T11:19:59Z", "2026-06-01T11:30:00Z");
    let reasons = explain(
        &rule,
        &labelled(from, to, calendar.clone()),
        "2026-06-01T10:00:00Z",
    );
    assert_eq!(
        reasons,
        [Reason::BufferAfter {
            from: at(from),
            to: at(to),
            source: calendar.clone()
        }]
    );
    for (from, to) in [
        ("2026-06-01T09:30:00Z", "2026-06-01T09:50:00Z"),
        ("2026-06-01T11:20:00Z", "2026-06-01T11:30:00Z"),
    ] {
        assert_eq!(
            explain(
                &rule,
                &labelled(from, to, calendar.clone()),
                "2026-06-01T10:00:00Z"
            ),
            []
        );
    }
}

/// What touches the meeting is in the way of its buffer only.
#[test]
fn what_touches_the_meeting_is_a_matter_of_its_buffer() {
    let mut rule = rule("UTC", daily(&["09:00-12:00"]));
    (rule.before_buffer_min, rule.after_buffer_min) = (10, 20);
    let ask = |from, to| {
        explain(
            &rule,
            &labelled(from, to, Source::Booking),
            "2026-06-01T10:00:00Z",
        )
    };
    assert!(matches!(
        ask("2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z")[..],
        [Reason::BufferBefore { .. }]
    ));
    assert!(matches!(
        ask("2026-06-01T11:00:00Z", "2026-06-01T12:00:00Z")[..],
        [Reason::BufferAfter { .. }]
    ));
}

/// One offer that stands is enough: what speaks against the other is not said.
#[test]
fn a_start_offered_twice_needs_one_offer_that_stands() {
    let windows = [on(1, &["22:00-24:00"]), on(2, &["00:00-02:00"])].concat();
    let mut rule = rule("UTC", windows);
    rule.cross_midnight = true;
    rule.available = vec![span("2026-06-09T00:00:00Z", "2026-06-09T03:00:00Z")];
    rule.bookable_until = Some(date("2026-06-08"));
    assert_eq!(quiet(&rule, "2026-06-09T01:00:00Z"), []);
    assert!(matches!(
        quiet(&rule, "2026-06-09T02:00:00Z")[..],
        [Reason::OutsideBookableDates { .. }]
    ));
}

#[test]
fn every_span_in_the_way_is_named() {
    let rule = rule("UTC", daily(&["09:00-12:00"]));
    let mut busy = labelled(
        "2026-06-01T10:00:00Z",
        "2026-06-01T10:10:00Z",
        Source::Booking,
    );
    busy.spans.extend(
        labelled(
            "2026-06-01T10:05:00Z",
            "2026-06-01T10:30:00Z",
            Source::Exception,
        )
        .spans,
    );
    busy.spans.extend(
        labelled(
            "2026-06-01T12:05:00Z",
            "2026-06-01T12:30:00Z",
            Source::Exception,
        )
        .spans,
    );
    assert_eq!(explain(&rule, &busy, "2026-06-01T10:00:00Z").len(), 2);
}

#[test]
fn limits_say_how_many_there_are() {
    let mut rule = rule("UTC", daily(&["09:00-12:00"]));
    rule.limits = Limits {
        per_day: Some(2),
        per_week: Some(2),
        per_month: Some(3),
    };
    let starts = vec![
        at("2026-06-05T09:00:00Z"),
        at("2026-06-01T10:00:00Z"),
        at("2026-06-01T11:00:00Z"),
    ];
    let busy = LabelledBusy {
        spans: Vec::new(),
        starts,
    };
    assert_eq!(
        explain(&rule, &busy, "2026-06-01T09:00:00Z"),
        [
            Reason::LimitReached {
                period: Period::Day,
                limit: 2,
                booked: 2
            },
            Reason::LimitReached {
                period: Period::Week,
                limit: 2,
                booked: 3
            },
            Reason::LimitReached {
                period: Period::Month,
                limit: 3,
                booked: 3
            },
        ]
    );
}

/// A start that nothing offers still tells what else is in its way, once.
#[test]
fn reasons_add_up_and_are_said_once() {
    let mut rule = rule(
        "UTC",
        vec![Window {
            weekday: 1,
            start_min: 540,
            end_min: 720,
        }],
    );
    rule.available = vec![span("2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z")];
    let busy = labelled(
        "2026-06-01T09:00:00Z",
        "2026-06-01T10:00:00Z",
        Source::Booking,
    );
    assert_eq!(
        explain(&rule, &busy, "2026-06-01T09:00:00Z").len(),
        1,
        "window and exception"
    );
    let reasons = explain(&rule, &busy, "2026-06-02T09:00:00Z");
    assert_eq!(
        reasons,
        [Reason::OutsideHours {
            wall: wall("2026-06-02T09:00")
        }]
    );
}

#[test]
fn a_reason_is_json_with_a_code() {
    let mut rule = rule("Asia/Tokyo", daily(&["09:00-12:00"]));
    rule.bookable_until = Some(date("2026-05-31"));
    let busy = labelled(
        "2026-06-01T00:00:00Z",
        "2026-06-01T01:00:00Z",
        Source::Event {
            calendar: Some("Home".to_owned()),
        },
    );
    assert_eq!(
        serde_json::to_value(explain(&rule, &busy, "2026-06-01T00:30:00Z")).unwrap(),
        serde_json::json!([
            {"code": "off_grid", "first_start": "2026-06-01T09:00:00", "step_min": 60},
            {"code": "outside_bookable_dates", "date": "2026-06-01", "from": null, "until": "2026-05-31"},
            {"code": "busy", "from": "2026-06-01T00:00:00Z", "to": "2026-06-01T01:00:00Z",
             "source": {"kind": "event", "calendar": "Home"}},
        ])
    );
}
