//! Random values, and text that tries to break out of its place.

use jiff::Timestamp;
use shared::{
    address::EmailAddress,
    instant::{Instant, Span},
    mail::view::{Party, Place},
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

    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap();
        usize::try_from(self.next() % end).unwrap()
    }

    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub(super) fn uuid(&mut self) -> Uuid {
        Uuid::from_u64_pair(self.next(), self.next())
    }

    /// Up to `most` pieces, with and without spaces between.
    pub(super) fn text(&mut self, most: usize) -> String {
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

    pub(super) fn maybe_text(&mut self, most: usize) -> Option<String> {
        (!self.one_in(4)).then(|| self.text(most))
    }

    pub(super) fn party(&mut self) -> Party {
        Party {
            name: self.maybe_text(4),
            address: self.pick(&ADDRESSES).0.parse().unwrap(),
        }
    }

    pub(super) fn zone(&mut self) -> Zone {
        let name = *self.pick(&ZONES);
        self.1.get(name).unwrap()
    }

    pub(super) fn instant(&mut self) -> Instant {
        let minutes = i64::try_from(self.below(12 * 366 * 24 * 60)).unwrap();
        let from: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        Instant::new(from).plus_minutes(minutes)
    }

    pub(super) fn span(&mut self) -> Span {
        let from = self.instant();
        let minutes = 5 + i64::try_from(self.below(476)).unwrap();
        Span::new(from, from.plus_minutes(minutes)).unwrap()
    }

    pub(super) fn place(&mut self) -> Place {
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
pub(super) const ADDRESSES: [(&str, &str, &str); 11] = [
    ("ana@example.com", "ana@example.com", "ana@example.com"),
    // The same two mailboxes in other spellings.
    ("ANA@Example.com", "ANA@example.com", "ANA@example.com"),
    (
        "Sam@xn--bcher-kva.example",
        "Sam@xn--bcher-kva.example",
        "Sam@xn--bcher-kva.example",
    ),
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

pub(super) const PIECES: [&str; 64] = [
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

/// The row of [`ADDRESSES`] of an address.
pub(super) fn known(address: &EmailAddress) -> (&'static str, &'static str, &'static str) {
    let mut all = ADDRESSES.into_iter();
    all.find(|(typed, ..)| *typed == address.as_str())
        .expect("one of the list")
}

/// Whether two addresses are one mailbox, whatever their spelling.
pub(super) fn same_mailbox(one: &EmailAddress, other: &EmailAddress) -> bool {
    known(one).2.eq_ignore_ascii_case(known(other).2)
}
