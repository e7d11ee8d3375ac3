#![expect(clippy::unwrap_used, reason = "tests")]
use super::*;

fn at(text: &str) -> Instant {
    text.parse().unwrap()
}

#[test]
fn releases_sort_by_year_and_then_by_letters() {
    assert!(release("2025b") < release("2026a"));
    assert!(release("2026f") < release("2026z"));
    assert!(release("2026z") < release("2026za"));
    assert_eq!(release("2026f-dirty"), release("2026f"));
    assert_eq!(release("26f"), None);
    assert_eq!(release("2026"), None);
}

/// An older table (2025b, as Debian 12 and chrono-tz 0.10.4 have it) is an hour off in each of these.
#[test]
fn five_zones_that_an_old_table_gets_wrong() {
    let zones = Zones::open(None).unwrap();
    assert!(release(zones.version()) >= release("2026f"), "{zones:?}");
    for (name, instant, wall) in [
        (
            "America/Vancouver",
            "2026-12-15T20:00:00Z",
            "2026-12-15T13:00:00",
        ),
        (
            "America/Edmonton",
            "2026-12-15T20:00:00Z",
            "2026-12-15T14:00:00",
        ),
        (
            "America/Winnipeg",
            "2026-12-15T20:00:00Z",
            "2026-12-15T15:00:00",
        ),
        (
            "Africa/Casablanca",
            "2026-12-15T20:00:00Z",
            "2026-12-15T20:00:00",
        ),
        (
            "America/Havana",
            "2026-12-15T20:00:00Z",
            "2026-12-15T16:00:00",
        ),
    ] {
        let zone = zones.get(name).unwrap();
        assert_eq!(zone.wall(at(instant)).to_string(), wall, "{name}");
    }
}

#[test]
fn names_are_found_in_any_case_and_links_keep_their_name() {
    let zones = Zones::bundled();
    assert_eq!(zones.get("europe/PARIS").unwrap().name(), "Europe/Paris");
    assert_eq!(
        zones.get_for_host("asia/calcutta").unwrap().name(),
        "Asia/Calcutta"
    );
    assert_eq!(zones.get("utc").unwrap().name(), "UTC");
    assert_eq!(zones.get("est5edt").unwrap().name(), "EST5EDT");
    assert_eq!(zones.get_for_host("UTC").unwrap().name(), "UTC");
}

#[test]
fn a_name_that_is_no_zone_is_refused_with_a_reason() {
    let zones = Zones::bundled();
    for name in [
        "",
        "a b",
        "Europe/Paris\n",
        "Zürich",
        "../etc/passwd",
        &"a".repeat(65),
        "Europe\\Paris",
    ] {
        assert_eq!(zones.get(name), Err(UnknownZone::Malformed), "{name}");
    }
    for name in ["+02:00", "-5", "05:30"] {
        assert_eq!(zones.get(name), Err(UnknownZone::Offset), "{name}");
    }
    for name in ["Mars/Olympus", "Etc/Unknown", "Factory", "Europe"] {
        assert_eq!(
            zones.get(name),
            Err(UnknownZone::Unknown { suggestion: None }),
            "{name}"
        );
    }
    assert_eq!(
        zones.get("paris").unwrap_err().to_string(),
        "no such zone in the IANA table; did you mean Europe/Paris?"
    );
    for (name, suggestion) in [
        ("EST", Some("America/New_York")),
        ("CET", Some("Europe/Paris")),
        ("Etc/GMT+5", None),
        ("GMT", Some("UTC")),
    ] {
        let suggestion = suggestion.map(str::to_owned);
        assert_eq!(
            zones.get_for_host(name),
            Err(UnknownZone::NotAPlace { suggestion }),
            "{name}"
        );
        assert!(zones.get(name).is_ok(), "a booker's browser may say {name}");
    }
}

/// Cases mid-02, mid-03, mid-04, grp-03, grp-05 and zone-09: where a day begins and how long it is.
#[test]
fn a_day_begins_with_its_first_instant() {
    let zones = Zones::bundled();
    for (name, date, from, to) in [
        (
            "America/Havana",
            "2026-03-08",
            "2026-03-08T05:00:00Z",
            "2026-03-09T04:00:00Z",
        ),
        (
            "Asia/Beirut",
            "2026-03-29",
            "2026-03-28T22:00:00Z",
            "2026-03-29T21:00:00Z",
        ),
        (
            "Africa/Cairo",
            "2023-04-28",
            "2023-04-27T22:00:00Z",
            "2023-04-28T21:00:00Z",
        ),
        (
            "Pacific/Auckland",
            "2021-11-04",
            "2021-11-03T11:00:00Z",
            "2021-11-04T11:00:00Z",
        ),
        (
            "Asia/Kolkata",
            "2025-05-27",
            "2025-05-26T18:30:00Z",
            "2025-05-27T18:30:00Z",
        ),
        (
            "Europe/Berlin",
            "2026-10-25",
            "2026-10-24T22:00:00Z",
            "2026-10-25T23:00:00Z",
        ),
        (
            "America/Santiago",
            "2026-04-04",
            "2026-04-04T03:00:00Z",
            "2026-04-05T04:00:00Z",
        ),
        // The day that never was has no length.
        (
            "Pacific/Apia",
            "2011-12-30",
            "2011-12-30T10:00:00Z",
            "2011-12-30T10:00:00Z",
        ),
    ] {
        let zone = zones.get(name).unwrap();
        let date: civil::Date = date.parse().unwrap();
        assert_eq!(zone.day_start(date).unwrap(), at(from), "{name} {date}");
        assert_eq!(
            zone.day_start(date.tomorrow().unwrap()).unwrap(),
            at(to),
            "{name} {date}"
        );
    }
}

/// Case dst-14, and the half-hour change of Lord Howe.
#[test]
fn a_wall_time_is_one_instant_or_a_gap_or_a_fold() {
    let zones = Zones::bundled();
    let wall = |name: &str, text: &str| {
        zones
            .get(name)
            .unwrap()
            .resolve(text.parse().unwrap())
            .unwrap()
    };
    assert_eq!(
        wall("America/Chicago", "2017-11-05T01:00"),
        Wall::Fold {
            first: at("2017-11-05T06:00:00Z"),
            second: at("2017-11-05T07:00:00Z")
        }
    );
    assert_eq!(
        wall("Europe/Berlin", "2026-03-29T02:30"),
        Wall::Gap {
            forward: at("2026-03-29T01:30:00Z")
        }
    );
    assert_eq!(
        wall("Australia/Lord_Howe", "2026-10-04T02:15"),
        Wall::Gap {
            forward: at("2026-10-03T15:45:00Z")
        }
    );
    assert_eq!(
        wall("Asia/Kathmandu", "2026-10-04T09:00"),
        Wall::One(at("2026-10-04T03:15:00Z"))
    );
}

#[test]
fn a_directory_without_a_table_is_refused_by_name() {
    let missing = Path::new("/nonexistent/zoneinfo");
    assert_eq!(
        Zones::open(Some(missing)).unwrap_err().directory,
        "/nonexistent/zoneinfo"
    );
}

/// chrono-tz 0.10.4 carries 2025b. From 1977 (2025c corrected Baja California before that) to the
/// end of 2024 both tables tell the same history.
#[test]
fn jiff_agrees_with_chrono_tz_over_a_past_that_both_know() {
    use chrono::{Offset as _, TimeZone as _};
    let zones = Zones::bundled();
    let from = at("1977-01-01T00:00:00Z");
    let to = at("2024-12-31T00:00:00Z");
    let mut compared = 0;
    let mut differing = std::collections::BTreeSet::new();
    for theirs in chrono_tz::TZ_VARIANTS {
        let Ok(ours) = zones.get(theirs.name()) else {
            differing.insert(theirs.name());
            continue;
        };
        let mut second = from.timestamp().as_second();
        // A week's step, off the hour, hits every stretch of every rule; an edge that is a few
        // days off would show in the neighbouring sample.
        while second < to.timestamp().as_second() {
            let instant = Instant::from_second(second).unwrap();
            let offset = theirs
                .offset_from_utc_datetime(
                    &chrono::DateTime::from_timestamp(second, 0)
                        .unwrap()
                        .naive_utc(),
                )
                .fix()
                .local_minus_utc();
            let our_offset = ours.rules().to_offset(instant.timestamp()).seconds();
            if our_offset != offset {
                differing.insert(theirs.name());
            }
            compared += 1;
            second += 7 * 86_400 + 3_607;
        }
    }
    assert!(compared > 1_000_000, "{compared}");
    assert!(differing.is_empty(), "{differing:?}");
}
