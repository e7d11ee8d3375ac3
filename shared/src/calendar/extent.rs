//! Where a series lies: what a look for a range may pass over.

use super::{
    event::{Calendar, Event, Moment, Series},
    recurrence::{self, Budget, EVENT_STEPS, Host},
};
use crate::{
    instant::{Instant, Span},
    zone::Zone,
};

/// Room for every zone, since dates and floating times take place in the host's, and for what a gap
/// moves.
const MARGIN_MIN: i64 = 48 * 60;

/// From when to when; `None` is without a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub from: Option<Instant>,
    pub to: Option<Instant>,
}

impl Extent {
    /// Everywhere: what cannot be read may be at any time.
    pub const EVERYWHERE: Self = Self {
        from: None,
        to: None,
    };
}

/// The bounds of a series with its overrides. A series without an end has no upper one, and one
/// with something that cannot be understood has none at all: whoever looks for any range must
/// find it.
#[must_use]
pub fn extent(series: &Series) -> Extent {
    extent_within(series, &mut Budget::new(EVENT_STEPS))
}

/// The same in no more steps than are left: a series whose end cannot be found with them has no
/// upper bound.
#[must_use]
pub fn extent_within(series: &Series, budget: &mut Budget) -> Extent {
    let parts = || {
        std::iter::once(&series.master).chain(series.overrides.iter().map(|change| &change.event))
    };
    if parts().any(|event| event.blocking_problem().is_some()) {
        return Extent::EVERYWHERE;
    }
    let utc = Zone::utc();
    let host = Host {
        zone: &utc,
        addresses: &[],
    };
    let placed = |moment: &Moment| match moment {
        Moment::Date(date) => utc.day_start(*date).ok(),
        Moment::Time { wall, clock } => clock.place(*wall, &utc).map(|placed| placed.at),
    };
    let starts = parts()
        .map(|event| placed(&event.start))
        .chain(
            series
                .master
                .rdates
                .iter()
                .map(|rdate| placed(&rdate.start)),
        )
        .collect::<Option<Vec<Instant>>>();
    let Some(first) = starts.and_then(|starts| starts.into_iter().min()) else {
        return Extent::EVERYWHERE;
    };
    let from = first.plus_minutes(-MARGIN_MIN);
    Extent {
        from: Some(from),
        to: last(series, &host, from, budget).map(|last| last.plus_minutes(MARGIN_MIN)),
    }
}

/// The latest end, if there is one and it can be found.
fn last(series: &Series, host: &Host<'_>, from: Instant, budget: &mut Budget) -> Option<Instant> {
    if !ends(&series.master) {
        return None;
    }
    // The last second that every zone can still place.
    let end_of_time: Instant = "9998-12-31T00:00:00Z".parse().ok()?;
    let calendar = Calendar {
        series: vec![series.clone()],
        ..Calendar::default()
    };
    let all = Span::new(from, end_of_time)?;
    let found = recurrence::occurrences(&calendar, host, all, budget);
    if !found.incomplete.is_empty() || !found.unshown.is_empty() {
        return None;
    }
    let last = found
        .occurrences
        .iter()
        .map(|occurrence| occurrence.to)
        .max();
    Some(last.unwrap_or(from))
}

/// Whether a rule, if there is one, says when it ends.
fn ends(event: &Event) -> bool {
    event.rrule.as_deref().is_none_or(|rule| {
        let rule = rule.to_ascii_uppercase();
        rule.contains("UNTIL") || rule.contains("COUNT")
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::{calendar::ics_read, zone::Zones};

    fn of(lines: &str) -> (Option<String>, Option<String>) {
        let file = format!("BEGIN:VCALENDAR\n{lines}END:VCALENDAR\n");
        let calendar = ics_read::read(file.as_bytes(), &Zones::bundled()).unwrap();
        let extent = extent(&calendar.series[0]);
        let text = |at: Option<Instant>| at.map(|at| at.to_string());
        (text(extent.from), text(extent.to))
    }

    fn some(from: &str, to: &str) -> (Option<String>, Option<String>) {
        (Some(from.into()), Some(to.into()))
    }

    #[test]
    fn a_single_event_reaches_two_days_around_itself() {
        assert_eq!(
            of(
                "BEGIN:VEVENT\nUID:1\nDTSTART:20260601T100000Z\nDTEND:20260601T110000Z\nEND:VEVENT\n"
            ),
            some("2026-05-30T10:00:00Z", "2026-06-03T11:00:00Z")
        );
        assert_eq!(
            of("BEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20260601\nEND:VEVENT\n"),
            some("2026-05-30T00:00:00Z", "2026-06-04T00:00:00Z")
        );
    }

    /// The final occurrence counts with its whole length.
    #[test]
    fn a_series_with_an_end_reaches_to_the_end_of_its_last_occurrence() {
        assert_eq!(
            of(
                "BEGIN:VEVENT\nUID:1\nDTSTART:20260601T100000Z\nDURATION:P4D\nRRULE:FREQ=WEEKLY;COUNT=3\nEND:VEVENT\n"
            ),
            some("2026-05-30T10:00:00Z", "2026-06-21T10:00:00Z")
        );
        assert_eq!(
            of(
                "BEGIN:VEVENT\nUID:1\nDTSTART:20260601T100000Z\nDURATION:P4D\nRRULE:FREQ=WEEKLY;UNTIL=20260616T000000Z\nEND:VEVENT\n"
            ),
            some("2026-05-30T10:00:00Z", "2026-06-21T10:00:00Z")
        );
    }

    /// An override moved out of a finished series is found on its new day, and one moved before
    /// its start too.
    #[test]
    fn overrides_widen_the_reach() {
        let series = "BEGIN:VEVENT\nUID:1\nDTSTART:20260601T100000Z\nDTEND:20260601T110000Z\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\n";
        assert_eq!(
            of(&format!(
                "{series}BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20260602T100000Z\nDTSTART:20261201T100000Z\nDTEND:20261201T110000Z\nEND:VEVENT\n"
            )),
            some("2026-05-30T10:00:00Z", "2026-12-03T11:00:00Z")
        );
        assert_eq!(
            of(&format!(
                "{series}BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20260602T100000Z\nDTSTART:20260101T100000Z\nDTEND:20260101T110000Z\nEND:VEVENT\n"
            )),
            some("2025-12-30T10:00:00Z", "2026-06-03T11:00:00Z")
        );
    }

    #[test]
    fn what_does_not_end_or_cannot_be_followed_has_no_upper_bound() {
        for rule in [
            "FREQ=DAILY",
            "FREQ=DAILY;COUNT=1000000000",
            "FREQ=SECONDLY;COUNT=2",
            "FREQ=DAILY;COUNT=soon",
        ] {
            let lines = format!(
                "BEGIN:VEVENT\nUID:1\nDTSTART:20260601T100000Z\nDTEND:20260601T110000Z\nRRULE:{rule}\nEND:VEVENT\n"
            );
            assert_eq!(
                of(&lines),
                (Some("2026-05-30T10:00:00Z".into()), None),
                "{rule}"
            );
        }
    }

    #[test]
    fn what_has_a_blocking_problem_is_everywhere() {
        let lines = "BEGIN:VEVENT\nUID:1\nDTSTART:20260601T100000Z\nDTEND:20260601T110000Z\nEXDATE:soon\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\n";
        assert_eq!(of(lines), (None, None));
    }
}
