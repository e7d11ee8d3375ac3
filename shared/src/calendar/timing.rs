//! What an event says of its times as one JSON value, as it is stored: plain, for shapes of time
//! are not sealed, and exact: what is read again is equal to what was written.

use std::sync::Arc;

use jiff::{SignedDuration, tz::Offset};
use serde::{Deserialize, Serialize};

use super::{
    event::{Event, Length, Moment, Rdate},
    event_clock::{Clock, CustomZone},
};
use crate::{instant::Instant, zone::Zones};

/// Start, length, rule and exceptions of an event; for an override also which start it replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// DTSTART.
    pub start: Moment,
    /// DTEND or DURATION.
    pub length: Length,
    /// RRULE exactly as it was written.
    pub rrule: Option<String>,
    /// EXDATE.
    pub exdates: Vec<Moment>,
    /// RDATE.
    pub rdates: Vec<Rdate>,
    /// RECURRENCE-ID, with whether its range is THISANDFUTURE.
    pub replaces: Option<(Moment, bool)>,
}

/// A stored timing that cannot be read: of another version of the program, or with a zone that the
/// table in use does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored times of an event cannot be read")]
pub struct BrokenTiming;

/// The stored form. A moment is `2026-03-28`, `2026-03-28T09:00:00` (floating),
/// `2026-03-28T09:00:00Z`, `2026-03-28T09:00:00[Europe/Dublin]` or, in a zone that only its file
/// defines, `2026-03-28T09:00:00[#0]` with the number of its row in `zones`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    start: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    days: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rrule: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    exdates: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rdates: Vec<StoredRdate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replaces: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    and_future: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    zones: Vec<StoredZone>,
}

/// With a length of its own it is a PERIOD.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRdate {
    start: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    days: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<i64>,
}

/// An end, or days and seconds, or neither.
type StoredLength = (Option<String>, Option<i64>, Option<i64>);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredZone {
    name: String,
    before_s: i32,
    /// Microseconds since the epoch, and the offset in seconds from then on.
    changes: Vec<(i64, i32)>,
    known_to: i64,
}

impl Timing {
    /// The times of an event; with what it replaces, if it is an override.
    #[must_use]
    pub fn of(event: &Event, replaces: Option<(Moment, bool)>) -> Self {
        Self {
            start: event.start.clone(),
            length: event.length.clone(),
            rrule: event.rrule.clone(),
            exdates: event.exdates.clone(),
            rdates: event.rdates.clone(),
            replaces,
        }
    }

    /// As it is stored.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let mut zones = Vec::new();
        let (end, days, seconds) = write_length(Some(&self.length), &mut zones);
        let stored = Stored {
            start: write(&self.start, &mut zones),
            end,
            days,
            seconds,
            rrule: self.rrule.clone(),
            exdates: self
                .exdates
                .iter()
                .map(|exdate| write(exdate, &mut zones))
                .collect(),
            rdates: self
                .rdates
                .iter()
                .map(|rdate| {
                    let (end, days, seconds) = write_length(rdate.length.as_ref(), &mut zones);
                    StoredRdate {
                        start: write(&rdate.start, &mut zones),
                        end,
                        days,
                        seconds,
                    }
                })
                .collect(),
            replaces: self
                .replaces
                .as_ref()
                .map(|(original, _)| write(original, &mut zones)),
            and_future: self.replaces.as_ref().is_some_and(|(_, future)| *future),
            zones: zones.iter().map(|zone| write_zone(zone)).collect(),
        };
        serde_json::to_value(stored).unwrap_or_default()
    }

    /// From what is stored.
    ///
    /// # Errors
    /// [`BrokenTiming`].
    pub fn from_json(json: &serde_json::Value, zones: &Zones) -> Result<Self, BrokenTiming> {
        let stored = Stored::deserialize(json).map_err(|_| BrokenTiming)?;
        let custom = stored
            .zones
            .into_iter()
            .map(read_zone)
            .collect::<Result<Vec<_>, _>>()?;
        let read = |text: &str| read(text, zones, &custom);
        Ok(Self {
            start: read(&stored.start)?,
            length: read_length((stored.end, stored.days, stored.seconds), read)?
                .unwrap_or(Length::Unsaid),
            rrule: stored.rrule,
            exdates: stored
                .exdates
                .iter()
                .map(|text| read(text))
                .collect::<Result<_, _>>()?,
            rdates: stored
                .rdates
                .into_iter()
                .map(|rdate| {
                    Ok(Rdate {
                        start: read(&rdate.start)?,
                        length: read_length((rdate.end, rdate.days, rdate.seconds), read)?,
                    })
                })
                .collect::<Result<_, _>>()?,
            replaces: stored
                .replaces
                .map(|text| Ok((read(&text)?, stored.and_future)))
                .transpose()?,
        })
    }
}

fn write(moment: &Moment, zones: &mut Vec<Arc<CustomZone>>) -> String {
    match moment {
        Moment::Date(date) => date.to_string(),
        Moment::Time { wall, clock } => match clock {
            Clock::Utc => format!("{wall}Z"),
            Clock::Floating => wall.to_string(),
            Clock::Zone(zone) => format!("{wall}[{}]", zone.name()),
            Clock::Custom(custom) => {
                let known = zones.iter().position(|zone| zone == custom);
                let at = known.unwrap_or_else(|| {
                    zones.push(custom.clone());
                    zones.len() - 1
                });
                format!("{wall}[#{at}]")
            }
        },
    }
}

fn read(text: &str, zones: &Zones, custom: &[Arc<CustomZone>]) -> Result<Moment, BrokenTiming> {
    if !text.contains('T') {
        return text.parse().map(Moment::Date).map_err(|_| BrokenTiming);
    }
    let (wall, clock) = if let Some(wall) = text.strip_suffix('Z') {
        (wall, Clock::Utc)
    } else if let Some((wall, name)) = text.split_once('[') {
        let name = name.strip_suffix(']').ok_or(BrokenTiming)?;
        let clock = match name.strip_prefix('#') {
            Some(number) => {
                let at: usize = number.parse().map_err(|_| BrokenTiming)?;
                Clock::Custom(custom.get(at).ok_or(BrokenTiming)?.clone())
            }
            None => Clock::Zone(zones.get(name).map_err(|_| BrokenTiming)?),
        };
        (wall, clock)
    } else {
        (text, Clock::Floating)
    };
    Ok(Moment::Time {
        wall: wall.parse().map_err(|_| BrokenTiming)?,
        clock,
    })
}

fn write_length(length: Option<&Length>, zones: &mut Vec<Arc<CustomZone>>) -> StoredLength {
    match length {
        None | Some(Length::Unsaid) => (None, None, None),
        Some(Length::End(end)) => (Some(write(end, zones)), None, None),
        Some(Length::Duration { days, exact }) => (None, Some(*days), Some(exact.as_secs())),
    }
}

fn read_length(
    stored: StoredLength,
    read: impl Fn(&str) -> Result<Moment, BrokenTiming>,
) -> Result<Option<Length>, BrokenTiming> {
    Ok(match stored {
        (None, None, None) => None,
        (Some(end), None, None) => Some(Length::End(read(&end)?)),
        (None, Some(days), Some(seconds)) => Some(Length::Duration {
            days,
            exact: SignedDuration::from_secs(seconds),
        }),
        _ => return Err(BrokenTiming),
    })
}

fn write_zone(zone: &CustomZone) -> StoredZone {
    let (name, before, changes, known_to) = zone.parts();
    StoredZone {
        name: name.to_owned(),
        before_s: before.seconds(),
        changes: changes
            .iter()
            .map(|(at, offset)| (at.as_microsecond(), offset.seconds()))
            .collect(),
        known_to: known_to.as_microsecond(),
    }
}

fn read_zone(stored: StoredZone) -> Result<Arc<CustomZone>, BrokenTiming> {
    let offset = |seconds| Offset::from_seconds(seconds).map_err(|_| BrokenTiming);
    let instant = |us| Instant::from_microsecond(us).ok_or(BrokenTiming);
    let changes = stored
        .changes
        .into_iter()
        .map(|(at, seconds)| Ok((instant(at)?, offset(seconds)?)))
        .collect::<Result<_, _>>()?;
    Ok(Arc::new(CustomZone::new(
        stored.name,
        offset(stored.before_s)?,
        changes,
        instant(stored.known_to)?,
    )))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::calendar::ics_read;

    const FILE: &str = "BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Ours\r\nBEGIN:STANDARD\r\nDTSTART:20200101T000000\r\nTZOFFSETFROM:+0030\r\nTZOFFSETTO:+0030\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n\
        BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Europe/Dublin:20260328T013000\r\nDTEND;TZID=America/New_York:20260328T033000\r\nRRULE:FREQ=DAILY;COUNT=9\r\nEXDATE:20260330T003000Z\r\nEXDATE;VALUE=DATE:20260401\r\nRDATE;VALUE=PERIOD:20260501T010000Z/PT1H30M,20260502T010000Z/20260502T020000Z\r\nEND:VEVENT\r\n\
        BEGIN:VEVENT\r\nUID:1\r\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Dublin:20260329T013000\r\nDTSTART:20260329T100000\r\nDURATION:P1DT2H\r\nEND:VEVENT\r\n\
        BEGIN:VEVENT\r\nUID:2\r\nDTSTART;VALUE=DATE:20260101\r\nDTEND;VALUE=DATE:20260103\r\nEND:VEVENT\r\n\
        BEGIN:VEVENT\r\nUID:3\r\nDTSTART;TZID=Ours:20260101T120000\r\nRDATE;TZID=Ours:20260105T120000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

    /// Every form of a moment and of a length comes back as it went: dates, UTC, floating times,
    /// zones of the table and of the file, durations, periods and the range of an override.
    #[test]
    fn what_is_stored_is_read_again_as_it_was() {
        let zones = Zones::bundled();
        let calendar = ics_read::read(FILE.as_bytes(), &zones).unwrap();
        assert!(calendar.unreadable.is_empty());
        let mut seen = 0;
        for series in &calendar.series {
            let timings = std::iter::once(Timing::of(&series.master, None)).chain(
                series.overrides.iter().map(|change| {
                    Timing::of(
                        &change.event,
                        Some((change.original.clone(), change.and_future)),
                    )
                }),
            );
            for timing in timings {
                let json = timing.to_json();
                assert_eq!(Timing::from_json(&json, &zones).unwrap(), timing, "{json}");
                seen += 1;
            }
        }
        assert_eq!(seen, 4);
        let text = serde_json::to_string(
            &Timing::of(&calendar.series[0].overrides[0].event, None).to_json(),
        )
        .unwrap();
        assert_eq!(
            text,
            r#"{"days":1,"seconds":7200,"start":"2026-03-29T10:00:00"}"#
        );
    }

    #[test]
    fn what_another_version_wrote_is_refused() {
        let zones = Zones::bundled();
        for broken in [
            r#"{"start":"2026-01-01T09:00:00[Nowhere/Nothing]"}"#,
            r#"{"start":"2026-01-01T09:00:00[#0]"}"#,
            r#"{"start":"2026-01-01T09:00:00","end":"2026-01-01T10:00:00","days":1,"seconds":0}"#,
            r#"{"start":"2026-01-01T09:00:00","colour":"red"}"#,
            r#"{"start":"soon"}"#,
            r#"{}"#,
        ] {
            let json = serde_json::from_str(broken).unwrap();
            assert_eq!(
                Timing::from_json(&json, &zones),
                Err(BrokenTiming),
                "{broken}"
            );
        }
    }
}
