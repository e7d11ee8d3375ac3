//! What the design of calendars pins.

use super::*;

/// A daily 01:30 in Dublin from the day before the clocks change: the gap moves one occurrence and
/// no later one.
#[test]
fn a_gap_moves_one_occurrence_and_no_later_one() {
    let daily = event(&[
        "DTSTART;TZID=Europe/Dublin:20260328T013000",
        "DURATION:PT30M",
        "RRULE:FREQ=DAILY",
    ]);
    let spring = span("2026-03-28T00:00:00Z", "2026-03-31T00:00:00Z");
    let expected = pairs(&[
        ("2026-03-28T01:30:00Z", "2026-03-28T02:00:00Z"),
        ("2026-03-29T01:30:00Z", "2026-03-29T02:00:00Z"),
        ("2026-03-30T00:30:00Z", "2026-03-30T01:00:00Z"),
    ]);
    assert_eq!(busy_in(&daily, "Europe/Dublin", spring).unwrap(), expected);
    assert_eq!(
        zone("Europe/Dublin")
            .wall(at("2026-03-29T01:30:00Z"))
            .time(),
        jiff::civil::time(2, 30, 0, 0)
    );
    let september = span("2026-09-10T00:00:00Z", "2026-09-11T00:00:00Z");
    assert_eq!(
        busy_in(&daily, "Europe/Dublin", september).unwrap(),
        pairs(&[("2026-09-10T00:30:00Z", "2026-09-10T01:00:00Z")])
    );
}

/// 47 elapsed hours over the change are two civil days, in every week.
#[test]
fn the_day_span_is_a_difference_of_civil_dates() {
    let weekend = event(&[
        "DTSTART;TZID=Europe/Dublin:20260328T090000",
        "DTEND;TZID=Europe/Dublin:20260330T090000",
        "RRULE:FREQ=WEEKLY",
    ]);
    let range = span("2026-03-27T00:00:00Z", "2026-04-08T00:00:00Z");
    assert_eq!(
        busy_in(&weekend, "Europe/Dublin", range).unwrap(),
        pairs(&[
            ("2026-03-28T09:00:00Z", "2026-03-30T08:00:00Z"),
            ("2026-04-04T08:00:00Z", "2026-04-06T08:00:00Z"),
        ])
    );
}

#[test]
fn every_chosen_weekday_of_an_eligible_week_is_busy() {
    let fortnightly = event(&[
        "DTSTART;TZID=Europe/Dublin:20260902T100000",
        "DTEND;TZID=Europe/Dublin:20260902T110000",
        "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE",
    ]);
    let september = span("2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z");
    let (found, why) = starts(&fortnightly, "Europe/Dublin", september);
    assert_eq!(
        found,
        ["02", "14", "16", "28", "30"].map(|day| format!("2026-09-{day}T09:00:00Z"))
    );
    assert!(why.is_empty());
}

#[test]
fn monthly_by_day_without_a_number_is_every_such_day() {
    let mondays = event(&[
        "DTSTART:20260907T100000Z",
        "DURATION:PT1H",
        "RRULE:FREQ=MONTHLY;BYDAY=MO",
    ]);
    let october = span("2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z");
    assert_eq!(
        starts(&mondays, "UTC", october).0,
        ["05", "12", "19", "26"].map(|day| format!("2026-10-{day}T10:00:00Z"))
    );
}

#[test]
fn an_override_moved_out_of_a_finished_series_is_busy_on_its_new_day() {
    let moved = calendar(&[
        "BEGIN:VEVENT",
        "UID:s",
        "DTSTART;TZID=Europe/Paris:20260105T100000",
        "DTEND;TZID=Europe/Paris:20260105T110000",
        "RRULE:FREQ=WEEKLY;COUNT=2",
        "END:VEVENT",
        "BEGIN:VEVENT",
        "UID:s",
        "RECURRENCE-ID;TZID=Europe/Paris:20260112T100000",
        "DTSTART;TZID=Europe/Paris:20260910T100000",
        "DTEND;TZID=Europe/Paris:20260910T110000",
        "END:VEVENT",
    ]);
    let day = span("2026-09-10T00:00:00Z", "2026-09-11T00:00:00Z");
    assert_eq!(
        busy_in(&moved, "UTC", day).unwrap(),
        pairs(&[("2026-09-10T08:00:00Z", "2026-09-10T09:00:00Z")])
    );
    let old = span("2026-01-12T00:00:00Z", "2026-01-13T00:00:00Z");
    assert_eq!(busy_in(&moved, "UTC", old).unwrap(), []);
}

#[test]
fn a_last_occurrence_that_lasts_four_days_is_busy_on_its_third() {
    let long = event(&[
        "DTSTART;TZID=America/New_York:20260601T120000",
        "DTEND;TZID=America/New_York:20260605T120000",
        "RRULE:FREQ=WEEKLY;UNTIL=20260609T000000Z",
    ]);
    let third = span("2026-06-10T00:00:00Z", "2026-06-11T00:00:00Z");
    assert_eq!(
        busy_in(&long, "UTC", third).unwrap(),
        pairs(&[("2026-06-10T00:00:00Z", "2026-06-11T00:00:00Z")])
    );
    let after = span("2026-06-15T00:00:00Z", "2026-06-25T00:00:00Z");
    assert_eq!(busy_in(&long, "UTC", after).unwrap(), []);
}

/// What is true of a last occurrence over the widest jump of all: Samoa's missing day.
#[test]
fn a_missing_day_hides_no_long_occurrence() {
    let long = event(&[
        "DTSTART;TZID=Pacific/Apia:20111227T080000",
        "DTEND;TZID=Pacific/Apia:20111231T090000",
        "RRULE:FREQ=YEARLY;COUNT=1",
    ]);
    let range = span("2011-12-30T18:30:00Z", "2011-12-31T00:00:00Z");
    assert_eq!(
        busy_in(&long, "UTC", range).unwrap(),
        pairs(&[("2011-12-30T18:30:00Z", "2011-12-30T19:00:00Z")])
    );
}

/// What starts on Samoa's missing day takes place a day later, and is looked for there.
#[test]
fn what_a_gap_moves_by_a_day_is_found() {
    let yearly = event(&[
        "DTSTART;TZID=Pacific/Apia:20101230T090000",
        "DURATION:PT1H",
        "RRULE:FREQ=YEARLY;COUNT=3",
    ]);
    let range = span("2011-12-30T19:00:00Z", "2011-12-31T00:00:00Z");
    assert_eq!(
        busy_in(&yearly, "UTC", range).unwrap(),
        pairs(&[("2011-12-30T19:00:00Z", "2011-12-30T20:00:00Z")])
    );
}

#[test]
fn what_a_gap_moves_is_not_shortened() {
    let short = event(&[
        "DTSTART;TZID=America/New_York:20260307T023000",
        "DTEND;TZID=America/New_York:20260307T033000",
        "RRULE:FREQ=DAILY;COUNT=3",
    ]);
    let change = span("2026-03-08T00:00:00Z", "2026-03-09T00:00:00Z");
    assert_eq!(
        busy_in(&short, "UTC", change).unwrap(),
        pairs(&[("2026-03-08T07:30:00Z", "2026-03-08T08:30:00Z")])
    );
}

#[test]
fn a_change_of_this_and_future_moves_the_tail_and_a_later_one_takes_over() {
    let series = calendar(&[
        "BEGIN:VEVENT",
        "UID:s",
        "DTSTART;TZID=Europe/Berlin:20260302T100000",
        "DTEND;TZID=Europe/Berlin:20260302T110000",
        "RRULE:FREQ=WEEKLY;COUNT=6",
        "END:VEVENT",
        "BEGIN:VEVENT",
        "UID:s",
        "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260316T100000",
        "DTSTART;TZID=Europe/Berlin:20260317T140000",
        "DTEND;TZID=Europe/Berlin:20260317T160000",
        "END:VEVENT",
        "BEGIN:VEVENT",
        "UID:s",
        "RECURRENCE-ID;TZID=Europe/Berlin:20260323T100000",
        "DTSTART;TZID=Europe/Berlin:20260323T080000",
        "DTEND;TZID=Europe/Berlin:20260323T083000",
        "END:VEVENT",
        "BEGIN:VEVENT",
        "UID:s",
        "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260406T100000",
        "DTSTART;TZID=Europe/Berlin:20260406T100000",
        "STATUS:CANCELLED",
        "END:VEVENT",
    ]);
    let spring = span("2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z");
    assert_eq!(
        busy_in(&series, "UTC", spring).unwrap(),
        pairs(&[
            ("2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z"),
            ("2026-03-09T09:00:00Z", "2026-03-09T10:00:00Z"),
            ("2026-03-17T13:00:00Z", "2026-03-17T15:00:00Z"),
            ("2026-03-23T07:00:00Z", "2026-03-23T07:30:00Z"),
            // Over the change: the wall clock is kept.
            ("2026-03-31T12:00:00Z", "2026-03-31T14:00:00Z"),
        ])
    );
    // What was moved by more than a day is found in its own hour alone.
    let hour = span("2026-03-31T12:00:00Z", "2026-03-31T13:00:00Z");
    assert_eq!(
        busy_in(&series, "UTC", hour).unwrap(),
        pairs(&[("2026-03-31T12:00:00Z", "2026-03-31T13:00:00Z")])
    );
}

#[test]
fn additional_dates_count_in_any_zone_and_with_their_own_length() {
    let extra = event(&[
        "DTSTART;TZID=Europe/Berlin:20260901T100000",
        "DURATION:PT1H",
        "RDATE;TZID=America/New_York:20260902T040000,20260903T040000",
        "RDATE;VALUE=PERIOD:20260904T080000Z/PT30M,20260905T080000Z/20260905T093000Z",
        "EXDATE:20260903T080000Z",
    ]);
    let week = span("2026-09-01T00:00:00Z", "2026-09-08T00:00:00Z");
    assert_eq!(
        busy_in(&extra, "UTC", week).unwrap(),
        pairs(&[
            ("2026-09-01T08:00:00Z", "2026-09-01T09:00:00Z"),
            ("2026-09-02T08:00:00Z", "2026-09-02T09:00:00Z"),
            ("2026-09-04T08:00:00Z", "2026-09-04T08:30:00Z"),
            ("2026-09-05T08:00:00Z", "2026-09-05T09:30:00Z"),
        ])
    );
}

#[test]
fn leap_days_recur_in_leap_years() {
    let leap = event(&["DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY"]);
    let decade = span("2024-01-01T00:00:00Z", "2034-01-01T00:00:00Z");
    assert_eq!(
        starts(&leap, "UTC", decade).0,
        ["2024", "2028", "2032"].map(|year| format!("{year}-02-29T00:00:00Z"))
    );
}

/// Rules that the crate reads otherwise than RFC 5545 are put in words that it reads rightly.
#[test]
fn numbered_days_beside_plain_ones_are_a_union() {
    let both = event(&[
        "DTSTART:20260901T100000Z",
        "DURATION:PT1H",
        "RRULE:FREQ=MONTHLY;BYDAY=MO,1TU",
    ]);
    let september = span("2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z");
    assert_eq!(
        starts(&both, "UTC", september).0,
        ["01", "07", "14", "21", "28"].map(|day| format!("2026-09-{day}T10:00:00Z"))
    );
}

/// The crate refuses these numbers.
#[test]
fn the_fifth_day_from_a_months_end_is_there_in_long_months() {
    let fifth = event(&[
        "DTSTART;VALUE=DATE:20260101",
        "RRULE:FREQ=MONTHLY;BYDAY=-5TH",
    ]);
    let half = span("2026-01-01T00:00:00Z", "2026-08-01T00:00:00Z");
    assert_eq!(
        starts(&fifth, "UTC", half).0,
        ["2026-01-01", "2026-04-02", "2026-07-02"].map(|date| format!("{date}T00:00:00Z"))
    );
}

#[test]
fn a_week_number_without_a_day_means_the_day_of_the_start() {
    let weeks = event(&[
        "DTSTART;VALUE=DATE:20260512",
        "RRULE:FREQ=YEARLY;BYWEEKNO=20",
    ]);
    let years = span("2026-01-01T00:00:00Z", "2028-12-31T00:00:00Z");
    assert_eq!(
        starts(&weeks, "UTC", years).0,
        ["2026-05-12", "2027-05-18", "2028-05-16"].map(|date| format!("{date}T00:00:00Z"))
    );
}

/// Hours go by the wall clock: the hour that a gap swallows falls on the next, and is there once.
#[test]
fn hourly_rules_go_by_the_wall_clock() {
    let hourly = event(&[
        "DTSTART;TZID=Europe/Berlin:20260328T000000",
        "DURATION:PT10M",
        "RRULE:FREQ=HOURLY;BYHOUR=1,2,3",
    ]);
    let change = span("2026-03-28T23:00:00Z", "2026-03-29T12:00:00Z");
    assert_eq!(
        busy_in(&hourly, "UTC", change).unwrap(),
        pairs(&[
            ("2026-03-29T00:00:00Z", "2026-03-29T00:10:00Z"),
            ("2026-03-29T01:00:00Z", "2026-03-29T01:10:00Z"),
        ])
    );
}

/// A start and an end on different clocks: when one of them changes, the occurrence is not made
/// shorter by it, let alone nothing. In March New York changes three weeks before Dublin.
#[test]
fn a_start_and_an_end_on_two_clocks_keep_their_time() {
    let call = event(&[
        "DTSTART;TZID=America/New_York:20260302T100000",
        "DTEND;TZID=Europe/Dublin:20260302T153000",
        "RRULE:FREQ=WEEKLY;COUNT=3",
    ]);
    let march = span("2026-03-01T00:00:00Z", "2026-03-20T00:00:00Z");
    assert_eq!(
        busy_in(&call, "UTC", march).unwrap(),
        pairs(&[
            ("2026-03-02T15:00:00Z", "2026-03-02T15:30:00Z"),
            // An hour earlier in New York, not yet in Dublin: the end on the wall is the later.
            ("2026-03-09T14:00:00Z", "2026-03-09T15:30:00Z"),
            ("2026-03-16T14:00:00Z", "2026-03-16T15:30:00Z"),
        ])
    );
    let back = event(&[
        "DTSTART;TZID=Europe/Dublin:20260302T150000",
        "DTEND;TZID=America/New_York:20260302T103000",
        "RRULE:FREQ=WEEKLY;COUNT=2",
    ]);
    assert_eq!(
        busy_in(&back, "UTC", march).unwrap(),
        pairs(&[
            ("2026-03-02T15:00:00Z", "2026-03-02T15:30:00Z"),
            // Half past ten in New York is before it begins.
            ("2026-03-09T15:00:00Z", "2026-03-09T15:30:00Z"),
        ])
    );
}

/// East of Greenwich the last day's midnight is on the day before in UTC: both readings hold.
#[test]
fn an_until_in_utc_leaves_no_day_of_a_series_of_dates_out() {
    let days = |until: &str, host: &str| {
        let series = event(&[
            "DTSTART;VALUE=DATE:20260908",
            &format!("RRULE:FREQ=DAILY;UNTIL={until}"),
        ]);
        let found = span("2026-09-07T00:00:00Z", "2026-09-30T00:00:00Z");
        starts(&series, host, found).0.len()
    };
    // Midnight of the 11th in Berlin.
    assert_eq!(days("20260910T220000Z", "Europe/Berlin"), 4);
    assert_eq!(days("20260910T220000Z", "UTC"), 3);
    // Midnight of the 11th in New York.
    assert_eq!(days("20260911T040000Z", "America/New_York"), 4);
    assert_eq!(days("20260911", "Europe/Berlin"), 4);
    assert_eq!(days("20260911T120000", "Europe/Berlin"), 4);
}
