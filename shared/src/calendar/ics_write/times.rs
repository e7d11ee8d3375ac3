//! Times, durations, offsets and the rules of zones (RFC 5545, sections 3.3.4 to 3.3.14).

use std::fmt::Write as _;

use jiff::{SignedDuration, civil, tz::Offset};

use super::IcsWriter;

/// How dates or times are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeForm<'a> {
    /// `VALUE=DATE`.
    Date,
    /// Form 1 of section 3.3.5: the same wall time everywhere.
    Floating,
    /// Form 2, with `Z`.
    Utc,
    /// Form 3, with this TZID: one that the stream defines.
    Zone(&'a str),
}

impl TimeForm<'_> {
    /// The parameters that go with it.
    fn parameters(self) -> String {
        match self {
            Self::Date => ";VALUE=DATE".to_owned(),
            Self::Floating | Self::Utc => String::new(),
            Self::Zone(name) => format!(";TZID={}", quoted(name)),
        }
    }

    fn value(self, wall: civil::DateTime) -> String {
        let form = match self {
            Self::Date => "%Y%m%d",
            Self::Floating | Self::Zone(_) => "%Y%m%dT%H%M%S",
            Self::Utc => "%Y%m%dT%H%M%SZ",
        };
        wall.strftime(form).to_string()
    }
}

/// A start with a length of its own, as RDATE may name one: civil days, then elapsed time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// When it starts, on the form's clock.
    pub start: civil::DateTime,
    /// Whole days.
    pub days: i64,
    /// Elapsed time after them.
    pub exact: SignedDuration,
}

/// A day of every year, for the change of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yearly {
    /// 1 to 12.
    pub month: i8,
    /// The day of the week.
    pub weekday: civil::Weekday,
    /// Which one of the month.
    pub day: YearlyDay,
}

/// Which weekday of a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YearlyDay {
    /// The last one.
    Last,
    /// The first is 1.
    Nth(i8),
    /// The one in the seven days from this day of the month on.
    From(i8),
}

impl IcsWriter {
    /// A property with one date or time, or with a list of them.
    pub fn times(&mut self, name: &'static str, form: TimeForm<'_>, walls: &[civil::DateTime]) {
        let values: Vec<String> = walls.iter().map(|wall| form.value(*wall)).collect();
        self.line(&format!("{name}{}:{}", form.parameters(), values.join(",")));
    }

    /// A property with a list of periods (section 3.3.9), never of dates.
    pub fn periods(&mut self, name: &'static str, form: TimeForm<'_>, periods: &[Period]) {
        let values: Vec<String> = periods
            .iter()
            .map(|period| {
                let length = duration(period.days, period.exact);
                format!("{}/{length}", form.value(period.start))
            })
            .collect();
        let parameters = form.parameters();
        self.line(&format!(
            "{name};VALUE=PERIOD{parameters}:{}",
            values.join(",")
        ));
    }

    /// A DURATION (section 3.3.6), not negative.
    pub fn duration(&mut self, name: &'static str, days: i64, exact: SignedDuration) {
        self.line(&format!("{name}:{}", duration(days, exact)));
    }

    /// How often a calendar is to be asked for (RFC 7986, section 5.7).
    pub fn refresh_interval(&mut self, exact: SignedDuration) {
        let text = duration(0, exact);
        self.line(&format!("REFRESH-INTERVAL;VALUE=DURATION:{text}"));
        // What programs looked at before there was a standard.
        self.line(&format!("X-PUBLISHED-TTL:{text}"));
    }

    /// A UTC-OFFSET (section 3.3.14).
    pub fn offset(&mut self, name: &'static str, offset: Offset) {
        let seconds = offset.seconds();
        let sign = if seconds < 0 { '-' } else { '+' };
        let seconds = seconds.abs();
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
        let rest = match seconds % 60 {
            0 => String::new(),
            rest => format!("{rest:02}"),
        };
        self.line(&format!("{name}:{sign}{hours:02}{minutes:02}{rest}"));
    }

    /// The rule of a day of every year.
    pub fn yearly(&mut self, rule: Yearly) {
        let Yearly { month, weekday, .. } = rule;
        let day = match weekday {
            civil::Weekday::Monday => "MO",
            civil::Weekday::Tuesday => "TU",
            civil::Weekday::Wednesday => "WE",
            civil::Weekday::Thursday => "TH",
            civil::Weekday::Friday => "FR",
            civil::Weekday::Saturday => "SA",
            civil::Weekday::Sunday => "SU",
        };
        let which = match rule.day {
            YearlyDay::Last => format!("BYDAY=-1{day}"),
            YearlyDay::Nth(n) => format!("BYDAY={n}{day}"),
            YearlyDay::From(first) => {
                let days: Vec<String> = (first..first.saturating_add(7))
                    .map(|day| day.to_string())
                    .collect();
                format!("BYMONTHDAY={};BYDAY={day}", days.join(","))
            }
        };
        self.line(&format!("RRULE:FREQ=YEARLY;BYMONTH={month};{which}"));
    }
}

fn quoted(name: &str) -> String {
    if name.contains([':', ';', ',']) {
        format!("\"{name}\"")
    } else {
        name.to_owned()
    }
}

fn duration(days: i64, exact: SignedDuration) -> String {
    let seconds = exact.as_secs();
    let mut text = String::from("P");
    if days != 0 || seconds == 0 {
        // Writing to a String cannot fail.
        let _ = write!(text, "{days}D");
    }
    if seconds != 0 {
        text.push('T');
        for (number, unit) in [
            (seconds / 3_600, 'H'),
            (seconds / 60 % 60, 'M'),
            (seconds % 60, 'S'),
        ] {
            if number != 0 {
                let _ = write!(text, "{number}{unit}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: civil::DateTime = civil::date(2026, 3, 29).at(1, 30, 0, 0);

    fn written(write: impl FnOnce(&mut IcsWriter)) -> String {
        let mut ics = IcsWriter::new();
        write(&mut ics);
        ics.finish()
    }

    #[test]
    fn times_are_of_one_form() {
        for (form, line) in [
            (TimeForm::Date, "DTSTART;VALUE=DATE:20260329"),
            (TimeForm::Floating, "DTSTART:20260329T013000"),
            (TimeForm::Utc, "DTSTART:20260329T013000Z"),
            (
                TimeForm::Zone("Europe/Berlin"),
                "DTSTART;TZID=Europe/Berlin:20260329T013000",
            ),
            (
                TimeForm::Zone("a:b"),
                "DTSTART;TZID=\"a:b\":20260329T013000",
            ),
        ] {
            let ics = written(|ics| ics.times("DTSTART", form, &[AT]));
            assert_eq!(ics, format!("{line}\r\n"));
        }
        let list = written(|ics| ics.times("EXDATE", TimeForm::Date, &[AT, AT]));
        assert_eq!(list, "EXDATE;VALUE=DATE:20260329,20260329\r\n");
    }

    #[test]
    fn durations_name_no_part_that_is_nothing() {
        for (days, seconds, text) in [
            (0, 0, "P0D"),
            (3, 0, "P3D"),
            (0, 1_800, "PT30M"),
            (1, 3_661, "P1DT1H1M1S"),
            (0, 90_000, "PT25H"),
        ] {
            assert_eq!(duration(days, SignedDuration::from_secs(seconds)), text);
        }
        let period = Period {
            start: AT,
            days: 0,
            exact: SignedDuration::from_mins(30),
        };
        assert_eq!(
            written(|ics| ics.periods("RDATE", TimeForm::Utc, &[period])),
            "RDATE;VALUE=PERIOD:20260329T013000Z/PT30M\r\n"
        );
    }

    #[test]
    fn offsets_have_seconds_only_where_there_are_any() {
        for (seconds, text) in [
            (0, "+0000"),
            (19_800, "+0530"),
            (-12_600, "-0330"),
            (-1_521, "-002521"),
        ] {
            let offset = Offset::from_seconds(seconds).unwrap_or(Offset::UTC);
            let ics = written(|ics| ics.offset("TZOFFSETTO", offset));
            assert_eq!(ics, format!("TZOFFSETTO:{text}\r\n"));
        }
    }

    #[test]
    fn a_day_of_the_year_is_a_rule() {
        for (day, text) in [
            (YearlyDay::Last, "BYDAY=-1SU"),
            (YearlyDay::Nth(2), "BYDAY=2SU"),
            (
                YearlyDay::From(23),
                "BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=SU",
            ),
        ] {
            let rule = Yearly {
                month: 3,
                weekday: civil::Weekday::Sunday,
                day,
            };
            let ics = written(|ics| ics.yearly(rule));
            assert_eq!(ics, format!("RRULE:FREQ=YEARLY;BYMONTH=3;{text}\r\n"));
        }
    }
}
