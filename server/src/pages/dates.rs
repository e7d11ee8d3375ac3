//! Dates, times and zones as people read them, in both languages, in the forms of the mail
//! ([`shared::mail::dates`]): day before month in English, the 24-hour clock, a zone without
//! underscores and with its offset at that instant, so that nobody has to know whether summer
//! time applies. What the mail has no use for - short forms, months, a range in parts - is here.

use jiff::{
    civil::{Date, DateTime, Weekday},
    tz::Offset,
};
use shared::{
    instant::Instant,
    locale::Locale,
    mail,
    zone::{Wall, Zone},
};

const WEEKDAYS_EN: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];
const WEEKDAYS_EN_SHORT: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const WEEKDAYS_ZH: [&str; 7] = [
    "星期一",
    "星期二",
    "星期三",
    "星期四",
    "星期五",
    "星期六",
    "星期日",
];
const WEEKDAYS_ZH_SHORT: [&str; 7] = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"];
const MONTHS_EN: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const MONTHS_EN_SHORT: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const MONTHS_ZH: [&str; 12] = [
    "1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月",
];

/// The seven weekdays from Monday on.
pub const WEEK: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

/// `Tuesday` · `星期二`
#[must_use]
pub fn weekday(locale: Locale, day: Weekday) -> &'static str {
    let names = match locale {
        Locale::En => &WEEKDAYS_EN,
        Locale::ZhCn => &WEEKDAYS_ZH,
    };
    nth(names, day.to_monday_zero_offset())
}

/// `Tue` · `周二`
#[must_use]
pub fn weekday_short(locale: Locale, day: Weekday) -> &'static str {
    let names = match locale {
        Locale::En => &WEEKDAYS_EN_SHORT,
        Locale::ZhCn => &WEEKDAYS_ZH_SHORT,
    };
    nth(names, day.to_monday_zero_offset())
}

/// `Dec` · `12月`
#[must_use]
pub fn month_short(locale: Locale, date: Date) -> &'static str {
    let names = match locale {
        Locale::En => &MONTHS_EN_SHORT,
        Locale::ZhCn => &MONTHS_ZH,
    };
    nth(names, date.month() - 1)
}

/// `December 2026` · `2026年12月`
#[must_use]
pub fn month_and_year(locale: Locale, date: Date) -> String {
    match locale {
        Locale::En => format!("{} {}", nth(&MONTHS_EN, date.month() - 1), date.year()),
        Locale::ZhCn => format!("{}年{}", date.year(), nth(&MONTHS_ZH, date.month() - 1)),
    }
}

/// `Tuesday, 1 December 2026` · `2026年12月1日星期二`
#[must_use]
pub fn date_long(locale: Locale, date: Date) -> String {
    mail::dates::date(locale, date)
}

/// Without the year: `Tuesday, 1 December` · `12月1日星期二`
#[must_use]
pub fn date_near(locale: Locale, date: Date) -> String {
    let named = weekday(locale, date.weekday());
    let day = date.day();
    match locale {
        Locale::En => format!("{named}, {day} {}", nth(&MONTHS_EN, date.month() - 1)),
        Locale::ZhCn => format!("{}月{day}日{named}", date.month()),
    }
}

/// `Tue, 1 Dec` · `12月1日周二`
#[must_use]
pub fn date_short(locale: Locale, date: Date) -> String {
    let named = weekday_short(locale, date.weekday());
    let (month, day) = (month_short(locale, date), date.day());
    match locale {
        Locale::En => format!("{named}, {day} {month}"),
        Locale::ZhCn => format!("{month}{day}日{named}"),
    }
}

/// `09:05`, the same in both languages.
#[must_use]
pub fn time(wall: DateTime) -> String {
    format!("{:02}:{:02}", wall.hour(), wall.minute())
}

/// The times of a meeting: `09:00–09:30`. An end on another date names it (midnight apart, which
/// belongs to the evening before); if the clocks change in between, both offsets are shown.
#[must_use]
pub fn time_range(locale: Locale, zone: &Zone, start: Instant, end: Instant) -> String {
    let (from, to) = (zone.wall(start), zone.wall(end));
    if offset_of(zone, start) != offset_of(zone, end) {
        let (before, after) = (offset(zone, start), offset(zone, end));
        return format!("{} {before} – {} {after}", time(from), time(to));
    }
    let midnight = from.date().tomorrow().map(|next| next.at(0, 0, 0, 0));
    if from.date() == to.date() || midnight.is_ok_and(|midnight| midnight == to) {
        return format!("{}–{}", time(from), time(to));
    }
    let (from, date, to) = (time(from), date_short(locale, to.date()), time(to));
    match locale {
        Locale::En => format!("{from} – {date}, {to}"),
        Locale::ZhCn => format!("{from} – {date} {to}"),
    }
}

/// `UTC+5:45`, `UTC−4`, `UTC+0`, with a true minus sign west of Greenwich.
#[must_use]
pub fn offset(zone: &Zone, at: Instant) -> String {
    let seconds = offset_of(zone, at).seconds();
    let sign = if seconds < 0 { '\u{2212}' } else { '+' };
    let (minutes, rest) = (seconds.unsigned_abs() / 60, seconds.unsigned_abs() % 60);
    let mut text = format!("UTC{sign}{}", minutes / 60);
    if minutes % 60 != 0 || rest != 0 {
        text.push_str(&format!(":{:02}", minutes % 60));
    }
    if rest != 0 {
        // Local mean times of the past; no zone has one today.
        text.push_str(&format!(":{rest:02}"));
    }
    text
}

/// `America/New York (UTC−5)`, and `UTC` alone.
#[must_use]
pub fn zone_label(locale: Locale, zone: &Zone, at: Instant) -> String {
    named_with_offset(locale, zone, zone.name(), at)
}

/// A zone under another name, such as its place alone, with its offset.
#[must_use]
pub fn named_with_offset(locale: Locale, zone: &Zone, name: &str, at: Instant) -> String {
    let name = name.replace('_', " ");
    if zone.name() == "UTC" {
        // UTC is its own offset.
        return name;
    }
    let offset = offset(zone, at);
    match locale {
        Locale::En => format!("{name} ({offset})"),
        Locale::ZhCn => format!("{name}（{offset}）"),
    }
}

/// A length of time in minutes: `45 min`, `1 h 30 min` · `45 分钟`, `1 小时 30 分钟`
#[must_use]
pub fn duration(locale: Locale, minutes: u32) -> String {
    let (hour, minute) = match locale {
        Locale::En => ("h", "min"),
        Locale::ZhCn => ("小时", "分钟"),
    };
    match (minutes / 60, minutes % 60) {
        (0, m) => format!("{m} {minute}"),
        (h, 0) => format!("{h} {hour}"),
        (h, m) => format!("{h} {hour} {m} {minute}"),
    }
}

/// Whether the clocks of the zone show this instant's wall time twice, so that it needs its
/// offset beside it.
#[must_use]
pub fn is_ambiguous(zone: &Zone, at: Instant) -> bool {
    matches!(zone.resolve(zone.wall(at)), Ok(Wall::Fold { .. }))
}

fn offset_of(zone: &Zone, at: Instant) -> Offset {
    zone.rules().to_offset(at.timestamp())
}

/// A name by its place; the places come from jiff's own ranges, so one is always found.
fn nth(names: &[&'static str], at: i8) -> &'static str {
    usize::try_from(at)
        .ok()
        .and_then(|at| names.get(at))
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use jiff::civil::date;
    use shared::zone::Zones;

    use super::*;

    fn zone(name: &str) -> Zone {
        Zones::bundled().get(name).unwrap()
    }

    fn at(text: &str) -> Instant {
        text.parse().unwrap()
    }

    #[test]
    fn dates_are_the_forms_of_cldr_in_both_languages() {
        let day = date(2026, 12, 1);
        assert_eq!(date_long(Locale::En, day), "Tuesday, 1 December 2026");
        assert_eq!(date_long(Locale::ZhCn, day), "2026年12月1日星期二");
        assert_eq!(date_near(Locale::En, day), "Tuesday, 1 December");
        assert_eq!(date_near(Locale::ZhCn, day), "12月1日星期二");
        assert_eq!(date_short(Locale::En, day), "Tue, 1 Dec");
        assert_eq!(date_short(Locale::ZhCn, day), "12月1日周二");
        assert_eq!(month_and_year(Locale::En, day), "December 2026");
        assert_eq!(month_and_year(Locale::ZhCn, day), "2026年12月");
    }

    #[test]
    fn every_month_and_weekday_has_its_own_name() {
        for locale in Locale::ALL {
            let months: std::collections::BTreeSet<_> = (1..=12)
                .map(|month| month_short(locale, date(2026, month, 1)))
                .collect();
            assert_eq!(months.len(), 12);
            for names in [weekday, weekday_short] {
                let days: std::collections::BTreeSet<_> =
                    WEEK.iter().map(|day| names(locale, *day)).collect();
                assert_eq!(days.len(), 7);
                assert!(!days.contains(""));
            }
        }
        assert_eq!(weekday(Locale::En, Weekday::Sunday), "Sunday");
        assert_eq!(weekday_short(Locale::ZhCn, Weekday::Sunday), "周日");
    }

    #[test]
    fn the_offset_is_the_one_of_that_date() {
        let paris = zone("Europe/Paris");
        assert_eq!(
            zone_label(Locale::En, &paris, at("2026-03-29T00:59:59Z")),
            "Europe/Paris (UTC+1)"
        );
        assert_eq!(
            zone_label(Locale::En, &paris, at("2026-03-29T01:00:00Z")),
            "Europe/Paris (UTC+2)"
        );
        let new_york = zone("America/New_York");
        assert_eq!(
            zone_label(Locale::En, &new_york, at("2026-12-01T12:00:00Z")),
            "America/New York (UTC\u{2212}5)"
        );
        assert_eq!(
            offset(&zone("Asia/Kathmandu"), at("2026-12-01T12:00:00Z")),
            "UTC+5:45"
        );
        assert_eq!(
            offset(&zone("America/St_Johns"), at("2026-12-01T12:00:00Z")),
            "UTC\u{2212}3:30"
        );
        assert_eq!(
            zone_label(Locale::En, &zone("UTC"), at("2026-12-01T12:00:00Z")),
            "UTC"
        );
    }

    #[test]
    fn a_range_names_another_date_and_both_offsets_where_they_matter() {
        let paris = zone("Europe/Paris");
        let range = |from, to| time_range(Locale::En, &paris, at(from), at(to));
        assert_eq!(
            range("2026-12-01T08:00:00Z", "2026-12-01T08:30:00Z"),
            "09:00–09:30"
        );
        assert_eq!(
            range("2026-12-01T22:30:00Z", "2026-12-01T23:00:00Z"),
            "23:30–00:00"
        );
        assert_eq!(
            range("2026-12-01T22:30:00Z", "2026-12-01T23:15:00Z"),
            "23:30 – Wed, 2 Dec, 00:15"
        );
        assert_eq!(
            range("2026-10-25T00:45:00Z", "2026-10-25T01:15:00Z"),
            "02:45 UTC+2 – 02:15 UTC+1"
        );
        assert_eq!(
            time_range(
                Locale::ZhCn,
                &paris,
                at("2026-12-01T22:30:00Z"),
                at("2026-12-01T23:15:00Z")
            ),
            "23:30 – 12月2日周三 00:15"
        );
    }

    #[test]
    fn an_hour_that_happens_twice_is_known() {
        let paris = zone("Europe/Paris");
        assert!(is_ambiguous(&paris, at("2026-10-25T00:30:00Z")));
        assert!(is_ambiguous(&paris, at("2026-10-25T01:30:00Z")));
        assert!(!is_ambiguous(&paris, at("2026-10-25T02:00:00Z")));
    }

    #[test]
    fn lengths_are_said_in_both_languages() {
        assert_eq!(duration(Locale::En, 45), "45 min");
        assert_eq!(duration(Locale::En, 60), "1 h");
        assert_eq!(duration(Locale::ZhCn, 90), "1 小时 30 分钟");
    }

    #[test]
    fn pages_and_mail_say_dates_zones_and_offsets_alike() {
        for name in ["Asia/Kathmandu", "America/New_York", "UTC", "Europe/London"] {
            let zone = zone(name);
            for text in ["2026-12-01T05:32:00Z", "2026-06-30T23:10:00Z"] {
                let at = at(text);
                for locale in Locale::ALL {
                    let mail = mail::dates::moment(locale, &zone, at);
                    let wall = zone.wall(at);
                    assert!(mail.contains(&date_long(locale, wall.date())), "{mail}");
                    assert!(mail.contains(&time(wall)), "{mail}");
                    assert!(mail.contains(&name.replace('_', " ")), "{mail}");
                    if name != "UTC" {
                        assert!(mail.contains(&offset(&zone, at)), "{mail}");
                    }
                }
            }
        }
    }
}
