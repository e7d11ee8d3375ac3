//! Says windows back in words.

use super::clock::hh_mm;
use super::window::{Window, merge};
use crate::locale::Locale;

/// The weekdays in the order in which a week is read: Monday first, Sunday last.
const WEEK: [u8; 7] = [1, 2, 3, 4, 5, 6, 0];

/// The windows in words: "Mondays 12:00–15:00; Tuesdays 12:00–14:00 and 17:00–19:00". Days with
/// the same hours share a clause: "Mondays to Fridays 09:00–17:00". No windows give no words.
///
/// The English words read back: [`parse`](super::parse) gives the merged windows again, as long as
/// the words fit [`MAX_BYTES`](super::MAX_BYTES). The Chinese words are for reading only.
#[must_use]
pub fn describe(windows: &[Window], locale: Locale) -> String {
    let clauses: Vec<String> = groups(windows)
        .iter()
        .map(|group| match locale {
            Locale::En => format!(
                "{} {}",
                english_days(&group.days),
                english_list(&group.hours)
            ),
            Locale::ZhCn => format!("{} {}", chinese_days(&group.days), group.hours.join("、")),
        })
        .collect();
    match locale {
        Locale::En => clauses.join("; "),
        Locale::ZhCn => clauses.join("；"),
    }
}

/// Days with the same hours: the days as places in [`WEEK`], the hours as `HH:MM–HH:MM`.
struct Group {
    days: Vec<usize>,
    hours: Vec<String>,
}

fn groups(windows: &[Window]) -> Vec<Group> {
    let merged = merge(windows.to_vec());
    let mut groups: Vec<Group> = Vec::new();
    for (place, weekday) in WEEK.into_iter().enumerate() {
        let hours: Vec<String> = merged
            .iter()
            .filter(|window| window.weekday == weekday)
            .map(|window| format!("{}–{}", hh_mm(window.start_min), hh_mm(window.end_min)))
            .collect();
        if hours.is_empty() {
            continue;
        }
        match groups.iter_mut().find(|group| group.hours == hours) {
            Some(group) => group.days.push(place),
            None => groups.push(Group {
                days: vec![place],
                hours,
            }),
        }
    }
    groups
}

/// The first and last of at least three days in a row.
fn run(days: &[usize]) -> Option<(usize, usize)> {
    match days {
        [first, _, .., last] if last - first + 1 == days.len() => Some((*first, *last)),
        _ => None,
    }
}

fn english_days(days: &[usize]) -> String {
    match run(days) {
        Some((0, 6)) => "Every day".to_owned(),
        Some((first, last)) => format!("{} to {}", english_day(first), english_day(last)),
        None => {
            let names: Vec<String> = days
                .iter()
                .map(|day| english_day(*day).to_owned())
                .collect();
            english_list(&names)
        }
    }
}

fn english_list(members: &[String]) -> String {
    match members {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

const fn english_day(place: usize) -> &'static str {
    match place {
        0 => "Mondays",
        1 => "Tuesdays",
        2 => "Wednesdays",
        3 => "Thursdays",
        4 => "Fridays",
        5 => "Saturdays",
        _ => "Sundays",
    }
}

fn chinese_days(days: &[usize]) -> String {
    match run(days) {
        Some((0, 6)) => "每天".to_owned(),
        Some((first, last)) => format!("{}至{}", chinese_day(first), chinese_day(last)),
        None => {
            let names: Vec<&str> = days.iter().map(|day| chinese_day(*day)).collect();
            names.join("、")
        }
    }
}

const fn chinese_day(place: usize) -> &'static str {
    match place {
        0 => "周一",
        1 => "周二",
        2 => "周三",
        3 => "周四",
        4 => "周五",
        5 => "周六",
        _ => "周日",
    }
}

#[cfg(test)]
mod tests {
    use super::{Locale, Window, describe};

    fn on(weekdays: &[u8], hours: &[(u16, u16)]) -> Vec<Window> {
        let day = |weekday| {
            hours.iter().map(move |(start, end)| Window {
                weekday,
                start_min: start * 60,
                end_min: end * 60,
            })
        };
        weekdays.iter().copied().flat_map(day).collect()
    }

    #[test]
    fn hours_are_said_by_day_from_monday_on() {
        let windows = [
            on(&[0], &[(14, 16)]),
            on(&[1], &[(12, 15)]),
            on(&[2], &[(12, 14), (17, 19)]),
            on(&[6], &[(0, 1), (8, 9), (23, 24)]),
        ]
        .concat();
        assert_eq!(
            describe(&windows, Locale::En),
            "Mondays 12:00–15:00; Tuesdays 12:00–14:00 and 17:00–19:00; \
             Saturdays 00:00–01:00, 08:00–09:00 and 23:00–24:00; Sundays 14:00–16:00"
        );
        assert_eq!(
            describe(&windows, Locale::ZhCn),
            "周一 12:00–15:00；周二 12:00–14:00、17:00–19:00；\
             周六 00:00–01:00、08:00–09:00、23:00–24:00；周日 14:00–16:00"
        );
    }

    #[test]
    fn days_with_the_same_hours_share_a_clause() {
        let cases = [
            (
                &[1, 2, 3, 4, 5][..],
                "Mondays to Fridays 09:00–17:00",
                "周一至周五 09:00–17:00",
            ),
            (
                &[0, 1, 2, 3, 4, 5, 6],
                "Every day 09:00–17:00",
                "每天 09:00–17:00",
            ),
            (
                &[6, 0],
                "Saturdays and Sundays 09:00–17:00",
                "周六、周日 09:00–17:00",
            ),
            (
                &[1, 3, 5],
                "Mondays, Wednesdays and Fridays 09:00–17:00",
                "周一、周三、周五 09:00–17:00",
            ),
            (
                &[0, 6, 5],
                "Fridays to Sundays 09:00–17:00",
                "周五至周日 09:00–17:00",
            ),
            (
                &[1, 2, 3, 5],
                "Mondays, Tuesdays, Wednesdays and Fridays 09:00–17:00",
                "周一、周二、周三、周五 09:00–17:00",
            ),
        ];
        for (days, english, chinese) in cases {
            assert_eq!(describe(&on(days, &[(9, 17)]), Locale::En), english);
            assert_eq!(describe(&on(days, &[(9, 17)]), Locale::ZhCn), chinese);
        }
    }

    #[test]
    fn windows_are_merged_before_they_are_said_and_none_give_no_words() {
        let windows = on(&[1], &[(12, 13), (9, 12)]);
        assert_eq!(describe(&windows, Locale::En), "Mondays 09:00–13:00");
        for locale in Locale::ALL {
            assert_eq!(describe(&[], locale), "");
        }
    }
}
