//! How much mail may leave: what counts against what, pure.
//!
//! A booking form lets anybody have mail sent to any address. So what one address gets is limited,
//! and so is what the installation sends. A mail over a budget is held back for good.

use std::{fmt, str::FromStr};

use super::kind::Role;

/// How much mail may leave in a rolling hour and a rolling day. Each is a setting of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailBudgets {
    /// To one booker's or guest's address in an hour, across all bookings and hosts.
    pub recipient_per_hour: u32,
    /// The same in a day.
    pub recipient_per_day: u32,
    /// Sign-in mail to one address in an hour.
    pub sign_in_per_hour: u32,
    /// The same in a day.
    pub sign_in_per_day: u32,
    /// All mail of the installation in an hour; 0 for no limit.
    pub per_hour: u32,
}

/// What one mail may be sent within.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// What its recipient may get; `None` for hosts, who have no budget of their own.
    pub recipient: Option<PerRecipient>,
    /// What the installation may send in an hour, this mail included; `None` for no limit.
    pub instance_per_hour: Option<i64>,
}

/// What one address may get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerRecipient {
    /// In a rolling hour.
    pub per_hour: i64,
    /// In a rolling day.
    pub per_day: i64,
}

impl MailBudgets {
    /// For a mail about a booking. Strangers' mail stops at the installation's cap; hosts' may use
    /// the reserve above it, so that a flood of bookings does not silence them.
    #[must_use]
    pub fn of_booking(&self, role: Role) -> Allowance {
        match role {
            Role::Host => Allowance {
                recipient: None,
                instance_per_hour: self.with_reserve(),
            },
            Role::Booker | Role::Guest => Allowance {
                recipient: Some(PerRecipient {
                    per_hour: self.recipient_per_hour.into(),
                    per_day: self.recipient_per_day.into(),
                }),
                instance_per_hour: self.cap(),
            },
        }
    }

    /// For a sign-in mail.
    #[must_use]
    pub fn of_sign_in(&self) -> Allowance {
        Allowance {
            recipient: Some(PerRecipient {
                per_hour: self.sign_in_per_hour.into(),
                per_day: self.sign_in_per_day.into(),
            }),
            instance_per_hour: self.with_reserve(),
        }
    }

    fn cap(&self) -> Option<i64> {
        (self.per_hour > 0).then(|| self.per_hour.into())
    }

    /// 120 % of the cap, rounded down: a cap below five has no reserve.
    fn with_reserve(&self) -> Option<i64> {
        self.cap().map(|cap| cap + cap / 5)
    }
}

/// Why a mail is held back for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suppression {
    /// Its recipient got as many as an hour allows.
    RecipientHour,
    /// Its recipient got as many as a day allows.
    RecipientDay,
    /// The installation sent as many as an hour allows.
    InstanceHour,
}

/// The text names no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such reason")]
pub struct UnknownSuppression;

impl Suppression {
    /// Every reason, in the order of asking.
    pub const ALL: [Self; 3] = [Self::RecipientHour, Self::RecipientDay, Self::InstanceHour];

    /// The word in the database and in answers; it never changes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RecipientHour => "recipient_hour",
            Self::RecipientDay => "recipient_day",
            Self::InstanceHour => "instance_hour",
        }
    }
}

impl FromStr for Suppression {
    type Err = UnknownSuppression;

    fn from_str(word: &str) -> Result<Self, UnknownSuppression> {
        Self::ALL
            .into_iter()
            .find(|reason| reason.as_str() == word)
            .ok_or(UnknownSuppression)
    }
}

impl fmt::Display for Suppression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budgets(per_hour: u32) -> MailBudgets {
        MailBudgets {
            recipient_per_hour: 5,
            recipient_per_day: 20,
            sign_in_per_hour: 6,
            sign_in_per_day: 21,
            per_hour,
        }
    }

    #[test]
    fn strangers_stop_at_the_cap_and_hosts_and_sign_in_at_120_percent_rounded_down() {
        for (cap, with_reserve) in [
            (1, 1),
            (4, 4),
            (5, 6),
            (9, 10),
            (10, 12),
            (100, 120),
            (u32::MAX, 5_153_960_754),
        ] {
            let budgets = budgets(cap);
            for role in [Role::Booker, Role::Guest] {
                assert_eq!(
                    budgets.of_booking(role).instance_per_hour,
                    Some(i64::from(cap))
                );
            }
            for allowance in [budgets.of_booking(Role::Host), budgets.of_sign_in()] {
                assert_eq!(allowance.instance_per_hour, Some(with_reserve), "{cap}");
            }
        }
        assert_eq!(budgets(0).of_booking(Role::Booker).instance_per_hour, None);
        assert_eq!(budgets(0).of_sign_in().instance_per_hour, None);
    }

    #[test]
    fn hosts_have_no_budget_of_their_own_and_sign_in_has_another_than_bookers() {
        let per_recipient = |allowance: Allowance| {
            allowance
                .recipient
                .map(|limits| (limits.per_hour, limits.per_day))
        };
        let budgets = budgets(100);
        assert_eq!(per_recipient(budgets.of_booking(Role::Host)), None);
        assert_eq!(
            per_recipient(budgets.of_booking(Role::Guest)),
            Some((5, 20))
        );
        assert_eq!(per_recipient(budgets.of_sign_in()), Some((6, 21)));
    }

    #[test]
    fn a_reason_is_read_back_from_its_word() {
        for reason in Suppression::ALL {
            assert_eq!(reason.as_str().parse(), Ok(reason));
        }
        assert_eq!("hour".parse::<Suppression>(), Err(UnknownSuppression));
    }
}
