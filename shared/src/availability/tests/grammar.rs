//! The table of examples, clauses, fillers, and what is not consumed.

use super::super::ProblemCode::{
    EndNotAfterStart, HalfRange, Hour24, HourOutOfRange, MeridiemHourOutOfRange, MinuteOutOfRange,
    Misplaced, NoDay, NoHours, NotUnderstood, Overnight,
};
use super::super::parse;
use super::{ALL_DAYS, FRI, MON, MON_TO_FRI, SAT, SUN, TUE, WED, on, reads, refuses};

#[test]
fn the_examples_hold() {
    reads(
        "mondays between 12–3, tuesdays 12–2, 5-7",
        &[
            on(&[MON], &[(1200, 1500)]),
            on(&[TUE], &[(1200, 1400), (1700, 1900)]),
        ],
    );
    reads("mon-wed 9-5", &[on(&[MON, TUE, WED], &[(900, 1700)])]);
    reads("weekdays 10am to 4pm", &[on(&MON_TO_FRI, &[(1000, 1600)])]);
    reads("every day 8–6", &[on(&ALL_DAYS, &[(800, 1800)])]);
    reads(
        "saturday 10:30–13:00; sunday 14-16",
        &[on(&[SAT], &[(1030, 1300)]), on(&[SUN], &[(1400, 1600)])],
    );
    reads(
        "fri-mon 20:00-24:00",
        &[on(&[FRI, SAT, SUN, MON], &[(2000, 2400)])],
    );
    refuses("9-5", &[(NoDay, "9-5")]);
    refuses(
        "mon 25-26",
        &[(HourOutOfRange, "25"), (HourOutOfRange, "26")],
    );
    refuses("mon 9:60-10", &[(MinuteOutOfRange, "9:60")]);
    refuses("mon 13pm-2pm", &[(MeridiemHourOutOfRange, "13pm")]);
    refuses("mon 24:00-3", &[(Hour24, "24:00")]);
    refuses("tue 20-24", &[(Hour24, "24")]);
    let text = "mon 9-12 banana, xyz 3-4";
    refuses(text, &[(NotUnderstood, "banana"), (NotUnderstood, "xyz")]);
    assert_eq!(parse(text).windows, on(&[MON], &[(900, 1200)]));
}

#[test]
fn case_and_white_space_do_not_matter() {
    for text in [
        "mon and tue 9am-5:30pm",
        "MON AND TUE 9AM-5:30PM",
        "  Mon\tand\u{a0}tue   9 am  -  5:30 pm  ",
    ] {
        reads(text, &[on(&[MON, TUE], &[(900, 1730)])]);
    }
    reads("mon9-5", &[on(&[MON], &[(900, 1700)])]);
    reads("mon 9to5", &[on(&[MON], &[(900, 1700)])]);
    for empty in ["", " ", "\n\n", " ,; "] {
        reads(empty, &[]);
    }
}

#[test]
fn clauses_end_at_commas_semicolons_and_line_breaks() {
    let want = [on(&[MON], &[(900, 1200)]), on(&[TUE], &[(1400, 1500)])];
    for mark in [",", ";", "\n", "\r\n", "\r", "\u{2028}", " , ", ",;\n\n;"] {
        reads(&format!("mon 9-12{mark}tue 14-15{mark}"), &want);
    }
    // A range does not reach over the end of a clause.
    refuses("mon 9-\n12", &[(HalfRange, "9-"), (HalfRange, "12")]);
}

#[test]
fn a_clause_may_have_several_ranges() {
    let want = [on(&[MON], &[(900, 1200), (1400, 1600)])];
    for between in [
        " ",
        " and ",
        " & ",
        " + ",
        " / ",
        "/",
        " and from ",
        " and between ",
    ] {
        reads(&format!("mon 9-12{between}14-16"), &want);
    }
}

#[test]
fn a_clause_without_days_takes_those_of_the_clause_before() {
    reads(
        "mon, wed 9-12, 14-16",
        &[on(&[MON, WED], &[(900, 1200), (1400, 1600)])],
    );
    reads(
        "mon 9-12\n14-16\ntue 9-10",
        &[
            on(&[MON], &[(900, 1200), (1400, 1600)]),
            on(&[TUE], &[(900, 1000)]),
        ],
    );
}

#[test]
fn a_first_clause_without_days_is_a_problem_and_so_is_what_would_take_its_days() {
    refuses(
        "9-5, 6pm-7pm, mon 9-12",
        &[(NoDay, "9-5"), (NoDay, "6pm-7pm")],
    );
    refuses("9-5 mon", &[(NoDay, "9-5"), (NoHours, "mon")]);
    refuses(
        "25-26",
        &[
            (HourOutOfRange, "25"),
            (NoDay, "25-26"),
            (HourOutOfRange, "26"),
        ],
    );
}

#[test]
fn a_day_after_a_range_starts_a_new_clause() {
    let want = [on(&[MON], &[(900, 1200)]), on(&[TUE], &[(1400, 1700)])];
    for between in [" and ", " ", " & ", " / "] {
        reads(&format!("mon 9-12{between}tue 2-5"), &want);
    }
}

#[test]
fn a_clause_with_days_alone_joins_the_next() {
    reads("mon, wed 9-5", &[on(&[MON, WED], &[(900, 1700)])]);
    reads("mon\nwed\n9-5", &[on(&[MON, WED], &[(900, 1700)])]);
    reads(
        "mon, wed, and fri 9-5",
        &[on(&[MON, WED, FRI], &[(900, 1700)])],
    );
    // And not the clause before.
    reads(
        "tue 9-12, mon, wed 1-5",
        &[on(&[TUE], &[(900, 1200)]), on(&[MON, WED], &[(1300, 1700)])],
    );
}

#[test]
fn days_alone_at_the_end_are_a_problem() {
    refuses("mon", &[(NoHours, "mon")]);
    refuses("mon 9-12, tue, every wed", &[(NoHours, "tue, every wed")]);
    refuses("weekdays:", &[(NoHours, "weekdays")]);
}

#[test]
fn fillers_are_dropped() {
    let want = [on(&[MON], &[(900, 1700)])];
    for text in [
        "on mon from 9 to 5",
        "on the mon at 9-5",
        "Mon: 9-5",
        "Mon : 9-5",
        "mon:9-5",
        "mon.: 9-5",
        "mon between the 9 and 5",
        "mon 9 o'clock to 5 o’clock",
        "between mon 9-5",
        "and mon and 9-5 and",
    ] {
        reads(text, &want);
    }
    reads("sat 10-12 o'clock", &[on(&[SAT], &[(1000, 1200)])]);
    reads("mon–fri: between 12–3", &[on(&MON_TO_FRI, &[(1200, 1500)])]);
}

#[test]
fn a_colon_is_filler_only_after_a_day() {
    refuses("mon:: 9-5", &[(Misplaced, ":")]);
    refuses("mon 9-5:", &[(Misplaced, ":")]);
    refuses("mon, : 9-5", &[(Misplaced, ":")]);
}

#[test]
fn a_list_sign_is_no_filler() {
    refuses("mon & 9-5", &[(Misplaced, "&")]);
    refuses("/ mon 9-5", &[(Misplaced, "/")]);
    refuses("mon 9-5 +", &[(Misplaced, "+")]);
    refuses("mon // tue 9-5", &[(Misplaced, "/")]);
    refuses("mon & / , tue 9-5", &[(Misplaced, "&"), (Misplaced, "/")]);
    refuses("mon and & tue 9-5", &[(Misplaced, "&")]);
    refuses("mon 9/5", &[(HalfRange, "9"), (HalfRange, "5")]);
}

#[test]
fn every_piece_that_is_not_consumed_is_a_problem_and_none_hides_another() {
    refuses(
        "mon 9-12 pm pm, lunch! tue 14-15 - 25 ; fri 9-5.",
        &[
            (Misplaced, "pm"),
            (NotUnderstood, "lunch"),
            (NotUnderstood, "!"),
            (Misplaced, "-"),
            (HourOutOfRange, "25"),
            (NotUnderstood, "."),
        ],
    );
    refuses(
        "mon 9-9, 22:00-6:00, 10, 7-9",
        &[
            (EndNotAfterStart, "9-9"),
            (Overnight, "22:00-6:00"),
            (HalfRange, "10"),
            (EndNotAfterStart, "7-9"),
        ],
    );
}

#[test]
fn hours_after_an_unknown_word_are_not_given_to_the_days_before_it() {
    for (text, unknown) in [
        ("mon 9-12, tusday 14-16", "tusday"),
        ("mon 9-12 tusday 14-16", "tusday"),
        ("mon 9-12, tusday, 14-16, 18-19", "tusday"),
    ] {
        assert_eq!(parse(text).windows, on(&[MON], &[(900, 1200)]), "{text}");
        refuses(text, &[(NotUnderstood, unknown)]);
    }
    // Named days keep their hours.
    let text = "mon, tusday 9-12, wed please 14-16";
    let want = [on(&[MON], &[(900, 1200)]), on(&[WED], &[(1400, 1600)])].concat();
    assert_eq!(parse(text).windows, want);
    // Nothing is said about the day of hours whose day was not understood.
    refuses("tusday 9-12", &[(NotUnderstood, "tusday")]);
    assert_eq!(parse("tusday 9-12").windows, []);
}

#[test]
fn windows_are_merged_and_sorted() {
    reads(
        "tue 9-12, mon 14-16, 16-18, 15-17, mon 9-10, sun 9-10",
        &[
            on(&[SUN], &[(900, 1000)]),
            on(&[MON], &[(900, 1000), (1400, 1800)]),
            on(&[TUE], &[(900, 1200)]),
        ],
    );
}
