//! What holds for every text and every list of windows.

use proptest::prelude::*;

use super::super::describe::describe;
use super::super::parser::read;
use super::super::{MAX_BYTES, Parsed, Window, merge, parse};
use crate::locale::Locale;

/// Everything that is promised of any answer.
fn check(text: &str, parsed: &Parsed) -> Result<(), TestCaseError> {
    prop_assert_eq!(&merge(parsed.windows.clone()), &parsed.windows);
    for window in &parsed.windows {
        prop_assert!(window.weekday <= 6 && window.start_min < window.end_min);
        prop_assert!(window.end_min <= 1440);
    }
    let mut quoted = 0;
    for problem in &parsed.problems {
        prop_assert_eq!(
            text.get(problem.start..problem.end),
            Some(problem.quote.as_str())
        );
        prop_assert!(!problem.quote.is_empty());
        for locale in Locale::ALL {
            prop_assert!(!problem.message(locale).is_empty());
        }
        quoted += problem.quote.len();
    }
    prop_assert!(
        parsed
            .problems
            .is_sorted_by_key(|problem| (problem.start, problem.end))
    );
    // The answer grows with the text and no faster.
    prop_assert!(quoted <= 4 * text.len());
    Ok(())
}

fn windows(most: usize) -> impl Strategy<Value = Vec<Window>> {
    let window = (0..7_u8, 0..1440_u16, 1..=1440_u16).prop_map(|(weekday, one, other)| {
        let (start_min, end_min) = (one.min(other), one.max(other));
        Window {
            weekday,
            start_min,
            end_min: end_min.max(start_min + 1),
        }
    });
    prop::collection::vec(window, 0..most).prop_map(merge)
}

/// Short windows, which seldom merge, on few distinct hours, so that days often share them.
fn many_windows() -> impl Strategy<Value = Vec<Window>> {
    let window = (0..7_u8, 0..48_u16, 1..30_u16).prop_map(|(weekday, slot, length)| Window {
        weekday,
        start_min: slot * 30,
        end_min: slot * 30 + length,
    });
    prop::collection::vec(window, 0..120).prop_map(merge)
}

/// Whole weeks: some hours, and the days that have them.
fn regular_weeks() -> impl Strategy<Value = Vec<Window>> {
    let hours = prop::collection::vec((0..24_u16, 1..=24_u16), 1..4);
    prop::collection::vec((1..128_u8, hours), 1..4).prop_map(|parts| {
        let mut windows = Vec::new();
        for (mask, hours) in parts {
            for weekday in (0..7).filter(|day| mask & (1 << day) != 0) {
                windows.extend(hours.iter().filter(|(start, end)| start < end).map(
                    |(start, end)| Window {
                        weekday,
                        start_min: start * 60,
                        end_min: end * 60,
                    },
                ));
            }
        }
        merge(windows)
    })
}

/// Texts made of the grammar's own pieces, in any order.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "mon", "tues.", "Fr", "sundays", "weekdays", "every", "day", "all", "week", "daily", "9",
        "12", "7", "0", "24:00", "24", "17.30", "08h30", "9h", "9:75", "12am", "5p", "9 p.m.",
        "noon", "midnight", "am", "-", "–", "—", "to", "until", "between", "and", "from",
        "o'clock", "&", "+", "/", ":", ".", ",", ";", "\n", "banana", "12th", "周一", "🎉",
        "\u{301}", "’",
    ]);
    let space = prop::sample::select(vec!["", " ", " ", " ", "\u{a0}"]);
    prop::collection::vec((piece, space), 0..60).prop_map(|pieces| {
        pieces
            .into_iter()
            .flat_map(|(piece, space)| [piece, space])
            .collect()
    })
}

proptest! {
    #[test]
    fn english_words_read_back(windows in prop_oneof![windows(12), many_windows(), regular_weeks()]) {
        let words = describe(&windows, Locale::En);
        let parsed = if words.len() <= MAX_BYTES { parse(&words) } else { read(&words) };
        prop_assert_eq!(parsed, Parsed { windows, problems: vec![] }, "{}", words);
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,200}") {
        check(&text, &parse(&text))?;
    }

    #[test]
    fn any_characters_are_answered(text in prop::collection::vec(any::<char>(), 0..900)) {
        let text: String = text.into_iter().collect();
        check(&text, &parse(&text))?;
        check(&text, &read(&text))?;
    }

    #[test]
    fn any_order_of_the_grammars_pieces_is_answered(text in soup()) {
        check(&text, &parse(&text))?;
    }

    #[test]
    fn case_does_not_matter(text in soup()) {
        let (lower, upper) = (parse(&text.to_lowercase()), parse(&text.to_uppercase()));
        prop_assert_eq!(lower.windows, upper.windows);
        prop_assert_eq!(lower.problems.len(), upper.problems.len());
    }

    #[test]
    fn an_unknown_word_is_reported_wherever_it_stands(
        windows in regular_weeks(),
        place in any::<prop::sample::Index>(),
    ) {
        let words = describe(&windows, Locale::En);
        let mut pieces: Vec<&str> = words.split(' ').collect();
        pieces.insert(place.index(pieces.len() + 1), "banana");
        let text = pieces.join(" ");
        let parsed = parse(&text);
        prop_assert!(parsed.problems.iter().any(|problem| problem.quote == "banana"), "{}", text);
        // What is still understood was in the text before.
        for window in &parsed.windows {
            let within = |whole: &Window| {
                whole.weekday == window.weekday
                    && whole.start_min <= window.start_min
                    && window.end_min <= whole.end_min
            };
            prop_assert!(windows.iter().any(within), "{}: {:?}", text, window);
        }
    }
}
