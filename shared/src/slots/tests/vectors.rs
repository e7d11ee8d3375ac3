//! The questions whose answers an independent model worked out (Python zoneinfo, tzdata 2026f).
use serde_json::{Value, json};

use super::ask::{ZONES, at};
use crate::{
    instant::Instant,
    slots::{Vector, Vectors, answer, explained},
};

const FILE: &str = include_str!("../../../../tests/data/slot-vectors.json");

#[test]
fn every_vector_is_answered_exactly() {
    let asked: Vectors = serde_json::from_str(FILE).unwrap();
    let given: Value = serde_json::from_str(FILE).unwrap();
    let mut differing = Vec::new();
    for (vector, given) in asked
        .vectors
        .iter()
        .zip(given["vectors"].as_array().unwrap())
    {
        let expected: Vec<Instant> = serde_json::from_value(given["slots"].clone()).unwrap();
        let answered = answer(&ZONES, vector).unwrap();
        assert_eq!(answered.name, vector.name);
        if answered.slots != expected {
            differing.push((vector.name.clone(), answered.slots.len(), expected.len()));
        }
    }
    assert_eq!(asked.vectors.len(), 150);
    assert!(differing.is_empty(), "{differing:?}");
}

/// What is explained without a reason is what is listed.
#[test]
fn every_vector_is_explained_as_it_is_answered() {
    let asked: Vectors = serde_json::from_str(FILE).unwrap();
    for vector in &asked.vectors {
        let mut free: Vec<Instant> = explained(&ZONES, vector)
            .unwrap()
            .into_iter()
            .filter(|place| place.reasons.is_empty())
            .filter_map(|place| place.start)
            .collect();
        free.dedup();
        assert_eq!(
            free,
            answer(&ZONES, vector).unwrap().slots,
            "{}",
            vector.name
        );
    }
}

fn question() -> Value {
    json!({
        "name": "one",
        "rule": {"zone": "UTC", "windows": [[1, 540, 720]], "duration_min": 60, "horizon_days": 30},
        "now": "2026-06-01T00:00:00Z",
        "from": "2026-06-01T00:00:00Z",
        "to": "2026-06-02T00:00:00Z",
    })
}

fn starts(question: Value) -> Vec<Instant> {
    let vector: Vector = serde_json::from_value(question).unwrap();
    answer(&ZONES, &vector).unwrap().slots
}

#[test]
fn a_question_needs_little_and_may_say_more() {
    let hour = |hour: u8| at(&format!("2026-06-01T{hour:02}:00:00Z"));
    assert_eq!(starts(question()), [hour(9), hour(10), hour(11)]);
    let mut more = question();
    more["slots"] = json!(["passed over"]);
    more["rule"]["available"] = json!([["2026-06-01T20:00:00Z", "2026-06-01T21:00:00Z"]]);
    more["rule"]["blocked"] = json!([["2026-06-01T10:00:00Z", "2026-06-01T10:01:00Z"]]);
    assert_eq!(starts(more.clone()), [hour(9), hour(11), hour(20)]);
    more["rule"]["limits"] = json!({"per_day": 1});
    more["booked"] = json!([["2026-06-01T23:00:00Z", "2026-06-01T23:30:00Z"]]);
    assert_eq!(starts(more.clone()), []);
    more["starts"] = json!([]);
    assert_eq!(starts(more), [hour(9), hour(11), hour(20)]);
    let mut dated = question();
    dated["rule"]["bookable_from"] = json!("2026-06-02");
    assert_eq!(starts(dated), []);
}

#[test]
fn a_bad_question_says_what_is_wrong() {
    let read = |question: Value| {
        serde_json::from_value::<Vector>(question)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let mut unknown = question();
    unknown["rule"]["durations"] = json!(1);
    assert!(read(unknown).contains("unknown field `durations`"));
    let mut limits = question();
    limits["rule"]["limits"] = json!({"per_year": 1});
    assert!(read(limits).contains("unknown field `per_year`"));
    let mut missing = question();
    missing["rule"]
        .as_object_mut()
        .unwrap()
        .remove("duration_min");
    assert!(read(missing).contains("missing field `duration_min`"));
    let mut instant = question();
    instant["now"] = json!("2026-06-01 00:00");
    assert!(read(instant).contains("not an RFC 3339 date and time"));

    let refused = |change: fn(&mut Value)| {
        let mut asked = question();
        change(&mut asked);
        let vector: Vector = serde_json::from_value(asked).unwrap();
        let error = answer(&ZONES, &vector).unwrap_err();
        assert_eq!(explained(&ZONES, &vector).unwrap_err(), error);
        assert_eq!(error.name, "one");
        error.source.code()
    };
    assert_eq!(
        refused(|asked| asked["rule"]["zone"] = json!("Mars/Olympus")),
        "unknown_zone"
    );
    assert_eq!(
        refused(|asked| asked["rule"]["duration_min"] = json!(0)),
        "duration_out_of_range"
    );
    assert_eq!(
        refused(|asked| asked["rule"]["windows"] = json!([[1, 720, 540]])),
        "window_inverted"
    );
    assert_eq!(
        refused(|asked| asked["to"] = asked["from"].clone()),
        "range_empty"
    );
    assert_eq!(
        refused(|asked| asked["busy"] = json!([["2026-06-01T11:00:00Z", "2026-06-01T10:00:00Z"]])),
        "span_inverted"
    );
}

/// Where the clocks allow no slot, the explanation has a wall time and no instant.
#[test]
fn a_skipped_place_is_explained_by_its_wall_time() {
    let mut asked = question();
    asked["rule"]["zone"] = json!("Europe/Berlin");
    asked["rule"]["windows"] = json!([[0, 120, 180]]);
    asked["rule"]["step_min"] = json!(30);
    asked["rule"]["duration_min"] = json!(30);
    for (key, value) in [
        ("now", "2026-03-28T00:00:00Z"),
        ("from", "2026-03-28T00:00:00Z"),
        ("to", "2026-03-30T00:00:00Z"),
    ] {
        asked[key] = json!(value);
    }
    let vector: Vector = serde_json::from_value(asked).unwrap();
    let places = explained(&ZONES, &vector).unwrap();
    assert_eq!(
        serde_json::to_value(places).unwrap(),
        json!([
            {"wall": "2026-03-29T02:00:00", "start": null,
             "reasons": [{"code": "dst_gap", "edge": "start", "wall": "2026-03-29T02:00:00"}]},
            {"wall": "2026-03-29T02:30:00", "start": null,
             "reasons": [{"code": "dst_gap", "edge": "start", "wall": "2026-03-29T02:30:00"}]},
        ])
    );
}
