#![expect(clippy::unwrap_used, reason = "tests")]
use uuid::Uuid;

use super::*;
use crate::mail::{
    kind::MailKind,
    sample::{address, at, booker, every_view, guest, host, party, view},
};

/// The content lines of what a view's mail carries.
fn content_lines(view: &MailView) -> Vec<String> {
    let ics = Invitation::in_mail(view).unwrap().to_ics();
    let ics = ics.replace("\r\n ", "");
    ics.split_terminator("\r\n").map(str::to_owned).collect()
}

/// The values of a property, without its parameters.
fn values(lines: &[String], name: &str) -> Vec<String> {
    lines
        .iter()
        .filter(|line| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with([':', ';']))
        })
        .map(|line| line[name.len()..].to_owned())
        .collect()
}

fn one(lines: &[String], name: &str) -> String {
    let all = values(lines, name);
    assert_eq!(all.len(), 1, "{name}: {all:?}");
    all[0].strip_prefix(':').unwrap_or(&all[0]).to_owned()
}

fn request(role: Role) -> MailView {
    view(MailKind::Confirmed, role, Locale::En)
}

fn with_invitation() -> impl Iterator<Item = MailView> {
    every_view()
        .into_iter()
        .filter(|view| view.kind().method().is_some())
}

#[test]
fn out_12_every_event_has_what_strict_clients_ask_for() {
    for view in with_invitation() {
        let lines = content_lines(&view);
        assert_eq!(one(&lines, "VERSION"), "2.0");
        assert_eq!(one(&lines, "PRODID"), PRODID);
        assert_eq!(one(&lines, "DTSTAMP"), "20240301T075958Z");
        assert_eq!(
            one(&lines, "UID"),
            format!("{}@{}", view.booking_id, view.instance_id)
        );
        assert_eq!(one(&lines, "DTSTART"), "20240314T163000Z");
        assert_eq!(one(&lines, "DTEND"), "20240314T170000Z");
        assert_eq!(one(&lines, "SEQUENCE"), "3");
        assert_eq!(one(&lines, "TRANSP"), "OPAQUE");
        let (method, status) = match view.kind() {
            MailKind::Cancelled => ("CANCEL", "CANCELLED"),
            _ => ("REQUEST", "CONFIRMED"),
        };
        assert_eq!(one(&lines, "METHOD"), method);
        assert_eq!(one(&lines, "STATUS"), status);
    }
}

#[test]
fn an_invitation_has_these_properties_and_no_other() {
    for view in with_invitation() {
        let mut names: Vec<String> = content_lines(&view)
            .iter()
            .map(|line| line.split([':', ';']).next().unwrap().to_owned())
            .collect();
        names.dedup();
        assert_eq!(
            names,
            [
                "BEGIN",
                "PRODID",
                "VERSION",
                "METHOD",
                "BEGIN",
                "UID",
                "SEQUENCE",
                "DTSTAMP",
                "DTSTART",
                "DTEND",
                "ORGANIZER",
                "ATTENDEE",
                "SUMMARY",
                "LOCATION",
                "DESCRIPTION",
                "STATUS",
                "TRANSP",
                "END",
            ]
        );
    }
}

#[test]
fn out_13_the_stream_starts_and_ends_as_it_must() {
    for view in with_invitation() {
        let ics = Invitation::in_mail(&view).unwrap().to_ics();
        assert!(ics.starts_with("BEGIN:VCALENDAR\r\n"));
        assert!(ics.ends_with("\r\nEND:VCALENDAR\r\n"));
        let breaks = ics.matches("\r\n").count();
        assert_eq!(ics.matches('\n').count(), breaks);
        assert_eq!(ics.matches('\r').count(), breaks);
        assert!(!ics.contains("\r\n\r\n"), "an empty line");
    }
}

/// A booking's life: book, move, move, cancel. One UID, and a SEQUENCE that only rises.
#[test]
fn out_14_and_out_15_a_life_has_one_uid_and_rising_sequences() {
    let life = [
        MailKind::Confirmed,
        MailKind::Rescheduled,
        MailKind::Rescheduled,
        MailKind::Cancelled,
    ];
    let mut uids = HashSet::new();
    for (revision, kind) in (0_u32..).zip(life) {
        let mut view = view(kind, Role::Booker, Locale::En);
        let later = |at: crate::instant::Instant| at.plus_minutes(60 * i64::from(revision));
        view.span = Span::new(later(view.span.from), later(view.span.to)).unwrap();
        view.invitation.as_mut().unwrap().revision = revision;
        let lines = content_lines(&view);
        uids.insert(one(&lines, "UID"));
        assert_eq!(one(&lines, "SEQUENCE"), revision.to_string());
    }
    assert_eq!(uids.len(), 1);
}

#[test]
fn out_17_the_method_is_the_kinds() {
    for (kind, method) in [
        (MailKind::Confirmed, Some(Method::Request)),
        (MailKind::Rescheduled, Some(Method::Request)),
        (MailKind::Cancelled, Some(Method::Cancel)),
        (MailKind::Hold, None),
        (MailKind::Reminder, None),
    ] {
        let view = view(kind, Role::Booker, Locale::En);
        let found = Invitation::in_mail(&view).map(|invitation| invitation.method);
        assert_eq!(found, method);
    }
}

#[test]
fn out_19_times_are_in_utc_and_never_floating() {
    let mut view = request(Role::Host);
    view.span = Span::new(at("2021-10-05T12:00:00Z"), at("2021-10-05T12:30:00Z")).unwrap();
    let lines = content_lines(&view);
    assert_eq!(one(&lines, "DTSTART"), "20211005T120000Z");
    assert!(lines.iter().all(|line| !line.contains("TZID")));
}

/// The name stands in its quotes, on one line, and its link broken as everywhere in mail.
#[test]
fn out_11_a_name_adds_no_line_in_the_whole_stream() {
    let mut view = request(Role::Host);
    let name = "Sam\r\nATTACH:https://bad.example.test/x";
    view.title = name.to_owned();
    let facts = view.invitation.as_mut().unwrap();
    facts.booker.name = Some(name.to_owned());
    facts.organizer.name = Some(name.to_owned());
    let lines = content_lines(&view);
    assert!(lines.iter().all(|line| !line.starts_with("ATTACH")));
    let name = "CN=\"Sam ATTACH: https: / / bad. example. test/ x\"";
    assert!(one(&lines, "ORGANIZER").contains(name), "{lines:?}");
}

/// A booker can have an invitation sent to any address, as a guest's: neither their name in it nor
/// their telephone number is a link.
#[test]
fn no_name_of_a_person_is_a_link_in_an_invitation() {
    for mut view in with_invitation() {
        let evil = Some("Win www.evil.example/x".to_owned());
        view.to.name.clone_from(&evil);
        view.place = Place::CallsHost {
            phone: "https://evil.example".to_owned(),
        };
        let facts = view.invitation.as_mut().unwrap();
        facts.organizer.name.clone_from(&evil);
        facts.booker.name.clone_from(&evil);
        facts.hosts[0].name = evil;
        let all = content_lines(&view).join("\n");
        assert!(!all.contains("evil.example"), "{all}");
        assert!(all.contains("CN=\"Win www. evil. example/ x\""), "{all}");
    }
}

#[test]
fn roles_and_answers_are_by_part() {
    let mut view = request(Role::Guest);
    let facts = view.invitation.as_mut().unwrap();
    facts.hosts.push(party("Cy", "cy@host.example"));
    let lines = content_lines(&view);
    assert_eq!(
        values(&lines, "ATTENDEE"),
        [
            ";CN=\"Bo Li\";ROLE=CHAIR;PARTSTAT=ACCEPTED:mailto:bo@host.example",
            ";CN=\"Cy\";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:cy@host.example",
            ";CN=\"Ana Silva\";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FALSE:mailto:ana@booker.example",
            ";CN=\"Gus Roth\";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FALSE:mailto:gus@guest.example",
        ]
    );
    assert_eq!(
        one(&lines, "ORGANIZER"),
        ";CN=\"Bo Li\":mailto:booking@sender.example"
    );
}

/// Guests do not see each other, and neither hosts nor booker see a guest in their calendar.
#[test]
fn each_reader_sees_hosts_booker_and_themselves() {
    for (role, addresses) in [
        (Role::Host, vec![host(), booker()]),
        (Role::Booker, vec![host(), booker()]),
        (Role::Guest, vec![host(), booker(), guest()]),
    ] {
        let lines = content_lines(&request(role));
        let named: Vec<String> = values(&lines, "ATTENDEE")
            .iter()
            .map(|value| value.rsplit_once("mailto:").unwrap().1.to_owned())
            .collect();
        let want: Vec<&str> = addresses.iter().map(|p| p.address.as_str()).collect();
        assert_eq!(named, want);
    }
}

#[test]
fn one_address_is_one_attendee_and_the_hosts_part_wins() {
    // Somebody who books their own type, in another spelling.
    let mut view = request(Role::Booker);
    let own = party("Bo as booker", "BO@Host.Example");
    view.to = own.clone();
    view.invitation.as_mut().unwrap().booker = own;
    let lines = content_lines(&view);
    let attendees = values(&lines, "ATTENDEE");
    assert_eq!(attendees.len(), 1, "{attendees:?}");
    assert!(attendees[0].contains("ROLE=CHAIR"), "{attendees:?}");

    // A guest whom the booker named with the booker's own address, as A-labels.
    let mut view = request(Role::Guest);
    view.to = party("Gus", "ana@xn--bcher-kva.example");
    view.invitation.as_mut().unwrap().booker = party("Ana", "Ana@bücher.example");
    assert_eq!(values(&content_lines(&view), "ATTENDEE").len(), 2);
}

/// A host from whom the meeting was moved away still finds themselves in the CANCEL.
#[test]
fn a_host_who_is_one_no_longer_is_named_too() {
    let mut view = view(MailKind::Cancelled, Role::Host, Locale::En);
    view.to = party("Old Host", "old@host.example");
    let attendees = values(&content_lines(&view), "ATTENDEE");
    assert_eq!(attendees.len(), 3);
    assert!(attendees[0].contains("ROLE=CHAIR") && attendees[0].contains("bo@host"));
    assert!(
        attendees[1].contains("ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:old@host.example")
    );
}

#[test]
fn a_changed_sender_is_named_and_the_organizer_stays() {
    let mut view = request(Role::Booker);
    view.from = party("New", "new@sender.example");
    let lines = content_lines(&view);
    assert_eq!(
        one(&lines, "ORGANIZER"),
        ";CN=\"Bo Li\";SENT-BY=\"mailto:new@sender.example\":mailto:booking@sender.example"
    );
    view.from.address = address("Booking@Sender.example");
    assert!(!one(&content_lines(&view), "ORGANIZER").contains("SENT-BY"));
}

/// Ruling R17: the invitation keeps the names of the day that it was confirmed.
#[test]
fn names_are_the_pinned_ones() {
    let mut view = request(Role::Booker);
    view.host_names = vec!["Bo Renamed".to_owned()];
    let lines = content_lines(&view).join("\n");
    assert!(!lines.contains("Renamed"), "{lines}");
}

#[test]
fn the_summary_names_the_other_side_in_the_readers_language() {
    for (role, locale, want) in [
        (Role::Booker, Locale::En, "Intro 30 with Bo Li"),
        (Role::Guest, Locale::En, "Intro 30 with Bo Li"),
        (Role::Host, Locale::En, "Intro 30 with Ana Silva"),
        (Role::Booker, Locale::ZhCn, "Intro 30（Bo Li）"),
        (Role::Host, Locale::ZhCn, "Intro 30（Ana Silva）"),
    ] {
        let lines = content_lines(&view(MailKind::Confirmed, role, locale));
        assert_eq!(one(&lines, "SUMMARY"), want);
    }
}

#[test]
fn the_description_says_that_answering_does_not_cancel() {
    for view in with_invitation() {
        let text = one(&content_lines(&view), "DESCRIPTION");
        let note = match view.locale {
            Locale::En => "does not cancel or move the booking",
            Locale::ZhCn => "回复此日历邀请不会取消或更改预约",
        };
        assert!(text.contains(note), "{text}");
        let cancelled = match view.locale {
            Locale::En => "This booking is cancelled",
            Locale::ZhCn => "此预约已取消",
        };
        assert_eq!(
            text.contains(cancelled),
            view.kind() == MailKind::Cancelled,
            "{text}"
        );
    }
}

/// Ruling R20: calendars are shared and synced.
#[test]
fn no_link_token_answer_or_note_is_in_an_invitation() {
    for mut view in with_invitation() {
        view.place = Place::Text("Room 1".to_owned());
        let all = content_lines(&view).join("\n");
        for secret in [
            "http",
            "c0ffee",
            "book/m",
            "dashboard",
            "¶¶",
            "§§",
            "¿",
            "+41",
            "№",
            "777 666",
            "nameless",
        ] {
            assert!(!all.contains(secret), "{secret} in {all}");
        }
    }
}

#[test]
fn the_place_is_what_the_reader_may_know() {
    let phone = || Some("+41 79\n123".to_owned());
    for (place, role, want) in [
        (Place::None, Role::Booker, None),
        (
            Place::Text("Room 1,\nfloor 2".to_owned()),
            Role::Booker,
            Some("Room 1\\, floor 2"),
        ),
        (
            Place::Link("https://meet.example/x".to_owned()),
            Role::Guest,
            Some("https://meet.example/x"),
        ),
        (
            Place::CallsBooker { phone: phone() },
            Role::Host,
            Some("By telephone: the host calls +41 79 123"),
        ),
        (
            Place::CallsBooker { phone: phone() },
            Role::Guest,
            Some("By telephone: the host calls the person who booked"),
        ),
        (
            Place::CallsHost {
                phone: "+1 2".to_owned(),
            },
            Role::Guest,
            Some("By telephone: call +1 2"),
        ),
    ] {
        let mut view = request(role);
        view.place = place;
        let lines = content_lines(&view);
        let found = values(&lines, "LOCATION");
        assert_eq!(
            found.first().and_then(|line| line.strip_prefix(':')),
            want,
            "{role:?}"
        );
    }
}

/// The download of the manage page is the same writer without a mail around it.
#[test]
fn an_invitation_needs_no_mail() {
    let facts = request(Role::Booker).invitation.unwrap();
    let reader = booker();
    let sender = address("booking@sender.example");
    let invitation = Invitation {
        method: Method::Cancel,
        booking_id: Uuid::from_u128(1),
        instance_id: Uuid::from_u128(2),
        span: request(Role::Booker).span,
        title: "T",
        place: &Place::None,
        facts: &facts,
        sender: &sender,
        role: Role::Booker,
        reader: &reader,
        locale: Locale::En,
    };
    assert!(invitation.to_ics().contains("\r\nSTATUS:CANCELLED\r\n"));
}
