//! Faults that people reported of software of this kind, each with the right answer.
//!
//! `tests/data/slot-cases.json` holds them. A case with weekly hours is put to the engine and every
//! field of its `expected` is checked; one about dates and zones alone has a test of its own below.
//! A field that no check knows fails the test, and so does a case that nobody looks at.
use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    ask::{ZONES, at},
    ask::{date, free, on, range, rule, starts, zone},
};
use crate::{
    availability::Window,
    instant::{Instant, Span},
    slots::{
        Busy, LabelledBusy, Limits, Offered, Reason, Rule, Slot, compute_slots, day_span,
        explain_slot, group_by_date, offered,
    },
    zone::Wall,
};

const FILE: &str = include_str!("../../../../tests/data/slot-cases.json");

/// Answered by [`engine`] from the case's own words.
const BY_ENGINE: [&str; 34] = [
    "dst-02", "dst-03", "dst-04", "dst-05", "dst-07", "dst-13", "mid-08", "zone-01", "zone-02",
    "zone-05", "zone-07", "zone-09", "zone-10", "zone-11", "zone-12", "tzv-01", "tzv-02", "tzv-04",
    "tzv-05", "edge-01", "edge-03", "edge-04", "edge-05", "edge-07", "edge-08", "edge-09",
    "edge-12", "ovr-02", "ovr-03", "ovr-04", "ovr-07", "buf-03", "buf-06", "hor-01",
];
/// The same, and something more that a test of their own checks.
const BY_ENGINE_AND_ALONE: [&str; 9] = [
    "hor-02", "hor-04", "hor-06", "hor-07", "hor-08", "hor-09", "hor-10", "hor-12", "buf-04",
];
/// Checked by a test of their own.
const ALONE: [&str; 17] = [
    "dst-09", "dst-11", "dst-14", "dst-15", "mid-02", "mid-03", "mid-04", "zone-08", "edge-14",
    "buf-08", "hor-13", "grp-01", "grp-03", "grp-04", "grp-05", "grp-06", "grp-07",
];

fn all() -> Vec<Value> {
    let file: Value = serde_json::from_str(FILE).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn case(id: &str) -> Value {
    let found = all().into_iter().find(|case| case["id"] == id);
    found.unwrap_or_else(|| panic!("no case {id}"))
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("not text: {value}"))
}

fn instants(value: &Value) -> Vec<Instant> {
    texts(value).into_iter().map(at).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("not a list: {value}"))
        .iter()
        .map(text)
        .collect()
}

#[test]
fn no_case_is_left_out() {
    let listed: BTreeSet<String> = BY_ENGINE
        .iter()
        .chain(&BY_ENGINE_AND_ALONE)
        .chain(&ALONE)
        .map(|&id| id.to_owned())
        .collect();
    let given: BTreeSet<String> = all()
        .iter()
        .map(|case| text(&case["id"]).to_owned())
        .collect();
    assert_eq!(listed, given);
    assert_eq!(listed.len(), 60);
    let sure = all()
        .iter()
        .filter(|case| text(&case["certainty"]).starts_with("sure"))
        .count();
    assert_eq!(sure, 49);
}

/// A case as a question.
struct Asked {
    rule: Rule,
    busy: Busy,
    now: Instant,
    from: Instant,
    to: Instant,
}

impl Asked {
    fn slots(&self) -> Vec<Slot> {
        compute_slots(
            &self.rule.prepare().unwrap(),
            &self.busy,
            self.now,
            self.from,
            self.to,
        )
        .unwrap()
    }

    fn offers(&self, start: Instant) -> Offered {
        offered(&self.rule.prepare().unwrap(), &self.busy, self.now, start)
    }
}

const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// Windows of a case; one that ends at or before its start is an overnight one, split at midnight.
fn windows(weekly: &Value) -> (Vec<Window>, bool) {
    let mut windows = Vec::new();
    let mut overnight = false;
    for (name, ranges) in weekly.as_object().unwrap() {
        let weekday = WEEKDAYS.iter().position(|day| day == name).unwrap();
        let weekday = u8::try_from(weekday).unwrap();
        for given in texts(ranges) {
            let (start, end) = range(given);
            if start < end {
                windows.extend(on(weekday, &[given]));
            } else {
                overnight = true;
                let window = |weekday, start_min, end_min| Window {
                    weekday,
                    start_min,
                    end_min,
                };
                windows.push(window(weekday, start, 1440));
                windows.push(window((weekday + 1) % 7, 0, end));
            }
        }
    }
    (windows, overnight)
}

fn read(case: &Value) -> Asked {
    let input = &case["input"];
    let number = |key: &str| {
        input[key]
            .as_u64()
            .map(|number| u32::try_from(number).unwrap())
    };
    let (windows, overnight) = windows(&input["weekly"]);
    let mut rule = rule(text(&input["host_zone"]), windows);
    rule.cross_midnight = overnight || case["setting"] == "cross_midnight on";
    rule.duration_min = number("duration_min").unwrap();
    rule.step_min = number("interval_min").unwrap_or(rule.duration_min);
    rule.before_buffer_min = number("buffer_before_min").unwrap_or(0);
    rule.after_buffer_min = number("buffer_after_min").unwrap_or(0);
    rule.notice_min = number("notice_min").unwrap_or(0);
    rule.horizon_days = number("horizon_days").unwrap_or(400);
    rule.limits = Limits {
        per_day: number("limit_per_day"),
        ..Limits::default()
    };
    for (on, ranges) in input["overrides"].as_object().into_iter().flatten() {
        rule.overrides
            .insert(date(on), texts(ranges).into_iter().map(range).collect());
    }
    let mut dates: Vec<_> = input["dates"]
        .as_array()
        .into_iter()
        .flatten()
        .map(text)
        .map(date)
        .collect();
    if let Some(bookable) = input["bookable_dates"].as_array() {
        let [first, last] = [text(&bookable[0]), text(&bookable[1])].map(date);
        (rule.bookable_from, rule.bookable_until) = (Some(first), Some(last));
        // Look a little further than what is bookable.
        dates = vec![first.yesterday().unwrap(), last.tomorrow().unwrap()];
    }
    let (from, to) = if let Some(query) = input["query"].as_array() {
        (at(text(&query[0])), at(text(&query[1])))
    } else if dates.is_empty() {
        let now = at(text(&input["now"]));
        (now, now.plus_minutes(30 * 1440))
    } else {
        // The tail of the last night belongs to its date.
        let mut end = dates.iter().max().unwrap().tomorrow().unwrap();
        if rule.cross_midnight {
            end = end.tomorrow().unwrap();
        }
        let start = *dates.iter().min().unwrap();
        (
            rule.zone.day_start(start).unwrap(),
            rule.zone.day_start(end).unwrap(),
        )
    };
    let now = match &input["now"] {
        Value::Null => from.plus_minutes(-1440),
        now => at(text(now)),
    };
    Asked {
        busy: busy(input),
        rule,
        now,
        from,
        to,
    }
}

/// Busy time and bookings, in the forms that the cases write them.
fn busy(input: &Value) -> Busy {
    let pair = |pair: &Value| Span {
        from: at(text(&pair[0])),
        to: at(text(&pair[1])),
    };
    let list = |key: &str| input[key].as_array().cloned().unwrap_or_default();
    let mut blocked = Vec::new();
    let mut starts = Vec::new();
    for booked in list("booked") {
        match &booked {
            // Its own buffer is part of what it blocks.
            Value::Object(_) => blocked.push(Span {
                from: at(text(&booked["start"])),
                to: at(text(&booked["end"]))
                    .plus_minutes(booked["buffer_after_min"].as_i64().unwrap()),
            }),
            Value::Array(_) => {
                let mut span = pair(&booked);
                // Booked under the same rule.
                span.to = span
                    .to
                    .plus_minutes(input["buffer_after_min"].as_i64().unwrap_or(0));
                blocked.push(span);
            }
            start => starts.push(at(text(start))),
        }
    }
    Busy::new(list("busy").iter().map(pair).collect(), blocked, starts)
}

#[test]
fn cases_that_are_a_question_to_the_engine() {
    for id in BY_ENGINE.iter().chain(&BY_ENGINE_AND_ALONE) {
        engine(id, &case(id));
    }
}

fn engine(id: &str, case: &Value) {
    let asked = read(case);
    let slots = asked.slots();
    let starts: Vec<Instant> = slots.iter().map(|slot| slot.start).collect();
    for (one, next) in slots.iter().zip(slots.iter().skip(1)) {
        assert!(one.start < next.start, "{id}: {one:?} {next:?}");
    }
    for slot in &slots {
        let length = slot.end.since(slot.start).as_mins();
        assert_eq!(length, i64::from(asked.rule.duration_min), "{id}: {slot:?}");
        assert_eq!(asked.offers(slot.start), Offered::Free(*slot), "{id}");
    }
    // Steps by elapsed time are another product's; here only the lengths above are checked.
    if text(&case["certainty"]).starts_with("not ours") {
        assert!(!slots.is_empty(), "{id}");
        return;
    }
    for (key, expected) in case["expected"].as_object().unwrap() {
        check(id, key, expected, &asked, &starts);
    }
}

fn check(id: &str, key: &str, expected: &Value, asked: &Asked, starts: &[Instant]) {
    let zone = &asked.rule.zone;
    let on = |day: &str| -> Vec<Instant> {
        starts
            .iter()
            .copied()
            .filter(|&start| zone.date(start) == date(day))
            .collect()
    };
    let by_date = || expected.as_object().unwrap().iter();
    let wall = |start: &Instant, form: &str| {
        start
            .timestamp()
            .to_zoned_datetime(zone.rules().clone())
            .strftime(form)
            .to_string()
    };
    match key {
        "slots_utc" => assert_eq!(starts, instants(expected), "{id}"),
        "slots_utc_by_host_date" => {
            for (day, expected) in by_date() {
                assert_eq!(on(day), instants(expected), "{id} {day}");
            }
        }
        "slot_utc_by_host_date" => {
            for (day, expected) in by_date() {
                assert_eq!(on(day), [at(text(expected))], "{id} {day}");
            }
        }
        "first_slot_utc_by_host_date" => {
            for (day, expected) in by_date() {
                assert_eq!(on(day).first(), Some(&at(text(expected))), "{id} {day}");
            }
        }
        "offsets" => {
            for (day, expected) in by_date() {
                assert_eq!(wall(&on(day)[0], "%:z"), text(expected), "{id} {day}");
            }
        }
        "host_wall" => match expected {
            Value::Array(_) => {
                let form = if texts(expected)[0].len() == 5 {
                    "%H:%M"
                } else {
                    "%Y-%m-%dT%H:%M%:z"
                };
                let walls: Vec<String> = starts.iter().map(|start| wall(start, form)).collect();
                assert_eq!(walls, texts(expected), "{id}");
            }
            _ => {
                assert_eq!(text(expected), "09:00 on all", "{id}");
                assert!(
                    starts.iter().all(|start| wall(start, "%H:%M") == "09:00"),
                    "{id}"
                );
            }
        },
        "host_wall_last" => {
            let last = starts.last().map(|start| wall(start, "%Y-%m-%dT%H:%M"));
            assert_eq!(last.as_deref(), Some(text(expected)), "{id}");
        }
        "first_slot" | "first_slot_utc" => {
            assert_eq!(starts.first(), Some(&at(text(expected))), "{id}")
        }
        "last_slot_utc" => assert_eq!(starts.last(), Some(&at(text(expected))), "{id}"),
        "count" => assert_eq!(
            Some(starts.len()),
            expected.as_u64().map(|n| usize::try_from(n).unwrap()),
            "{id}"
        ),
        "includes" => assert!(starts.contains(&at(text(expected))), "{id}"),
        "never" => assert!(!starts.contains(&at(text(expected))), "{id}"),
        "not_listed" => {
            for start in instants(expected) {
                assert_eq!(asked.offers(start), Offered::Taken, "{id} {start}");
            }
        }
        // That an old table would give another answer is what these cases are about.
        "with_an_older_table" => assert_ne!(starts, instants(expected), "{id}"),
        "nine_slots_each_day" => {
            assert_eq!(
                (on("2023-04-17").len(), on("2023-04-18").len()),
                (9, 9),
                "{id}"
            );
        }
        "2011-12-30" => assert_eq!(on(key), [], "{id}"),
        "day_after_2011-12-29" => {
            let next = zone.day_start(date("2011-12-30")).unwrap();
            assert_eq!(zone.date(next), date(text(expected)), "{id}");
        }
        // hor-10: dates with their slots.
        "2023-11-08" | "2023-11-09" => assert_eq!(on(key), instants(expected), "{id} {key}"),
        // The engine has no notion of the booker's zone: the same list for all.
        "same_for_all_booker_zones" => {}
        // Each listed start is asked one by one above.
        "booking_each_listed_slot" | "each_listed_slot" => assert!(!starts.is_empty(), "{id}"),
        // For people.
        "note" | "needs" | "settings" => {}
        // dst and zones of mails and invitations are tested where those are made.
        "vtimezone" => {}
        // Checked in the tests below.
        "status"
        | "booking_made"
        | "mails"
        | "start_utc"
        | "next_day_2025-10-19T16:00:00Z"
        | "first_booker_wall"
        | "last_booker_wall"
        | "booker_wall"
            if BY_ENGINE_AND_ALONE.contains(&id) => {}
        _ => panic!("{id}: nobody checks {key}"),
    }
}

/// hor-04 and hor-07: the list and the booking judge alike.
#[test]
fn a_booking_is_judged_like_the_list() {
    let case_04 = case("hor-04");
    let early = read(&case_04);
    let start = at(text(&case_04["input"]["POST"]["start"]));
    assert_eq!(early.offers(start), Offered::NotOffered, "hor-04");
    let prepared = early.rule.prepare().unwrap();
    assert_eq!(
        explain_slot(&prepared, &LabelledBusy::default(), early.now, start),
        [Reason::BeforeNotice {
            earliest: at("2024-04-15T10:00:00Z")
        }],
        "hor-04"
    );
    let case_07 = case("hor-07");
    let asked = read(&case_07);
    let start = at(text(&case_07["input"]["POST"]["start"]));
    assert!(matches!(asked.offers(start), Offered::Free(_)), "hor-07");
    assert_eq!(
        case_07["expected"]["next_day_2025-10-19T16:00:00Z"],
        "refused"
    );
    assert_eq!(
        asked.offers(at("2025-10-19T16:00:00Z")),
        Offered::NotOffered,
        "hor-07"
    );
}

/// hor-06 and hor-12: what the booker's clock shows.
#[test]
fn the_booker_reads_the_same_slots_on_another_clock() {
    let six = case("hor-06");
    let starts: Vec<Instant> = read(&six).slots().iter().map(|slot| slot.start).collect();
    let booker = zone(text(&six["input"]["booker_zone"]));
    let wall = |start: Instant| booker.wall(start).strftime("%Y-%m-%dT%H:%M").to_string();
    assert_eq!(
        wall(starts[0]),
        text(&six["expected"]["first_booker_wall"]),
        "hor-06"
    );
    assert_eq!(
        wall(*starts.last().unwrap()),
        text(&six["expected"]["last_booker_wall"]),
        "hor-06"
    );
    let twelve = case("hor-12");
    let booker = zone(text(&twelve["input"]["booker_zone"]));
    let walls: Vec<String> = read(&twelve)
        .slots()
        .iter()
        .map(|slot| {
            booker
                .wall(slot.start)
                .strftime("%Y-%m-%dT%H:%M")
                .to_string()
        })
        .collect();
    assert_eq!(walls, texts(&twelve["expected"]["booker_wall"]), "hor-12");
}

/// hor-02's wall times, and hor-13: a start at this very instant is in the list and bookable.
#[test]
fn a_start_exactly_at_the_notice_counts() {
    let two = case("hor-02");
    let asked = read(&two);
    let first = asked.slots()[0].start;
    assert_eq!(
        first,
        asked.now.plus_minutes(i64::from(asked.rule.notice_min)),
        "hor-02"
    );
    let thirteen = read(&case("hor-13"));
    let listed = thirteen.slots().first().map(|slot| slot.start);
    assert_eq!(listed, Some(thirteen.now), "hor-13");
    assert!(
        matches!(thirteen.offers(thirteen.now), Offered::Free(_)),
        "hor-13"
    );
}

/// hor-09: notice beyond the horizon.
#[test]
fn notice_beyond_the_horizon_says_so() {
    let asked = read(&case("hor-09"));
    assert_eq!(asked.slots(), [], "hor-09");
    let start = at("2023-07-05T09:00:00Z");
    let prepared = asked.rule.prepare().unwrap();
    let reasons = explain_slot(&prepared, &LabelledBusy::default(), asked.now, start);
    assert!(
        matches!(reasons[..], [Reason::BeforeNotice { .. }]),
        "hor-09 {reasons:?}"
    );
}

/// hor-10: each of the host's days, asked for as the booker's day.
#[test]
fn a_limit_does_not_depend_on_the_booker() {
    let ten = case("hor-10");
    let asked = read(&ten);
    let whole = asked.slots();
    for booker in texts(&ten["input"]["booker_zones"]) {
        let booker = zone(booker);
        let mut parts = Vec::new();
        for day in [
            "2023-11-06",
            "2023-11-07",
            "2023-11-08",
            "2023-11-09",
            "2023-11-10",
        ] {
            let Span { from, to } = day_span(&booker, date(day)).unwrap();
            parts.extend(
                Asked {
                    from,
                    to,
                    rule: asked.rule.clone(),
                    busy: asked.busy.clone(),
                    ..asked
                }
                .slots(),
            );
        }
        parts.retain(|slot| slot.start >= asked.from && slot.start < asked.to);
        assert_eq!(parts, whole, "hor-10 {booker:?}");
    }
}

/// buf-08: refused at 10:35; the sum counts, so 10:40 is refused too and 10:50 is free.
#[test]
fn both_buffers_count() {
    let eight = case("buf-08");
    let booked = instants(&eight["input"]["booked"]);
    let after = eight["input"]["its_buffer_after_min"].as_i64().unwrap();
    let before = eight["input"]["new_event_buffer_before_min"]
        .as_u64()
        .unwrap();
    let span = Span {
        from: booked[0],
        to: booked[1].plus_minutes(after),
    };
    let busy = Busy::new(Vec::new(), vec![span], Vec::new());
    let mut rule = super::ask::every(rule("UTC", super::ask::daily(&["10:00-12:00"])), 30, 5);
    rule.before_buffer_min = u32::try_from(before).unwrap();
    let rule = rule.prepare().unwrap();
    let verdicts: Vec<bool> = instants(&eight["input"]["starts"])
        .into_iter()
        .map(|start| {
            matches!(
                offered(&rule, &busy, at("2025-10-01T00:00:00Z"), start),
                Offered::Free(_)
            )
        })
        .collect();
    assert_eq!(verdicts, [false, false, true], "buf-08");
}

/// buf-04: the booking lies wholly before the range that is asked for.
#[test]
fn what_must_be_loaded_reaches_a_buffer_before_the_range() {
    let asked = read(&case("buf-04"));
    let loaded = asked
        .rule
        .prepare()
        .unwrap()
        .busy_span(asked.from, asked.to);
    assert!(loaded.from <= at("2026-06-10T08:15:00Z"), "buf-04");
}

/// dst-09: a weekly series at ten o'clock, from the wall clock and from the engine.
#[test]
fn a_weekly_hour_keeps_its_wall_time() {
    let nine = case("dst-09");
    let host = zone(text(&nine["input"]["host_zone"]));
    let first: jiff::civil::DateTime = text(&nine["input"]["first"]).parse().unwrap();
    let every = nine["input"]["every_days"].as_i64().unwrap();
    let expected = instants(&nine["expected"]["starts_utc"]);
    let times = nine["input"]["times"].as_i64().unwrap();
    let series: Vec<Instant> = (0..times)
        .map(|n| {
            host.instant(first + jiff::SignedDuration::from_hours(24 * every * n))
                .unwrap()
        })
        .collect();
    assert_eq!(series, expected, "dst-09");
    let mondays = rule(host.name(), on(1, &["10:00-11:00"]));
    assert_eq!(
        starts(&mondays, &free(), "2022-10-24", "2022-11-14"),
        expected,
        "dst-09"
    );
}

/// The one slot that a window at a wall time gives, found through the engine.
fn slot_at(host: &str, wall: &str) -> Slot {
    let wall: jiff::civil::DateTime = wall.get(..16).unwrap().parse().unwrap();
    let weekday = u8::try_from(wall.weekday().to_sunday_zero_offset()).unwrap();
    let start_min = u16::try_from(i32::from(wall.hour()) * 60 + i32::from(wall.minute())).unwrap();
    let window = Window {
        weekday,
        start_min,
        end_min: start_min + 60,
    };
    let day = wall.date().to_string();
    let listed = starts(&rule(host, vec![window]), &free(), &day, &day);
    assert_eq!(listed.len(), 1, "{host} {wall}");
    Slot {
        start: listed[0],
        end: listed[0].plus_minutes(60),
    }
}

/// dst-11, zone-08, grp-01 and grp-04: a wall time of the host's, the instant, and the booker's
/// clock and date.
#[test]
fn the_hosts_wall_time_on_the_bookers_clock() {
    let shown = |slot: Slot, booker: &str, form: &str| {
        zone(booker).wall(slot.start).strftime(form).to_string()
    };
    let eleven = case("dst-11");
    let (host, booker) = (
        text(&eleven["input"]["host_zone"]),
        text(&eleven["input"]["booker_zone"]),
    );
    let [before, after] = [0, 1].map(|at| text(&eleven["input"]["also"][at]));
    let slots =
        [before, text(&eleven["input"]["slot_wall"]), after].map(|wall| slot_at(host, wall));
    assert_eq!(
        slots.map(|slot| slot.start).to_vec(),
        instants(&eleven["expected"]["utc"]),
        "dst-11"
    );
    let walls = slots.map(|slot| shown(slot, booker, "%H:%M"));
    assert_eq!(
        walls.to_vec(),
        texts(&eleven["expected"]["booker_wall"]),
        "dst-11"
    );

    let eight = case("zone-08");
    let slot = slot_at(
        text(&eight["input"]["host_zone"]),
        text(&eight["input"]["slot_wall"]),
    );
    assert_eq!(slot.start, at(text(&eight["expected"]["utc"])), "zone-08");
    for (booker, wall) in eight["expected"]["booker_wall"].as_object().unwrap() {
        assert_eq!(
            shown(slot, booker, "%Y-%m-%dT%H:%M"),
            text(wall),
            "zone-08 {booker}"
        );
    }

    for (id, booker_wall) in [
        ("grp-01", "booker_wall"),
        ("grp-04", "picker_page_and_mail_all_say"),
    ] {
        let case = case(id);
        let slot = slot_at(
            text(&case["input"]["host_zone"]),
            text(&case["input"]["slot_wall"]),
        );
        assert_eq!(slot.start, at(text(&case["expected"]["utc"])), "{id}");
        let booker = text(&case["input"]["booker_zone"]);
        let wall = text(&case["expected"][booker_wall]);
        assert_eq!(shown(slot, booker, "%Y-%m-%dT%H:%M"), wall, "{id}");
        assert_eq!(
            group_by_date(&[slot], &zone(booker)),
            [(date(&wall[..10]), vec![slot])],
            "{id}"
        );
    }
    assert_eq!(case("grp-01")["expected"]["booker_date"], "2023-10-30");
}

/// dst-14.
#[test]
fn an_ambiguous_wall_time_is_two_candidates() {
    let case = case("dst-14");
    let wall = text(&case["input"]["wall"]).parse().unwrap();
    let expected = instants(&case["expected"]["candidates_utc"]);
    let found = zone(text(&case["input"]["zone"])).resolve(wall).unwrap();
    assert_eq!(
        found,
        Wall::Fold {
            first: expected[0],
            second: expected[1]
        },
        "dst-14"
    );
}

/// dst-15: a month of dates, none twice.
#[test]
fn a_month_has_each_of_its_dates_once() {
    let fifteen = case("dst-15");
    let name = text(&fifteen["input"]["zone"]);
    let noon = rule(name, super::ask::daily(&["00:00-24:00"]));
    let slots: Vec<Slot> = starts(&noon, &free(), "2025-10-01", "2025-10-31")
        .into_iter()
        .map(|start| Slot {
            start,
            end: start.plus_minutes(60),
        })
        .collect();
    let dates: Vec<_> = group_by_date(&slots, &zone(name))
        .into_iter()
        .map(|group| group.0)
        .collect();
    let distinct: BTreeSet<_> = dates.iter().collect();
    assert_eq!(
        Some(dates.len()),
        fifteen["expected"]["dates"]
            .as_u64()
            .map(|n| usize::try_from(n).unwrap()),
        "dst-15"
    );
    assert_eq!(dates.len(), distinct.len(), "dst-15");
    let weekday = |day: &str| format!("{:?}", date(day).weekday());
    assert_eq!(weekday("2025-10-26"), "Sunday", "dst-15");
    assert_eq!(
        weekday("2025-10-31"),
        text(&fifteen["expected"]["2025-10-31"]),
        "dst-15"
    );
}

/// mid-02, mid-03 and mid-04: a day without its first hour.
#[test]
fn a_day_may_begin_at_one_o_clock() {
    for id in ["mid-02", "mid-03", "mid-04"] {
        let case = case(id);
        let (input, expected) = (&case["input"], &case["expected"]);
        let zone = zone(text(&input["zone"]));
        let day = date(text(&input["date"]));
        let span = day_span(&zone, day).unwrap();
        assert_eq!(span.from, at(text(&expected["day_start_utc"])), "{id}");
        assert_eq!(span.to, at(text(&expected["next_day_start_utc"])), "{id}");
        let hours = span.to.since(span.from).as_secs_f64() / 3600.0;
        assert_eq!(Some(hours), expected["hours"].as_f64(), "{id}");
        let shown = span
            .from
            .timestamp()
            .to_zoned_datetime(zone.rules().clone());
        let wall = shown.strftime("%Y-%m-%dT%H:%M%:z").to_string();
        assert_eq!(wall, text(&expected["day_start_wall"]), "{id}");
        let next = day.yesterday().unwrap().tomorrow().unwrap();
        assert_eq!(
            next,
            date(text(&expected["previous_date_plus_one_day"])),
            "{id}"
        );
    }
}

/// edge-14: the month's last day, ahead of UTC.
#[test]
fn the_last_day_of_a_month_has_its_slots() {
    let fourteen = case("edge-14");
    let (windows, _) = windows(&fourteen["input"]["weekly"]);
    let rule = rule(text(&fourteen["input"]["host_zone"]), windows);
    let slots: Vec<Slot> = starts(&rule, &free(), "2023-10-01", "2023-10-31")
        .into_iter()
        .map(|start| Slot {
            start,
            end: start.plus_minutes(60),
        })
        .collect();
    let groups = group_by_date(&slots, &rule.zone);
    let days = fourteen["expected"]["dates_with_slots"].as_u64().unwrap();
    assert_eq!(groups.len(), usize::try_from(days).unwrap(), "edge-14");
    let last: Vec<Instant> = groups[30].1.iter().map(|slot| slot.start).collect();
    assert_eq!(
        last,
        instants(&fourteen["expected"]["slots_utc_on_2023-10-31"]),
        "edge-14"
    );
}

/// grp-03 and grp-05: a booker's day, and its weekday.
#[test]
fn a_day_is_the_bookers_own() {
    for (id, zone_key, date_key) in [
        ("grp-03", "booker_zone", "asked_date"),
        ("grp-05", "zone", "date"),
    ] {
        let case = case(id);
        let day = date(text(&case["input"][date_key]));
        let span = day_span(&zone(text(&case["input"][zone_key])), day).unwrap();
        assert_eq!(
            vec![span.from, span.to],
            instants(&case["expected"]["range_utc"]),
            "{id}"
        );
    }
    let weekday = date("2025-05-27").weekday();
    assert_eq!(
        format!("{weekday:?}"),
        text(&case("grp-05")["expected"]["weekday"]),
        "grp-05"
    );
}

/// grp-06: the wall time and the offset that the mails will print.
#[test]
fn host_and_booker_each_read_their_own_wall_time() {
    let six = case("grp-06");
    let start = at(text(&six["input"]["start_utc"]));
    for (who, shows) in [
        ("booker_zone", "booker_mail_shows"),
        ("host_zone", "host_mail_shows"),
    ] {
        let zone = zone(text(&six["input"][who]));
        let zoned = start.timestamp().to_zoned_datetime(zone.rules().clone());
        let hours = zoned.offset().seconds() / 3600;
        let shown = format!(
            "{} ({}, UTC{hours})",
            zoned.strftime("%d %B %Y %H:%M"),
            zone.name()
        );
        assert_eq!(shown, text(&six["expected"][shows]), "grp-06");
    }
}

/// grp-07: all of the 25-hour day's slots stand under it.
#[test]
fn the_long_day_has_all_its_slots() {
    let seven = case("grp-07");
    let asked = read(&seven);
    let booker = ZONES.get(text(&seven["input"]["booker_zone"])).unwrap();
    let groups = group_by_date(&asked.slots(), &booker);
    let (_, long) = groups
        .iter()
        .find(|group| group.0 == date("2026-10-25"))
        .unwrap();
    let count = seven["expected"]["slots_on_booker_2026-10-25"]
        .as_u64()
        .unwrap();
    assert_eq!(long.len(), usize::try_from(count).unwrap(), "grp-07");
    assert_eq!(
        long[0].start,
        at(text(&seven["expected"]["first"])),
        "grp-07"
    );
    assert_eq!(
        long.last().unwrap().start,
        at(text(&seven["expected"]["last"])),
        "grp-07"
    );
}
