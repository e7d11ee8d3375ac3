//! The calendar: weeks of days, month by month, free days as links.

use jiff::{ToSpan as _, civil::Date};
use shared::{instant::Day, locale::Locale};

use super::{days::DaySlots, link::Link, weeks::Weeks};
use crate::pages::{dates, words::words};

/// What the macro `calendar` shows.
#[derive(Debug)]
pub(super) struct Calendar {
    pub(super) weekdays: Vec<Weekday>,
    pub(super) months: Vec<Month>,
    pub(super) earlier: Option<String>,
    pub(super) later: Option<String>,
    /// No free day in any of the weeks.
    pub(super) empty: bool,
}

/// The head of a column.
#[derive(Debug)]
pub(super) struct Weekday {
    pub(super) short: &'static str,
    pub(super) long: &'static str,
}

/// A month, or the part of it that the weeks reach.
#[derive(Debug)]
pub(super) struct Month {
    pub(super) name: String,
    pub(super) weeks: Vec<Vec<Cell>>,
}

/// One cell of seven; without a number it is blank.
#[derive(Debug, Default)]
pub(super) struct Cell {
    pub(super) number: String,
    pub(super) free: Option<FreeDay>,
    pub(super) today: bool,
}

/// A day that can be chosen.
#[derive(Debug)]
pub(super) struct FreeDay {
    pub(super) href: String,
    /// The date and the number of times, for those who hear the page.
    pub(super) label: String,
    /// One to three: how much is free.
    pub(super) level: u8,
    pub(super) chosen: bool,
}

impl Calendar {
    /// `link` is the page's address with all that its links keep, the day apart.
    pub(super) fn new(locale: Locale, weeks: &Weeks, days: &[DaySlots], link: &Link) -> Self {
        let from =
            |day: Option<Day>| day.map(|day| link.clone().with("from", day.0.to_string()).href());
        Self {
            weekdays: dates::WEEK
                .iter()
                .map(|day| Weekday {
                    short: dates::weekday_short(locale, *day),
                    long: dates::weekday(locale, *day),
                })
                .collect(),
            months: months(locale, weeks, days, link),
            earlier: from(weeks.earlier()),
            later: from(weeks.later()),
            empty: days.iter().all(|day| day.starts.is_empty()),
        }
    }
}

fn months(locale: Locale, weeks: &Weeks, days: &[DaySlots], link: &Link) -> Vec<Month> {
    // Days gone by are left blank, and so is what can never be booked after the last month.
    let from = weeks.first.max(weeks.today).0;
    let end = weeks.until.0.min(monday_after(weeks.last.0));
    let last = weeks.last.0.min(end.saturating_sub(1.day()));
    let mut months = Vec::new();
    let mut month = from.first_of_month();
    while month <= last {
        let mut weeks_shown = Vec::new();
        let mut monday = weeks.first.0;
        while monday < end {
            let week: Vec<Cell> = (0..7)
                .map(|offset| {
                    let date = monday.saturating_add(i64::from(offset).days());
                    let inside = date >= from && date < end && date.first_of_month() == month;
                    match inside {
                        true => cell(locale, date, weeks, days, link),
                        false => Cell::default(),
                    }
                })
                .collect();
            if week.iter().any(|cell| !cell.number.is_empty()) {
                weeks_shown.push(week);
            }
            monday = monday.saturating_add(7.days());
        }
        months.push(Month {
            name: dates::month_and_year(locale, month),
            weeks: weeks_shown,
        });
        let Ok(next) = month.last_of_month().tomorrow() else {
            break;
        };
        month = next;
    }
    without_barren_ends(months)
}

/// Months before the first free day and after the last one say nothing; they are left out, unless
/// no day is free.
fn without_barren_ends(mut months: Vec<Month>) -> Vec<Month> {
    let fruitful = |month: &Month| month.weeks.iter().flatten().any(|cell| cell.free.is_some());
    if let Some(last) = months.iter().rposition(fruitful) {
        months.truncate(last + 1);
    }
    if let Some(first) = months.iter().position(fruitful) {
        months.drain(..first);
    }
    months
}

fn cell(locale: Locale, date: Date, weeks: &Weeks, days: &[DaySlots], link: &Link) -> Cell {
    let count = days
        .iter()
        .find(|day| day.date.0 == date)
        .map_or(0, |day| day.starts.len());
    let today = date == weeks.today.0;
    let chosen = weeks.chosen == Some(Day(date));
    let said = &words(locale).choose;
    let free = (count > 0).then(|| {
        let mut label = format!(
            "{}: {}",
            dates::date_near(locale, date),
            (said.times)(count)
        );
        for (applies, word) in [(today, said.today), (chosen, said.chosen)] {
            if applies {
                label.push_str(&format!(" ({word})"));
            }
        }
        FreeDay {
            href: link.clone().with("day", date.to_string()).href(),
            label,
            level: match count {
                0..=2 => 1,
                3..=5 => 2,
                _ => 3,
            },
            chosen,
        }
    });
    Cell {
        number: date.day().to_string(),
        free,
        today,
    }
}

fn monday_after(date: Date) -> Date {
    let left = 7 - i64::from(date.weekday().to_monday_zero_offset());
    date.saturating_add(left.days())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use jiff::civil::date;

    use super::*;

    fn calendar(today: Date, last: Date, free: &[Date]) -> Calendar {
        let weeks = Weeks::new(Day(today), Day(last), None, None);
        let days: Vec<_> = free
            .iter()
            .map(|date| DaySlots {
                date: Day(*date),
                starts: vec!["2026-12-01T08:00:00Z".parse().unwrap()],
            })
            .collect();
        Calendar::new(Locale::En, &weeks, &days, &Link::to(["x"]))
    }

    fn numbers(month: &Month) -> Vec<Vec<&str>> {
        month
            .weeks
            .iter()
            .map(|week| week.iter().map(|cell| cell.number.as_str()).collect())
            .collect()
    }

    #[test]
    fn a_week_over_two_months_stands_in_both() {
        // 2026-11-30 is a Monday.
        let free = [date(2026, 11, 30), date(2026, 12, 2)];
        let calendar = calendar(date(2026, 11, 30), date(2026, 12, 11), &free);
        let names: Vec<_> = calendar.months.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["November 2026", "December 2026"]);
        assert_eq!(
            numbers(&calendar.months[0]),
            [["30", "", "", "", "", "", ""]]
        );
        assert_eq!(
            numbers(&calendar.months[1]),
            [
                ["", "1", "2", "3", "4", "5", "6"],
                ["7", "8", "9", "10", "11", "12", "13"]
            ]
        );
        let wednesday = calendar.months[1].weeks[0][2].free.as_ref().unwrap();
        assert_eq!(wednesday.href, "/x?day=2026-12-02");
        assert_eq!(wednesday.label, "Wednesday, 2 December: 1 free time");
        assert!(!calendar.empty);
    }

    #[test]
    fn months_without_a_free_day_at_either_end_are_left_out() {
        let free = [date(2026, 12, 2)];
        let calendar = calendar(date(2026, 11, 30), date(2027, 1, 6), &free);
        let names: Vec<_> = calendar.months.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["December 2026"]);
    }

    #[test]
    fn days_gone_by_are_blank_and_make_no_month() {
        // A Tuesday whose Monday lies in November.
        let calendar = calendar(date(2026, 12, 1), date(2026, 12, 4), &[]);
        assert_eq!(calendar.months.len(), 1);
        assert_eq!(
            numbers(&calendar.months[0]),
            [["", "1", "2", "3", "4", "5", "6"]]
        );
        assert!(calendar.empty);
        assert!(calendar.months[0].weeks[0][1].today);
    }

    #[test]
    fn every_free_day_of_six_weeks_is_a_link_once() {
        let today = date(2026, 6, 3);
        let free: Vec<_> = (0..31)
            .map(|n: i64| today.saturating_add(n.days()))
            .collect();
        let calendar = calendar(today, date(2026, 7, 3), &free);
        let linked: Vec<_> = calendar
            .months
            .iter()
            .flat_map(|month| month.weeks.iter().flatten())
            .filter_map(|cell| cell.free.as_ref())
            .map(|free| free.href.clone())
            .collect();
        let wanted: Vec<_> = free.iter().map(|day| format!("/x?day={day}")).collect();
        assert_eq!(linked, wanted);
    }
}
