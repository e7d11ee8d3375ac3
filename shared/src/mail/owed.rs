//! Which mail a transition owes: pure plans that the transition's transaction writes as rows.

use uuid::Uuid;

use super::kind::{MailKind, Role};
use crate::instant::Instant;

/// Whom a mail is for. The address is read from the booking when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// A host.
    Host(Uuid),
    /// Who booked.
    Booker,
    /// A guest that the booker named.
    Guest(Uuid),
}

impl Recipient {
    /// The reader's part.
    #[must_use]
    pub const fn role(self) -> Role {
        match self {
            Self::Host(_) => Role::Host,
            Self::Booker => Role::Booker,
            Self::Guest(_) => Role::Guest,
        }
    }

    /// The word in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Host(_) => "host",
            Self::Booker => "booker",
            Self::Guest(_) => "guest",
        }
    }

    /// The id beside the word.
    #[must_use]
    pub const fn id(self) -> Option<Uuid> {
        match self {
            Self::Host(id) | Self::Guest(id) => Some(id),
            Self::Booker => None,
        }
    }

    /// From the database's word and id.
    #[must_use]
    pub fn read(word: &str, id: Option<Uuid>) -> Option<Self> {
        match (word, id) {
            ("host", Some(id)) => Some(Self::Host(id)),
            ("guest", Some(id)) => Some(Self::Guest(id)),
            ("booker", None) => Some(Self::Booker),
            _ => None,
        }
    }
}

/// One mail owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owed {
    pub kind: MailKind,
    pub recipient: Recipient,
    /// Minutes before the start, for a reminder; else 0.
    pub offset_min: i32,
    /// A reminder's own time; it stays when a retry moves `due_at`.
    pub remind_at: Option<Instant>,
    /// From when it may be sent.
    pub due_at: Instant,
}

/// Everybody who hears of a booking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audience {
    pub hosts: Vec<Uuid>,
    pub guests: Vec<Uuid>,
}

/// When to remind whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct ReminderRule {
    pub offset_min: i32,
    pub to_hosts: bool,
    pub to_booker: bool,
    pub to_guests: bool,
}

/// An offset of at least this many minutes is not worth a mail that would go out within the hour
/// after a confirmation.
const LONG_OFFSET_MIN: i32 = 120;

impl Audience {
    /// A notice to everybody, due at once: hosts first, then the booker, then guests.
    #[must_use]
    pub fn notice(&self, kind: MailKind, now: Instant) -> Vec<Owed> {
        let hosts = self.hosts.iter().map(|id| Recipient::Host(*id));
        let guests = self.guests.iter().map(|id| Recipient::Guest(*id));
        hosts
            .chain([Recipient::Booker])
            .chain(guests)
            .map(|recipient| Owed {
                kind,
                recipient,
                offset_min: 0,
                remind_at: None,
                due_at: now,
            })
            .collect()
    }

    /// The reminders of a meeting that starts at `start`. One with an offset of two hours or more
    /// that would fall due less than an hour from now is left out: a confirmation just went out. A
    /// shorter one only if its time has passed. The offset is absolute: across a change of the
    /// clocks it is an hour off on the wall.
    #[must_use]
    pub fn reminders(&self, rules: &[ReminderRule], start: Instant, now: Instant) -> Vec<Owed> {
        let mut owed = Vec::new();
        for rule in rules {
            let remind_at = start.plus_minutes(-i64::from(rule.offset_min));
            let earliest = if rule.offset_min >= LONG_OFFSET_MIN {
                now.plus_minutes(60)
            } else {
                now
            };
            if remind_at < earliest {
                continue;
            }
            for notice in self.notice(MailKind::Reminder, remind_at) {
                let wanted = match notice.recipient {
                    Recipient::Host(_) => rule.to_hosts,
                    Recipient::Booker => rule.to_booker,
                    Recipient::Guest(_) => rule.to_guests,
                };
                if wanted {
                    owed.push(Owed {
                        offset_min: rule.offset_min,
                        remind_at: Some(remind_at),
                        ..notice
                    });
                }
            }
        }
        owed
    }
}

/// The one mail of a hold: to the booker.
#[must_use]
pub fn hold(now: Instant) -> Vec<Owed> {
    vec![Owed {
        kind: MailKind::Hold,
        recipient: Recipient::Booker,
        offset_min: 0,
        remind_at: None,
        due_at: now,
    }]
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn at(text: &str) -> Instant {
        text.parse().unwrap()
    }

    const DAY: ReminderRule = ReminderRule {
        offset_min: 1440,
        to_hosts: true,
        to_booker: true,
        to_guests: true,
    };

    fn audience() -> Audience {
        Audience {
            hosts: vec![Uuid::from_u128(1)],
            guests: vec![Uuid::from_u128(2), Uuid::from_u128(3)],
        }
    }

    #[test]
    fn hosts_come_first_then_the_booker_then_guests() {
        let roles: Vec<Role> = audience()
            .notice(MailKind::Confirmed, at("2026-06-01T08:00:00Z"))
            .iter()
            .map(|o| o.recipient.role())
            .collect();
        assert_eq!(roles, [Role::Host, Role::Booker, Role::Guest, Role::Guest]);
    }

    /// Cases rem-04 and rem-08.
    #[test]
    fn a_long_reminder_that_would_follow_the_confirmation_within_an_hour_is_not_owed() {
        let owed = |now: &str, start: &str, offset_min: i32| {
            audience()
                .reminders(&[ReminderRule { offset_min, ..DAY }], at(start), at(now))
                .len()
        };
        assert_eq!(
            owed("2026-06-10T08:00:00Z", "2026-06-10T10:00:00Z", 1440),
            0
        );
        assert_eq!(
            owed("2026-06-10T08:00:00Z", "2026-06-11T08:59:59Z", 1440),
            0
        );
        assert_eq!(
            owed("2026-06-10T08:00:00Z", "2026-06-11T09:00:00Z", 1440),
            4
        );
        assert_eq!(owed("2026-06-10T08:00:00Z", "2026-06-10T10:59:59Z", 120), 0);
        assert_eq!(
            owed("2026-06-10T08:00:00Z", "2026-06-10T09:00:00Z", 30),
            4,
            "a short one only if its time has passed"
        );
        assert_eq!(owed("2026-06-10T08:00:00Z", "2026-06-10T08:29:00Z", 30), 0);
        let across = audience().reminders(
            &[DAY],
            at("2026-03-29T10:00:00Z"),
            at("2026-03-01T00:00:00Z"),
        );
        assert_eq!(
            across[0].remind_at,
            Some(at("2026-03-28T10:00:00Z")),
            "1440 minutes are elapsed time"
        );
    }

    #[test]
    fn a_rule_reminds_only_its_audience() {
        let rule = ReminderRule {
            to_hosts: false,
            to_guests: false,
            ..DAY
        };
        let owed = audience().reminders(
            &[rule],
            at("2026-06-20T08:00:00Z"),
            at("2026-06-10T08:00:00Z"),
        );
        assert_eq!(
            owed.iter().map(|o| o.recipient).collect::<Vec<_>>(),
            [Recipient::Booker]
        );
    }
}
