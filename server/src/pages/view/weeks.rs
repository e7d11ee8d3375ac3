//! Which weeks a calendar shows, and where earlier and later ones begin.

use jiff::{ToSpan as _, civil::Date};
use shared::instant::Day;

/// Six weeks: the default horizon of thirty days fits in whatever weekday it begins.
const DAYS_SHOWN: i64 = 42;

/// The weeks of one calendar page, Monday to Sunday, in the reader's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weeks {
    /// Today.
    pub today: Day,
    /// The last date that can be booked.
    pub last: Day,
    /// The first date shown: a Monday.
    pub first: Day,
    /// The date after the last one shown: a Monday.
    pub until: Day,
    /// The `from` of the address, so that links keep it.
    pub(super) asked: Option<Day>,
    /// The `day` of the address.
    pub(super) chosen: Option<Day>,
}

impl Weeks {
    /// The weeks from the one of `asked` (held between today and the last date), or of today.
    /// A `chosen` day outside of them decides instead. Read the slots from the later of now and
    /// the start of `first` to the start of `until`: at most 42 days.
    #[must_use]
    pub fn new(today: Day, last: Day, asked: Option<Day>, chosen: Option<Day>) -> Self {
        let last = last.max(today);
        let shown = |from: Day| {
            let first = monday(from.clamp(today, last).0);
            (Day(first), Day(first.saturating_add(DAYS_SHOWN.days())))
        };
        let (mut first, mut until) = shown(asked.unwrap_or(today));
        if let Some(day) = chosen
            && (day < first || day >= until)
        {
            (first, until) = shown(day);
        }
        Self {
            today,
            last,
            first,
            until,
            asked,
            chosen,
        }
    }

    /// The `from` of the page before this one; `None` if this one begins today.
    #[must_use]
    pub fn earlier(&self) -> Option<Day> {
        let before = Day(self.first.0.saturating_sub(DAYS_SHOWN.days()));
        (self.first > self.today).then(|| before.max(self.today))
    }

    /// The `from` of the page after this one; `None` if nothing can be booked later.
    #[must_use]
    pub fn later(&self) -> Option<Day> {
        (self.until <= self.last).then_some(self.until)
    }

    /// Whether the chosen day may stay chosen in any other zone: two zones are at most 26 hours
    /// apart, so a day two away from either end of what can be booked is inside everywhere.
    pub(super) fn keeps_day(&self) -> bool {
        let early = Day(self.today.0.saturating_add(2.days()));
        let late = Day(self.last.0.saturating_sub(2.days()));
        self.chosen.is_some_and(|day| early <= day && day <= late)
    }
}

fn monday(date: Date) -> Date {
    date.saturating_sub(i64::from(date.weekday().to_monday_zero_offset()).days())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn day(month: i8, day: i8) -> Day {
        Day(date(2026, month, day))
    }

    #[test]
    fn thirty_days_fit_on_one_page_from_any_weekday() {
        for start in 1..=7 {
            let today = day(6, start);
            let last = Day(today.0.saturating_add(30.days()));
            let weeks = Weeks::new(today, last, None, None);
            assert_eq!((weeks.earlier(), weeks.later()), (None, None), "{start}");
            assert!(weeks.first <= today && last < weeks.until);
        }
    }

    #[test]
    fn paging_leads_to_the_end_and_back_to_today() {
        let (today, last) = (day(6, 3), day(12, 1));
        let mut weeks = Weeks::new(today, last, None, None);
        assert_eq!(weeks.first, day(6, 1));
        let mut pages = 1;
        while let Some(later) = weeks.later() {
            let next = Weeks::new(today, last, Some(later), None);
            assert_eq!(next.first, weeks.until);
            weeks = next;
            pages += 1;
        }
        assert_eq!(pages, 5);
        while let Some(earlier) = weeks.earlier() {
            weeks = Weeks::new(today, last, Some(earlier), None);
            pages -= 1;
        }
        assert_eq!((pages, weeks.first), (1, day(6, 1)));
    }

    #[test]
    fn dates_from_nowhere_are_held_inside() {
        let (today, last) = (day(6, 3), day(8, 1));
        let far = Weeks::new(today, last, Some(Day(date(9999, 12, 31))), None);
        assert!(far.first <= last && last < far.until);
        let past = Weeks::new(today, last, Some(Day(Date::MIN)), None);
        assert_eq!(past.first, day(6, 1));
        let past = Weeks::new(today, Day(Date::MIN), None, None);
        assert_eq!(past.last, today);
    }

    #[test]
    fn a_chosen_day_outside_the_asked_weeks_decides() {
        let weeks = Weeks::new(day(6, 3), day(12, 1), Some(day(6, 3)), Some(day(9, 9)));
        assert_eq!(weeks.first, day(9, 7));
    }

    #[test]
    fn a_day_is_kept_over_a_change_of_zone_only_inside_both_ends() {
        let keeps = |chosen| Weeks::new(day(6, 3), day(7, 3), None, Some(chosen)).keeps_day();
        assert!(!keeps(day(6, 4)));
        assert!(keeps(day(6, 5)));
        assert!(keeps(day(7, 1)));
        assert!(!keeps(day(7, 2)));
    }
}
