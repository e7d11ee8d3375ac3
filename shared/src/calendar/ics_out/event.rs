//! One VEVENT (RFC 5545, section 3.6.1).

use std::collections::BTreeMap;

use jiff::civil;

use super::{head::Publishing, write_problem, zones::UsedZones};
use crate::{
    address::EmailAddress,
    calendar::{
        cal_address::CalAddress,
        event::{Answer, Attendee, Event, Kind, Length, Moment, Rdate, Status, Transparency},
        event_clock::Clock,
        ics_write::{IcsWriter, Param, Period, TimeForm},
        recurrence::Rule,
    },
    instant::{Instant, Span},
    zone::Zone,
};

/// Whose stream it is.
#[derive(Clone, Debug)]
pub struct Publisher {
    /// What it is for.
    pub publishing: Publishing,
    /// The host's public name.
    pub name: String,
    /// The host's address.
    pub address: EmailAddress,
}

/// An event with what the stream says beside it.
#[derive(Clone, Copy, Debug)]
pub struct Stamped<'a> {
    /// The event; its UID is not looked at.
    pub event: &'a Event,
    /// What it replaces, if it is an override: the original start, and whether all from there on.
    pub replaces: Option<&'a (Moment, bool)>,
    /// The UID as an iCalendar file has it.
    pub uid: &'a str,
    /// When it was last changed.
    pub stamp: Instant,
    /// What of it could not be understood, and is not there.
    pub problem: Option<&'a str>,
}

/// Writes an event. `zones` were gathered from its times, and written before.
///
/// A feed names its host as the organizer and nobody as invited: RFC 5546, section 3.2.1. What the
/// host declined takes none of their time, and is written so.
pub fn write_event(
    ics: &mut IcsWriter,
    zones: &UsedZones,
    stamped: &Stamped<'_>,
    publisher: &Publisher,
) {
    let event = stamped.event;
    ics.begin("VEVENT");
    ics.stored("UID", stamped.uid);
    ics.instant("DTSTAMP", stamped.stamp);
    ics.integer("SEQUENCE", event.sequence);
    if let Some((original, and_future)) = stamped.replaces {
        let name = if *and_future {
            "RECURRENCE-ID;RANGE=THISANDFUTURE"
        } else {
            "RECURRENCE-ID"
        };
        write_moment(ics, zones, name, original);
    }
    write_moment(ics, zones, "DTSTART", &event.start);
    match &event.length {
        Length::Unsaid => {}
        // A time that ends where it begins says so by no DTEND.
        Length::End(end) if matches!(end, Moment::Time { .. }) && *end == event.start => {}
        Length::End(end) => write_moment(ics, zones, "DTEND", end),
        Length::Duration { days, exact } => ics.duration("DURATION", *days, *exact),
    }
    if let Some(rule) = &event.rrule {
        ics.stored("RRULE", rule);
    }
    write_lists(ics, zones, event);
    ics.text("SUMMARY", &event.title);
    for (name, text) in [("DESCRIPTION", &event.notes), ("LOCATION", &event.location)] {
        if !text.is_empty() {
            ics.text(name, text);
        }
    }
    ics.word("STATUS", status(event.status));
    let own = [publisher.address.matching_key()];
    let is_feed = publisher.publishing == Publishing::Feed;
    let takes_time = match event.transparency {
        Transparency::Opaque if is_feed => event.status == Status::Cancelled || event.is_busy(&own),
        Transparency::Opaque => event.kind != Kind::Note,
        Transparency::Transparent => false,
    };
    ics.word("TRANSP", if takes_time { "OPAQUE" } else { "TRANSPARENT" });
    if event.kind == Kind::OutOfOffice {
        ics.word("X-MICROSOFT-CDO-BUSYSTATUS", "OOF");
    }
    if is_feed {
        let address = CalAddress::new(&publisher.address);
        ics.address("ORGANIZER", &[Param::Text("CN", &publisher.name)], &address);
    } else {
        event
            .attendees
            .iter()
            .for_each(|one| write_attendee(ics, one));
    }
    if let Some(problem) = stamped.problem {
        write_problem(ics, problem);
    }
    ics.end("VEVENT");
}

/// Whether there is no rule, or one that can be read: many readers give up a whole stream for one
/// that cannot.
#[must_use]
pub fn has_readable_rule(event: &Event) -> bool {
    let dates = matches!(event.start, Moment::Date(_));
    event
        .rrule
        .as_deref()
        .is_none_or(|rule| Rule::read(rule, event.start.wall(), dates).is_ok())
}

/// Writes a stretch of busy time of which nothing else is told.
pub fn write_busy(ics: &mut IcsWriter, uid: &str, span: Span, stamp: Instant, title: &str) {
    ics.begin("VEVENT");
    ics.stored("UID", uid);
    ics.instant("DTSTAMP", stamp);
    ics.instant("DTSTART", span.from);
    ics.instant("DTEND", span.to);
    ics.text("SUMMARY", title);
    ics.word("TRANSP", "OPAQUE");
    ics.end("VEVENT");
}

const fn status(status: Status) -> &'static str {
    match status {
        Status::Tentative => "TENTATIVE",
        Status::Confirmed => "CONFIRMED",
        Status::Cancelled => "CANCELLED",
    }
}

fn write_moment(ics: &mut IcsWriter, zones: &UsedZones, name: &'static str, moment: &Moment) {
    ics.times(name, zones.form(moment), &[moment.wall()]);
}

/// EXDATE and RDATE: one property for each form that their times have.
fn write_lists(ics: &mut IcsWriter, zones: &UsedZones, event: &Event) {
    let mut exdates: BTreeMap<TimeForm<'_>, Vec<civil::DateTime>> = BTreeMap::new();
    for exdate in &event.exdates {
        let form = zones.form(exdate);
        exdates.entry(form).or_default().push(exdate.wall());
    }
    let mut rdates: BTreeMap<TimeForm<'_>, Vec<civil::DateTime>> = BTreeMap::new();
    let mut periods: BTreeMap<TimeForm<'_>, Vec<Period>> = BTreeMap::new();
    for rdate in &event.rdates {
        let form = zones.form(&rdate.start);
        match period(rdate) {
            Some(period) => periods.entry(form).or_default().push(period),
            None => rdates.entry(form).or_default().push(rdate.start.wall()),
        }
    }
    for (form, walls) in &exdates {
        ics.times("EXDATE", *form, walls);
    }
    for (form, walls) in &rdates {
        ics.times("RDATE", *form, walls);
    }
    for (form, list) in &periods {
        ics.periods("RDATE", *form, list);
    }
}

/// The period of a date with a length of its own. A date without a time has none.
fn period(rdate: &Rdate) -> Option<Period> {
    let Moment::Time { wall, clock } = &rdate.start else {
        return None;
    };
    let (days, exact) = match rdate.length.as_ref()? {
        Length::Unsaid => return None,
        Length::Duration { days, exact } => (*days, *exact),
        Length::End(end) => (0, passed((*wall, clock), end)?),
    };
    Some(Period {
        start: *wall,
        days,
        exact,
    })
}

fn passed((wall, clock): (civil::DateTime, &Clock), end: &Moment) -> Option<jiff::SignedDuration> {
    let Moment::Time {
        wall: to,
        clock: other,
    } = end
    else {
        return None;
    };
    let utc = Zone::utc();
    let from = clock.place(wall, &utc)?.at;
    Some(other.place(*to, &utc)?.at.since(from))
}

fn write_attendee(ics: &mut IcsWriter, attendee: &Attendee) {
    let mut params = Vec::new();
    if let Some(name) = &attendee.name {
        params.push(Param::Text("CN", name));
    }
    let answer = match attendee.answer {
        Answer::NeedsAction => "NEEDS-ACTION",
        Answer::Accepted => "ACCEPTED",
        Answer::Declined => "DECLINED",
        Answer::Tentative => "TENTATIVE",
        Answer::Delegated => "DELEGATED",
    };
    params.push(Param::Word("PARTSTAT", answer));
    ics.address(
        "ATTENDEE",
        &params,
        &CalAddress::of_stored(&attendee.address),
    );
}
