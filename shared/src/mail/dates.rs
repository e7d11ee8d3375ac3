//! Dates and times as a reader writes them: CLDR's long form with the weekday, the wall clock of a
//! zone, the zone's name without underscores, and its offset from UTC at that time.
//!
//! The date's form is CLDR's, by ICU4X: `en-001`, the English that the most countries write
//! (day, month, year), and `zh-CN`. Times are CLDR's `Hm` pattern, `HH:mm` in both.

use icu_datetime::{FixedCalendarDateTimeFormatter, fieldsets::YMDE, input};
use icu_locale_core::locale;
use jiff::civil;

use crate::{
    instant::{Instant, Span},
    locale::Locale,
    zone::Zone,
};

/// A date with its weekday: `Thursday, 14 March 2024`, `2024年3月14日星期四`.
#[must_use]
pub fn date(locale: Locale, date: civil::Date) -> String {
    // The tables are compiled in and hold both languages, and jiff's years are within ICU4X's;
    // should either ever not be so, the ISO form is still right.
    formatted(locale, date).unwrap_or_else(|| date.to_string())
}

fn formatted(locale: Locale, date: civil::Date) -> Option<String> {
    let tag = match locale {
        Locale::En => locale!("en-001"),
        Locale::ZhCn => locale!("zh-CN"),
    };
    let formatter = FixedCalendarDateTimeFormatter::try_new(tag.into(), YMDE::long()).ok()?;
    let (month, day) = (
        u8::try_from(date.month()).ok()?,
        u8::try_from(date.day()).ok()?,
    );
    let date = input::Date::try_new_gregorian(i32::from(date.year()), month, day).ok()?;
    Some(formatter.format(&date).to_string())
}

/// An instant: `Thursday, 14 March 2024, 12:30 (America/New York, UTC−4)`.
#[must_use]
pub fn moment(locale: Locale, zone: &Zone, at: Instant) -> String {
    let offset = offset(zone, at);
    format!(
        "{}{}",
        date_and_time(locale, zone, at),
        zone_note(locale, zone, Some(&offset))
    )
}

/// A meeting: `Thursday, 14 March 2024, 12:30–13:00 (America/New York, UTC−4)`. One that ends on
/// another date names both, and one that the clocks change in has an offset at each end.
#[must_use]
pub fn span(locale: Locale, zone: &Zone, span: Span) -> String {
    let (from, to) = (zone.wall(span.from), zone.wall(span.to));
    let (first, last) = (offset(zone, span.from), offset(zone, span.to));
    let start = date_and_time(locale, zone, span.from);
    let end = if from.date() == to.date() {
        time(to)
    } else {
        date_and_time(locale, zone, span.to)
    };
    if first != last {
        let note = zone_note(locale, zone, None);
        return format!("{start} {first} – {end} {last}{note}");
    }
    let dash = if from.date() == to.date() {
        "–"
    } else {
        " – "
    };
    format!(
        "{start}{dash}{end}{}",
        zone_note(locale, zone, Some(&first))
    )
}

fn date_and_time(locale: Locale, zone: &Zone, at: Instant) -> String {
    let wall = zone.wall(at);
    let comma = match locale {
        Locale::En => ",",
        Locale::ZhCn => "",
    };
    format!("{}{comma} {}", date(locale, wall.date()), time(wall))
}

fn time(wall: civil::DateTime) -> String {
    format!("{:02}:{:02}", wall.hour(), wall.minute())
}

/// The zone in brackets, with the offset unless the times carry their own.
fn zone_note(locale: Locale, zone: &Zone, offset: Option<&str>) -> String {
    let name = zone.name().replace('_', " ");
    // UTC is its own offset.
    let offset = offset.filter(|_| zone.name() != "UTC");
    match (locale, offset) {
        (Locale::En, Some(offset)) => format!(" ({name}, {offset})"),
        (Locale::En, None) => format!(" ({name})"),
        (Locale::ZhCn, Some(offset)) => format!("（{name}，{offset}）"),
        (Locale::ZhCn, None) => format!("（{name}）"),
    }
}

/// `UTC−4`, `UTC+5:30`, `UTC+0`; seconds only for the local mean times of long ago.
fn offset(zone: &Zone, at: Instant) -> String {
    let total = zone.rules().to_offset(at.timestamp()).seconds();
    let sign = if total < 0 { '−' } else { '+' };
    let total = total.unsigned_abs();
    let (hours, minutes, seconds) = (total / 3_600, total / 60 % 60, total % 60);
    let mut text = format!("UTC{sign}{hours}");
    if minutes > 0 || seconds > 0 {
        text.push_str(&format!(":{minutes:02}"));
    }
    if seconds > 0 {
        text.push_str(&format!(":{seconds:02}"));
    }
    text
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::zone::Zones;

    fn shown(locale: Locale, zone: &str, from: &str, to: &str) -> String {
        let zone = Zones::bundled().get(zone).unwrap();
        let span = Span::new(from.parse().unwrap(), to.parse().unwrap()).unwrap();
        super::span(locale, &zone, span)
    }

    #[test]
    fn grp_06_each_reader_sees_their_own_clock() {
        let (from, to) = ("2024-03-14T16:30:00Z", "2024-03-14T17:00:00Z");
        for (locale, zone, want) in [
            (
                Locale::En,
                "America/New_York",
                "Thursday, 14 March 2024, 12:30–13:00 (America/New York, UTC−4)",
            ),
            (
                Locale::En,
                "America/Denver",
                "Thursday, 14 March 2024, 10:30–11:00 (America/Denver, UTC−6)",
            ),
            (
                Locale::ZhCn,
                "America/New_York",
                "2024年3月14日星期四 12:30–13:00（America/New York，UTC−4）",
            ),
        ] {
            assert_eq!(shown(locale, zone, from, to), want);
        }
    }

    #[test]
    fn grp_04_the_date_is_the_readers() {
        assert_eq!(
            shown(
                Locale::En,
                "America/Los_Angeles",
                "2020-12-16T22:00:00Z",
                "2020-12-16T22:30:00Z"
            ),
            "Wednesday, 16 December 2020, 14:00–14:30 (America/Los Angeles, UTC−8)"
        );
    }

    #[test]
    fn offsets_are_those_of_that_date() {
        for (zone, at, want) in [
            ("Asia/Kolkata", "2026-01-15T09:00:00Z", "UTC+5:30"),
            ("America/St_Johns", "2026-01-15T09:00:00Z", "UTC−3:30"),
            ("Europe/London", "2026-01-15T09:00:00Z", "UTC+0"),
            ("Europe/London", "2026-07-15T09:00:00Z", "UTC+1"),
            ("Pacific/Kiritimati", "2026-07-15T09:00:00Z", "UTC+14"),
            ("Australia/Lord_Howe", "2026-01-15T09:00:00Z", "UTC+11"),
            ("Australia/Lord_Howe", "2026-07-15T09:00:00Z", "UTC+10:30"),
            ("Africa/Monrovia", "1970-01-01T00:00:00Z", "UTC−0:44:30"),
        ] {
            let zone = Zones::bundled().get(zone).unwrap();
            assert_eq!(offset(&zone, at.parse().unwrap()), want, "{zone:?} {at}");
        }
    }

    #[test]
    fn a_meeting_over_midnight_names_both_dates() {
        let (from, to) = ("2026-12-31T22:30:00Z", "2026-12-31T23:30:00Z");
        assert_eq!(
            shown(Locale::En, "Europe/Paris", from, to),
            "Thursday, 31 December 2026, 23:30 – Friday, 1 January 2027, 00:30 (Europe/Paris, UTC+1)"
        );
        assert_eq!(
            shown(Locale::ZhCn, "Europe/Paris", from, to),
            "2026年12月31日星期四 23:30 – 2027年1月1日星期五 00:30（Europe/Paris，UTC+1）"
        );
    }

    #[test]
    fn a_meeting_that_the_clocks_change_in_has_two_offsets() {
        assert_eq!(
            shown(
                Locale::En,
                "Europe/Berlin",
                "2026-10-25T00:30:00Z",
                "2026-10-25T01:30:00Z"
            ),
            "Sunday, 25 October 2026, 02:30 UTC+2 – 02:30 UTC+1 (Europe/Berlin)"
        );
        assert_eq!(
            shown(
                Locale::ZhCn,
                "Europe/Berlin",
                "2026-03-29T00:30:00Z",
                "2026-03-29T01:30:00Z"
            ),
            "2026年3月29日星期日 01:30 UTC+1 – 03:30 UTC+2（Europe/Berlin）"
        );
    }

    #[test]
    fn utc_needs_no_offset() {
        let zone = Zones::bundled().get("UTC").unwrap();
        let at = "2026-12-01T14:05:00Z".parse().unwrap();
        assert_eq!(
            moment(Locale::En, &zone, at),
            "Tuesday, 1 December 2026, 14:05 (UTC)"
        );
        assert_eq!(
            moment(Locale::ZhCn, &zone, at),
            "2026年12月1日星期二 14:05（UTC）"
        );
    }

    /// CLDR 48's wide names, written down here so that a table that changes is seen.
    #[test]
    fn every_weekday_and_month_is_named_as_cldr_does() {
        let english = [
            "Thursday, 1 January 2026",
            "Sunday, 1 February 2026",
            "Sunday, 1 March 2026",
            "Wednesday, 1 April 2026",
            "Friday, 1 May 2026",
            "Monday, 1 June 2026",
            "Wednesday, 1 July 2026",
            "Saturday, 1 August 2026",
            "Tuesday, 1 September 2026",
            "Thursday, 1 October 2026",
            "Sunday, 1 November 2026",
            "Tuesday, 1 December 2026",
        ];
        let chinese = [
            "四", "日", "日", "三", "五", "一", "三", "六", "二", "四", "日", "二",
        ];
        for month in 1..=12_i8 {
            let first = civil::date(2026, month, 1);
            let at = usize::try_from(month - 1).unwrap();
            assert_eq!(date(Locale::En, first), english[at]);
            assert_eq!(
                date(Locale::ZhCn, first),
                format!("2026年{month}月1日星期{}", chinese[at])
            );
        }
    }
}
