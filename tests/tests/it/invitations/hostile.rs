//! Random mails about random bookings, with text that tries to break out of its place.

use jiff::Timestamp;
use shared::{
    instant::{Instant, Span},
    locale::Locale,
    mail::{
        kind::{MailKind, Role},
        view::{
            Answer, AnswerValue, BookerView, Canceller, InvitationView, MailView, ManageLinks,
            Notice, Party, Place, Reader,
        },
    },
    zone::{Zone, Zones},
};
use uuid::Uuid;

/// xorshift64*: the same bookings on every run.
pub(super) struct Random(u64, Zones);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed, Zones::bundled())
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap();
        usize::try_from(self.next() % end).unwrap()
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    fn uuid(&mut self) -> Uuid {
        Uuid::from_u64_pair(self.next(), self.next())
    }

    /// Up to `most` pieces, with and without spaces between.
    fn text(&mut self, most: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.below(most + 1) {
            let piece = self.pick::<&str>(&PIECES);
            text.push_str(piece);
            if self.one_in(2) {
                text.push(' ');
            }
        }
        text
    }

    fn maybe_text(&mut self, most: usize) -> Option<String> {
        (!self.one_in(4)).then(|| self.text(most))
    }

    fn party(&mut self) -> Party {
        Party {
            name: self.maybe_text(4),
            address: self.pick(&ADDRESSES).0.parse().unwrap(),
        }
    }

    fn zone(&mut self) -> Zone {
        let name = *self.pick(&ZONES);
        self.1.get(name).unwrap()
    }

    fn instant(&mut self) -> Instant {
        let minutes = i64::try_from(self.below(12 * 366 * 24 * 60)).unwrap();
        let from: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        Instant::new(from).plus_minutes(minutes)
    }

    fn span(&mut self) -> Span {
        let from = self.instant();
        let minutes = 5 + i64::try_from(self.below(476)).unwrap();
        Span::new(from, from.plus_minutes(minutes)).unwrap()
    }

    fn place(&mut self) -> Place {
        match self.below(6) {
            0 => Place::None,
            1 => Place::Link("https://meet.example/r?a=1&b=2,3;4".to_owned()),
            2 => Place::CallsBooker {
                phone: self.maybe_text(2),
            },
            3 => Place::CallsHost {
                phone: self.text(2),
            },
            _ => Place::Text(self.text(5)),
        }
    }
}

/// Addresses as typed, as they stand in a URI, and as they travel.
pub(super) const ADDRESSES: [(&str, &str, &str); 9] = [
    ("ana@example.com", "ana@example.com", "ana@example.com"),
    (
        "Ana.Silva@Example.COM",
        "Ana.Silva@example.com",
        "Ana.Silva@example.com",
    ),
    (
        "o'neil+tag@example.test",
        "o'neil+tag@example.test",
        "o'neil+tag@example.test",
    ),
    (
        "sam@bücher.example",
        "sam@xn--bcher-kva.example",
        "sam@xn--bcher-kva.example",
    ),
    (
        "a&b=c%d/e@example.test",
        "a%26b%3Dc%25d%2Fe@example.test",
        "a&b=c%d/e@example.test",
    ),
    (
        "用户@例子.example",
        "%E7%94%A8%E6%88%B7@xn--fsqu00a.example",
        "用户@xn--fsqu00a.example",
    ),
    (
        "someone-with-quite-a-long-local-part-that-still-fits-64@a-host-with-a-long-name.in-a-domain-with-a-longer-one.example",
        "someone-with-quite-a-long-local-part-that-still-fits-64@a-host-with-a-long-name.in-a-domain-with-a-longer-one.example",
        "someone-with-quite-a-long-local-part-that-still-fits-64@a-host-with-a-long-name.in-a-domain-with-a-longer-one.example",
    ),
    (
        "x_y-z~1!@sub.example.org",
        "x_y-z~1!@sub.example.org",
        "x_y-z~1!@sub.example.org",
    ),
    (
        "{a|b}^c`@example.net",
        "%7Ba%7Cb%7D%5Ec%60@example.net",
        "{a|b}^c`@example.net",
    ),
];

const ZONES: [&str; 10] = [
    "UTC",
    "America/New_York",
    "America/St_Johns",
    "Europe/Dublin",
    "Europe/Berlin",
    "Africa/Casablanca",
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Australia/Lord_Howe",
    "Pacific/Kiritimati",
];

const PIECES: [&str; 64] = [
    "Ana",
    "Silva",
    "O'Neil",
    "王小明",
    "דנה כהן",
    "محمد",
    "Zoë Čapek",
    "n",
    "\\n",
    "\\N",
    "\\",
    "\\\\",
    ";",
    ",",
    ":",
    "\"",
    "\"quoted\"",
    "'",
    "^",
    "^^",
    "^n",
    "^'",
    "\r\n",
    "\n",
    "\r",
    "\r\n ",
    "\r\n\r\n",
    "\nBEGIN:VALARM\n",
    "\r\nATTACH:https://bad.example.test/x",
    "\r\nBcc: victim@example.test\r\n\r\nbody",
    "\nX-Test: 1",
    "END:VCALENDAR",
    "\u{0}",
    "\u{7}\u{8}",
    "\t",
    "\u{b}\u{c}",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{85}",
    "\u{9b}",
    "\u{2028}",
    "\u{2029}",
    "\u{202e}",
    "\u{2067}\u{2069}",
    "\u{200b}",
    "\u{200e}",
    "\u{feff}",
    "\u{fffd}\u{fffe}",
    "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
    "📞",
    "e\u{301}\u{323}\u{300}\u{301}\u{302}\u{303}",
    "一次很长很长的会谈标题里有许多汉字所以必须分成好几行才能放得下不是吗",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "=?utf-8?q?=41=42?=",
    "=?utf-8?b?QUI=?=",
    "<script>alert(1)</script>",
    "&amp; &#10;",
    "https://evil.example/x?y=z",
    "www.evil.example",
    "sam@evil.example",
    "<sam@evil.example>",
    "(comment)",
    "\n.\n",
    "--=_a_\n--=_m_\n-- \nFrom me",
];

/// The `at`-th mail: kinds, readers and languages in turn, everything else at random.
pub(super) fn view(random: &mut Random, at: usize) -> MailView {
    let kind = MailKind::ALL[at % 5];
    let role = match kind {
        MailKind::Hold => Role::Booker,
        _ => [Role::Host, Role::Booker, Role::Guest][at / 5 % 3],
    };
    let locale = Locale::ALL[at / 15 % 2];
    let mut hosts = vec![random.party()];
    while random.one_in(3) {
        hosts.push(random.party());
    }
    let booker = random.party();
    let guest = random.party();
    let to = match role {
        // Now and then one who is a host no longer.
        Role::Host if random.one_in(8) => random.party(),
        Role::Host => random.pick(&hosts).clone(),
        Role::Booker => booker.clone(),
        Role::Guest => guest.clone(),
    };
    let from = random.party();
    let organizer = Party {
        name: hosts[0].name.clone(),
        address: if random.one_in(3) {
            random.party().address
        } else {
            from.address.clone()
        },
    };
    MailView {
        mail_id: random.uuid(),
        instance_id: random.uuid(),
        booking_id: random.uuid(),
        sent_at: random.instant(),
        public_url: "https://book.example.com".to_owned(),
        from,
        to,
        reply_to: (!random.one_in(5)).then(|| random.party()),
        locale,
        zone: random.zone(),
        notice: notice(random, kind),
        reader: reader(random, role, &booker, guest),
        title: random.text(6),
        description: random.text(12),
        place: random.place(),
        span: random.span(),
        host_names: hosts
            .iter()
            .map(|host| host.name.clone().unwrap_or_default())
            .collect(),
        invitation: (!random.one_in(10)).then(|| InvitationView {
            revision: u32::try_from(at % 7).unwrap(),
            revised_at: random.instant(),
            organizer,
            hosts,
            booker,
        }),
    }
}

fn notice(random: &mut Random, kind: MailKind) -> Notice {
    match kind {
        MailKind::Hold => Notice::Hold {
            expires_at: random.instant(),
        },
        MailKind::Confirmed => Notice::Confirmed,
        MailKind::Rescheduled => Notice::Rescheduled {
            previous: random.span(),
        },
        MailKind::Cancelled => Notice::Cancelled {
            by: *random.pick(&[Canceller::Booker, Canceller::Host, Canceller::Coordinator]),
            reason: random.maybe_text(8),
        },
        MailKind::Reminder => Notice::Reminder,
    }
}

fn reader(random: &mut Random, role: Role, booker: &Party, guest: Party) -> Reader {
    let name = booker.name.clone().unwrap_or_default();
    match role {
        Role::Booker => Reader::Booker {
            links: ManageLinks {
                confirm: "https://book.example.com/book/m/70c3n".to_owned(),
                reschedule: "https://book.example.com/book/m/70c3n?action=reschedule".to_owned(),
                cancel: "https://book.example.com/book/m/70c3n?action=cancel".to_owned(),
            },
        },
        Role::Guest => Reader::Guest { booker_name: name },
        Role::Host => Reader::Host {
            dashboard_url: (!random.one_in(3))
                .then(|| "https://book.example.com/dashboard/bookings/1".to_owned()),
            booker: Box::new(BookerView {
                name,
                address: booker.address.clone(),
                zone: random.zone(),
                note: random.maybe_text(12),
                answers: vec![
                    Answer {
                        label: random.text(3),
                        value: AnswerValue::Text(random.text(8)),
                    },
                    Answer {
                        label: random.text(3),
                        value: AnswerValue::YesNo(random.one_in(2)),
                    },
                ],
                guests: vec![guest],
            }),
        },
    }
}
