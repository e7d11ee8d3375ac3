//! Who may do what on a calendar.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    booking::policy::words,
    ops::Failure,
    store::calendars::{self, AccessRow},
};

words! {
    /// Where a calendar's events come from.
    CalendarKind {
        /// A host's own; bookings write to it.
        Personal = "personal",
        /// Of several hosts.
        Team = "team",
        /// Read from an address.
        Subscribed = "subscribed",
    }
}

words! {
    /// What a host is to a calendar.
    Role {
        /// It is theirs.
        Owner = "owner",
        /// They see it.
        Member = "member",
    }
}

/// A host's standing on a calendar that they see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub kind: CalendarKind,
    pub role: Role,
}

impl Access {
    /// From a row.
    pub(super) fn of(kind: &str, role: &str) -> Result<Self, Failure> {
        Ok(Self {
            kind: kind.parse().map_err(|_| Failure::Stored("calendar"))?,
            role: role.parse().map_err(|_| Failure::Stored("calendar"))?,
        })
    }

    /// Whether they may write its events. Of a team calendar everybody who sees it may; of a
    /// personal one its owner alone, whose bookings depend on it; of a subscribed one nobody, for
    /// the next sync would undo it.
    #[must_use]
    pub const fn may_write(self) -> bool {
        match self.kind {
            CalendarKind::Personal => self.is_owner(),
            CalendarKind::Team => true,
            CalendarKind::Subscribed => false,
        }
    }

    /// Whether they may say that an event takes no time, whatever it says itself.
    #[must_use]
    pub const fn may_mark_free(self) -> bool {
        self.may_write() || self.is_owner()
    }

    /// Whether it is theirs: they name it, share it and delete it.
    #[must_use]
    pub const fn is_owner(self) -> bool {
        matches!(self.role, Role::Owner)
    }
}

/// A host's standing on a calendar; `None` if they do not see it.
///
/// # Errors
/// [`Failure`].
pub async fn access(
    conn: &mut PgConnection,
    calendar: Uuid,
    host: Uuid,
) -> Result<Option<Access>, Failure> {
    let row = calendars::access(conn, calendar, host).await?;
    row.map(|AccessRow { kind, role }| Access::of(&kind, &role))
        .transpose()
}
