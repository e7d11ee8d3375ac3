//! What a host asks for: the rule as it is stored and sent.

use std::collections::BTreeMap;

use jiff::civil;
use serde::{Deserialize, Serialize};

use crate::{availability::Window, instant::Span, zone::Zone};

/// The rule that decides which slots an event type offers. Plain data; [`Rule::prepare`] checks it.
///
/// [`Rule::prepare`]: super::Rule::prepare
#[derive(Clone, Debug)]
pub struct Rule {
    /// The schedule's zone, or the host's. Windows, overrides, dates and limits are read in it.
    pub zone: Zone,
    /// Weekly windows, minutes of the wall clock. Overlapping and touching ones are merged.
    pub windows: Vec<Window>,
    /// Ranges in minutes that replace a date's windows; an empty list is a day off.
    pub overrides: BTreeMap<civil::Date, Vec<(u16, u16)>>,
    /// Exceptions that add time outside the windows. Each is one more window with its own grid.
    pub available: Vec<Span>,
    /// Whether windows that touch at midnight are one window.
    pub cross_midnight: bool,
    /// Length of a slot, minutes of elapsed time, 1 to 480.
    pub duration_min: u32,
    /// Distance between starts, minutes, 1 to 480.
    pub step_min: u32,
    /// Free time kept before a slot, minutes, 0 to 1440.
    pub before_buffer_min: u32,
    /// Free time kept after a slot, minutes, 0 to 1440.
    pub after_buffer_min: u32,
    /// The least time between now and a start, minutes. A start exactly then is offered.
    pub notice_min: u32,
    /// How many calendar days ahead a slot may end, counted in the host's zone.
    pub horizon_days: u32,
    /// The first date of the host's zone that is offered.
    pub bookable_from: Option<civil::Date>,
    /// The last date of the host's zone that is offered.
    pub bookable_until: Option<civil::Date>,
    /// What happens when the clocks change.
    pub dst_policy: DstPolicy,
    /// How many bookings a day, week and month hold.
    pub limits: Limits,
}

/// What becomes of a slot when the clocks change.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DstPolicy {
    /// A slot is as long on the wall clock as in elapsed time, and both its ends are wall times
    /// that exist exactly once.
    #[default]
    Strict,
    /// A start that the clocks skip is left out, one that they show twice means the earlier, and
    /// the end follows in elapsed time whatever the wall clock says.
    Elapsed,
}

/// The most bookings of one event type and host, counted by their start in the host's zone.
/// `None` is no limit.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Bookings a calendar day.
    #[serde(default)]
    pub per_day: Option<u32>,
    /// Bookings a week that begins on Monday.
    #[serde(default)]
    pub per_week: Option<u32>,
    /// Bookings a calendar month.
    #[serde(default)]
    pub per_month: Option<u32>,
}
