//! Every code has a text that leads to it, and a sentence in both languages.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

use super::super::{MAX_BYTES, Problem, ProblemCode, parse};
use super::refuses;
use crate::locale::Locale;

/// A text for every code, with the piece that is quoted.
const TEXTS: [(ProblemCode, &str, &str, &str); 15] = [
    (
        ProblemCode::NotUnderstood,
        "not_understood",
        "mon 9-5 banana",
        "banana",
    ),
    (ProblemCode::Misplaced, "misplaced", "mon to 9-5", "to"),
    (ProblemCode::NoDay, "no_day", "9-5", "9-5"),
    (
        ProblemCode::NoHours,
        "no_hours",
        "mon 9-5, tue/wed",
        "tue/wed",
    ),
    (
        ProblemCode::DaysNotJoined,
        "days_not_joined",
        "mon fri 9-5",
        "mon fri",
    ),
    (
        ProblemCode::BetweenDays,
        "between_days",
        "between mon and fri 9-5",
        "between mon and fri",
    ),
    (ProblemCode::NotATime, "not_a_time", "mon 0900-17", "0900"),
    (
        ProblemCode::HourOutOfRange,
        "hour_out_of_range",
        "mon 9-25",
        "25",
    ),
    (
        ProblemCode::MeridiemHourOutOfRange,
        "meridiem_hour_out_of_range",
        "mon 9-13 p.m.",
        "13 p.m.",
    ),
    (ProblemCode::Hour24, "hour_24", "mon 20-24", "24"),
    (
        ProblemCode::MinuteOutOfRange,
        "minute_out_of_range",
        "mon 9:60-10",
        "9:60",
    ),
    (ProblemCode::HalfRange, "half_range", "mon 9 -", "9 -"),
    (
        ProblemCode::EndNotAfterStart,
        "end_not_after_start",
        "mon 7-9",
        "7-9",
    ),
    (
        ProblemCode::Overnight,
        "overnight",
        "mon 22:00-6:00",
        "22:00-6:00",
    ),
    (ProblemCode::TooLong, "too_long", "", ""),
];

#[test]
fn every_code_is_reached_by_a_text_and_has_a_stable_name() {
    for code in ProblemCode::ALL {
        let (_, name, text, quote) = TEXTS
            .into_iter()
            .find(|entry| entry.0 == code)
            .expect("a text for every code");
        assert_eq!(
            serde_json::to_string(&code).expect("json"),
            format!("\"{name}\"")
        );
        if code != ProblemCode::TooLong {
            refuses(text, &[(code, quote)]);
        }
    }
}

#[test]
fn a_text_over_2000_bytes_is_one_problem_that_points_past_the_limit() {
    let fits = format!("mon 9-5{}", " ".repeat(MAX_BYTES - 7));
    assert_eq!(fits.len(), 2_000);
    assert_eq!(parse(&fits).problems, []);
    assert_eq!(parse(&fits).windows.len(), 1);

    let over = format!("{fits}x");
    assert_eq!(parse(&over).windows, []);
    refuses(&over, &[(ProblemCode::TooLong, "x")]);

    // The limit falls inside a character, and the quote stays short.
    let wide = format!("x{}", "周".repeat(100_000));
    let parsed = parse(&wide);
    let [problem] = parsed.problems.as_slice() else {
        panic!("{:?}", parsed.problems)
    };
    assert_eq!((problem.start, problem.end), (1_999, 2_041));
    assert_eq!(
        wide.get(problem.start..problem.end),
        Some(problem.quote.as_str())
    );
}

fn first(text: &str) -> Problem {
    parse(text).problems.into_iter().next().expect("a problem")
}

#[test]
fn sentences_quote_the_piece_in_both_languages_and_differ_by_code() {
    let mut seen = Vec::new();
    for (code, _, text, quote) in TEXTS {
        let long = "x".repeat(MAX_BYTES + 1);
        let problem = first(if code == ProblemCode::TooLong {
            &long
        } else {
            text
        });
        let (english, chinese) = (problem.message(Locale::En), problem.message(Locale::ZhCn));
        assert!(
            english.contains(quote) && english.ends_with('.'),
            "{english}"
        );
        assert!(
            chinese.contains(quote) && chinese.ends_with('。'),
            "{chinese}"
        );
        assert!(english.is_ascii(), "{english}");
        for sentence in [english.replace(quote, ""), chinese.replace(quote, "")] {
            assert!(!seen.contains(&sentence), "{sentence}");
            seen.push(sentence);
        }
    }
}

#[test]
fn sentences_carry_the_suggestions() {
    for (text, english, chinese) in [
        (
            "mon 7-9",
            "\"7-9\" does not end after it starts; write \"7am-9am\" or \"7pm-9pm\".",
            "“7-9”的结束时间不晚于开始时间；请写“7am-9am”或“7pm-9pm”。",
        ),
        (
            "mon 9am-9am",
            "\"9am-9am\" does not end after it starts.",
            "“9am-9am”的结束时间不晚于开始时间。",
        ),
        (
            "mon 10pm-2am",
            "\"10pm-2am\" runs past midnight; write \"22:00-24:00\" on the day and \
             \"00:00-02:00\" on the day after.",
            "“10pm-2am”跨过了午夜；请在当天写“22:00-24:00”，在第二天写“00:00-02:00”。",
        ),
        (
            "between Mon. and fri 9-5",
            "\"between Mon. and fri\" can be read in two ways; write \"Mon.-fri\" or \
             \"Mon. and fri\".",
            "“between Mon. and fri”有两种读法；请写“Mon.-fri”或“Mon. and fri”。",
        ),
        (
            "9-5",
            "\"9-5\" has no day before it; write one, such as \"mon 9-5\".",
            "“9-5”前面没有星期；请先写星期，例如“mon 9-5”。",
        ),
    ] {
        let problem = first(text);
        assert_eq!(problem.message(Locale::En), english);
        assert_eq!(problem.message(Locale::ZhCn), chinese);
    }
}

#[test]
fn digits_in_no_form_of_a_clock_are_quoted_whole() {
    for piece in [
        "0900", "9:5", "9:600", "9:00:00", "1.5.2024", "12th", "9banana", "123",
    ] {
        refuses(
            &format!("mon {piece}-17"),
            &[(ProblemCode::NotATime, piece)],
        );
        refuses(&format!("mon {piece}"), &[(ProblemCode::NotATime, piece)]);
    }
}
