//! The invitation of one booking for one reader (RFC 5545, 5546, 6047).
//!
//! It carries no link to manage the booking, no token, no answer and no note (ruling R20):
//! calendars are shared and synced.

use std::collections::HashSet;

use uuid::Uuid;

use super::{
    clean::one_line,
    kind::{Method, Role},
    letter::place,
    subject::name,
    view::{InvitationView, MailView, Party, Place},
    words::Words,
};
use crate::{
    address::EmailAddress,
    calendar::{
        cal_address::CalAddress,
        ics_write::{IcsWriter, Param},
    },
    instant::Span,
    locale::Locale,
};

/// Whose invitations these are, whatever the installation's version.
const PRODID: &str = "-//Holdfast//Holdfast//EN";

/// One booking's invitation as one reader gets it: in mail, or as a download.
#[derive(Clone, Copy)]
pub struct Invitation<'a> {
    /// To enter the meeting or to take it out.
    pub method: Method,
    /// `UID`, with the installation's id, for the booking's whole life.
    pub booking_id: Uuid,
    /// The other half of `UID`.
    pub instance_id: Uuid,
    /// The meeting.
    pub span: Span,
    /// The title as it was booked.
    pub title: &'a str,
    /// Where, as it was booked.
    pub place: &'a Place,
    /// Revision, organizer and parties.
    pub facts: &'a InvitationView,
    /// `HOLDFAST_MAIL_FROM` as it is now; named in `SENT-BY` where it is no longer the organizer's.
    pub sender: &'a EmailAddress,
    /// The reader's part in the booking.
    pub role: Role,
    /// The reader, who is always named as an attendee.
    pub reader: &'a Party,
    /// The language of `SUMMARY` and `DESCRIPTION`.
    pub locale: Locale,
}

impl<'a> Invitation<'a> {
    /// The invitation that a mail carries; `None` for a kind or a reader without one.
    #[must_use]
    pub fn in_mail(view: &'a MailView) -> Option<Self> {
        Some(Self {
            method: view.kind().method()?,
            booking_id: view.booking_id,
            instance_id: view.instance_id,
            span: view.span,
            title: &view.title,
            place: &view.place,
            facts: view.invitation.as_ref()?,
            sender: &view.from.address,
            role: view.role(),
            reader: &view.to,
            locale: view.locale,
        })
    }

    /// The iCalendar stream.
    #[must_use]
    pub fn to_ics(&self) -> String {
        let words = Words::of(self.locale);
        let mut ics = IcsWriter::new();
        ics.begin("VCALENDAR");
        ics.word("PRODID", PRODID);
        ics.word("VERSION", "2.0");
        ics.word("METHOD", self.method.as_str());
        ics.begin("VEVENT");
        ics.text("UID", &format!("{}@{}", self.booking_id, self.instance_id));
        ics.integer("SEQUENCE", self.facts.revision);
        ics.instant("DTSTAMP", self.facts.revised_at);
        ics.instant("DTSTART", self.span.from);
        ics.instant("DTEND", self.span.to);
        self.write_organizer(&mut ics);
        self.write_attendees(&mut ics);
        ics.text("SUMMARY", &self.summary(words));
        let place = place(self.place, self.role, words);
        if !place.is_empty() {
            ics.text("LOCATION", &place);
        }
        ics.text("DESCRIPTION", &self.description(words));
        ics.word(
            "STATUS",
            match self.method {
                Method::Request => "CONFIRMED",
                Method::Cancel => "CANCELLED",
            },
        );
        ics.word("TRANSP", "OPAQUE");
        ics.end("VEVENT");
        ics.end("VCALENDAR");
        ics.finish()
    }

    /// The pinned organizer. Should the sender have changed since, the old organizer stays (an
    /// update by another one would be refused) and `SENT-BY` names the new sender.
    fn write_organizer(&self, ics: &mut IcsWriter) {
        let organizer = &self.facts.organizer;
        let name = shown(organizer);
        let sender = CalAddress::new(self.sender);
        let mut params = vec![Param::Text("CN", &name)];
        if key(self.sender) != key(&organizer.address) {
            params.push(Param::Address("SENT-BY", &sender));
        }
        ics.address("ORGANIZER", &params, &CalAddress::new(&organizer.address));
    }

    /// Hosts, booker and the reader, each address once; whoever is a host is one here too.
    fn write_attendees(&self, ics: &mut IcsWriter) {
        let reader = (self.role, self.reader);
        let mut all: Vec<(Role, &Party)> = Vec::new();
        all.extend(self.facts.hosts.iter().map(|host| (Role::Host, host)));
        if self.role == Role::Host {
            all.push(reader);
        }
        all.extend([(Role::Booker, &self.facts.booker), reader]);
        let mut named = HashSet::new();
        for (role, party) in all {
            let primary = named.is_empty();
            if !named.insert(key(&party.address)) {
                continue;
            }
            let name = shown(party);
            let mut params = vec![Param::Text("CN", &name)];
            let chair = role == Role::Host && primary;
            params.push(Param::Word(
                "ROLE",
                if chair { "CHAIR" } else { "REQ-PARTICIPANT" },
            ));
            if role == Role::Host {
                params.push(Param::Word("PARTSTAT", "ACCEPTED"));
            } else {
                params.push(Param::Word("PARTSTAT", "NEEDS-ACTION"));
                params.push(Param::Word("RSVP", "FALSE"));
            }
            ics.address("ATTENDEE", &params, &CalAddress::new(&party.address));
        }
    }

    /// The title, with the booker's name for hosts and the hosts' names for everybody else.
    fn summary(&self, words: &Words) -> String {
        let others = match self.role {
            Role::Host => shown(&self.facts.booker),
            Role::Booker | Role::Guest => {
                let names: Vec<String> = self.facts.hosts.iter().map(shown).collect();
                names.join(words.and)
            }
        };
        (words.with)(&one_line(self.title), &others)
    }

    fn description(&self, words: &Words) -> String {
        let note = match self.role {
            Role::Booker => words.ics_booker,
            Role::Host => words.ics_host,
            Role::Guest => words.ics_guest,
        };
        match self.method {
            Method::Request => note.to_owned(),
            Method::Cancel => format!("{}{note}", words.ics_cancelled),
        }
    }
}

/// A party's name as mail shows it, on one line and no link; the address where there is none.
fn shown(party: &Party) -> String {
    let name = party.name.as_deref().map(name).unwrap_or_default();
    if name.is_empty() {
        party.address.as_str().to_owned()
    } else {
        name
    }
}

/// What addresses are the same by: lower case, the domain as A-labels.
fn key(address: &EmailAddress) -> String {
    CalAddress::new(address).as_str().to_lowercase()
}

#[cfg(test)]
mod tests;
