//! One booking, as tests show it to each of its readers.
#![expect(clippy::unwrap_used, reason = "tests")]
use std::sync::LazyLock;

use uuid::Uuid;

use super::{
    kind::{MailKind, Role},
    view::{
        Answer, AnswerValue, BookerView, Canceller, InvitationView, MailView, ManageLinks, Notice,
        Party, Place, Reader,
    },
};
use crate::{
    address::EmailAddress,
    instant::{Instant, Span},
    locale::Locale,
    zone::{Zone, Zones},
};

pub(super) const CONFIRM: &str = "https://book.example.com/book/m/c0ffee";
pub(super) const RESCHEDULE: &str = "https://book.example.com/book/m/c0ffee?action=reschedule";
pub(super) const CANCEL: &str = "https://book.example.com/book/m/c0ffee?action=cancel";
pub(super) const DASHBOARD: &str = "https://book.example.com/dashboard/bookings/7";

pub(super) fn address(text: &str) -> EmailAddress {
    text.parse().unwrap()
}

pub(super) fn at(text: &str) -> Instant {
    text.parse().unwrap()
}

static ZONES: LazyLock<Zones> = LazyLock::new(Zones::bundled);

pub(super) fn zone(name: &str) -> Zone {
    ZONES.get(name).unwrap()
}

pub(super) fn party(name: &str, email: &str) -> Party {
    Party {
        name: Some(name.to_owned()),
        address: address(email),
    }
}

pub(super) fn host() -> Party {
    party("Bo Li", "bo@host.example")
}

pub(super) fn booker() -> Party {
    party("Ana Silva", "ana@booker.example")
}

pub(super) fn guest() -> Party {
    party("Gus Roth", "gus@guest.example")
}

/// Who reads what: only bookers get a hold's mail.
pub(super) fn readers(kind: MailKind) -> &'static [Role] {
    match kind {
        MailKind::Hold => &[Role::Booker],
        _ => &[Role::Host, Role::Booker, Role::Guest],
    }
}

/// Every mail that there is: kind, reader, language.
pub(super) fn every_view() -> Vec<MailView> {
    let mut views = Vec::new();
    for kind in MailKind::ALL {
        for role in readers(kind) {
            for locale in Locale::ALL {
                views.push(view(kind, *role, locale));
            }
        }
    }
    views
}

/// A mail about a meeting on 14 March 2024, 16:30 UTC, booked in New York with a host in Denver.
pub(super) fn view(kind: MailKind, role: Role, locale: Locale) -> MailView {
    let span = Span::new(at("2024-03-14T16:30:00Z"), at("2024-03-14T17:00:00Z")).unwrap();
    MailView {
        mail_id: Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001),
        instance_id: Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0002),
        booking_id: Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0003),
        sent_at: at("2024-03-01T08:00:00Z"),
        public_url: "https://book.example.com/".to_owned(),
        from: party("Example Booking", "booking@sender.example"),
        to: match role {
            Role::Host => host(),
            Role::Booker => booker(),
            Role::Guest => guest(),
        },
        reply_to: Some(if role == Role::Host { booker() } else { host() }),
        locale,
        zone: zone(match role {
            Role::Host => "America/Denver",
            Role::Booker | Role::Guest => "America/New_York",
        }),
        notice: match kind {
            MailKind::Hold => Notice::Hold {
                expires_at: at("2024-03-01T08:30:00Z"),
            },
            MailKind::Confirmed => Notice::Confirmed,
            MailKind::Rescheduled => Notice::Rescheduled {
                previous: Span::new(at("2024-03-07T17:30:00Z"), at("2024-03-07T18:00:00Z"))
                    .unwrap(),
            },
            MailKind::Cancelled => Notice::Cancelled {
                by: Canceller::Host,
                reason: Some("777 666 555".to_owned()),
            },
            MailKind::Reminder => Notice::Reminder,
        },
        reader: match role {
            Role::Host => Reader::Host {
                booker: Box::new(booker_view()),
                dashboard_url: Some(DASHBOARD.to_owned()),
            },
            Role::Booker => Reader::Booker {
                links: ManageLinks {
                    confirm: CONFIRM.to_owned(),
                    reschedule: RESCHEDULE.to_owned(),
                    cancel: CANCEL.to_owned(),
                },
            },
            Role::Guest => Reader::Guest {
                booker_name: "Ana Silva".to_owned(),
            },
        },
        title: "Intro 30".to_owned(),
        description: "§§ 1\n§§ 2".to_owned(),
        place: Place::Link("https://meet.example/room-1".to_owned()),
        span,
        host_names: vec!["Bo Li".to_owned()],
        invitation: Some(InvitationView {
            revision: 3,
            revised_at: at("2024-03-01T07:59:58Z"),
            organizer: party("Bo Li", "booking@sender.example"),
            hosts: vec![host()],
            booker: booker(),
        }),
    }
}

fn booker_view() -> BookerView {
    let answer = |label: &str, value| Answer {
        label: label.to_owned(),
        value,
    };
    BookerView {
        name: "Ana Silva".to_owned(),
        address: address("ana@booker.example"),
        zone: zone("America/New_York"),
        note: Some("¶¶ 8\n¶¶ 9".to_owned()),
        answers: vec![
            answer("¿1?", AnswerValue::YesNo(true)),
            answer("¿2?", AnswerValue::YesNo(false)),
            answer("¿3?", AnswerValue::Text("+41 79 123".to_owned())),
            answer(
                "¿4?",
                AnswerValue::Options(vec!["№1".to_owned(), "№2".to_owned()]),
            ),
        ],
        guests: vec![
            guest(),
            Party {
                name: None,
                address: address("nameless@guest.example"),
            },
        ],
    }
}
