//! Values (RFC 5545, section 3.3): dates, times, durations, offsets, text.

use jiff::{SignedDuration, civil, tz::Offset};

use crate::calendar::{
    event::{Length, Moment},
    event_clock::Clock,
};

/// A DATE or a DATE-TIME, by its form. `clock` is for a time without `Z`.
pub(in crate::calendar) fn moment(text: &str, clock: Clock) -> Option<Moment> {
    let text = text.trim();
    if text.len() == 8 {
        return date(text).map(Moment::Date);
    }
    let (day, time) = text.split_once(['T', 't'])?;
    let (time, clock) = match time.strip_suffix(['Z', 'z']) {
        Some(time) => (time, Clock::Utc),
        None => (time, clock),
    };
    if time.len() != 6 {
        return None;
    }
    // A leap second is read as the one before it.
    let second = match number::<i8>(time, 4, 6)? {
        60 => 59,
        second => second,
    };
    let time = civil::Time::new(number(time, 0, 2)?, number(time, 2, 4)?, second, 0).ok()?;
    Some(Moment::Time {
        wall: date(day)?.to_datetime(time),
        clock,
    })
}

fn date(text: &str) -> Option<civil::Date> {
    if text.len() != 8 {
        return None;
    }
    let year = number::<i16>(text, 0, 4)?;
    if year == 0 {
        return None;
    }
    civil::Date::new(year, number(text, 4, 6)?, number(text, 6, 8)?).ok()
}

/// Digits and nothing else.
fn number<N: std::str::FromStr>(text: &str, from: usize, to: usize) -> Option<N> {
    let digits = text.get(from..to)?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse().ok())?
}

/// A DURATION (section 3.3.6), not negative.
pub(super) fn duration(text: &str) -> Option<Length> {
    let text = text.trim().to_ascii_uppercase();
    let text = text.strip_prefix('+').unwrap_or(&text);
    let mut rest = text.strip_prefix('P')?;
    let (mut days, mut seconds) = (0_i64, 0_i64);
    let mut in_time = false;
    let mut any = false;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('T') {
            if in_time {
                return None;
            }
            in_time = true;
            rest = after;
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let (digits, unit) = rest.split_at_checked(end)?;
        let n: i64 = digits.parse().ok()?;
        let mut unit_chars = unit.chars();
        match (unit_chars.next()?, in_time) {
            ('W', false) => days = days.checked_add(n.checked_mul(7)?)?,
            ('D', false) => days = days.checked_add(n)?,
            ('H', true) => seconds = seconds.checked_add(n.checked_mul(3_600)?)?,
            ('M', true) => seconds = seconds.checked_add(n.checked_mul(60)?)?,
            ('S', true) => seconds = seconds.checked_add(n)?,
            _ => return None,
        }
        any = true;
        rest = unit_chars.as_str();
    }
    // No event that anybody means is longer than ten thousand years.
    let bounded = days <= 3_660_000 && seconds <= 3_660_000 * 86_400;
    (any && bounded).then_some(Length::Duration {
        days,
        exact: SignedDuration::from_secs(seconds),
    })
}

/// A UTC-OFFSET (section 3.3.14).
pub(super) fn offset(text: &str) -> Option<Offset> {
    let text = text.trim();
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let seconds = match digits.len() {
        4 => 0,
        6 => number::<i32>(digits, 4, 6)?,
        _ => return None,
    };
    let (hours, minutes) = (number::<i32>(digits, 0, 2)?, number::<i32>(digits, 2, 4)?);
    if hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    Offset::from_seconds(sign * (hours * 3_600 + minutes * 60 + seconds)).ok()
}

/// TEXT (section 3.3.11) without its escapes, no longer than `limit` characters.
pub(super) fn text(value: &str, limit: usize) -> String {
    let mut plain = String::new();
    let mut chars = value.chars();
    for _ in 0..limit {
        match chars.next() {
            None => break,
            Some('\\') => match chars.next() {
                Some('n' | 'N') => plain.push('\n'),
                Some(c) => plain.push(c),
                None => plain.push('\\'),
            },
            Some(c) => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn only_whole_dates_and_times_are_moments() {
        let wall = |text| moment(text, Clock::Floating).map(|moment| moment.wall());
        let at = civil::date(2026, 3, 29).at(1, 30, 0, 0);
        assert_eq!(wall("20260329T013000"), Some(at));
        assert_eq!(wall(" 20260329t013000z "), Some(at));
        assert_eq!(
            wall("20260329"),
            Some(civil::date(2026, 3, 29).at(0, 0, 0, 0))
        );
        assert_eq!(wall("20260630T235960Z").unwrap().second(), 59);
        for bad in [
            "",
            "2026",
            "20260230",
            "00000101",
            "20260329T0130",
            "20260329T250000",
            "20260329T013061",
            "20260329T013000+02",
            "2026-03-29",
            "+2026032",
            "20260329T+13000",
            "2026032\u{e4}T013000",
        ] {
            assert_eq!(moment(bad, Clock::Utc), None, "{bad}");
        }
    }

    #[test]
    fn durations_are_days_and_elapsed_time() {
        let length = |days, secs| {
            Some(Length::Duration {
                days,
                exact: SignedDuration::from_secs(secs),
            })
        };
        assert_eq!(duration("P15DT5H0M20S"), length(15, 18_020));
        assert_eq!(duration("P7W"), length(49, 0));
        assert_eq!(duration("+PT15M"), length(0, 900));
        for bad in [
            "",
            "P",
            "PT",
            "15M",
            "-PT15M",
            "P1H",
            "PT1D",
            "PTT1H",
            "P1",
            "P99999999999D",
        ] {
            assert_eq!(duration(bad), None, "{bad}");
        }
    }

    #[test]
    fn offsets_have_a_sign_and_at_least_minutes() {
        assert_eq!(offset("-0330"), Offset::from_seconds(-12_600).ok());
        assert_eq!(offset("+001521"), Offset::from_seconds(921).ok());
        for bad in ["0100", "+1", "+2460", "+2400", "+01:00", ""] {
            assert_eq!(offset(bad), None, "{bad}");
        }
    }

    #[test]
    fn text_loses_its_escapes() {
        assert_eq!(text(r"a\, b\; c\\ d\nE\N\", 100), "a, b; c\\ d\nE\n\\");
        assert_eq!(text("äöü", 2), "äö");
    }
}
