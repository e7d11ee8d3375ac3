//! Day parts: names, lists, ranges and words for several days.

use super::super::ProblemCode::{DaysNotJoined, Misplaced, NotUnderstood};
use super::{ALL_DAYS, FRI, MON, MON_TO_FRI, SAT, SUN, THU, TUE, WED, on, reads, refuses};

#[test]
fn every_spelling_of_every_day_is_known() {
    let names = [
        (SUN, "su sun sunday sundays"),
        (MON, "mo mon monday mondays"),
        (TUE, "tu tue tues tuesday tuesdays"),
        (WED, "we wed weds wednesday wednesdays"),
        (THU, "th thu thur thurs thursday thursdays"),
        (FRI, "fr fri friday fridays"),
        (SAT, "sa sat saturday saturdays"),
    ];
    for (day, spellings) in names {
        for name in spellings.split(' ') {
            let want = [on(&[day], &[(900, 1700)])];
            reads(&format!("{name} 9-5"), &want);
            reads(&format!("{name}. 9-5"), &want);
            reads(&format!("{name}.9-5"), &want);
            reads(&format!("every {name} 9-5"), &want);
            reads(&format!("{}: 9-5", name.to_uppercase()), &want);
        }
    }
}

#[test]
fn days_are_listed_with_and_ampersand_plus_and_slash() {
    for list in [
        "mon and wed and fri",
        "mon & wed&fri",
        "mon+wed + fri",
        "mon/wed/fri",
    ] {
        reads(
            &format!("{list} 9-5"),
            &[on(&[MON, WED, FRI], &[(900, 1700)])],
        );
    }
    reads(
        "every mon and every wed 9-5",
        &[on(&[MON, WED], &[(900, 1700)])],
    );
    reads("fri & sat 9-5", &[on(&[FRI, SAT], &[(900, 1700)])]);
    reads(
        "weekends and fri 9-5",
        &[on(&[FRI, SAT, SUN], &[(900, 1700)])],
    );
}

#[test]
fn days_side_by_side_are_a_problem() {
    refuses("mon fri 9-5", &[(DaysNotJoined, "mon fri")]);
    refuses("mon.wed 9-5", &[(DaysNotJoined, "mon.wed")]);
    refuses("Mon: Tue: 9-5", &[(DaysNotJoined, "Mon: Tue")]);
}

#[test]
fn a_range_of_days_walks_forward() {
    for mark in ["-", "–", "—", " - ", " to ", " until ", " till "] {
        reads(
            &format!("mon{mark}fri 9-5"),
            &[on(&MON_TO_FRI, &[(900, 1700)])],
        );
    }
    reads("mon. - wed. 9-5", &[on(&[MON, TUE, WED], &[(900, 1700)])]);
    reads(
        "every mon to fri 9 to 5",
        &[on(&MON_TO_FRI, &[(900, 1700)])],
    );
    reads("fri-mon 9-5", &[on(&[FRI, SAT, SUN, MON], &[(900, 1700)])]);
    reads("tue-mon 9-5", &[on(&ALL_DAYS, &[(900, 1700)])]);
    reads("mon-mon 9-5", &[on(&[MON], &[(900, 1700)])]);
    reads(
        "mon-tue/thu-fri 9-5",
        &[on(&[MON, TUE, THU, FRI], &[(900, 1700)])],
    );
}

#[test]
fn a_range_of_days_has_two_names() {
    refuses("mon-wed-fri 9-5", &[(Misplaced, "-")]);
    refuses("mon - 9-5", &[(Misplaced, "-")]);
    refuses("weekdays-sun 9-5", &[(Misplaced, "-")]);
}

#[test]
fn words_for_several_days_are_known() {
    for (words, days) in [
        ("weekdays", &MON_TO_FRI[..]),
        ("weekday", &MON_TO_FRI),
        ("every weekday", &MON_TO_FRI),
        ("weekends", &[SAT, SUN]),
        ("every weekend", &[SAT, SUN]),
        ("every day", &ALL_DAYS),
        ("everyday", &ALL_DAYS),
        ("daily", &ALL_DAYS),
        ("all days", &ALL_DAYS),
        ("all week", &ALL_DAYS),
    ] {
        reads(&format!("{words} 9-5"), &[on(days, &[(900, 1700)])]);
        reads(&format!("{words}: 9-5"), &[on(days, &[(900, 1700)])]);
    }
    refuses("all mon 9-5", &[(Misplaced, "all")]);
    refuses("mon 9-5, day 9-5", &[(NotUnderstood, "day")]);
    refuses(
        "every other mon 9-5",
        &[(Misplaced, "every"), (NotUnderstood, "other")],
    );
}
