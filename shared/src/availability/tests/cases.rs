//! Faults that people reported in public about other software of this kind, as small inputs. The
//! numbers are those of the project's list of cases.

use super::super::ProblemCode::{NotUnderstood, Overnight};
use super::super::parse;
use super::{ALL_DAYS, FRI, MON, SAT, SUN, THU, TUE, WED, on, reads, refuses};

#[test]
fn txt_03_eleven_to_one_is_over_noon() {
    reads("wed 11 to 1", &[on(&[WED], &[(1100, 1300)])]);
}

#[test]
fn txt_04_the_pm_of_the_end_is_carried_back() {
    reads(
        "tue between 7 and 8pm; thu 2:00 - 2:30 pm",
        &[on(&[TUE], &[(1900, 2000)]), on(&[THU], &[(1400, 1430)])],
    );
}

#[test]
fn txt_07_twelve_am_is_midnight_and_twelve_pm_is_noon() {
    reads(
        "mon 12am-12pm, tue 12pm-12am, wed 12:30am-1am",
        &[
            on(&[MON], &[(0, 1200)]),
            on(&[TUE], &[(1200, 2400)]),
            on(&[WED], &[(30, 100)]),
        ],
    );
}

#[test]
fn txt_10_a_dot_is_as_good_as_a_colon_and_a_foreign_day_spoils_no_other() {
    let text = "ma 9.30-17.00 / mon 9.30-17.00";
    assert_eq!(parse(text).windows, on(&[MON], &[(930, 1700)]));
    refuses(text, &[(NotUnderstood, "ma")]);
    reads("mon 9.30-17.00", &[on(&[MON], &[(930, 1700)])]);
}

#[test]
fn txt_11_every_range_of_hours_with_h_is_read() {
    reads(
        "mon 08h30-12h00 and 14h00-16h30, tue 9h-17h, wed 8h30-12h",
        &[
            on(&[MON], &[(830, 1200), (1400, 1630)]),
            on(&[TUE], &[(900, 1700)]),
            on(&[WED], &[(830, 1200)]),
        ],
    );
}

#[test]
fn txt_12_every_usual_name_of_a_day_is_known() {
    reads(
        "tues 9-10; thu 9-10; weds 9-10",
        &[on(&[TUE, WED, THU], &[(900, 1000)])],
    );
    for tuesday in ["Tue", "Tues", "tues.", "TUESDAY", "tuesdays"] {
        reads(&format!("{tuesday} 9-10"), &[on(&[TUE], &[(900, 1000)])]);
    }
    for thursday in ["Thu", "Thur", "Thurs", "thursdays"] {
        reads(&format!("{thursday} 9-10"), &[on(&[THU], &[(900, 1000)])]);
    }
}

#[test]
fn txt_13_long_names_are_known_and_short_ones_leave_no_rest() {
    reads(
        "wednesday 1-2, saturday 1-2, thu 1-2",
        &[on(&[WED, THU, SAT], &[(1300, 1400)])],
    );
}

#[test]
fn txt_14_names_of_two_letters_are_known() {
    reads(
        "Mo,Tu,We,Th,Fr 10:00-11:00",
        &[on(&[MON, TUE, WED, THU, FRI], &[(1000, 1100)])],
    );
}

#[test]
fn txt_16_a_range_of_days_runs_over_the_end_of_the_week() {
    let cases: [(&str, &[u8]); 5] = [
        ("fri-mon", &[FRI, SAT, SUN, MON]),
        ("fri-sun", &[FRI, SAT, SUN]),
        ("sat-tue", &[SAT, SUN, MON, TUE]),
        ("mon-sun", &ALL_DAYS),
        ("sun-sat", &ALL_DAYS),
    ];
    for (days, want) in cases {
        reads(&format!("{days} 10:00-12:00"), &[on(want, &[(1000, 1200)])]);
    }
}

#[test]
fn txt_21_a_range_turned_round_is_not_twenty_three_hours() {
    assert_eq!(parse("mon 19:00-18:00").windows, []);
    refuses("mon 19:00-18:00", &[(Overnight, "19:00-18:00")]);
}
