//! The periods of a rule: hours, days, weeks, months or years, every so many of them.

use chrono::Weekday;
use jiff::{ToSpan as _, civil};
use rrule::Frequency;

pub(super) struct Period {
    pub frequency: Frequency,
    pub interval: i64,
    pub week_start: Weekday,
}

impl Period {
    /// Whether some ten years or more lie between two of them.
    pub(super) const fn is_long(&self) -> bool {
        self.interval
            >= match self.frequency {
                Frequency::Yearly => 10,
                Frequency::Monthly => 120,
                Frequency::Weekly => 520,
                Frequency::Daily => 3_650,
                _ => 87_600,
            }
    }

    /// The beginning of the hour, day, week, month or year of a wall time.
    pub(super) fn start_of(&self, wall: civil::DateTime) -> Option<civil::DateTime> {
        let date = wall.date();
        Some(match self.frequency {
            Frequency::Yearly => date.first_of_year().at(0, 0, 0, 0),
            Frequency::Monthly => date.first_of_month().at(0, 0, 0, 0),
            Frequency::Weekly => {
                let from_monday = i64::from(date.weekday().to_monday_zero_offset());
                let start = i64::from(self.week_start.num_days_from_monday());
                let back = (from_monday - start).rem_euclid(7);
                date.checked_sub(back.days()).ok()?.at(0, 0, 0, 0)
            }
            Frequency::Daily => date.at(0, 0, 0, 0),
            _ => date.at(wall.hour(), 0, 0, 0),
        })
    }

    /// How many whole intervals lie between the beginning of a period and a later wall time.
    pub(super) fn whole_between(&self, start: civil::DateTime, at: civil::DateTime) -> i64 {
        let months = |date: civil::Date| i64::from(date.year()) * 12 + i64::from(date.month());
        let hours = || {
            let elapsed = at.duration_since(start).as_hours();
            elapsed.max(0)
        };
        let units = match self.frequency {
            Frequency::Yearly => i64::from(at.year()) - i64::from(start.year()),
            Frequency::Monthly => months(at.date()) - months(start.date()),
            Frequency::Weekly => hours() / (24 * 7),
            Frequency::Daily => hours() / 24,
            _ => hours(),
        };
        (units / self.interval).max(0)
    }

    /// So many intervals later. `start` is the beginning of a period.
    pub(super) fn after(&self, start: civil::DateTime, intervals: i64) -> Option<civil::DateTime> {
        let units = intervals.checked_mul(self.interval)?;
        let span = match self.frequency {
            Frequency::Yearly => jiff::Span::new().try_years(units),
            Frequency::Monthly => jiff::Span::new().try_months(units),
            Frequency::Weekly => jiff::Span::new().try_weeks(units),
            Frequency::Daily => jiff::Span::new().try_days(units),
            _ => jiff::Span::new().try_hours(units),
        };
        start.checked_add(span.ok()?).ok()
    }
}
