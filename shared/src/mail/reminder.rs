//! The rules by which a page reminds, as a host writes them.

use std::{collections::BTreeSet, fmt, str::FromStr};

use super::owed::ReminderRule;

/// The shortest offset.
pub const MIN_OFFSET_MIN: i32 = 5;
/// The longest: thirty days.
pub const MAX_OFFSET_MIN: i32 = 30 * 24 * 60;
/// How many rules a page may have.
pub const MAX_RULES: usize = 5;

/// Why some text is no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRule {
    #[error("give OFFSET:READERS, such as 24h:hosts,booker,guests")]
    Shape,
    #[error(
        "the offset must be a number of minutes, or one with m, h or d, such as 30m, 24h or 7d"
    )]
    Offset,
    #[error("the offset must be 5 minutes to 30 days")]
    OutOfRange,
    #[error("the readers must be of hosts, booker and guests, by commas")]
    Reader,
    #[error("a reader is named twice")]
    Twice,
}

/// Why some rules cannot be a page's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRules {
    #[error("a page has at most 5 rules")]
    TooMany,
    #[error("two rules have the same offset")]
    SameOffset,
}

impl FromStr for ReminderRule {
    type Err = InvalidRule;

    fn from_str(text: &str) -> Result<Self, InvalidRule> {
        let (offset, readers) = text.split_once(':').ok_or(InvalidRule::Shape)?;
        let mut rule = Self {
            offset_min: minutes(offset.trim())?,
            to_hosts: false,
            to_booker: false,
            to_guests: false,
        };
        for reader in readers.split(',') {
            let named = match reader.trim() {
                "hosts" => &mut rule.to_hosts,
                "booker" => &mut rule.to_booker,
                "guests" => &mut rule.to_guests,
                _ => return Err(InvalidRule::Reader),
            };
            if std::mem::replace(named, true) {
                return Err(InvalidRule::Twice);
            }
        }
        Ok(rule)
    }
}

fn minutes(text: &str) -> Result<i32, InvalidRule> {
    let digits = text.trim_end_matches(['m', 'h', 'd']);
    let unit = match &text[digits.len()..] {
        "" | "m" => 1,
        "h" => 60,
        "d" => 24 * 60,
        _ => return Err(InvalidRule::Offset),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(InvalidRule::Offset);
    }
    // Digits that do not fit are far out of range.
    let number: i32 = digits.parse().map_err(|_| InvalidRule::OutOfRange)?;
    number
        .checked_mul(unit)
        .filter(|minutes| (MIN_OFFSET_MIN..=MAX_OFFSET_MIN).contains(minutes))
        .ok_or(InvalidRule::OutOfRange)
}

impl ReminderRule {
    /// Whom it reminds, as [`FromStr`] reads it.
    #[must_use]
    pub fn readers(&self) -> Vec<&'static str> {
        [
            (self.to_hosts, "hosts"),
            (self.to_booker, "booker"),
            (self.to_guests, "guests"),
        ]
        .into_iter()
        .filter_map(|(named, word)| named.then_some(word))
        .collect()
    }
}

/// The rule as [`FromStr`] reads it.
impl fmt::Display for ReminderRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = match self.offset_min {
            minutes if minutes % (24 * 60) == 0 => (minutes / (24 * 60), "d"),
            minutes if minutes % 60 == 0 => (minutes / 60, "h"),
            minutes => (minutes, "m"),
        };
        write!(f, "{number}{unit}:{}", self.readers().join(","))
    }
}

/// The rules of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReminderRules(Vec<ReminderRule>);

impl ReminderRules {
    /// Rules that can be a page's together.
    ///
    /// # Errors
    /// [`InvalidRules`].
    pub fn new(rules: Vec<ReminderRule>) -> Result<Self, InvalidRules> {
        let offsets: BTreeSet<i32> = rules.iter().map(|rule| rule.offset_min).collect();
        if rules.len() > MAX_RULES {
            Err(InvalidRules::TooMany)
        } else if offsets.len() < rules.len() {
            Err(InvalidRules::SameOffset)
        } else {
            Ok(Self(rules))
        }
    }

    /// Each.
    #[must_use]
    pub fn as_slice(&self) -> &[ReminderRule] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn a_rule_is_read_and_written_the_same() {
        for (text, offset_min, readers, written) in [
            (
                "1440:hosts,booker,guests",
                1440,
                "hosts booker guests",
                "1d:hosts,booker,guests",
            ),
            ("24h:booker", 1440, "booker", "1d:booker"),
            ("5:guests", 5, "guests", "5m:guests"),
            ("5m:guests, hosts", 5, "hosts guests", "5m:hosts,guests"),
            (" 90m : booker ", 90, "booker", "90m:booker"),
            ("2h:hosts", 120, "hosts", "2h:hosts"),
            ("30d:hosts", 43_200, "hosts", "30d:hosts"),
            ("43200:hosts", 43_200, "hosts", "30d:hosts"),
        ] {
            let rule: ReminderRule = text.parse().unwrap();
            assert_eq!(
                (rule.offset_min, rule.readers().join(" ").as_str()),
                (offset_min, readers),
                "{text}"
            );
            assert_eq!(rule.to_string(), written);
            assert_eq!(written.parse(), Ok(rule));
        }
    }

    #[test]
    fn what_is_no_rule_is_refused_with_the_reason() {
        use InvalidRule::{Offset, OutOfRange, Reader, Shape, Twice};
        for (text, why) in [
            ("", Shape),
            ("1440", Shape),
            ("1440 hosts", Shape),
            (":hosts", Offset),
            ("h:hosts", Offset),
            ("1w:hosts", Offset),
            ("1hh:hosts", Offset),
            ("1mh:hosts", Offset),
            ("1.5h:hosts", Offset),
            ("-5:hosts", Offset),
            ("+5:hosts", Offset),
            ("٥:hosts", Offset),
            ("4:hosts", OutOfRange),
            ("0:hosts", OutOfRange),
            ("43201:hosts", OutOfRange),
            ("31d:hosts", OutOfRange),
            ("99999999999:hosts", OutOfRange),
            ("2147483647d:hosts", OutOfRange),
            ("60:", Reader),
            ("60:host", Reader),
            ("60:hosts,", Reader),
            ("60:hosts;booker", Reader),
            ("60:Hosts", Reader),
            ("60:hosts:booker", Reader),
            ("60:hosts,hosts", Twice),
        ] {
            assert_eq!(text.parse::<ReminderRule>(), Err(why), "{text}");
        }
    }

    #[test]
    fn a_page_has_at_most_five_rules_of_different_offsets() {
        let rules = |offsets: &[i32]| {
            let rule = |offset: &i32| format!("{offset}:booker").parse().unwrap();
            ReminderRules::new(offsets.iter().map(rule).collect())
        };
        assert_eq!(rules(&[]).unwrap().as_slice(), []);
        assert_eq!(rules(&[5, 6, 7, 8, 9]).unwrap().as_slice().len(), MAX_RULES);
        assert_eq!(rules(&[5, 6, 7, 8, 9, 10]), Err(InvalidRules::TooMany));
        assert_eq!(rules(&[5, 60, 5]), Err(InvalidRules::SameOffset));
    }
}
