//! Ranges of hours and the forms of a clock.

use super::super::ProblemCode::{
    HalfRange, Hour24, HourOutOfRange, MeridiemHourOutOfRange, MinuteOutOfRange,
};
use super::{MON, on, reads, refuses};

#[test]
fn a_range_is_two_clocks_with_a_dash_or_a_word() {
    let want = [on(&[MON], &[(900, 1700)])];
    for range in [
        "9-5",
        "9–5",
        "9—5",
        "9 to 5",
        "9 until 5",
        "9 till 5",
        "between 9 and 5",
        "between 9-5",
        "between 9 to 5",
        "from 9 to 5",
        "from 9 until 5",
        "at 9 - 5",
        "from the 9 to the 5",
    ] {
        reads(&format!("mon {range}"), &want);
    }
}

#[test]
fn and_joins_two_clocks_only_after_between() {
    refuses("mon 9 and 5", &[(HalfRange, "9"), (HalfRange, "5")]);
    reads(
        "mon between 9 and 12 and between 2 and 5",
        &[on(&[MON], &[(900, 1200), (1400, 1700)])],
    );
    reads(
        "mon between 9-12 and 2-5",
        &[on(&[MON], &[(900, 1200), (1400, 1700)])],
    );
    refuses(
        "mon between 9 and 12 and 2 and 5",
        &[(HalfRange, "2"), (HalfRange, "5")],
    );
    refuses("mon between 9 and tue 2-5", &[(HalfRange, "9")]);
}

#[test]
fn a_clock_has_the_forms_of_the_grammar() {
    for (range, want) in [
        ("9-10", (900, 1000)),
        ("09-10", (900, 1000)),
        ("9:15-10:45", (915, 1045)),
        ("9.15-10.45", (915, 1045)),
        ("9h15-10h45", (915, 1045)),
        ("9H-10H", (900, 1000)),
        ("9h - 10h", (900, 1000)),
        ("9am-10pm", (900, 2200)),
        ("9 AM - 10 PM", (900, 2200)),
        ("9a.m.-10p.m.", (900, 2200)),
        ("9 a.m. to 10 P.M.", (900, 2200)),
        ("9 a.m - 10 p.m", (900, 2200)),
        ("9am. - 10 pm.", (900, 2200)),
        ("9a-10p", (900, 2200)),
        ("9:15am-10.45pm", (915, 2245)),
        ("9h15am-10h45p", (915, 2245)),
        ("noon-midnight", (1200, 2400)),
        ("midnight - noon", (0, 1200)),
        ("0-24:00", (0, 2400)),
        ("00:00-24.00", (0, 2400)),
        ("0h-24h00", (0, 2400)),
    ] {
        reads(&format!("mon {range}"), &[on(&[MON], &[want])]);
    }
}

#[test]
fn minutes_are_0_to_59() {
    reads("mon 9:00-9:59", &[on(&[MON], &[(900, 959)])]);
    refuses(
        "mon 9:60-10:99",
        &[(MinuteOutOfRange, "9:60"), (MinuteOutOfRange, "10:99")],
    );
    refuses("mon 9:75pm-10pm", &[(MinuteOutOfRange, "9:75pm")]);
}

#[test]
fn hours_with_a_meridiem_are_1_to_12() {
    reads("mon 1am-12pm", &[on(&[MON], &[(100, 1200)])]);
    refuses(
        "mon 0am-13 p.m.",
        &[
            (MeridiemHourOutOfRange, "0am"),
            (MeridiemHourOutOfRange, "13 p.m."),
        ],
    );
}

#[test]
fn hours_without_a_meridiem_are_0_to_24_and_24_ends_a_range_as_24_00() {
    reads("mon 0:00-23:59", &[on(&[MON], &[(0, 2359)])]);
    reads("mon 8pm-24:00", &[on(&[MON], &[(2000, 2400)])]);
    refuses("mon 9-25", &[(HourOutOfRange, "25")]);
    refuses(
        "mon 99:99-10",
        &[(HourOutOfRange, "99:99"), (MinuteOutOfRange, "99:99")],
    );
    for end in ["24", "24h", "24:01", "24:30"] {
        refuses(&format!("mon 20-{end}"), &[(Hour24, end)]);
    }
    for start in ["24", "24:00"] {
        refuses(&format!("mon {start}-24:00"), &[(Hour24, start)]);
    }
}
