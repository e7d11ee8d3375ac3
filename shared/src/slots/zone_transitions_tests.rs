#![expect(clippy::unwrap_used, reason = "tests")]
//! Every zone at every change of its offset from 2024 to 2030, against what Python's zoneinfo says
//! with the same release of the table. `tests/python/zone_transitions.py` made the file and
//! describes it.
use std::collections::BTreeSet;

use jiff::{SignedDuration, civil};
use serde::Deserialize;

use super::offsets::{Offsets, Shown};
use crate::{
    instant::Instant,
    zone::{Wall, Zone, Zones},
};

const FILE: &str = include_str!("../../../tests/data/zone-transitions.json");

#[derive(Deserialize)]
struct File {
    tzdata: String,
    from: i64,
    to: i64,
    instants: Vec<i64>,
    walls: Vec<i64>,
    patterns: Vec<Pattern>,
    histories: Vec<History>,
}

#[derive(Deserialize)]
struct Pattern {
    offsets: Vec<i64>,
    meanings: Vec<Vec<i64>>,
}

#[derive(Deserialize)]
struct History {
    zones: Vec<String>,
    first: i64,
    changes: Vec<(i64, usize)>,
}

fn instant(second: i64) -> Instant {
    Instant::from_second(second).unwrap()
}

/// The wall time so many seconds after 1970-01-01T00:00 on the wall.
fn wall(second: i64) -> civil::DateTime {
    civil::date(1970, 1, 1).at(0, 0, 0, 0) + SignedDuration::from_secs(second)
}

fn file() -> (File, Zones) {
    let file: File = serde_json::from_str(FILE).unwrap();
    let zones = Zones::bundled();
    assert_eq!(
        zones.version(),
        file.tzdata,
        "make the file anew with tests/python/zone_transitions.py and the same release"
    );
    (file, zones)
}

/// Goes over every change: zone, second, and what surrounds it.
fn each_change(file: &File, zones: &Zones, mut check: impl FnMut(&Zone, i64, &Pattern)) -> usize {
    let mut changes = 0;
    for history in &file.histories {
        for name in &history.zones {
            let zone = zones.get(name).unwrap();
            for &(second, pattern) in &history.changes {
                check(&zone, second, &file.patterns[pattern]);
                changes += 1;
            }
        }
    }
    changes
}

/// Every name of the one is a name of the other, and no change is missing on either side.
#[test]
fn both_know_the_same_zones_and_changes() {
    let (file, zones) = file();
    let theirs: BTreeSet<&str> = file
        .histories
        .iter()
        .flat_map(|history| &history.zones)
        .map(String::as_str)
        .collect();
    let ours: BTreeSet<&str> = zones.all().map(Zone::name).collect();
    assert_eq!(ours, theirs);
    for history in &file.histories {
        for name in &history.zones {
            let zone = zones.get(name).unwrap();
            let mut offset = i64::from(
                zone.rules()
                    .to_offset(instant(file.from).timestamp())
                    .seconds(),
            );
            assert_eq!(offset, history.first, "{name}");
            let before = instant(file.from - 1).timestamp();
            let mut changes = Vec::new();
            for change in zone.rules().following(before) {
                let second = change.timestamp().as_second();
                if second >= file.to {
                    break;
                }
                if i64::from(change.offset().seconds()) != offset {
                    offset = i64::from(change.offset().seconds());
                    changes.push(second);
                }
            }
            let theirs: Vec<i64> = history.changes.iter().map(|change| change.0).collect();
            assert_eq!(changes, theirs, "{name}");
        }
    }
}

/// Instant to wall clock, three hours to both sides.
#[test]
fn the_wall_clock_around_every_change() {
    let (file, zones) = file();
    let changes = each_change(&file, &zones, |zone, second, pattern| {
        for (after, offset) in file.instants.iter().zip(&pattern.offsets) {
            let at = second + after;
            assert_eq!(
                zone.wall(instant(at)),
                wall(at + offset),
                "{zone:?} {}",
                instant(at)
            );
        }
    });
    assert!(changes > 2_500, "{changes}");
}

/// Wall clock to instant, three hours to both sides: once, twice or never.
#[test]
fn the_meaning_of_every_wall_time_around_every_change() {
    let (file, zones) = file();
    let before = file.instants.iter().position(|&after| after == -1).unwrap();
    let changes = each_change(&file, &zones, |zone, second, pattern| {
        let old = pattern.offsets[before];
        for (after, meaning) in file.walls.iter().zip(&pattern.meanings) {
            let shown = second + old + after;
            let expected: Vec<Instant> = meaning
                .iter()
                .map(|found| instant(second + found))
                .collect();
            let found = match zone.resolve(wall(shown)).unwrap() {
                Wall::One(at) => vec![at],
                Wall::Fold { first, second } => vec![first, second],
                Wall::Gap { forward } => {
                    // Moved forward by the length of the gap: what the old offset would make of it.
                    assert_eq!(forward, instant(shown - old), "{zone:?} {}", wall(shown));
                    Vec::new()
                }
            };
            assert_eq!(found, expected, "{zone:?} {}", wall(shown));
        }
    });
    assert!(changes > 2_500, "{changes}");
}

/// The engine's own stretches say the same, in a range of 400 days around the change.
#[test]
fn the_engines_offsets_around_every_change() {
    const SECOND: i64 = 1_000_000;
    let (file, zones) = file();
    let before = file.instants.iter().position(|&after| after == -1).unwrap();
    each_change(&file, &zones, |zone, second, pattern| {
        let margin = 200 * 86_400 * SECOND;
        let offsets = Offsets::over(zone, second * SECOND - margin, second * SECOND + margin);
        for (after, offset) in file.instants.iter().zip(&pattern.offsets) {
            let at = (second + after) * SECOND;
            assert_eq!(
                offsets.at(at, &mut 0).offset,
                offset * SECOND,
                "{zone:?} {at}"
            );
        }
        for (after, meaning) in file.walls.iter().zip(&pattern.meanings) {
            let shown = (second + pattern.offsets[before] + after) * SECOND;
            let expected = match meaning[..] {
                [] => Shown::Never,
                [one] => Shown::Once((second + one) * SECOND),
                [first, ..] => Shown::Twice((second + first) * SECOND),
            };
            assert_eq!(offsets.resolve(shown), expected, "{zone:?} {shown}");
            // What a stretch claims for itself alone is shown once, and by its offset.
            let stretch = offsets.near(shown, &mut 0);
            if stretch.clear_from <= shown && shown < stretch.clear_to {
                assert_eq!(
                    expected,
                    Shown::Once(shown - stretch.offset),
                    "{zone:?} {shown}"
                );
            } else {
                assert!(!matches!(expected, Shown::Once(_)), "{zone:?} {shown}");
            }
        }
    });
}
