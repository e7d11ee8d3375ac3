//! Properties over random rules, zones, busy times and changes of the clock.
use proptest::{collection::vec, option, prelude::*};

use super::{
    ask::{at, zone},
    model::{self, Asked},
};
use crate::{
    availability::Window,
    instant::{Instant, Span},
    slots::{
        Busy, DstPolicy, LabelledBusy, LabelledSpan, Limits, Offered, PreparedRule, Reason, Rule,
        Slot, Source, compute_slots, explain_slot, group_by_date, offered,
    },
};

/// Zones and moments shortly before something happens to their clocks, and two where nothing does.
const MOMENTS: [(&str, &str); 16] = [
    ("America/New_York", "2025-03-07T12:00:00Z"),
    ("America/New_York", "2025-10-31T12:00:00Z"),
    ("Europe/Berlin", "2026-03-27T12:00:00Z"),
    ("Australia/Lord_Howe", "2026-04-03T12:00:00Z"),
    ("Australia/Lord_Howe", "2026-10-02T12:00:00Z"),
    ("America/Santiago", "2026-09-04T12:00:00Z"),
    ("Asia/Beirut", "2026-03-27T12:00:00Z"),
    ("Asia/Beirut", "2026-10-23T12:00:00Z"),
    ("America/Havana", "2025-10-31T12:00:00Z"),
    ("America/Nuuk", "2026-03-27T12:00:00Z"),
    ("America/Nuuk", "2026-10-23T12:00:00Z"),
    ("Africa/Casablanca", "2025-02-21T12:00:00Z"),
    ("Pacific/Apia", "2011-12-28T12:00:00Z"),
    ("Antarctica/Troll", "2026-03-27T12:00:00Z"),
    ("Asia/Kathmandu", "2026-06-27T12:00:00Z"),
    ("UTC", "2026-12-30T12:00:00Z"),
];

fn range() -> impl Strategy<Value = (u16, u16)> {
    prop_oneof![
        3 => Just((0, 1440)),
        2 => (0_u16..90).prop_map(|start| (1440 - 5 * (start + 1), 1440)),
        2 => (1_u16..60).prop_map(|end| (0, 5 * end)),
        // The hours in which clocks change.
        5 => (0_u16..24, 12_u16..60).prop_map(|(start, length)| (5 * start, 5 * (start + length))),
        3 => (0_u16..280, 1_u16..120).prop_map(|(start, length)| {
            (5 * start, (5 * (start + length)).min(1440))
        }),
        1 => (0_u16..1440, 1_u16..1440).prop_map(|(start, length)| (start, (start + length).min(1440))),
    ]
}

/// A span that begins so many minutes after a moment.
fn span_after(moment: Instant) -> impl Strategy<Value = Span> {
    (0_i64..10 * 1440, prop_oneof![1_i64..180, 180_i64..2000]).prop_map(move |(after, length)| {
        let from = moment.plus_minutes(after);
        Span {
            from,
            to: from.plus_minutes(length),
        }
    })
}

prop_compose! {
    fn shape()(
        windows in vec((0_u8..7, range()), 0..18),
        overrides in vec((0_i64..9, vec(range(), 0..3)), 0..4),
        cross_midnight in any::<bool>(),
        duration_min in prop_oneof![3 => Just(30_u32), 3 => Just(60), 1 => Just(480), 2 => 1_u32..=480],
        step_min in prop_oneof![2 => Just(30_u32), 2 => Just(50), 1 => 5_u32..=480],
        buffers in (prop_oneof![Just(0_u32), 1_u32..=120], prop_oneof![Just(0_u32), 1_u32..=120]),
        notice_min in prop_oneof![3 => Just(0_u32), 1 => 0_u32..4000],
        horizon_days in prop_oneof![3 => Just(60_u32), 1 => 0_u32..8],
        bookable in (option::weighted(0.2, 0_i64..5), option::weighted(0.2, 5_i64..9)),
        elapsed in any::<bool>(),
        limits in (
            option::weighted(0.3, 0_u32..3),
            option::weighted(0.3, 1_u32..6),
            option::weighted(0.2, 1_u32..9),
        ),
    ) -> (Rule, Vec<(i64, Vec<(u16, u16)>)>, (Option<i64>, Option<i64>)) {
        let windows = windows
            .into_iter()
            .map(|(weekday, (start_min, end_min))| Window { weekday, start_min, end_min })
            .collect();
        let rule = Rule {
            cross_midnight,
            duration_min,
            step_min,
            before_buffer_min: buffers.0,
            after_buffer_min: buffers.1,
            notice_min,
            horizon_days,
            dst_policy: if elapsed { DstPolicy::Elapsed } else { DstPolicy::Strict },
            limits: Limits { per_day: limits.0, per_week: limits.1, per_month: limits.2 },
            ..super::ask::rule("UTC", windows)
        };
        (rule, overrides, bookable)
    }
}

fn asked() -> impl Strategy<Value = Asked> {
    proptest::sample::select(&MOMENTS[..]).prop_flat_map(|(name, moment)| {
        let moment = at(moment);
        let starts = vec(-40_i64 * 1440..40 * 1440, 0..12);
        (
            shape(),
            vec(span_after(moment), 0..3),
            vec(span_after(moment), 0..12),
            vec(span_after(moment), 0..4),
            starts,
            (0_i64..3000, 1_i64..9 * 1440),
        )
            .prop_map(
                move |(shape, available, busy, blocked, starts, (after, length))| {
                    let (rule, overrides, bookable) = shape;
                    let zone = zone(name);
                    let today = zone.date(moment);
                    let on = |days: i64| today + jiff::SignedDuration::from_hours(24 * days);
                    let from = moment.plus_minutes(after);
                    Asked {
                        rule: Rule {
                            overrides: overrides
                                .into_iter()
                                .map(|(day, ranges)| (on(day), ranges))
                                .collect(),
                            bookable_from: bookable.0.map(on),
                            bookable_until: bookable.1.map(on),
                            available,
                            zone,
                            ..rule
                        },
                        busy,
                        blocked,
                        starts: starts
                            .into_iter()
                            .map(|minutes| moment.plus_minutes(minutes))
                            .collect(),
                        now: moment,
                        from,
                        to: from.plus_minutes(length),
                    }
                },
            )
    })
}

fn prepared(asked: &Asked) -> (PreparedRule, Busy) {
    let busy = Busy::new(
        asked.busy.clone(),
        asked.blocked.clone(),
        asked.starts.clone(),
    );
    (asked.rule.prepare().unwrap(), busy)
}

fn labelled(asked: &Asked) -> LabelledBusy {
    let label = |source: Source| {
        move |&span: &Span| LabelledSpan {
            span,
            source: source.clone(),
        }
    };
    let events = asked
        .busy
        .iter()
        .map(label(Source::Event { calendar: None }));
    let bookings = asked.blocked.iter().map(label(Source::Booking));
    LabelledBusy {
        spans: events.chain(bookings).collect(),
        starts: asked.starts.clone(),
    }
}

fn listed(asked: &Asked) -> Vec<Slot> {
    let (rule, busy) = prepared(asked);
    compute_slots(&rule, &busy, asked.now, asked.from, asked.to).unwrap()
}

/// 256 cases, or as many as `PROPTEST_CASES` says.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_list_is_that_of_the_slow_model(asked in asked()) {
        prop_assert_eq!(listed(&asked), model::slots(&asked));
    }

    /// What lets a host trust the list, without the model.
    #[test]
    fn every_slot_is_inside_hours_free_and_as_long_as_asked(asked in asked()) {
        let slots = listed(&asked);
        prop_assert!(slots.is_sorted_by(|one, next| one.start < next.start), "sorted, no start twice");
        let rule = &asked.rule;
        for slot in slots {
            prop_assert!(slot.start >= asked.from && slot.start < asked.to);
            prop_assert_eq!(slot.end.since(slot.start).as_mins(), i64::from(rule.duration_min));
            let kept = Span {
                from: slot.start.plus_minutes(-i64::from(rule.before_buffer_min)),
                to: slot.end.plus_minutes(i64::from(rule.after_buffer_min)),
            };
            prop_assert!(!asked.busy.iter().chain(&asked.blocked).any(|span| span.overlaps(kept)));
            let inside = Span { from: slot.start, to: slot.end };
            let within = |outer: &Span| outer.from <= inside.from && inside.to <= outer.to;
            prop_assert!(rule.available.iter().any(within) || is_open(rule, slot.start), "{:?}", slot);
        }
    }

    /// List equals bookable: each listed start is free, and nothing else on any minute is.
    #[test]
    fn the_list_is_exactly_what_can_be_booked(asked in asked()) {
        let (rule, busy) = prepared(&asked);
        let slots = listed(&asked);
        let mut probe = asked.from;
        let mut probes: Vec<Instant> = slots.iter().map(|slot| slot.start).collect();
        while probe < asked.to {
            probes.push(probe);
            probe = probe.plus_minutes(7);
        }
        probes.extend(model::slots(&Asked { busy: vec![], blocked: vec![], ..asked.clone() }).iter().map(|slot| slot.start));
        for start in probes {
            let expected = slots.binary_search_by_key(&start, |slot| slot.start).ok();
            match offered(&rule, &busy, asked.now, start) {
                Offered::Free(slot) => prop_assert_eq!(expected.map(|at| slots[at]), Some(slot)),
                Offered::Taken | Offered::NotOffered => prop_assert_eq!(expected, None, "{}", start),
            }
        }
    }

    /// Taken means: without what is busy and booked it would be free.
    #[test]
    fn taken_and_not_offered_differ_by_what_is_booked(asked in asked()) {
        let (rule, busy) = prepared(&asked);
        let unlimited = Rule { limits: Limits::default(), ..asked.rule.clone() };
        let open = Asked { rule: unlimited, busy: vec![], blocked: vec![], ..asked.clone() };
        let open_rule = open.rule.prepare().unwrap();
        for slot in model::slots(&open).into_iter().take(60) {
            for start in [slot.start, slot.start.plus_minutes(1), slot.start.plus_minutes(17)] {
                let offers = offered(&open_rule, &Busy::default(), asked.now, start) != Offered::NotOffered;
                let stands = offered(&rule, &busy, asked.now, start) != Offered::NotOffered;
                prop_assert_eq!(offers, stands, "{}", start);
            }
        }
    }

    #[test]
    fn nothing_speaks_against_a_start_exactly_if_it_is_free(asked in asked()) {
        let (rule, busy) = prepared(&asked);
        let labels = labelled(&asked);
        let open = model::slots(&Asked { busy: vec![], blocked: vec![], ..asked.clone() });
        let mut probes: Vec<Instant> = open.iter().map(|slot| slot.start).take(80).collect();
        probes.extend((0..40).map(|step| asked.from.plus_minutes(step * 107)));
        for start in probes {
            let reasons = explain_slot(&rule, &labels, asked.now, start);
            let free = matches!(offered(&rule, &busy, asked.now, start), Offered::Free(_));
            prop_assert_eq!(reasons.is_empty(), free, "{} {:?}", start, reasons);
            let taken = offered(&rule, &busy, asked.now, start) == Offered::Taken;
            let booked = |reason: &Reason| matches!(
                reason,
                Reason::Busy { .. } | Reason::BufferBefore { .. } | Reason::BufferAfter { .. } | Reason::LimitReached { .. }
            );
            if taken {
                prop_assert!(reasons.iter().any(booked), "{} {:?}", start, reasons);
            }
        }
    }

    #[test]
    fn more_busy_time_never_adds_a_slot(asked in asked(), more in 0_i64..9 * 1440, length in 1_i64..600) {
        let before = listed(&asked);
        let from = asked.now.plus_minutes(more);
        let extra = Span { from, to: from.plus_minutes(length) };
        let mut busier = asked.clone();
        busier.busy.push(extra);
        let after = listed(&busier);
        prop_assert!(after.iter().all(|slot| before.contains(slot)));
        let mut counted = asked;
        counted.starts.push(from);
        prop_assert!(listed(&counted).iter().all(|slot| before.contains(slot)));
    }

    #[test]
    fn a_range_in_two_parts_gives_the_same_list(asked in asked(), cut in 0.0_f64..1.0) {
        let length = asked.to.since(asked.from).as_micros();
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "tests")]
        let after = (length as f64 * cut) as i64;
        let middle = asked.from.plus(jiff::SignedDuration::from_micros(after));
        prop_assume!(middle > asked.from && middle < asked.to);
        let mut parts = listed(&Asked { to: middle, ..asked.clone() });
        parts.extend(listed(&Asked { from: middle, ..asked.clone() }));
        prop_assert_eq!(parts, listed(&asked));
    }

    /// Grouping loses nothing, and each slot stands under its date in the reader's zone.
    #[test]
    fn grouping_keeps_every_slot_under_its_date(asked in asked(), reader in proptest::sample::select(&MOMENTS[..])) {
        let slots = listed(&asked);
        let reader = zone(reader.0);
        let groups = group_by_date(&slots, &reader);
        prop_assert!(groups.is_sorted_by(|one, next| one.0 < next.0));
        for (date, slots) in &groups {
            prop_assert!(!slots.is_empty() && slots.iter().all(|slot| reader.date(slot.start) == *date));
        }
        let mut all: Vec<Slot> = groups.into_iter().flat_map(|group| group.1).collect();
        all.sort();
        prop_assert_eq!(all, slots);
    }
}

/// Whether the wall time of a start lies in the hours of its date, or of the weekly table.
fn is_open(rule: &Rule, start: Instant) -> bool {
    let wall = rule.zone.wall(start);
    let minute = i64::from(wall.hour()) * 60 + i64::from(wall.minute());
    let within = |&(from, to): &(u16, u16)| (i64::from(from)..i64::from(to)).contains(&minute);
    let weekday = u8::try_from(wall.weekday().to_sunday_zero_offset()).unwrap();
    let weekly: Vec<(u16, u16)> = rule
        .windows
        .iter()
        .filter(|window| window.weekday == weekday)
        .map(|window| (window.start_min, window.end_min))
        .collect();
    match rule.overrides.get(&wall.date()) {
        // The tail of the night before stays under an override.
        Some(ranges) => {
            ranges.iter().any(within) || (rule.cross_midnight && weekly.iter().any(within))
        }
        None => weekly.iter().any(within),
    }
}

/// A property over empty lists proves little: most questions must have an answer, many must meet a
/// change of the clock, and both policies, limits and midnight must matter.
#[test]
fn the_random_questions_are_worth_asking() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let mut answered = 0;
    let mut matters = [0; 5];
    for _ in 0..300 {
        let asked = asked().new_tree(&mut runner).unwrap().current();
        let slots = listed(&asked);
        answered += usize::from(!slots.is_empty());
        let other = match asked.rule.dst_policy {
            DstPolicy::Strict => DstPolicy::Elapsed,
            DstPolicy::Elapsed => DstPolicy::Strict,
        };
        let changes: [fn(&mut Asked, DstPolicy); 5] = [
            |asked, other| asked.rule.dst_policy = other,
            |asked, _| asked.rule.limits = Limits::default(),
            |asked, _| asked.rule.cross_midnight = !asked.rule.cross_midnight,
            |asked, _| asked.busy.clear(),
            |asked, _| asked.rule.available.clear(),
        ];
        for (count, change) in matters.iter_mut().zip(changes) {
            let mut changed = asked.clone();
            change(&mut changed, other);
            *count += usize::from(listed(&changed) != slots);
        }
    }
    assert!(answered > 120, "{answered}");
    assert!(matters.iter().all(|&count| count >= 15), "{matters:?}");
}
