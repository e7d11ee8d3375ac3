//! Calendars as JSON.

use serde::Serialize;
use shared::{
    instant::Instant,
    ops::{
        CalendarFault,
        calendar::{CalendarKind, CalendarMember, NamedFault, Role, SeenCalendar, SyncState},
    },
};
use utoipa::ToSchema;
use uuid::Uuid;

/// A calendar as the host of the key sees it.
#[derive(Serialize, ToSchema)]
pub struct CalendarView {
    /// Its id.
    pub id: Uuid,
    /// Where its events come from.
    pub kind: CalendarKind,
    /// Its name; null for a personal calendar that has none.
    #[schema(example = "Team")]
    pub name: Option<String>,
    /// What the host of the key is to it.
    pub role: Role,
    /// Whether its events make the host of the key busy. Everybody who sees it decides for
    /// themselves.
    pub counts_as_busy: bool,
    /// Moves with every write of an event that no booking owns.
    #[schema(example = 12)]
    pub revision: i64,
    /// Everybody who sees it, its owner first.
    pub members: Vec<MemberView>,
    /// How old what is known of it is; of a subscribed calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sync: Option<SyncView>,
    /// How many of its events have a part that was not understood and wait for a decision.
    #[schema(example = 0)]
    pub problems: i64,
    /// Why its busy time over the next 62 days is not known, if it is not. While it counts as
    /// busy, no page of the host offers anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultView>,
}

/// Somebody who sees a calendar.
#[derive(Serialize, ToSchema)]
pub struct MemberView {
    /// The first part of their addresses.
    #[schema(example = "ben")]
    pub handle: String,
    /// The public name.
    #[schema(example = "Ben Okri")]
    pub name: String,
    /// What they are to the calendar.
    pub role: Role,
}

/// How old what is known of a subscribed calendar is.
#[derive(Serialize, ToSchema)]
pub struct SyncView {
    /// Whether it may be gone by.
    pub state: SyncState,
    /// When it was last read well.
    pub last_good_at: Option<Instant>,
    /// Whole minutes since then.
    #[schema(example = 7)]
    pub age_min: Option<i64>,
    /// From which age on it is not gone by.
    #[schema(example = 1440)]
    pub max_age_min: i32,
}

/// What keeps a calendar from being known.
#[derive(Serialize, ToSchema)]
pub struct FaultView {
    /// Why.
    pub why: CalendarFault,
    /// The event in the way, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<Uuid>,
    /// In words.
    #[schema(example = "a recurrence rule cannot be followed")]
    pub detail: String,
}

impl From<SeenCalendar> for CalendarView {
    fn from(seen: SeenCalendar) -> Self {
        Self {
            id: seen.id,
            kind: seen.access.kind,
            name: seen.name,
            role: seen.access.role,
            counts_as_busy: seen.counts_as_busy,
            revision: seen.revision,
            members: seen.members.into_iter().map(MemberView::from).collect(),
            sync: seen.sync.map(|sync| SyncView {
                state: sync.state,
                last_good_at: sync.last_good_at,
                age_min: sync.age_min,
                max_age_min: sync.max_age_min,
            }),
            problems: seen.problems,
            fault: seen.fault.map(|fault| FaultView {
                why: fault.why,
                event_id: fault.event,
                detail: fault.why.to_string(),
            }),
        }
    }
}

impl From<CalendarMember> for MemberView {
    fn from(member: CalendarMember) -> Self {
        Self {
            handle: member.handle,
            name: member.name,
            role: member.role,
        }
    }
}

/// A fault in one sentence, with the names that its host gave.
pub(crate) fn sentence(fault: &NamedFault) -> String {
    let calendar = match &fault.calendar_name {
        Some(name) => format!("the calendar \u{201c}{name}\u{201d}"),
        None => "your personal calendar".to_owned(),
    };
    let event = match (&fault.event, &fault.event_title) {
        (None, _) => String::new(),
        (Some(_), Some(title)) => format!(", the event \u{201c}{title}\u{201d}"),
        (Some(_), None) => ", an event without a title".to_owned(),
    };
    let problems = if fault.problems.is_empty() {
        String::new()
    } else {
        format!(" ({})", fault.problems.join("; "))
    };
    format!("{calendar}{event}: {}{problems}", fault.why)
}
